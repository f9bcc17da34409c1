//! Ends of login sessions, from PAM's lines in `auth.log` or the journal.
//!
//! Which processes went with a session it does not know; systemd's part is `systemd`'s.

use crate::{
    event::SessionClosed,
    line::Line,
    parse::{
        Claim, Found,
        linux::{between, some_text},
    },
};

/// Services whose sessions are no logins: each `sudo` and each cron job opens and closes one.
const NO_LOGINS: &[&str] =
    &["sudo", "sudo-i", "su", "su-l", "runuser", "runuser-l", "cron", "crond", "polkit-1", "atd"];

/// `pam_unix(sshd:session): session closed for user rk`; `None` if the line says nothing of this.
pub(super) fn line(line: &Line<'_>, found: &mut Vec<Found>) -> Option<Claim> {
    let (before, user) = line.text.split_once("session closed for user")?;
    let service = between(before, "pam_unix(", ":session)")?;
    if NO_LOGINS.contains(&service) {
        return None;
    }
    let user = user.split_whitespace().next().and_then(some_text);
    let complete = user.is_some();
    let message = some_text(line.text);
    found.push(Found::on(line, SessionClosed { user, service: some_text(service), message }));
    Some(if complete { Claim::Mine } else { Claim::Damaged("a user".to_owned()) })
}
