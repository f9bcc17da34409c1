//! Names of archive members, made safe to show and to join.
//!
//! Nothing is ever written under them; a report that shows `../../etc/passwd` would still mislead.

/// The longest name that is shown, in characters.
const LONGEST: usize = 240;

/// `archive!inner/name`: relative, without `..`, without control characters.
pub(super) fn inner(archive: &str, member: &[u8]) -> String {
    let member = String::from_utf8_lossy(member);
    // Cut first: what is cut may become `..`.
    let shown: String =
        member.chars().map(|c| if c.is_control() { '\u{fffd}' } else { c }).take(LONGEST).collect();
    let parts: Vec<&str> = shown.split(['/', '\\']).filter(|part| is_plain(part)).collect();
    let name = parts.join("/");
    format!("{archive}!{}", if name.is_empty() { "unnamed" } else { &name })
}

/// Whether a part of a path names something below: not `..`, also not behind the sign that parts an archive from what is
/// in it, and not a drive.
fn is_plain(part: &str) -> bool {
    let is_drive = part.len() == 2 && part.ends_with(':');
    !matches!(part, "" | ".") && !is_drive && part.split('!').all(|piece| piece != "..")
}

#[cfg(test)]
mod tests {
    use super::{LONGEST, inner};

    #[test]
    fn hostile_names_are_tamed() {
        assert_eq!(inner("a.tar", b"../../etc/passwd"), "a.tar!etc/passwd");
        assert_eq!(inner("a.tar", b"/abs/x.log"), "a.tar!abs/x.log");
        assert_eq!(inner("a.zip", b"C:\\logs\\..\\x.log"), "a.zip!logs/x.log");
        assert_eq!(inner("a.zip", b"x\x1b[31m.log"), "a.zip!x\u{fffd}[31m.log");
        assert_eq!(inner("a.zip", b"../"), "a.zip!unnamed");
        assert_eq!(inner("a.zip", b"b.log!../c.log"), "a.zip!c.log");
        assert_eq!(inner("a.zip", b"wow!.log"), "a.zip!wow!.log");
        let long = "x".repeat(LONGEST - 3);
        assert_eq!(inner("a.zip", format!("{long}/..y").as_bytes()), format!("a.zip!{long}"));
        assert_eq!(inner("a.zip", b"\xff.log"), "a.zip!\u{fffd}.log");
    }
}
