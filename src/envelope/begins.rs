//! With which byte a line in an envelope can begin: most envelopes are ruled out by that alone.
//!
//! A set may hold more bytes than its envelope needs, never fewer.

/// A set of first bytes.
#[derive(Debug, Clone, Copy)]
pub struct Begins {
    ascii: u128,
    beyond: bool,
}

impl Begins {
    /// Any line but an empty one.
    pub const ANY: Self = Self { ascii: u128::MAX, beyond: true };
    /// An object of JSON.
    pub const OBJECT: Self = Self::of(b"{");
    /// A stamp in figures.
    pub const DIGIT: Self = Self::of(b"0123456789");
    /// A word or a stamp in figures.
    pub const WORD: Self = Self::of(b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz");

    /// These ASCII bytes.
    pub const fn of(bytes: &[u8]) -> Self {
        let (mut ascii, mut at) = (0, 0);
        while at < bytes.len() {
            ascii |= 1 << (bytes[at] & 127);
            at += 1;
        }
        Self { ascii, beyond: false }
    }

    /// These ASCII bytes too.
    #[must_use]
    pub const fn and(self, bytes: &[u8]) -> Self {
        Self { ascii: self.ascii | Self::of(bytes).ascii, ..self }
    }

    /// Characters beyond ASCII too.
    #[must_use]
    pub const fn and_beyond(self) -> Self {
        Self { beyond: true, ..self }
    }

    /// Whether a text begins so.
    pub fn fits(self, text: &str) -> bool {
        text.as_bytes().first().is_some_and(|byte| match byte {
            0..128 => self.ascii >> byte & 1 == 1,
            _ => self.beyond,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::envelope::ENVELOPES;

    #[test]
    fn a_set_holds_what_it_was_made_of() {
        let set = Begins::of(b"{[").and(b"~");
        assert!(["{", "[a", "~"].iter().all(|text| set.fits(text)));
        assert!(["", "a", "é", "}"].iter().all(|text| !set.fits(text)));
        assert!(set.and_beyond().fits("│"));
    }

    #[test]
    fn every_sample_begins_as_its_envelope_says() {
        for envelope in ENVELOPES {
            assert!(envelope.begins.fits(envelope.sample), "{}", envelope.name);
        }
    }

    proptest::proptest! {
        /// What an envelope takes off, it does not rule out by its first byte.
        #[test]
        fn no_envelope_is_ruled_out_that_fits(
            index in 0usize..64,
            head in "(\\PC|[ \\t\\[{<\"|>│\u{feff}\u{1e}]){0,3}",
            cut in 0usize..6,
        ) {
            for envelope in ENVELOPES {
                let sample = ENVELOPES[index % ENVELOPES.len()].sample;
                let text = format!("{head}{}", sample.get(cut..).unwrap_or(sample));
                let fits = (envelope.peel)(&text).is_none() || envelope.begins.fits(&text);
                proptest::prop_assert!(fits, "{}: {}", envelope.name, text);
            }
        }
    }
}
