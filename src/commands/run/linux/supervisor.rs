//! The loop that waits for everything at once.

use super::{
    super::{
        command::Subject,
        folder::{Folder, members},
        output::Pump,
    },
    canary::Canary,
    cgroup::Place,
    gpu,
    host::meminfo,
    kmsg::Kmsg,
    launch, process,
    signals::Signals,
    status::{self, End},
    tree::Tree,
};
use crate::error::Error;
use nix::{
    errno::Errno,
    poll::{PollFd, PollFlags, PollTimeout, poll},
    sys::{
        prctl,
        resource::{Usage, UsageWho, getrusage},
        signal::{Signal, kill},
    },
    unistd::{Pid, getppid},
};
use rustix::process::{WaitOptions, wait};
use serde_json::{Map, Value, json};
use std::{
    collections::BTreeSet,
    os::fd::AsFd,
    sync::Arc,
    time::{Duration, Instant},
};

/// The first looks at the tree come sooner: what fails at all often fails at once.
const FIRST_LOOK: Duration = Duration::from_millis(50);
/// How often a GPU is asked.
const GPU_EVERY: Duration = Duration::from_secs(60);
/// `si_code` of a signal that Linux itself sent, from the terminal: it went to the whole group.
const FROM_LINUX: i32 = 0x80;

/// The recorder at work.
pub(super) struct Supervisor<'a> {
    subject: &'a Subject,
    folder: Arc<Folder>,
    signals: Signals,
    canary: Option<Canary>,
    kmsg: Kmsg,
    tree: Tree,
    place: Option<Place>,
    pumps: Vec<Pump>,
    pid: i32,
    begun: Instant,
    interval: Duration,
    look_after: Duration,
    next_look: Instant,
    next_sample: Instant,
    next_gpu: Option<Instant>,
    helpers: BTreeSet<i32>,
    /// The last signal that was passed on.
    passed: Option<Signal>,
    parent: Pid,
    end: Option<End>,
}

impl<'a> Supervisor<'a> {
    /// Starts the command.
    pub(super) fn start(subject: &'a Subject, folder: &Arc<Folder>, interval: f64) -> Result<Self, Error> {
        let failed = |error: Errno| Error::Command { command: subject.program.clone(), source: error.into() };
        let signals = Signals::block().map_err(failed)?;
        // Orphans of the command come to the recorder, which is told how they end. Without it nothing else is lost.
        let _ = prctl::set_child_subreaper(true);
        let canary = Canary::start();
        let kmsg = Kmsg::open(folder);
        let launch::Launched { pid, pumps } = launch::launch(subject, folder, &signals)?;
        let now = Instant::now();
        let supervisor = Self {
            subject,
            folder: folder.clone(),
            helpers: canary.iter().map(|canary| canary.pid).collect(),
            signals,
            canary,
            kmsg,
            tree: Tree::default(),
            place: Place::of(pid),
            pumps,
            pid,
            begun: now,
            interval: Duration::from_secs_f64(interval),
            look_after: FIRST_LOOK,
            next_look: now + FIRST_LOOK,
            next_sample: now + FIRST_LOOK,
            next_gpu: Some(now),
            passed: None,
            parent: getppid(),
            end: None,
        };
        supervisor.introduce();
        Ok(supervisor)
    }

    fn introduce(&self) {
        let cwd = std::env::current_dir().ok().map(|path| path.display().to_string());
        let mut record = members([("pid", json!(self.pid))]);
        record.extend(self.subject.members());
        record.extend(members([("command", json!(self.subject.shown())), ("cwd", json!(cwd))]));
        self.folder.write("process.start", record);
        self.counters("before", &self.whose(self.pid));
    }

    /// The members that say whose a record is.
    fn whose(&self, pid: i32) -> Map<String, Value> {
        let mut whose = members([("pid", json!(pid))]);
        whose.extend(self.subject.kernel_id.iter().map(|id| ("kernel_id".to_owned(), json!(id))));
        whose
    }

