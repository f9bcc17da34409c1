//! Faults of processes that Linux saw: segmentation faults and traps.
//!
//! Silence proves nothing: with `faulthandler` on, and on arm64 by default, Linux prints no line. A crash that a
//! process reports of itself is `python`'s.

use super::{
    Claim, Found, OneLine, Spec,
    linux::{after, comm_at_end, may_be_linux, some_text, victim},
};
use crate::{
    event::{FaultSegfault, FaultTrap},
    line::Line,
};

/// The parser.
pub const PARSER: Spec = Spec {
    name: "fault",
    needles: &[
        "segfault at",
        "segfault (11) at ",
        "traps: ",
        "] trap invalid opcode",
        "] trap divide error",
        "] trap int3",
        "] general protection",
        "unhandled exception: ",
        "unhandled level ",
    ],
    parts: &[],
    make: || Box::new(OneLine(line)),
};

/// How far from the stack pointer an address still speaks of a stack that overflowed: a frame with some arrays.
const NEAR_STACK: u64 = 64 << 10;

/// Looks at one line.
fn line(line: &Line<'_>, found: &mut Vec<Found>) -> Claim {
    if !may_be_linux(line) {
        return Claim::NotMine;
    }
    segfault(line, found).or_else(|| trap(line, found)).or_else(|| unhandled(line, found)).unwrap_or(Claim::NotMine)
}

/// Who: `Plex Media (x):[24296]`, the name of a thread and its id.
struct Thread {
    name: Option<String>,
    pid: i64,
}

/// The thread at the end of a text.
fn thread(text: &str) -> Option<Thread> {
    let (name, pid) = text.rsplit_once('[')?;
    let pid = pid.strip_suffix(']')?.parse().ok()?;
    Some(Thread { name: some_text(comm_at_end(name)), pid })
}

/// x86: `python[24541]: segfault at 0 ip 00007ff08df85ad8 sp 00007ffc609f9ce8 error 4 in libc.so.6[167ad8,7ff08de44000+156000]`,
/// `rip` and `rsp` before 2.6.25; on POWER `segfault (11) at 10 nip … lr … code 1`.
fn segfault(line: &Line<'_>, found: &mut Vec<Found>) -> Option<Claim> {
    let (before, rest) = line.text.split_once(": segfault at").or_else(|| line.text.split_once(": segfault (11) at "))?;
    let thread = thread(before)?;
    let address = rest.split_whitespace().next().filter(|address| is_address(address));
    let stack = rest.split_once("sp ").and_then(|(_, sp)| sp.split_whitespace().next());
    let complete = rest.contains(" error ") || rest.contains(" code ");
    found.push(Found::on(
        line,
        FaultSegfault {
            pid: Some(thread.pid),
            victim: thread.name.as_deref().map(|name| victim(name).to_owned()),
            process: thread.name,
            address: address.map(str::to_owned),
            library: library(rest),
            near_stack_pointer: near(address, stack).map(|near| if near { "yes" } else { "no" }.to_owned()),
        },
    ));
    Some(if complete { Claim::Mine } else { Claim::Damaged("ip, sp and error".to_owned()) })
}

/// x86: `traps: python3[123] trap invalid opcode ip:5618c426e379 sp:7ffe9a492e30 error:0 in lib.so[1379,…]`.
fn trap(line: &Line<'_>, found: &mut Vec<Found>) -> Option<Claim> {
    let text = line.text;
    let at = ["] trap ", "] general protection"].iter().filter_map(|mark| text.find(mark)).min()?;
    let thread = thread(text.get(..=at)?.trim_start_matches("traps: "))?;
    let rest = text.get(at + 1..)?.trim_start();
    let (what, figures) = rest.split_once(" ip:").unwrap_or((rest, ""));
    let what = what.trim_start_matches("trap ").trim_end_matches(" fault").trim();
    if what.len() > 40 {
        return None;
    }
    found.push(Found::on(
        line,
        FaultTrap {
            pid: Some(thread.pid),
            victim: thread.name.as_deref().map(|name| victim(name).to_owned()),
            process: thread.name,
            trap: some_text(what),
            library: library(figures),
        },
    ));
    Some(if figures.contains("error:") { Claim::Mine } else { Claim::Damaged("ip, sp and error".to_owned()) })
}

/// arm64: `python3[123]: unhandled level 2 translation fault (11) at 0x00000000, esr 0x92000046`, newer
/// `python3[123]: unhandled exception: DABT (lower EL), ESR 0x…, level 2 translation fault in lib.so[…]`.
fn unhandled(line: &Line<'_>, found: &mut Vec<Found>) -> Option<Claim> {
    let (before, rest) = line.text.split_once(": unhandled ")?;
    let thread = thread(before)?;
    let victim = thread.name.as_deref().map(|name| victim(name).to_owned());
    if rest.contains("translation fault") || rest.contains("permission fault") {
        let address = after(rest, " at 0x").and_then(|address| address.split([',', ' ']).next()).filter(|text| is_address(text));
        found.push(Found::on(
            line,
            FaultSegfault {
                pid: Some(thread.pid),
                process: thread.name,
                victim,
                address: address.map(str::to_owned),
                library: library(rest),
                near_stack_pointer: None,
            },
        ));
    } else {
        let trap = rest.trim_start_matches("exception: ").split([',', '(']).next().and_then(some_text);
        let event = FaultTrap { pid: Some(thread.pid), process: thread.name, victim, trap, library: library(rest) };
        found.push(Found::on(line, event));
    }
    Some(Claim::Mine)
}

/// ` in libc.so.6[167ad8,7ff08de44000+156000]`; nothing is printed for code made at run time (Numba, XLA).
fn library(text: &str) -> Option<String> {
    text.split(" in ").skip(1).find_map(|rest| {
        let (name, place) = rest.split_once('[')?;
        (place.starts_with(|c: char| c.is_ascii_hexdigit()) && name.len() <= 256).then(|| some_text(name)).flatten()
    })
}

/// Whether an address lies next to the stack pointer.
fn near(address: Option<&str>, stack: Option<&str>) -> Option<bool> {
    let number = |text: &str| u64::from_str_radix(text, 16).ok();
    Some(number(address?)?.abs_diff(number(stack?)?) <= NEAR_STACK)
}

/// A hexadecimal number without a prefix.
fn is_address(text: &str) -> bool {
    (1..=16).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}
