//! GPU memory by `nvidia-smi`, if it is there: rarely, for it is slow and wakes sleeping cards.

use super::super::folder::{Folder, members};
use serde_json::{Map, Value, json};
use std::{
    io::Read,
    process::{Command, Stdio},
    sync::Arc,
    thread,
};

/// Asks once, without waiting for the answer; the process that was started, for whoever reaps.
pub(super) fn ask(folder: &Arc<Folder>) -> Option<i32> {
    let mut child = Command::new("nvidia-smi")
        .args(["--query-gpu=index,memory.used,memory.total", "--format=csv,noheader,nounits"])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .ok()?;
    let mut answer = child.stdout.take()?;
    let folder = folder.clone();
    thread::spawn(move || {
        let mut text = String::new();
        if answer.read_to_string(&mut text).is_ok() {
            for record in text.lines().filter_map(sample) {
                folder.write("memory.sample", record);
            }
        }
    });
    i32::try_from(child.id()).ok()
}

/// `0, 1024, 81920`, in MiB.
fn sample(line: &str) -> Option<Map<String, Value>> {
    let mut fields = line.split(',').map(|field| field.trim().parse::<u64>().ok());
    let (gpu, used, total) = (fields.next()??, fields.next()??, fields.next()??);
    Some(members([
        ("gpu", json!(gpu)),
        ("gpu_used_bytes", json!(used << 20)),
        ("gpu_total_bytes", json!(total << 20)),
    ]))
}
