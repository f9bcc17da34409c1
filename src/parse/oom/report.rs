//! One report of Linux's OOM killer: what was seen of it so far, and the events it makes.
//!
//! Every part may be missing; only the verdict is certain to be printed. It does not decide where a report ends.

use super::{
    header::{Choice, Invoked},
    memory::Memory,
    table::{Row, Table},
    verdict::Verdict,
};
use crate::{
    event::{OomInvoked, OomKill},
    line::Mark,
    parse::{
        Found,
        cgroup::{Cgroup, limit_owner},
        linux,
    },
};
use std::collections::BTreeSet;

/// What was seen of a report.
#[derive(Debug, Clone, Default)]
pub(super) struct Report {
    /// The header's line and what it says.
    pub(super) header: Option<(Mark, Invoked)>,
    /// Who asked, from the lines behind a header that was lost.
    pub(super) asker: Option<Invoked>,
    /// The `oom-kill:` line.
    pub(super) choice: Option<(Mark, Choice)>,
    /// The `Kill process` line that before 5.1 announced the verdict.
    pub(super) announced: Option<(Mark, Verdict)>,
    /// The cgroup whose limit was hit, from the line before 5.0.
    pub(super) limit_cgroup: Option<String>,
    /// The victim's cgroup, from the same line.
    pub(super) task_cgroup: Option<String>,
    /// The figures.
    pub(super) memory: Memory,
    /// The processes.
    pub(super) table: Table,
    /// Somebody pressed `SysRq` for it.
    pub(super) manual: bool,
    /// Whether cgroups' statistics were seen.
    pub(super) memcg: bool,
    /// Who was killed so far: a whole cgroup may be. A verdict may be cut off before its process id.
    pub(super) killed: BTreeSet<Option<i64>>,
    /// Whether the header's event was given.
    invoked_given: bool,
}

impl Report {
    /// Gives the event of the header, once.
    pub(super) fn give_invoked(&mut self, found: &mut Vec<Found>) {
        let Some((mark, invoked)) = &self.header else { return };
        if std::mem::replace(&mut self.invoked_given, true) {
            return;
        }
        let invoked = invoked.clone();
        found.push(Found::at(
            mark,
            OomInvoked {
                process: invoked.process,
                pid: invoked.pid,
                order: invoked.order,
                gfp_mask: invoked.gfp_mask,
                kernel_version: invoked.kernel_version,
            },
        ));
    }

    /// Gives the event of a kill, with all that the report knows.
    pub(super) fn give_kill(&mut self, mark: &Mark, verdict: &Verdict, found: &mut Vec<Found>) {
        self.give_invoked(found);
        found.push(Found::at(mark, self.kill(verdict)));
        self.killed.insert(verdict.pid);
    }

    /// Ends the report: a victim that was chosen, but whose verdict was lost, is a kill all the same.
    pub(super) fn close(&mut self, found: &mut Vec<Found>) {
        if self.killed.is_empty() {
            if let Some((mark, verdict)) = self.announced.take() {
                self.give_kill(&mark, &verdict, found);
            } else if let Some((mark, choice)) = self.choice.clone() {
                let verdict = Verdict { pid: choice.pid, name: choice.task, ..Verdict::default() };
                self.give_kill(&mark, &verdict, found);
            }
        }
        self.give_invoked(found);
    }

    /// The event of a kill.
    fn kill(&self, verdict: &Verdict) -> OomKill {
        let choice = self.choice.as_ref().map(|(_, choice)| choice);
        let pid = verdict.pid.or_else(|| choice?.pid);
        let own = choice.filter(|choice| choice.pid.is_none() || choice.pid == pid);
        let row = pid.and_then(|pid| self.table.of(pid));
        let name = verdict.name.clone().or_else(|| own?.task.clone()).or_else(|| row.map(|row| row.name.clone()));
        let mut kill = OomKill {
            pid,
            victim: name.as_deref().map(|name| linux::victim(name).to_owned()),
            process: name,
            scope: self.scope(verdict).map(str::to_owned),
            uid: verdict.uid.or_else(|| own?.uid).or_else(|| row.map(|row| row.uid)),
            oom_score_adj: verdict.adj.or_else(|| row?.adj),
            ..OomKill::default()
        };
        self.fill_invoker(&mut kill);
        self.fill_cgroup(&mut kill);
        self.fill_victim(&mut kill, verdict, row);
        self.fill_memory(&mut kill);
        self.fill_largest(&mut kill, self.page_of(verdict, row));
        kill
    }

