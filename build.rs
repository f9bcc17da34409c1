//! The rules are part of the program: a new file in `rules/` must build it anew.

fn main() {
    println!("cargo::rerun-if-changed=rules");
}
