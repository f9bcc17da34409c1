//! Any bytes to the target `render`.
#![no_main]

#[path = "../../tests/common/fuzz.rs"]
mod fuzz;

libfuzzer_sys::fuzz_target!(|data: &[u8]| fuzz::run("render", data));
