//! A reader that turns another encoding into UTF-8 while it reads.
//!
//! It does not guess the encoding; what is malformed becomes U+FFFD.

use encoding_rs::{Decoder, Encoding};
use std::io::{self, Read};

/// How much is decoded at once.
const CHUNK: usize = 16 << 10;

/// The decoding reader.
pub(super) struct Decoded<R> {
    inner: R,
    decoder: Decoder,
    input: Vec<u8>,
    /// The decoded bytes not yet given begin here.
    given: usize,
    output: String,
    ended: bool,
}

impl<R: Read> Decoded<R> {
    /// Decodes a stream whose byte order mark has been taken off.
    pub(super) fn new(inner: R, encoding: &'static Encoding) -> Self {
        let decoder = encoding.new_decoder_without_bom_handling();
        Self { inner, decoder, input: vec![0; CHUNK], given: 0, output: String::new(), ended: false }
    }

    /// Decodes the next chunk.
    fn refill(&mut self) -> io::Result<()> {
        let read = self.inner.read(&mut self.input)?;
        self.ended = read == 0;
        self.given = 0;
        self.output.clear();
        self.output.reserve(self.decoder.max_utf8_buffer_length(read).unwrap_or(4 * CHUNK));
        let chunk = self.input.get(..read).unwrap_or_default();
        // With the room reserved, all of the chunk is taken.
        let _ = self.decoder.decode_to_string(chunk, &mut self.output, self.ended);
        Ok(())
    }
}

impl<R: Read> Read for Decoded<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.given >= self.output.len() && !self.ended {
            self.refill()?;
        }
        let mut rest = self.output.as_bytes().get(self.given..).unwrap_or_default();
        let read = rest.read(buffer)?;
        self.given += read;
        Ok(read)
    }
}
