//! Undoes what stands between the bytes of a file and its text: compression, archives, encodings.
//!
//! It streams: memory does not grow with the input. It does not touch the disk, and it never gives up the whole for
//! a part: what cannot be opened is reported and the rest is delivered.

mod archive;
mod decode;
mod guard;
mod name;
mod sniff;

use guard::{Counted, Failure, Guarded, Unpacked};
use sniff::{Container, Content};
use std::{
    cell::Cell,
    io::{self, Cursor, Read},
    rc::Rc,
};

/// How much of a stream is looked at to see what it is.
const HEAD: usize = 64 << 10;
/// The memory that an xz stream may ask for: `xz -9` needs 65 MiB.
const XZ_MEMORY: u64 = 80 << 20;
/// The logarithm of the largest window of a zstd frame: 32 MiB, that of `zstd --ultra -20`.
const ZSTD_WINDOW: u32 = 25;

/// What was found in a file; one file may give many.
pub enum Opened<'a> {
    /// Text in UTF-8 (or nearly), to be read before the visitor returns.
    Text {
        /// The file's name, with `!inner/name` for each archive around it.
        path: &'a str,
        /// The text.
        reader: &'a mut dyn Read,
    },
    /// Something that is not text, or whose rest could not be read.
    Skipped {
        /// As in [`Opened::Text`].
        path: &'a str,
        /// Why, in a few words.
        reason: &'a str,
    },
}

/// What hostile archives are held to.
#[derive(Debug, Clone)]
pub struct Limits {
    /// How many layers of compression and archives are undone.
    pub depth: usize,
    /// How many members of archives are looked at, all levels together.
    pub entries: usize,
    /// How many bytes are unpacked of one file, all members together.
    pub bytes: u64,
    /// How many times larger than packed a stream may become, once it is larger than 64 MiB.
    pub ratio: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self { depth: 5, entries: 10_000, bytes: 64 << 30, ratio: 2_000 }
    }
}

/// Opens one file and shows the visitor what is in it, in the order in which it stands there.
pub fn open(name: &str, raw: Box<dyn Read + '_>, limits: &Limits, visit: &mut dyn FnMut(Opened<'_>)) {
    let mut told = false;
    let mut tell = |opened: Opened<'_>| {
        told = true;
        visit(opened);
    };
    let mut walk = Walk { limits, entries: 0, left: Rc::new(Cell::new(limits.bytes)), visit: &mut tell };
    let failure = Failure::default();
    let mut reader = Guarded::new(raw, failure.clone());
    walk.stream(name, &mut reader, limits.depth, &failure);
    walk.report(name, &failure);
    if !told {
        visit(Opened::Skipped { path: name, reason: "an archive that holds no file" });
    }
}

/// The walk through one file.
struct Walk<'a> {
    limits: &'a Limits,
    /// Members of archives seen so far.
    entries: usize,
    /// Bytes that may still be unpacked.
    left: Rc<Cell<u64>>,
    visit: &'a mut dyn FnMut(Opened<'_>),
}