    /// Writes the counters of now.
    fn counters(&self, at: &str, whose: &Map<String, Value>) {
        for counters in self.place.iter().flat_map(Place::counters) {
            let mut record = members([("at", json!(at))]);
            record.extend(whose.clone());
            record.extend(counters);
            self.folder.write("counters", record);
        }
    }

    /// Waits until the command has ended.
    pub(super) fn until_end(&mut self) -> End {
        loop {
            if let Some(end) = self.end {
                return end;
            }
            let (signals, canary, kmsg, gone) = self.wait();
            if kmsg {
                self.kmsg.take(&self.folder);
            }
            if canary && let Some(canary) = &mut self.canary {
                canary.listen();
            }
            // Before anybody reaps: the status of one that has ended is still there.
            for pid in gone {
                self.lose(pid, None);
            }
            if signals {
                self.take_signals();
            }
            self.take_time();
        }
    }

    /// Waits for the next thing to happen: signals, the canary, Linux's log, descendants that ended.
    fn wait(&self) -> (bool, bool, bool, Vec<i32>) {
        let mut fds = vec![PollFd::new(self.signals.fd.as_fd(), PollFlags::POLLIN)];
        let canary = self.canary.as_ref().map(|canary| canary.fd());
        let kmsg = self.kmsg.fd();
        fds.extend([canary, kmsg].into_iter().flatten().map(|fd| PollFd::new(fd, PollFlags::POLLIN)));
        let fixed = fds.len();
        let watched =
            self.tree.members.iter().filter_map(|(pid, member)| Some((*pid, member.handle.as_ref()?)));
        let (pids, handles): (Vec<i32>, Vec<_>) = watched.unzip();
        fds.extend(handles.iter().map(|handle| PollFd::new(handle.as_fd(), PollFlags::POLLIN)));
        let next = self.next_look.min(self.next_sample).saturating_duration_since(Instant::now());
        let timeout = PollTimeout::try_from(next + Duration::from_millis(1)).unwrap_or(PollTimeout::MAX);
        if poll(&mut fds, timeout).is_err() {
            return (true, false, false, Vec::new());
        }
        let ready: Vec<bool> = fds.iter().map(|fd| fd.any() == Some(true)).collect();
        let at = |index: usize| ready.get(index).copied().unwrap_or(false);
        let heard = canary.is_some() && at(1);
        let logged = kmsg.is_some() && at(fixed - 1);
        let gone = pids.iter().enumerate().filter(|(index, _)| at(fixed + index)).map(|(_, pid)| *pid);
        (at(0), heard, logged, gone.collect())
    }

    /// A descendant has ended.
    fn lose(&mut self, pid: i32, end: Option<End>) {
        let Some(lost) = self.tree.lose(pid, end) else { return };
        let whose: Map<_, _> = lost
            .members
            .iter()
            .filter(|(name, _)| matches!(name.as_str(), "pid" | "kernel_id"))
            .map(|(name, value)| (name.clone(), value.clone()))
            .collect();
        self.folder.write("child.exit", lost.members);
        if lost.killed_kernel {
            self.counters("died", &whose);
        }
    }

    fn take_signals(&mut self) {
        while let Ok(Some(info)) = self.signals.fd.read_signal() {
            let number = i32::try_from(info.ssi_signo).unwrap_or_default();
            match Signal::try_from(number) {
                Ok(Signal::SIGCHLD) => self.reap(),
                Ok(signal) => self.pass_on(signal, info.ssi_code),
                Err(_) => {}
            }
        }
    }

    /// Passes a signal on, unless the command got it itself.
    fn pass_on(&mut self, signal: Signal, code: i32) {
        let reached =
            code == FROM_LINUX || self.canary.as_mut().is_some_and(|canary| canary.heard(signal as i32));
        self.passed = Some(signal);
        if !reached {
            let _ = kill(Pid::from_raw(self.pid), signal);
        }
        self.folder
            .write("signal.passed", members([("signal", json!(signal.as_str())), ("pid", json!(self.pid))]));
    }