    /// Why somebody had to die.
    fn scope(&self, verdict: &Verdict) -> Option<&'static str> {
        let order = self.header.as_ref().and_then(|(_, invoked)| invoked.order);
        if self.manual || order == Some(-1) {
            return Some("manual");
        }
        let choice = self.choice.as_ref().map(|(_, choice)| choice);
        match choice.and_then(|choice| choice.constraint.as_deref()) {
            Some("CONSTRAINT_MEMCG") => Some("memcg"),
            Some("CONSTRAINT_CPUSET") => Some("cpuset"),
            Some("CONSTRAINT_MEMORY_POLICY") => Some("mempolicy"),
            Some("CONSTRAINT_NONE") => Some("global"),
            _ => self.scope_of_old(verdict),
        }
    }

    /// The same without the line for machines.
    fn scope_of_old(&self, verdict: &Verdict) -> Option<&'static str> {
        let announced = self.announced.as_ref().map(|(_, announced)| announced);
        let says = |test: fn(&Verdict) -> bool| test(verdict) || announced.is_some_and(test);
        if says(|verdict| verdict.memcg) || self.limit_cgroup.is_some() || self.memcg {
            Some("memcg")
        } else if says(|verdict| verdict.global) || self.memory.host {
            Some("global")
        } else {
            None
        }
    }

    fn fill_invoker(&self, kill: &mut OomKill) {
        let Some(invoked) = self.header.as_ref().map(|(_, invoked)| invoked).or(self.asker.as_ref()) else { return };
        kill.invoker.clone_from(&invoked.process);
        kill.order = invoked.order;
        kill.gfp_mask.clone_from(&invoked.gfp_mask);
        kill.kernel_version.clone_from(&invoked.kernel_version);
    }

    fn fill_cgroup(&self, kill: &mut OomKill) {
        let choice = self.choice.as_ref().map(|(_, choice)| choice);
        kill.cgroup = choice.and_then(|choice| choice.oom_memcg.clone()).or_else(|| self.limit_cgroup.clone());
        kill.task_cgroup = choice.and_then(|choice| choice.task_memcg.clone()).or_else(|| self.task_cgroup.clone());
        kill.limit_owner = kill.cgroup.as_deref().map(|path| limit_owner(path).to_owned());
        let read = |path: Option<&String>| path.map(|path| Cgroup::of(path)).unwrap_or_default();
        let names = read(kill.cgroup.as_ref()).or(read(kill.task_cgroup.as_ref()));
        kill.container_id = names.container_id;
        kill.docker_container = names.docker_container;
        kill.pod_uid = names.pod_uid;
        kill.unit = names.unit;
        kill.job = names.job;
    }

    /// The victim's own figures: the verdict's, else the table's.
    fn fill_victim(&self, kill: &mut OomKill, verdict: &Verdict, row: Option<&Row>) {
        let page = self.page_of(verdict, row);
        let pages = |count: Option<i64>| count.and_then(|count| count.checked_mul(page));
        kill.total_vm_bytes = verdict.total_vm.or_else(|| pages(row.map(|row| row.total_vm)));
        kill.anon_rss_bytes = verdict.anon.or_else(|| pages(row?.rss_anon));
        kill.file_rss_bytes = verdict.file.or_else(|| pages(row?.rss_file));
        kill.shmem_rss_bytes = verdict.shmem.or_else(|| pages(row?.rss_shmem));
        let complete = verdict.anon.is_some() && verdict.file.is_some();
        let sum = [verdict.anon, verdict.file, verdict.shmem].into_iter().flatten().fold(0, i64::saturating_add);
        kill.rss_bytes = complete.then_some(sum).or_else(|| pages(row.map(|row| row.rss))).or(verdict.anon.map(|_| sum));
    }

    /// The size of a page. Where the buddy lists do not tell, the victim's kilobytes against its pages do
    /// (arm64 and POWER have 16 or 64 KiB).
    fn page_of(&self, verdict: &Verdict, row: Option<&Row>) -> i64 {
        let vm = verdict.total_vm.zip(row).filter(|(_, row)| row.total_vm > 0);
        match vm.map(|(bytes, row)| bytes / row.total_vm) {
            Some(page @ (4096 | 16384 | 65536)) => page,
            _ => self.memory.page(),
        }
    }

    fn fill_memory(&self, kill: &mut OomKill) {
        let memory = &self.memory;
        (kill.usage_bytes, kill.limit_bytes) = memory.reached();
        kill.shmem_bytes = memory.shared();
        kill.file_cache_bytes = memory.file;
        kill.file_dirty_bytes = memory.unwritten();
        kill.anon_bytes = memory.anon;
        kill.ram_bytes = memory.ram();
        kill.free_bytes = memory.free();
        kill.swap_total_bytes = memory.swap_total;
        kill.swap_free_bytes = memory.swap_free;
        kill.slab_unreclaimable_bytes = memory.slab();
        kill.huge_pages_bytes = memory.huge;
    }

    fn fill_largest(&self, kill: &mut OomKill, page: i64) {
        kill.task_count = self.table.count();
        let Some(largest) = self.table.largest() else { return };
        kill.largest_process = Some(largest.name.clone());
        kill.largest_pid = Some(if largest.tgid > 0 { largest.tgid } else { largest.pid });
        kill.largest_rss_bytes = largest.rss.checked_mul(page);
    }
}
