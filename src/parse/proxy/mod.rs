//! What stands between browser and server: nginx, ingress, load balancers, the hub's own proxy; and the browser's own console.
//!
//! A closed websocket ends no kernel. The server's view of it is the `jupyter` parser's.

mod access;
mod configurable;
mod console;
mod json;
mod nginx;

use super::{OneLine, Spec, jupyter::Together};

/// The parser.
pub const PARSER: Spec = Spec {
    name: "proxy",
    needles: &[
        "/api/kernels/",
        "upstream timed out",
        "Connection lost, reconnecting in",
        "Kernel: kernel_disconnected",
        "Kernel: disconnected",
        "Aw, Snap",
        "Max frame length",
        "message too big",
        "ECONNREFUSED",
        "ECONNRESET",
        "EHOSTUNREACH",
        "ETIMEDOUT",
        "socket hang up",
    ],
    parts: &[],
    make: || {
        Box::new(Together::new(vec![
            Box::new(OneLine(json::line)),
            Box::new(OneLine(nginx::line)),
            Box::new(OneLine(access::line)),
            Box::new(OneLine(configurable::line)),
            Box::new(OneLine(console::line)),
        ]))
    },
};
