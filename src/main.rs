//! The command line of kerneldoc.

fn main() {}
