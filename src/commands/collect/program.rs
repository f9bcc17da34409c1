//! Runs one command with a time limit, and keeps what it prints.

use std::{
    io::{self, Read},
    process::{Child, Command, Stdio},
    sync::mpsc::{self, Receiver},
    thread,
    time::{Duration, Instant},
};

/// The most that is kept of a command.
pub(super) const MOST_BYTES: u64 = 64 << 20;
/// How often it is looked whether a command has ended.
const STEP: Duration = Duration::from_millis(20);

/// What a command printed.
#[derive(Debug, Default)]
pub(super) struct Printed {
    /// Its output.
    pub(super) stdout: Vec<u8>,
    /// The last line that it complained in, if it failed or was too slow; the output may be worth something all the same.
    pub(super) complaint: Option<String>,
}

/// Runs words as a command; `Err` says why nothing could be had.
pub(super) fn run(words: &[String], limit: Duration) -> Result<Printed, String> {
    let (first, rest) = words.split_first().ok_or("no command")?;
    let mut child = Command::new(first)
        .args(rest)
        .env("LC_ALL", "C.UTF-8")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| why_not(first, &error))?;
    let stdout = drain(child.stdout.take());
    let stderr = drain(child.stderr.take());
    let status = wait(&mut child, limit);
    // A grandchild may hold the pipes open; what came so far counts.
    let take = |pipe: &Receiver<Vec<u8>>| pipe.recv_timeout(Duration::from_secs(2)).unwrap_or_default();
    let (stdout, stderr) = (take(&stdout), take(&stderr));
    let complaint = match status {
        Some(true) => None,
        Some(false) => Some(last_line(&stderr).unwrap_or_else(|| "it failed without a word".to_owned())),
        None => Some(format!("it took longer than {} s", limit.as_secs())),
    };
    match complaint {
        Some(complaint) if stdout.is_empty() => Err(complaint),
        // Containers' logs come on both streams.
        complaint => Ok(Printed {
            stdout: [stdout, if complaint.is_none() { stderr } else { Vec::new() }].concat(),
            complaint,
        }),
    }
}

/// Whether the command went well; nothing if it had to be ended.
fn wait(child: &mut Child, limit: Duration) -> Option<bool> {
    let end = Instant::now() + limit;
    while Instant::now() < end {
        match child.try_wait() {
            Ok(Some(status)) => return Some(status.success()),
            Ok(None) => thread::sleep(STEP),
            Err(_) => break,
        }
    }
    let _ = child.kill();
    let _ = child.wait();
    None
}

/// Reads a pipe to its end, beside.
fn drain(pipe: Option<impl Read + Send + 'static>) -> Receiver<Vec<u8>> {
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(mut pipe) = pipe {
            let _ = pipe.by_ref().take(MOST_BYTES).read_to_end(&mut bytes);
            let _ = io::copy(&mut pipe, &mut io::sink());
        }
        let _ = sender.send(bytes);
    });
    receiver
}

/// The last line with something in it.
fn last_line(bytes: &[u8]) -> Option<String> {
    let text = String::from_utf8_lossy(bytes);
    text.lines().rev().map(str::trim).find(|line| !line.is_empty()).map(str::to_owned)
}

/// Why a program could not be started.
fn why_not(program: &str, error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => format!("{program} is not installed here"),
        _ => error.to_string(),
    }
}
