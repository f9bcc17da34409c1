//! Any bytes to the target `open`.
#![no_main]

#[path = "../../tests/common/fuzz.rs"]
mod fuzz;

libfuzzer_sys::fuzz_target!(|data: &[u8]| fuzz::run("open", data));
