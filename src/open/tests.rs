//! What comes out of files of every kind, sound and hostile.

use super::{Limits, Opened, open};
use std::io::{self, Read, Write};

/// Everything that is delivered, a line a part: `path: text` or `path ✗ reason`.
fn opened_with(bytes: &[u8], limits: &Limits) -> Vec<String> {
    let mut parts = Vec::new();
    open("f", Box::new(bytes), limits, &mut |opened| match opened {
        Opened::Text { path, reader } => {
            let mut text = String::new();
            let _ = reader.read_to_string(&mut text).map_err(|error| text = error.to_string());
            parts.push(format!("{path}: {text}"));
        }
        Opened::Skipped { path, reason } => parts.push(format!("{path} ✗ {reason}")),
    });
    parts
}

#[track_caller]
fn check(bytes: &[u8], expected: &[&str]) {
    assert_eq!(opened_with(bytes, &Limits::default()), expected);
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn xz(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = liblzma::write::XzEncoder::new(Vec::new(), 6);
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn bzip2(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::default());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn zstd(bytes: &[u8]) -> Vec<u8> {
    zstd::encode_all(bytes, 3).unwrap()
}

/// A tar archive with these members; names are written as they are.
fn tar(members: &[(&str, tar::EntryType, &[u8])]) -> Vec<u8> {
    let mut builder = tar::Builder::new(Vec::new());
    for (name, kind, data) in members {
        let mut header = tar::Header::new_gnu();
        header.as_old_mut().name[..name.len()].copy_from_slice(name.as_bytes());
        header.set_entry_type(*kind);
        header.set_size(data.len() as u64);
        header.set_cksum();
        builder.append(&header, *data).unwrap();
    }
    builder.into_inner().unwrap()
}

fn zip(members: &[(&str, &[u8])]) -> Vec<u8> {
    let mut writer = ::zip::ZipWriter::new(io::Cursor::new(Vec::new()));
    for (name, data) in members {
        writer.start_file(*name, ::zip::write::SimpleFileOptions::default()).unwrap();
        writer.write_all(data).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

/// Text that compresses but not to nothing.
fn long_text() -> String {
    let lines: Vec<String> =
        (0..20_000u32).map(|n| format!("line {n} {}\n", n.wrapping_mul(2_654_435_761))).collect();
    lines.concat()
}

#[test]
fn plain_text_and_nothing() {
    check(b"hello\n", &["f: hello\n"]);
    check(b"", &["f ✗ empty"]);
    check(&vec![0; 200_000], &["f ✗ empty"]);
}

#[test]
fn every_compression_with_a_second_stream_appended() {
    for pack in [gzip, xz, bzip2, zstd] {
        check(&[pack(b"one\n"), pack(b"two\n")].concat(), &["f: one\ntwo\n"]);
        check(&pack(b""), &["f ✗ empty"]);
        check(&gzip(&pack(b"nested\n")), &["f: nested\n"]);
    }
}

#[test]
fn what_is_cut_off_gives_its_good_part() {
    let text = long_text();
    for pack in [gzip, xz, bzip2, zstd] {
        let whole = pack(text.as_bytes());
        let parts = opened_with(&whole[..whole.len() - 9], &Limits::default());
        assert!(
            text.starts_with(parts[0].strip_prefix("f: ").unwrap_or("no text")),
            "{:?}",
            parts[0].get(..40)
        );
        assert_eq!(parts[1..], ["f ✗ cut off: it ends before its end"]);
    }
    let whole = gzip(text.as_bytes());
    let parts = opened_with(&whole[..whole.len() / 2], &Limits::default());
    assert!(parts[0].len() > text.len() / 4, "only {} bytes", parts[0].len());
}

#[test]
fn an_error_while_reading_is_reported_behind_the_good_part() {
    struct Broken(bool);
    impl Read for Broken {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            if std::mem::replace(&mut self.0, true) {
                return Err(io::Error::other("Stale file handle"));
            }
            (&b"good\n"[..]).read(buffer)
        }
    }
    let mut parts = Vec::new();
    open("f", Box::new(Broken(false)), &Limits::default(), &mut |opened| match opened {
        Opened::Text { reader, .. } => parts.push(io::read_to_string(reader).unwrap()),
        Opened::Skipped { reason, .. } => parts.push(reason.to_owned()),
    });
    assert_eq!(parts, ["good\n", "damaged or unreadable: Stale file handle"]);
}

#[test]
fn hostile_archives() {
    use tar::EntryType as Kind;
    let long = format!("deep/{}/end.log", "d".repeat(150));
    let archive = tar(&[
        ("../../etc/a.log", Kind::Regular, b"a\n"),
        ("/abs/b.log", Kind::Regular, b"b\n"),
        ("folder/", Kind::Directory, b""),
        ("link", Kind::Symlink, b""),
        ("dev", Kind::Char, b""),
        ("././@LongLink", Kind::GNULongName, long.as_bytes()),
        ("deep/ddd", Kind::Regular, b"long\n"),
        ("core", Kind::Regular, b"\x7fELF\x02\x01\x01"),
        ("z.gz", Kind::Regular, &gzip(b"z\n")),
    ]);
    let long = format!("f!{long}: long\n");
    let expected = [
        "f!etc/a.log: a\n",
        "f!abs/b.log: b\n",
        "f!link ✗ a link in an archive",
        "f!dev ✗ a device or pipe in an archive",
        &long,
        "f!core ✗ binary",
        "f!z.gz: z\n",
    ];
    check(&archive, &expected);
    check(&gzip(&archive), &expected);
    check(&zip(&[("../a.log", b"a\n"), ("b/c.log", b"c\n")]), &["f!a.log: a\n", "f!b/c.log: c\n"]);
}

#[test]
fn folders_alone_are_told() {
    let mut writer = ::zip::ZipWriter::new(io::Cursor::new(Vec::new()));
    writer.add_directory("a/", ::zip::write::SimpleFileOptions::default()).unwrap();
    check(&writer.finish().unwrap().into_inner(), &["f ✗ an archive that holds no file"]);
    check(&tar(&[("a/", tar::EntryType::Directory, b"")]), &["f ✗ an archive that holds no file"]);
}

/// Bit 0 of a zip header's flags says that the member is encrypted (APPNOTE.TXT 4.4.4); they stand 6 bytes behind a
/// local header's signature and 8 behind a central one's.
#[test]
fn an_encrypted_member_is_told() {
    let mut archive = zip(&[("a", b"a\n")]);
    for (signature, flags) in [(b"PK\x03\x04", 6), (b"PK\x01\x02", 8)] {
        let at = archive.windows(4).position(|window| window == signature).unwrap();
        archive[at + flags] |= 1;
    }
    check(
        &archive,
        &["f!a ✗ cannot be unpacked: unsupported Zip archive: Password required to decrypt file"],
    );
}

#[test]
fn cut_archives_give_what_they_have() {
    let archive =
        tar(&[("a", tar::EntryType::Regular, b"a\n"), ("b", tar::EntryType::Regular, &[b'b'; 2000])]);
    let parts = opened_with(&archive[..512 * 4], &Limits::default());
    assert_eq!((parts[0].as_str(), parts.len()), ("f!a: a\n", 3), "{parts:?}");
    let archive = zip(&[("a", b"a\n"), ("b", b"b\n")]);
    let parts = opened_with(&archive[..archive.len() - 60], &Limits::default());
    assert_eq!(parts[..2], ["f!a: a\n", "f!b: b\n"]);
}

#[test]
fn limits_hold() {
    let limits = Limits { depth: 2, entries: 2, bytes: 1000, ratio: 10 };
    let nested = gzip(&gzip(&gzip(b"x\n")));
    assert_eq!(opened_with(&nested, &limits), ["f ✗ packed in too many layers"]);
    let many = zip(&[("a", b"a"), ("b", b"b"), ("c", b"c"), ("d", b"d")]);
    assert_eq!(
        opened_with(&many, &limits),
        ["f!a: a", "f!b: b", "f ✗ holds more than 2 files; the rest was left"]
    );
    let large = opened_with(&gzip(&[b'x'; 5000]), &limits);
    assert_eq!(
        (large[0].len(), large[1].as_str()),
        (1003, "f ✗ unpacks to more than the limit; the rest was left")
    );
}

#[test]
fn a_bomb_is_defused() {
    let bomb = zstd(&vec![b'x'; 80 << 20]);
    let limits = Limits { ratio: 100, ..Limits::default() };
    let mut parts = Vec::new();
    open("f", Box::new(bomb.as_slice()), &limits, &mut |opened| match opened {
        Opened::Text { reader, .. } => parts.push(io::copy(reader, &mut io::sink()).unwrap().to_string()),
        Opened::Skipped { reason, .. } => parts.push(reason.to_owned()),
    });
    assert_eq!(parts[1], "unpacks to more than 100 times its size; the rest was left");
}

#[test]
fn encodings() {
    let utf_16 =
        |text: &str, order: fn(u16) -> [u8; 2]| text.encode_utf16().flat_map(order).collect::<Vec<u8>>();
    let text = "[I 15:22:30.902 NotebookApp] Kernel started: ünï 内核\r\n";
    check(&[b"\xef\xbb\xbf", text.as_bytes()].concat(), &[&format!("f: {text}")]);
    check(&[b"\xff\xfe".to_vec(), utf_16(text, u16::to_le_bytes)].concat(), &[&format!("f: {text}")]);
    check(&[b"\xfe\xff".to_vec(), utf_16(text, u16::to_be_bytes)].concat(), &[&format!("f: {text}")]);
    check(&utf_16(text, u16::to_le_bytes), &[&format!("f: {text}")]);
    check(&utf_16(text, u16::to_be_bytes), &[&format!("f: {text}")]);
    let long = long_text();
    check(&utf_16(&long, u16::to_le_bytes), &[&format!("f: {long}")]);
    let chinese = "错误: 内存不足，无法分配\n";
    check(&encoding_rs::GB18030.encode(chinese).0, &[&format!("f: {chinese}")]);
}

#[test]
fn latin_1_and_torn_utf_8_are_left_alone() {
    for bytes in [&b"donn\xe9es re\xe7ues \xe0 l'\xe9cole\n"[..], "内核 内核 内核 \u{fffd}".as_bytes()]
    {
        let mut same = false;
        open("f", Box::new(bytes), &Limits::default(), &mut |opened| {
            let Opened::Text { reader, .. } = opened else { return };
            let mut read = Vec::new();
            same = reader.read_to_end(&mut read).is_ok() && read == bytes;
        });
        assert!(same);
    }
}

#[test]
fn binary_or_text_with_holes() {
    let program: Vec<u8> = (0..4000u32).flat_map(|n| (n * 7).to_le_bytes()).collect();
    check(&program, &["f ✗ binary"]);
    check(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\x01\0\0\0\x01\0\x08\x06\0\0\0", &["f ✗ binary"]);
    let mut hole = b"before\n".to_vec();
    hole.extend([0; 5000]);
    hole.extend(b"after\n");
    assert!(opened_with(&hole, &Limits::default())[0].ends_with("after\n"));
    let stamped = "2026-11-30T15:22:30\0.123Z 00O some words of a job's log here\n".repeat(50);
    check(stamped.as_bytes(), &[&format!("f: {stamped}")]);
    let moved = [vec![0; 300_000], b"after copytruncate\n".to_vec()].concat();
    assert!(opened_with(&moved, &Limits::default())[0].ends_with("after copytruncate\n"));
}

proptest::proptest! {
    /// Damaged archives of every kind neither panic nor hang.
    #[test]
    fn damage_is_survived(kind in 0usize..6, at in 0usize..4000, byte: u8, cut in 0usize..4000) {
        let text = "some words of a log\n".repeat(40);
        let members = [("a.log", text.as_bytes()), ("b.log", &b"b\n"[..])];
        let mut bytes = match kind {
            0 => gzip(text.as_bytes()),
            1 => xz(text.as_bytes()),
            2 => bzip2(text.as_bytes()),
            3 => zstd(text.as_bytes()),
            4 => zip(&members),
            _ => tar(&members.map(|(name, data)| (name, tar::EntryType::Regular, data))),
        };
        let length = bytes.len();
        bytes[at % length] = byte;
        bytes.truncate(length - cut % length / 4);
        proptest::prop_assert!(!opened_with(&bytes, &Limits::default()).is_empty());
    }
}
