//! Exit codes: of shells, engines and notebook tools; Python's negative ones; Windows' statuses.
//!
//! A process that a signal ended is 128 + n for a shell, docker and Kubernetes, and -n for Python and the Jupyter
//! server; Windows has statuses of 32 bits instead (`ntstatus.h`).

use super::{
    Entry,
    signal::{SIGNALS, to_entry},
};

/// An exit code with a meaning of its own.
#[derive(Debug, Clone, Copy)]
pub struct ExitCode {
    /// The number.
    pub number: i64,
    /// What it says.
    pub meaning: &'static str,
    /// What usually gives it.
    pub usual: &'static str,
    /// Causes that show it.
    pub causes: &'static [&'static str],
}

/// Codes that no signal gives.
pub const EXIT_CODES: &[ExitCode] = &[
    ExitCode {
        number: 0,
        meaning: "success",
        usual: "Ended by itself: `exit()`, a shutdown, culling. A container's first process may end so although a \
                child was OOM-killed.",
        causes: &[],
    },
    ExitCode {
        number: 1,
        meaning: "a general error",
        usual: "An uncaught exception, or on Windows a process that was terminated. For KubeSpawner also a pod that vanished.",
        causes: &[],
    },
    ExitCode { number: 2, meaning: "wrong usage", usual: "A bad option, to `jupyter` for one.", causes: &[] },
    ExitCode {
        number: 3,
        meaning: "the program's own",
        usual: "Windows' `abort()` gives it; else look at the program.",
        causes: &[],
    },
    ExitCode {
        number: 124,
        meaning: "`timeout` ended it",
        usual: "The command ran longer than `timeout(1)` allowed.",
        causes: &[],
    },
    ExitCode {
        number: 125,
        meaning: "docker refused to start it",
        usual: "A bad option or no GPU driver; `timeout` itself failed.",
        causes: &[],
    },
    ExitCode {
        number: 126,
        meaning: "found, but not executable",
        usual: "No permission, a folder, or another architecture (`exec format error`).",
        causes: &["foreign-architecture-image"],
    },
    ExitCode {
        number: 127,
        meaning: "not found",
        usual: "The kernelspec's or the container's command does not exist.",
        causes: &[],
    },
    ExitCode {
        number: 128,
        meaning: "the engine could not start it",
        usual: "`could not select device driver`, a missing mount, Kubernetes' `StartError`.",
        causes: &["container-without-gpu"],
    },
    ExitCode {
        number: 138,
        meaning: "SIGUSR1, or papermill's dead kernel",
        usual: "papermill exits with 138 for every kernel that died under it, whatever killed it.",
        causes: &[],
    },
    ExitCode {
        number: 255,
        meaning: "out of range, -1, or unknown",
        usual: "`exit(-1)`, a failed ssh, or an engine that lost track.",
        causes: &[],
    },
];

/// Windows' statuses, by number.
pub const WINDOWS_STATUSES: &[(u32, &str, &str)] = &[
    (0x4001_0004, "DBG_TERMINATE_PROCESS", "a debugger or the system's shutdown ended it"),
    (0x8000_0003, "STATUS_BREAKPOINT", "a breakpoint or a failed assertion in native code"),
    (
        0xC000_0005,
        "STATUS_ACCESS_VIOLATION",
        "native code touched memory it may not touch: Windows' segmentation fault",
    ),
    (
        0xC000_0006,
        "STATUS_IN_PAGE_ERROR",
        "a page could not be read back from its file: disk or network drive",
    ),
    (0xC000_0017, "STATUS_NO_MEMORY", "no memory left"),
    (0xC000_001D, "STATUS_ILLEGAL_INSTRUCTION", "an instruction that this processor does not have"),
    (0xC000_0094, "STATUS_INTEGER_DIVIDE_BY_ZERO", "native code divided by zero"),
    (0xC000_00FD, "STATUS_STACK_OVERFLOW", "the stack ran over, often endless recursion in native code"),
    (0xC000_012D, "STATUS_COMMITMENT_LIMIT", "the commit limit: the paging file is too small"),
    (0xC000_0135, "STATUS_DLL_NOT_FOUND", "a DLL was not found"),
    (0xC000_0138, "STATUS_ORDINAL_NOT_FOUND", "a DLL is of another version"),
    (0xC000_0139, "STATUS_ENTRYPOINT_NOT_FOUND", "a DLL is of another version: a function is missing in it"),
    (0xC000_013A, "STATUS_CONTROL_C_EXIT", "Ctrl-C, or its window was closed"),
    (0xC000_0142, "STATUS_DLL_INIT_FAILED", "a DLL failed to start, often while logging off"),
    (0xC000_0374, "STATUS_HEAP_CORRUPTION", "native code wrote over the heap"),
    (0xC000_0409, "STATUS_STACK_BUFFER_OVERRUN", "fast fail: `abort()` or a security check"),
    (0xE06D_7363, "C++ exception", "a C++ exception that nobody caught"),
];

/// All that a number means as an exit code.
pub(super) fn entries(text: &str) -> Vec<Entry> {
    let Some(number) = number(text) else { return Vec::new() };
    let mut entries = Vec::new();
    entries.extend(EXIT_CODES.iter().find(|code| code.number == number).map(|code| Entry {
        heading: format!("exit code {number}: {}", code.meaning),
        paragraphs: vec![code.usual.to_owned()],
        causes: code.causes.to_vec(),
    }));
    if entries.is_empty() {
        entries.extend(signalled(number).or_else(|| windows(number)).or_else(|| plain(number)));
    }
    entries
}

/// A decimal or hexadecimal number.
fn number(text: &str) -> Option<i64> {
    match text.strip_prefix("0x") {
        Some(digits) => i64::from_str_radix(digits, 16).ok(),
        None => text.parse().ok(),
    }
}

/// 128 + n, or -n.
fn signalled(number: i64) -> Option<Entry> {
    let of = if number < 0 { number.checked_neg()? } else { number - 128 };
    let signal = SIGNALS.iter().find(|signal| signal.number == of)?;
    let mut entry = to_entry(signal, &format!("exit code {number}"));
    let view = if number < 0 {
        "as Python and JupyterHub print it"
    } else {
        "128 + the signal, as shells, docker and Kubernetes print it"
    };
    entry.paragraphs.push(format!("Signal {of} ({view})."));
    Some(entry)
}

/// A status of 32 bits, signed or not.
fn windows(number: i64) -> Option<Entry> {
    let bits = u32::try_from(number).ok().or_else(|| i32::try_from(number).ok().map(i32::cast_unsigned))?;
    let (status, name, meaning) = WINDOWS_STATUSES.iter().find(|(status, ..)| *status == bits)?;
    Some(Entry {
        heading: format!("exit code {number}: Windows 0x{status:08X}, {name}"),
        paragraphs: vec![format!("Windows ended the process: {meaning}.")],
        causes: Vec::new(),
    })
}

/// A code without a meaning that all programs share.
fn plain(number: i64) -> Option<Entry> {
    (0..=255).contains(&number).then(|| Entry {
        heading: format!("exit code {number}: the program's own"),
        paragraphs: vec![match number {
            64..=78 => "BSD's `sysexits.h` range; the program decides.".to_owned(),
            129..=192 => format!("128 + signal {}, or the program's own number.", number - 128),
            _ => "No meaning that all programs share; look at what the program says.".to_owned(),
        }],
        causes: Vec::new(),
    })
}
