//! The Jupyter server's own lines, of every generation: what became of its kernels, of itself and of its browsers.
//!
//! Notebook 4 to 7, `LabApp`, `ServerApp`, single-user servers. It never says why a kernel died, for the server does
//! not know: no exit code, no signal and no process id, at no log level. Nor does it read tracebacks.

mod banner;
mod browser;
mod culling;
mod errors;
mod id;
mod launch;
mod life;
mod limit;
mod periodic;
mod refusal;
mod restart;
mod stall;
mod stopping;
mod together;
mod unresponsive;

pub(super) use id::kernel_in;
pub(super) use refusal::meaning;
pub(super) use together::Together;

use super::{OneLine, Parser, Spec};

/// The parser.
pub const PARSER: Spec = Spec {
    name: "jupyter",
    needles: &[
        "Kernel started: ",
        "Kernel restarted: ",
        "Kernel interrupted: ",
        "Kernel shutdown: ",
        "Signaled Kernel ",
        "Adapting to protocol",
        "Adapting from protocol",
        "Connecting to kernel ",
        "Starting the kernel at pid",
        "ernel launched on ",
        "Kernel does not exist",
        "/api/kernels/",
        "KernelRestarter: restart",
        " restarted",
        " died, removing from map",
        "Culling ",
        "Timeout waiting for kernel_info",
        "Timeout waiting for restart",
        "Nudge: attempt ",
        "Restarting kernel failed",
        "final termination of kernel timed out",
        "Exception restarting kernel",
        "No such kernel",
        "Kernel not found: ",
        "Kernelspec name ",
        "Native kernel (",
        "Failed to run command:",
        "launch timeout due to",
        "occurred during launch of KernelID",
        "Error starting kernel container",
        "YARN resources unavailable after",
        "unexpectedly found in state",
        "has been denied via EG_",
        "Serving notebooks from",
        " is running at",
        "server version ",
        "extension version ",
        "received signal ",
        "nterrupted",
        "Shutdown confirmed",
        "resuming operation",
        "Shutting down ",
        "; shutting down.",
        "Parent appears to have exited",
        "Saving file at ",
        " is not trusted",
        " is already in use",
        "could not be started because",
        "server could not be started because",
        "Permission to listen on port",
        "Running as root is not recommended",
        "Bad config encountered",
        "Exception while loading config file",
        "not recognized by",
        "argument missing from",
        "XSRF cookie does not match",
        "extension failed loading",
        "error linking extension",
        "Error loading server extension",
        "Permissions assignment failed",
        "Failed to write server-info",
        "Permission denied: ",
        "database is locked",
        "Failed to open SQLite history",
        "history saving thread hit",
        "Failed to load history too many times",
        "Lost connection to Gateway",
        "culled on Gateway server",
        "IOPub ",
        "_rate_limit=",
        "rate_limit_window=",
        "iopub messages resumed",
        "Starting buffering for ",
        "Restoring connection for ",
        "Replacing stale connection: ",
        "Discarding ",
        "WebSocket ping timeout after ",
        "authenticate WebSocket connection",
        "Blocking Cross Origin WebSocket",
        " only to ",
    ],
    // In the order in which they are made. The first and the last one wait for a line some lines away: what they have waited
    // for in vain stands before whatever comes next.
    parts: &[
        limit::WORDS,
        life::WORDS,
        restart::WORDS,
        culling::WORDS,
        unresponsive::WORDS,
        launch::WORDS,
        launch::COMMAND_WORDS,
        banner::WORDS,
        stopping::WORDS,
        errors::WORDS,
        browser::WORDS,
        periodic::WORDS,
        stall::WORDS,
        refusal::WORDS,
    ],
    make: || {
        let parsers: Vec<Box<dyn Parser>> = vec![
            Box::new(limit::OutputLimit::default()),
            Box::new(OneLine(life::line)),
            Box::new(OneLine(restart::line)),
            Box::new(OneLine(culling::line)),
            Box::new(OneLine(unresponsive::line)),
            Box::new(OneLine(launch::line)),
            Box::new(launch::FailedCommand::default()),
            Box::new(banner::Banner::default()),
            Box::new(stopping::Stopping::default()),
            Box::new(OneLine(errors::line)),
            Box::new(OneLine(browser::line)),
            Box::new(periodic::Periodic::default()),
            Box::new(stall::Stall::default()),
            Box::new(refusal::Refusal::default()),
        ];
        Box::new(Together::by_words(parsers))
    },
};
