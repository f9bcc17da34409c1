//! Any bytes to the target `exchange`.
#![no_main]

#[path = "../../tests/common/fuzz.rs"]
mod fuzz;

libfuzzer_sys::fuzz_target!(|data: &[u8]| fuzz::run("exchange", data));
