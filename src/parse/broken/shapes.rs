//! The shapes of lines that may have been broken: literals, and what may stand between them.

use super::Gap;

/// A literal, what follows it, and whether the line may end there.
pub(super) type Mark = (&'static str, Gap, bool);

/// The shapes: of one line several, where versions differ. The first literal is searched, the others follow at once.
pub(super) const SHAPES: &[&[Mark]] = &[
    &[
        ("Killed process ", Gap::Digits, false),
        (" (", Gap::Name, false),
        (") total-vm:", Gap::Digits, false),
        ("kB, anon-rss:", Gap::Digits, false),
        ("kB, file-rss:", Gap::Digits, false),
        ("kB", Gap::None, true),
        (", shmem-rss:", Gap::Digits, false),
        ("kB", Gap::None, true),
        (", UID:", Gap::Digits, false),
        (" pgtables:", Gap::Digits, false),
        ("kB oom_score_adj:", Gap::Digits, true),
    ],
    &[
        ("Killed process ", Gap::Digits, false),
        (", UID ", Gap::Digits, false),
        (", (", Gap::Name, false),
        (") total-vm:", Gap::Digits, false),
        ("kB, anon-rss:", Gap::Digits, false),
        ("kB, file-rss:", Gap::Digits, false),
        ("kB", Gap::None, true),
    ],
    &[("out of memory: Killed process ", Gap::None, false)],
    &[("Out of memory: Killed process ", Gap::None, false)],
    &[
        ("ill process ", Gap::Digits, false),
        (" (", Gap::Name, false),
        (") score ", Gap::Digits, true),
        (" or sacrifice child", Gap::None, true),
    ],
    &[
        (" invoked oom-killer: gfp_mask=", Gap::Word, false),
        (", order=", Gap::Digits, false),
        (", oom_", Gap::Text, true),
    ],
    &[
        (" invoked oom-killer: gfp_mask=", Gap::Word, false),
        (", nodemask=", Gap::Word, false),
        (",  order=", Gap::Digits, false),
        (", oom_", Gap::Text, true),
    ],
    &[
        (" invoked oom-killer: gfp_mask=", Gap::Word, false),
        (", nodemask=", Gap::Word, false),
        (", order=", Gap::Digits, false),
        (", oom_", Gap::Text, true),
    ],
    &[
        ("oom-kill:constraint=", Gap::Word, false),
        (",task=", Gap::Text, false),
        (",pid=", Gap::Digits, false),
        (",uid=", Gap::Digits, true),
    ],
    &[
        ("memory: usage ", Gap::Digits, false),
        ("kB, limit ", Gap::Digits, false),
        ("kB, failcnt ", Gap::Digits, true),
    ],
    &[
        ("memory+swap: usage ", Gap::Digits, false),
        ("kB, limit ", Gap::Digits, false),
        ("kB, failcnt ", Gap::Digits, true),
    ],
    &[("Memory cgroup stats for ", Gap::Word, true)],
    &[("Task in /", Gap::Word, false), (" killed as a result of limit of /", Gap::Word, true)],
    &[
        (": segfault at ", Gap::Hex, false),
        (" ip ", Gap::Hex, false),
        (" sp ", Gap::Hex, false),
        (" error ", Gap::Hex, true),
        (" in ", Gap::Word, true),
        (" likely on CPU ", Gap::Digits, false),
        (" (core ", Gap::Digits, false),
        (", socket ", Gap::Digits, false),
        (")", Gap::None, true),
    ],
    &[
        ("] trap ", Gap::Name, false),
        (" ip:", Gap::Hex, false),
        (" sp:", Gap::Hex, false),
        (" error:", Gap::Hex, true),
        (" in ", Gap::Word, true),
    ],
    &[(" PID: ", Gap::Digits, false), (" Comm: ", Gap::Name, false), (" #", Gap::Text, true)],
    &[("Pid: ", Gap::Digits, false), (", comm: ", Gap::Name, false), (" #", Gap::Text, true)],
    &[
        ("hugepages_total=", Gap::Digits, false),
        (" hugepages_free=", Gap::Digits, false),
        (" hugepages_surp=", Gap::Digits, false),
        (" hugepages_size=", Gap::Text, true),
    ],
    &[("fork rejected by pids controller in /", Gap::Word, true)],
    &[("container die ", Gap::Hex, false), (" (", Gap::Text, false), (")", Gap::None, true)],
    &[("container oom ", Gap::Hex, false), (" (", Gap::Text, false), (")", Gap::None, true)],
    &[("container kill ", Gap::Hex, false), (" (", Gap::Text, false), (")", Gap::None, true)],
    &[("container start ", Gap::Hex, false), (" (", Gap::Text, false), (")", Gap::None, true)],
    // What a server says of its kernels. Whoever wraps it breaks behind the head, the name of the restarter, or the id.
    &[
        ("IOLoopKernelRestarter:", Gap::None, false),
        (" restarting kernel (", Gap::Digits, false),
        ("/", Gap::Digits, false),
        (")", Gap::Text, true),
    ],
    &[
        ("] KernelRestarter:", Gap::None, false),
        (" restarting kernel (", Gap::Digits, false),
        ("/", Gap::Digits, false),
        (")", Gap::Text, true),
    ],
    &[("IOLoopKernelRestarter:", Gap::None, false), (" restart failed", Gap::Text, true)],
    &[("] KernelRestarter:", Gap::None, false), (" restart failed", Gap::Text, true)],
    &[("] kernel ", Gap::Id, false), (" restarted", Gap::Text, true)],
    &[("] Kernel ", Gap::Id, false), (" died, removing from map", Gap::Text, true)],
    &[("] Kernel started:", Gap::None, false), (" ", Gap::Id, false), ("", Gap::Text, true)],
    &[("] Kernel restarted:", Gap::None, false), (" ", Gap::Id, false), ("", Gap::Text, true)],
    &[("] Kernel interrupted:", Gap::None, false), (" ", Gap::Id, false), ("", Gap::Text, true)],
    &[("] Kernel shutdown:", Gap::None, false), (" ", Gap::Id, false), ("", Gap::Text, true)],
    &[
        ("] Culling '", Gap::Word, false),
        (" kernel '", Gap::Name, false),
        ("' (", Gap::Id, false),
        (") ", Gap::Text, true),
    ],
    // What runners say of a dead one. With its blank, for it may be a piece's beginning, too.
    &[(" Kernel died", Gap::None, false), (" while waiting for execute reply", Gap::Text, true)],
    &[(" Kernel died", Gap::None, false), (" before replying to kernel_info", Gap::Text, true)],
    &[("DeadKernelError:", Gap::None, false), (" Kernel died", Gap::Text, true)],
    &[
        (".ipynb: WARNING:", Gap::None, false),
        (" Executing notebook failed:", Gap::None, false),
        (" DeadKernelError", Gap::Text, true),
    ],
];

/// Literals that stand in the first piece of a broken line whose needle may be in the next piece: they are searched
/// as needles are.
pub(crate) const NEEDLES: &[&str] = &[
    "ut of memory: Kill",
    " invoked oom",
    "Z container ",
    ":00 container ",
    "IOLoopKernelR",
    "] KernelRestarter:",
    "] kernel",
    "] Kernel",
    "] Culling '",
    " Kernel died",
    ".ipynb: WARNING:",
];
