//! Lines whose beginning shows that they wear no envelope: those of Jupyter's own loggers, and rows of tables.
//!
//! It only saves time: whoever tried all envelopes and heads would come to the same. It must rather say too little.

use super::{
    logger::{self, Head},
    prim,
};

/// The head of a line that wears no envelope, if its first bytes show that it wears none.
pub(super) fn head(text: &str) -> Option<Head<'_>> {
    match text.as_bytes() {
        // `[I 2026-11-30 …` and tornado's own `[I 261130 …`. A bracketed clock has no such beginning, and GitHub's columns
        // are divided by tabs.
        [b'[', b'D' | b'I' | b'W' | b'E' | b'C', b' ', one, two, three, ..]
            if [one, two, three].into_iter().all(u8::is_ascii_digit) && !has_tab(text) =>
        {
            logger::tornado(text)
        }
        [b'0'..=b'9', ..] => row(text),
        _ => None,
    }
}

/// `2026/11/30 15:22:30.902, 8311 MiB`: behind the stamp of an envelope stands a blank or a zone, never a comma.
fn row(text: &str) -> Option<Head<'_>> {
    let Ok((rest, stamp)) = prim::iso(text) else { return unstamped_row(text) };
    let divided = rest.starts_with([',', ';']) && !has_tab(text);
    divided.then(|| Head { stamp: Some(stamp), ..Head::default() })
}

/// `412,523.07`: not enough digits for seconds since the epoch, and no `6,1804,47700428483,-;` of `/dev/kmsg`.
fn unstamped_row(text: &str) -> Option<Head<'_>> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let divided = digits < 9 && text.as_bytes().get(digits) == Some(&b',') && !has_tab(text);
    (divided && !text.contains(';')).then(Head::default)
}

/// Whether a line has a tab in it.
fn has_tab(text: &str) -> bool {
    memchr::memchr(b'\t', text.as_bytes()).is_some()
}

#[cfg(test)]
mod tests {
    use super::{
        super::{ENVELOPES, Peeled, finish, peel, strip},
        *,
    };

    /// As if nobody looked at the first bytes.
    fn searched(text: &str) -> Peeled<'_> {
        let mut peeled = strip(text);
        let head = logger::head(&peeled.shown).map(Head::into_owned);
        finish(&mut peeled, head);
        peeled
    }

    #[track_caller]
    fn check(text: &str) {
        assert_eq!(format!("{:?}", peel(text)), format!("{:?}", searched(text)));
    }

    #[test]
    fn the_usual_lines_are_known_by_their_beginning() {
        for text in [
            "[I 2026-11-30 15:22:30.902 ServerApp] x",
            "2026/11/30 15:22:30.902, 8311 MiB",
            "2026-11-30T15:22:30Z;7",
            "412,523.07",
        ] {
            assert!(head(text).is_some(), "{text}");
            check(text);
        }
    }

    proptest::proptest! {
        /// The beginnings and what may follow them, of all envelopes, cut and put together anew.
        #[test]
        fn it_says_what_all_envelopes_say(
            begin in "(\\[[DIWECX] |[0-9]{1,11}[,;.: ][0-9]{1,6}[, ]-?[0-9]{0,11}|)(20)?2[0-9]-?1[12]/?-?30[ T,]?(15:22:30|1:2|T8)?([.,][0-9]{1,9})?(Z|\\+00:00| UTC| CST| \\+0800 CST)?([,;| \\]]|\\t|])?( ServerApp\\]| __init__:2\\])?",
            index in 0usize..64,
            cut in 0usize..40,
            tail in "(\\PC|[ \\t|,\\]]){0,6}",
        ) {
            let sample = ENVELOPES[index % ENVELOPES.len()].sample;
            check(&format!("{begin}{}{tail}", sample.get(cut..).unwrap_or_default()));
            check(&format!("{begin}{tail}"));
        }
    }

    #[test]
    fn every_line_of_every_fixture() {
        let files = walkdir::WalkDir::new("fixtures").into_iter().flatten();
        let texts = files.filter_map(|file| std::fs::read(file.path()).ok());
        let mut known = 0;
        for text in texts {
            for line in String::from_utf8_lossy(&text).lines() {
                known += u32::from(head(line).is_some());
                check(line);
            }
        }
        assert!(known > 500, "{known} lines are known by their beginning");
    }

    #[test]
    fn every_sample_behind_every_beginning() {
        for envelope in ENVELOPES {
            for begin in [
                "",
                "412,523.07",
                "412,",
                "1796052150,414318 h1 kernel: ",
                "6,1804,47700428483,-;",
                "[I 2026-11-30 15:22:30.902 A] ",
                "2026-11-30 15:22:30,",
                "2026-11-30T15:22:30.123456Z;",
            ] {
                check(&format!("{begin}{}", envelope.sample));
                check(&format!("{begin}\t{}\t{}", envelope.sample, envelope.sample));
            }
        }
    }
}