    /// Takes the status of everybody who has ended.
    fn reap(&mut self) {
        while let Ok(Some((pid, status))) = wait(WaitOptions::NOHANG) {
            let pid = pid.as_raw_nonzero().get();
            if status.stopped() || status.continued() {
                continue;
            }
            let end = End::of_raw(status.as_raw());
            if pid == self.pid {
                self.end = Some(end);
            } else if !self.helpers.remove(&pid) {
                self.lose(pid, Some(end));
            }
        }
    }

    /// Does what is due.
    fn take_time(&mut self) {
        let now = Instant::now();
        if now >= self.next_look || now >= self.next_sample {
            let myself = Pid::this().as_raw();
            let total = self.tree.look(myself, self.pid, &self.helpers);
            self.look_after = (self.look_after * 2).min(self.interval);
            self.next_look = now + self.look_after;
            if now >= self.next_sample {
                self.next_sample = now + self.interval;
                self.sample(total.rss_bytes, total.count);
            }
            self.watch_parent();
        }
        if self.next_gpu.is_some_and(|next| now >= next) {
            let asked = gpu::ask(&self.folder);
            self.next_gpu = asked.map(|_| now + GPU_EVERY);
            self.helpers.extend(asked);
        }
    }

    fn sample(&self, tree_bytes: u64, count: usize) {
        let (used, limit) = self.place.as_ref().map(Place::use_and_limit).unwrap_or_default();
        let mut record = self.whose(self.pid);
        record.extend(members([
            ("rss_bytes", json!(process::memory(self.pid).rss_bytes)),
            ("tree_rss_bytes", json!(tree_bytes)),
            ("process_count", json!(count)),
            ("cgroup_current_bytes", json!(used)),
            ("cgroup_limit_bytes", json!(limit)),
        ]));
        record.extend(meminfo());
        self.folder.write("memory.sample", record);
    }

    /// A kernel whose server is gone ends; it looks for its parent, which is the recorder.
    fn watch_parent(&mut self) {
        if self.subject.kernel_id.is_some() && getppid() != self.parent && self.passed.is_none() {
            self.folder.note("the process that started this kernel is gone");
            self.pass_on(Signal::SIGTERM, 0);
        }
    }

    /// Whether a signal that was passed on is what ended the command.
    pub(super) fn was_asked(&self, end: End) -> bool {
        self.passed.is_some_and(|passed| end.signal() == Some(passed as i32))
    }

    /// Writes what is known at the end.
    pub(super) fn finish(&mut self, end: End) {
        self.pumps.iter().for_each(Pump::finish);
        self.kmsg.take(&self.folder);
        let mut record = members([("pid", json!(self.pid))]);
        record.extend(self.subject.members());
        record.extend(end.members());
        let sent = self.passed.filter(|_| self.was_asked(end)).map(|signal| status::name(signal as i32));
        record.extend(members([
            ("sent_by_us", json!(sent)),
            ("uptime_seconds", json!(self.begun.elapsed().as_secs_f64())),
            ("children_max_rss_bytes", json!(Some(self.tree.children_peak_bytes).filter(|bytes| *bytes > 0))),
        ]));
        record.extend(getrusage(UsageWho::RUSAGE_CHILDREN).map(|usage| used(&usage)).unwrap_or_default());
        self.folder.write("process.exit", record);
        self.counters("after", &self.whose(self.pid));
        self.folder.write("recorder.end", members([("program", json!("kerneldoc run"))]));
    }
}

/// What the command and those it waited for used.
fn used(usage: &Usage) -> Map<String, Value> {
    let seconds = |time: nix::sys::time::TimeVal| {
        Duration::new(
            u64::try_from(time.tv_sec()).unwrap_or(0),
            u32::try_from(time.tv_usec()).unwrap_or(0) * 1000,
        )
        .as_secs_f64()
    };
    members([
        ("max_rss_bytes", json!(usage.max_rss() << 10)),
        ("user_seconds", json!(seconds(usage.user_time()))),
        ("system_seconds", json!(seconds(usage.system_time()))),
    ])
}
