//! Says from its first bytes what a stream is: compressed, an archive, text in some encoding, or binary.
//!
//! Names are not looked at; `dmesg.gz` that somebody unpacked in place is text.

use encoding_rs::{Encoding, GB18030, UTF_16BE, UTF_16LE};

/// Something that holds other streams.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Container {
    Gzip,
    Zstd,
    Xz,
    Bzip2,
    Tar,
    Zip,
}

/// Something that holds none.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Content {
    /// Text in an encoding (UTF-8 if none is named) behind so many bytes of a mark.
    Text { encoding: Option<&'static Encoding>, skip: usize },
    /// No text, and why.
    Binary(&'static str),
}

/// First bytes of what holds other streams.
const MAGIC: &[(&[u8], Container)] = &[
    (b"\x1f\x8b", Container::Gzip),
    (b"\x28\xb5\x2f\xfd", Container::Zstd),
    (b"\xfd7zXZ\0", Container::Xz),
    (b"BZh", Container::Bzip2),
    (b"PK\x03\x04", Container::Zip),
    (b"PK\x05\x06", Container::Zip),
];

/// First bytes of binary files that a report can say more about.
const KNOWN: &[(&[u8], &str)] = &[
    (b"LPKSHHRH", "a binary journal: export it with `journalctl --file FILE -o json`"),
    (b"\x7fELF", "binary"),
    (b"ElfFile\0", "a binary Windows event log: export it as text"),
];

/// What holds other streams.
pub(super) fn container(head: &[u8]) -> Option<Container> {
    let known = MAGIC.iter().find(|(magic, _)| head.starts_with(magic)).map(|(_, container)| *container);
    match known {
        // `BZh` is text until a level and the mark of a block, or of an empty file, follow.
        Some(Container::Bzip2) => {
            let block = head.get(4..10)?;
            let marked = block == b"\x31\x41\x59\x26\x53\x59" || block == b"\x17\x72\x45\x38\x50\x90";
            (head.get(3)?.is_ascii_digit() && marked).then_some(Container::Bzip2)
        }
        Some(container) => Some(container),
        None => is_tar(head).then_some(Container::Tar),
    }
}

/// Whether a block has a tar header's checksum, which the oldest format has as well.
fn is_tar(head: &[u8]) -> bool {
    let (Some(header), Some(field)) = (head.get(..512), head.get(148..156)) else { return false };
    let digits: Vec<u8> =
        field.iter().copied().skip_while(|b| *b == b' ').take_while(u8::is_ascii_digit).collect();
    let Ok(printed) = u32::from_str_radix(&String::from_utf8_lossy(&digits), 8) else { return false };
    let own: u32 = field.iter().map(|byte| u32::from(*byte)).sum();
    let sum: u32 = header.iter().map(|byte| u32::from(*byte)).sum();
    header.first() != Some(&0) && sum - own + 8 * u32::from(b' ') == printed
}

/// Text or not, and in which encoding.
pub(super) fn content(head: &[u8]) -> Content {
    if let Some((_, reason)) = KNOWN.iter().find(|(magic, _)| head.starts_with(magic)) {
        return Content::Binary(reason);
    }
    if is_docker_local(head) {
        return Content::Binary("docker's binary `local` log: use `docker logs`");
    }
    if let Some((encoding, length)) = Encoding::for_bom(head) {
        let encoding = (encoding != encoding_rs::UTF_8).then_some(encoding);
        return Content::Text { encoding, skip: length };
    }
    if let Some(encoding) = utf_16(head) {
        return Content::Text { encoding: Some(encoding), skip: 0 };
    }
    if is_binary(head) {
        return Content::Binary("binary");
    }
    Content::Text { encoding: is_gb18030(head).then_some(GB18030), skip: 0 }
}

/// docker's `local` driver: a length, then a protobuf record that begins with the stream's name.
fn is_docker_local(head: &[u8]) -> bool {
    head.starts_with(b"\0\0") && matches!(head.get(4..12), Some(b"\x0a\x06stdout" | b"\x0a\x06stderr"))
}

/// UTF-16 without a mark: nearly all that Latin text has in one half of its units are NULs, and none in the other.
fn utf_16(head: &[u8]) -> Option<&'static Encoding> {
    let pairs = head.chunks_exact(2);
    let count = pairs.len();
    let (mut first, mut second) = (0, 0);
    for pair in pairs {
        first += usize::from(pair.first() == Some(&0));
        second += usize::from(pair.get(1) == Some(&0));
    }
    let encoding = match (first * 2 > count, second * 2 > count) {
        (true, false) if second * 20 <= count => UTF_16BE,
        (false, true) if first * 20 <= count => UTF_16LE,
        _ => return None,
    };
    let (text, _) = encoding.decode_without_bom_handling(head.get(..head.len() / 2 * 2)?);
    (!is_binary(text.as_bytes())).then_some(encoding)
}

/// Whether bytes hold too many control characters, or NULs in too many places, to be text.
///
/// One long run of NULs is a hole that a crash or `copytruncate` left; one run a line was a bug of GitLab's runner.
/// Programs and arrays have one every few bytes.
fn is_binary(bytes: &[u8]) -> bool {
    let (mut others, mut controls, mut runs) = (0usize, 0usize, 0usize);
    let mut before = 1;
    for byte in bytes {
        match *byte {
            0 => runs += usize::from(before != 0),
            7..=13 | 0x1b => others += 1,
            1..0x20 => controls += 1,
            _ => others += 1,
        }
        before = *byte;
    }
    controls * 20 > others || runs.saturating_sub(1) * 16 > others
}

/// Whether text is no UTF-8 but clean GB18030, as Chinese Windows writes it.
///
/// Latin-1 must not pass: its high bytes stand alone, where Chinese ones come in pairs; and a few torn bytes in
/// UTF-8 text must not make all of it Chinese.
fn is_gb18030(head: &[u8]) -> bool {
    if str::from_utf8(head).is_ok() {
        return false;
    }
    let (mut broken, mut foreign) = (0usize, 0usize);
    for chunk in head.utf8_chunks() {
        broken += usize::from(!chunk.invalid().is_empty());
        foreign += chunk.valid().chars().filter(|c| !c.is_ascii()).count();
    }
    if broken < 2 || broken <= foreign {
        return false;
    }
    let mut decoder = GB18030.new_decoder_without_bom_handling();
    let room = decoder.max_utf8_buffer_length_without_replacement(head.len()).unwrap_or(0);
    let (result, _, _) = decoder.decode_to_utf8_without_replacement(head, &mut vec![0; room], false);
    result == encoding_rs::DecoderResult::InputEmpty && comes_in_pairs(head)
}

/// Whether nearly all high bytes stand in pairs of two high ones, the part of GB18030 that GB 2312 has.
fn comes_in_pairs(head: &[u8]) -> bool {
    let (mut pairs, mut odd) = (0usize, 0usize);
    let mut bytes = head.iter();
    while let Some(byte) = bytes.next() {
        if *byte >= 0x81 {
            match bytes.next() {
                Some(second) if *byte >= 0xa1 && *second >= 0xa1 => pairs += 1,
                Some(_) => odd += 1,
                None => {}
            }
        }
    }
    pairs > odd * 4
}
