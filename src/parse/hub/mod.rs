//! `JupyterHub`, its spawners and its culler: what became of users' servers.
//!
//! What a user's server says of itself is the `jupyter` parser's; a pod's or container's fate is its engine's.

mod platform;
mod server;
mod spawn;
mod state;

use super::{OneLine, Spec, jupyter::Together};

/// The parser.
pub const PARSER: Spec = Spec {
    name: "hub",
    needles: &[
        "server stopped",
        " seconds to stop",
        " DELETE /hub/api/users/",
        "while the Hub was down",
        "Culling server ",
        " needs culling",
        "Closing idle notebook",
        "server failed to start in",
        "server never showed up",
        "respond in ",
        "did not start in",
        "Unhandled error starting",
        "Spawner failed to start",
        "No such image",
        "Multi-Attach",
        "nodes are available",
        "[Warning] ",
        "jupyterhub-singleuser: ",
        "executable file not found",
        "Failed to connect to my Hub",
        "Error notifying Hub of activity",
        "Running JupyterHub version",
        "Received signal ",
        "single-user servers",
        "consecutive spawn failures",
    ],
    parts: &[],
    make: || {
        Box::new(Together::new(vec![
            Box::new(OneLine(server::line)),
            Box::new(OneLine(spawn::line)),
            Box::new(OneLine(platform::line)),
            Box::new(OneLine(state::line)),
        ]))
    },
};
