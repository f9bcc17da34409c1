//! Windows' word on a crash, as the Event Viewer shows it (event 1000, *Application Error*) and `wevtutil` prints it.
//!
//! Which module failed is not read: it is where the error showed, seldom where it was made. The same log tells of every
//! program of the machine; those that run no notebook are left out.

use super::{
    Claim, Found, Parser, Spec,
    linux::{after, victim},
    prim,
};
use crate::{
    event::ProcessExit,
    line::{Line, Mark},
};

/// The parser.
pub const PARSER: Spec = Spec {
    name: "windows error",
    needles: &["Faulting application name: ", "Exception code: 0x", "Faulting process id: ", "Faulting process ID: "],
    parts: &[],
    make: || Box::new(WindowsError::default()),
};

/// The process id stands at most so many lines behind the name.
const LINES: u32 = 8;

/// A crash of which not all has been read.
#[derive(Default)]
struct WindowsError {
    open: Option<(Mark, ProcessExit)>,
    left: u32,
}

impl Parser for WindowsError {
    fn line(&mut self, line: &Line<'_>, found: &mut Vec<Found>) -> Claim {
        let text = line.text;
        self.left = self.left.saturating_sub(1);
        let name = after(text, "Faulting application name: ");
        if let Some(name) = name {
            self.finish(found);
            let program = name.split(',').next().map(str::trim).filter(|program| !program.is_empty());
            let Some(program) = program else { return Claim::Damaged("a program's name".to_owned()) };
            let reporter = Some("windows".to_owned());
            let event = ProcessExit { program: Some(program.to_owned()), reporter, ..ProcessExit::default() };
            (self.open, self.left) = (Some((line.mark(), event)), LINES);
        }
        let Some((_, event)) = self.open.as_mut() else { return Claim::NotMine };
        // An export on one line holds all of it.
        let code = hexadecimal(text, "Exception code: ");
        let pid = hexadecimal(text, "Faulting process id: ").or_else(|| hexadecimal(text, "Faulting process ID: "));
        event.exit_code = event.exit_code.or(code);
        event.pid = event.pid.or(pid);
        if event.pid.is_some() || self.left == 0 {
            self.finish(found);
        }
        if name.is_some() || code.is_some() || pid.is_some() { Claim::Mine } else { Claim::NotMine }
    }

    fn hungry(&self) -> bool {
        self.open.is_some()
    }

    fn finish(&mut self, found: &mut Vec<Found>) {
        let Some((mark, event)) = self.open.take() else { return };
        let program = event.program.as_deref().map(|program| program.trim_end_matches(".exe"));
        let runs_notebooks = program.is_some_and(|program| victim(program) != "stranger");
        // Without a code there may be no crash: somebody quoted the name.
        if runs_notebooks && event.exit_code.is_some() {
            found.push(Found::at(&mark, event));
        }
    }
}

/// A hexadecimal number behind some words; Windows 11 writes `0x0x1F54`.
fn hexadecimal(text: &str, words: &str) -> Option<i64> {
    let digits = after(text, words)?.trim_start_matches("0x");
    let (_, digits) = prim::word(digits).ok()?;
    let end = digits.find(|c: char| !c.is_ascii_hexdigit()).unwrap_or(digits.len());
    i64::from_str_radix(digits.get(..end)?, 16).ok()
}