impl Walk<'_> {
    /// Reports something that is left out.
    fn skip(&mut self, path: &str, reason: &str) {
        (self.visit)(Opened::Skipped { path, reason });
    }

    /// Reports why a stream ended early, if it did.
    fn report(&mut self, path: &str, failure: &Failure) {
        if let Some(reason) = failure.reason() {
            self.skip(path, &reason);
        }
    }

    /// Looks at a stream and delivers it, unpacks it, or leaves it out. `failure` is the stream's own.
    fn stream(&mut self, path: &str, reader: &mut dyn Read, depth: usize, failure: &Failure) {
        let head = head(reader);
        if head.is_empty() {
            if failure.reason().is_none() {
                self.skip(path, "empty");
            }
            return;
        }
        let container = sniff::container(&head);
        let content = sniff::content(&head);
        let mut whole = Cursor::new(head).chain(reader);
        match (container, content) {
            (Some(_), _) if depth == 0 => self.skip(path, "packed in too many layers"),
            (Some(Container::Tar), _) => archive::tar(self, path, &mut whole, depth - 1, failure),
            (Some(Container::Zip), _) => archive::zip(self, path, &mut whole, depth - 1),
            (Some(packed), _) => self.unpack(path, packed, &mut whole, depth - 1),
            (None, Content::Binary(reason)) => self.skip(path, reason),
            (None, Content::Text { encoding: None, skip }) => self.deliver(path, &mut whole, skip),
            (None, Content::Text { encoding: Some(encoding), skip }) => {
                discard(&mut whole, skip);
                self.deliver(path, &mut decode::Decoded::new(whole, encoding), 0);
            }
        }
    }

    /// Delivers text behind its byte order mark.
    fn deliver(&mut self, path: &str, reader: &mut dyn Read, skip: usize) {
        discard(reader, skip);
        (self.visit)(Opened::Text { path, reader });
    }

    /// Unpacks a compressed stream, which may hold anything again.
    fn unpack(&mut self, path: &str, packed: Container, reader: &mut dyn Read, depth: usize) {
        let consumed = Rc::new(Cell::new(0));
        let counted = Counted { inner: reader, count: Rc::clone(&consumed) };
        match decoder(packed, counted) {
            Ok(decoder) => self.member(path, decoder, &consumed, depth),
            Err(error) => self.skip(path, &format!("cannot be unpacked: {error}")),
        }
    }

    /// Looks at an unpacked stream under the limits, and reports how it ended.
    fn member<'r>(&mut self, path: &str, reader: impl Read + 'r, consumed: &Rc<Cell<u64>>, depth: usize) {
        let failure = Failure::default();
        let mut unpacked = Unpacked {
            inner: Guarded::new(reader, failure.clone()),
            failure: failure.clone(),
            consumed: Rc::clone(consumed),
            produced: 0,
            ratio: self.limits.ratio,
            left: Rc::clone(&self.left),
        };
        self.stream(path, &mut unpacked, depth, &failure);
        self.report(path, &failure);
    }
}

/// The decoder of a compressed stream; each takes several streams one after the other, as appending makes them.
fn decoder<'r>(packed: Container, reader: impl Read + 'r) -> io::Result<Box<dyn Read + 'r>> {
    Ok(match packed {
        Container::Gzip => Box::new(flate2::read::MultiGzDecoder::new(reader)),
        Container::Bzip2 => Box::new(bzip2::read::MultiBzDecoder::new(reader)),
        Container::Zstd => {
            let mut decoder = zstd::stream::read::Decoder::new(reader)?;
            decoder.window_log_max(ZSTD_WINDOW)?;
            Box::new(decoder)
        }
        _ => {
            let stream =
                liblzma::stream::Stream::new_stream_decoder(XZ_MEMORY, liblzma::stream::CONCATENATED)?;
            Box::new(liblzma::read::XzDecoder::new_stream(reader, stream))
        }
    })
}

/// The beginning of a stream. A stream that begins with a hole (a log whose writer kept its place when the file was
/// cut under it: `copytruncate`) begins behind it.
fn head(reader: &mut dyn Read) -> Vec<u8> {
    loop {
        let mut head = Vec::new();
        // Guarded streams give no errors.
        let _ = reader.take(HEAD as u64).read_to_end(&mut head);
        match head.iter().position(|byte| *byte != 0) {
            None if head.is_empty() => return head,
            None => {}
            Some(start) if start > HEAD / 2 => return head.split_off(start),
            Some(_) => return head,
        }
    }
}

/// Reads some bytes and forgets them.
fn discard(reader: &mut dyn Read, bytes: usize) {
    let _ = io::copy(&mut reader.take(bytes as u64), &mut io::sink());
}

#[cfg(test)]
mod tests;
