//! Signs of death, joined into one incident each, and what ties evidence to them.

mod link;

pub use link::Link;
