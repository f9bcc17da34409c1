//! Linux's own log, from now on, where this user may read it.

use super::super::folder::{Folder, members};
use nix::fcntl::OFlag;
use serde_json::json;
use std::{
    fs::File,
    io::{self, Read, Seek, SeekFrom},
    os::{
        fd::{AsFd, BorrowedFd},
        unix::fs::OpenOptionsExt,
    },
};

/// After so many records the log is left alone: something else is wrong with this host.
const MOST: u32 = 20_000;

/// The log being followed.
pub(super) struct Kmsg {
    file: Option<File>,
    kept: u32,
}

impl Kmsg {
    /// Opens it at its end.
    pub(super) fn open(folder: &Folder) -> Self {
        let opened = File::options().read(true).custom_flags(OFlag::O_NONBLOCK.bits()).open("/dev/kmsg");
        let placed = opened.and_then(|mut file| file.seek(SeekFrom::End(0)).map(|_| file));
        if let Err(error) = &placed {
            folder.note(&format!("Linux's log (/dev/kmsg) cannot be read: {error}"));
        }
        Self { file: placed.ok(), kept: 0 }
    }

    /// What to wait for.
    pub(super) fn fd(&self) -> Option<BorrowedFd<'_>> {
        self.file.as_ref().map(AsFd::as_fd)
    }

    /// Takes what has come. Each read gives one record.
    pub(super) fn take(&mut self, folder: &Folder) {
        let mut buffer = [0; 8192];
        while let Some(file) = &mut self.file {
            match file.read(&mut buffer) {
                Ok(size @ 1..) => {
                    let bytes = buffer.get(..size).unwrap_or_default();
                    let record = String::from_utf8_lossy(bytes);
                    let first = record.lines().next().unwrap_or_default();
                    folder.write("host.log", members([("text", json!(first))]));
                    self.kept += 1;
                    if self.kept >= MOST {
                        folder.note("Linux's log is too long to be kept any further");
                        self.file = None;
                    }
                }
                // Records were overwritten before they were read; the next read goes on behind them.
                Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {}
                Err(error) if matches!(error.kind(), io::ErrorKind::WouldBlock) => return,
                _ => self.file = None,
            }
        }
    }
}
