//! Linux signals that end processes, as notebooks meet them.
//!
//! Numbers are those of x86 and ARM Linux (`asm-generic/signal.h`); MIPS and Alpha differ and are not told.

use super::Entry;

/// A signal.
#[derive(Debug, Clone, Copy)]
pub struct Signal {
    /// Its number.
    pub number: i64,
    /// Its name.
    pub name: &'static str,
    /// What it says.
    pub meaning: &'static str,
    /// What usually sends it to a notebook's kernel.
    pub usual: &'static str,
    /// Causes that show it.
    pub causes: &'static [&'static str],
}

/// The signals, by number.
pub const SIGNALS: &[Signal] = &[
    Signal {
        number: 1,
        name: "SIGHUP",
        meaning: "the terminal or session was closed",
        usual: "An ssh connection ended, or a login session was torn down, and took the server with it.",
        causes: &["session-teardown"],
    },
    Signal {
        number: 2,
        name: "SIGINT",
        meaning: "interrupted from the keyboard or by `Interrupt kernel`",
        usual: "A person pressed Ctrl-C or the stop button; the kernel survives it unless the code it ran did not.",
        causes: &[],
    },
    Signal {
        number: 3,
        name: "SIGQUIT",
        meaning: "quit, with a core dump",
        usual: "A person pressed Ctrl-\\.",
        causes: &[],
    },
    Signal {
        number: 4,
        name: "SIGILL",
        meaning: "illegal instruction",
        usual: "A library was built for a newer processor (AVX, AVX-512) than this one, or for another architecture.",
        causes: &["illegal-instruction", "foreign-architecture-image"],
    },
    Signal {
        number: 5,
        name: "SIGTRAP",
        meaning: "trap: a debugger, or code that found itself broken",
        usual: "A just-in-time compiler, a sanitizer or macOS's fork safety stopped the process.",
        causes: &[],
    },
    Signal {
        number: 6,
        name: "SIGABRT",
        meaning: "the process aborted itself",
        usual: "C++ `terminate`, glibc's heap check, a CHECK of TensorFlow or JAX, NCCL's watchdog. The last lines on its \
                output name the reason.",
        causes: &["native-abort"],
    },
    Signal {
        number: 7,
        name: "SIGBUS",
        meaning: "memory that is mapped could not be delivered",
        usual: "/dev/shm or a tmpfs is full (DataLoader workers), or a mapped file was cut off or lies on a failing \
                network file system.",
        causes: &["shared-memory-exhausted"],
    },
    Signal {
        number: 8,
        name: "SIGFPE",
        meaning: "arithmetic error, nearly always an integer division by zero",
        usual: "Native code divided by zero; Python itself raises an exception instead.",
        causes: &[],
    },
    Signal {
        number: 9,
        name: "SIGKILL",
        meaning: "killed from outside; it cannot be caught",
        usual: "Often an OOM killer, which its log alone can prove: Linux's own (dmesg says so), a container's limit, systemd-oomd, earlyoom, \
                the kubelet or the batch scheduler. Else `docker kill`, a stop that took too long, or a person. A \
                process killed so cannot log anything: look at dmesg and at the engine's events.",
        causes: &[
            "container-memory-limit",
            "host-memory-exhausted",
            "container-killed",
            "killed-unknown-sender",
        ],
    },
    Signal {
        number: 10,
        name: "SIGUSR1",
        meaning: "user-defined",
        usual: "Slurm's `--signal`, or a debugging tool.",
        causes: &[],
    },
    Signal {
        number: 11,
        name: "SIGSEGV",
        meaning: "the process touched memory it may not touch",
        usual: "A bug or a mismatch in a native library (NumPy, PyTorch, OpenCV …), or a stack that ran over. \
                `PYTHONFAULTHANDLER=1` does not reach the log under ipykernel; enable faulthandler with a file.",
        causes: &["native-segfault"],
    },
    Signal {
        number: 12,
        name: "SIGUSR2",
        meaning: "user-defined",
        usual: "Slurm's `--signal`, or a debugging tool.",
        causes: &[],
    },
    Signal {
        number: 13,
        name: "SIGPIPE",
        meaning: "wrote to a pipe that nobody reads",
        usual: "The process that read its output had ended.",
        causes: &[],
    },
    Signal {
        number: 14,
        name: "SIGALRM",
        meaning: "a timer ran out",
        usual: "`signal.alarm()` of a time-out in the code.",
        causes: &[],
    },
    Signal {
        number: 15,
        name: "SIGTERM",
        meaning: "asked to end",
        usual: "An orderly stop: `docker stop`, a deleted or evicted pod, culling, a scheduler's time limit, a restart by \
                the server, earlyoom's first warning.",
        causes: &["earlyoom-kill", "pod-evicted-memory", "scheduler-time-limit"],
    },
    Signal {
        number: 24,
        name: "SIGXCPU",
        meaning: "the limit on CPU time was reached",
        usual: "`ulimit -t`, or a batch system's CPU limit.",
        causes: &["cpu-time-limit"],
    },
    Signal {
        number: 25,
        name: "SIGXFSZ",
        meaning: "the limit on file sizes was reached",
        usual: "`ulimit -f`.",
        causes: &[],
    },
    Signal {
        number: 31,
        name: "SIGSYS",
        meaning: "a system call was forbidden",
        usual: "A seccomp profile killed the process.",
        causes: &["seccomp-blocked-call"],
    },
];

/// The signal of a number in words.
pub(super) fn entry(number: &str) -> Option<Entry> {
    let number: i64 = number.parse().ok()?;
    SIGNALS
        .iter()
        .find(|signal| signal.number == number)
        .map(|signal| to_entry(signal, &format!("signal {number}")))
}

/// The signal of a name, with or without `SIG`, in lower case.
pub(super) fn by_name(lower: &str) -> Option<Entry> {
    let name = lower.strip_prefix("sig").unwrap_or(lower);
    let signal = SIGNALS
        .iter()
        .find(|signal| signal.name.get(3..).is_some_and(|known| known.eq_ignore_ascii_case(name)))?;
    let number = signal.number;
    Some(to_entry(signal, &format!("signal {number}, exit code {} or -{number}", 128 + number)))
}

/// A signal's entry under some number.
pub(super) fn to_entry(signal: &Signal, what: &str) -> Entry {
    Entry {
        heading: format!("{what}: {}, {}", signal.name, signal.meaning),
        paragraphs: vec![signal.usual.to_owned()],
        causes: signal.causes.to_vec(),
    }
}
