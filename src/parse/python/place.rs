//! Where a traceback comes from: a cell, the kernel's start, a worker, the server, the hub.
//!
//! Judged by the files of its frames and by how it stands in the log. It does not judge what the exception means.

use super::frame::Frame;

/// Files that run first in a worker process: `multiprocessing`, joblib's loky, `PyTorch`'s `DataLoader`.
const WORKER_FILES: [&str; 8] = [
    "multiprocessing/process.py",
    "multiprocessing/spawn.py",
    "multiprocessing/pool.py",
    "multiprocessing/forkserver.py",
    "concurrent/futures/process.py",
    "loky/",
    "_utils/worker.py",
    "multiprocess/process.py",
];
/// Files of the Jupyter server and of what runs only inside it, and of the other programs that stand beside a kernel: the
/// runners, and the commands `jupyter-…`, of which an import that fails shows no more.
const SERVER_FILES: [&str; 12] = [
    "/jupyter_server/",
    "/notebook/",
    "/jupyterlab/",
    "/tornado/web.py",
    "/voila/",
    "/kernel_gateway/",
    "/nbconvert/",
    "/nbclient/",
    "/papermill/",
    "/jupyter_core/",
    "bin/jupyter",
    "Scripts/jupyter",
];
/// Files through which `IPython` runs what is to be run before the first cell.
const STARTUP_FILES: [&str; 2] = ["IPython/core/shellapp.py", "/startup/"];

/// How a traceback stands in the log.
#[derive(Debug, Clone, Copy)]
pub(super) struct Standing {
    /// It is `IPython`'s, which only a kernel prints.
    pub ipython: bool,
    /// It is part of a record of a Jupyter program's logger, which indents what follows the first line by four blanks.
    pub in_record: bool,
}

/// The place, in the catalogue's words.
pub(super) fn place(frames: &[Frame], standing: Standing) -> &'static str {
    let paths: Vec<String> = frames.iter().map(Frame::path).collect();
    let any = |marks: &[&str]| paths.iter().any(|path| marks.iter().any(|mark| path.contains(mark)));
    let cell = frames.iter().position(Frame::is_cell);
    if in_worker(&paths, cell) {
        "worker"
    } else if cell.is_some() {
        "cell"
    } else if standing.ipython {
        if any(&STARTUP_FILES) { "kernel-start" } else { "cell" }
    } else if any(&["jupyterhub"]) {
        "hub"
    } else if standing.in_record {
        "server"
    } else if any(&["ipykernel", "IPython/core/shellapp.py"]) {
        "kernel-start"
    } else if any(&SERVER_FILES) {
        "server"
    } else {
        "other"
    }
}

/// Whether a worker's first frames stand outside of the cell's: a function of a cell that runs in a worker. The other
/// way round it is a cell that waits for its pool.
fn in_worker(paths: &[String], cell: Option<usize>) -> bool {
    let outer = cell.unwrap_or(paths.len());
    paths.iter().take(outer).any(|path| WORKER_FILES.iter().any(|mark| path.contains(mark)))
}
