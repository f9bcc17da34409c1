//! The figures of a report: the cgroup's counters and statistics, and the host's memory.
//!
//! Units differ by version (`kB`, `KB`, bytes, pages); all become bytes here. It does not know whose they are.

use crate::parse::{
    linux::{after, integer_after, kilobytes_after, leading_integer},
    phrase,
};

/// From here on, in bytes, a limit means none: Linux prints 2^63 rounded down to pages, as kilobytes.
const NO_LIMIT: i64 = 1 << 60;

/// The figures, in bytes unless named otherwise.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Memory {
    pub(super) usage: Option<i64>,
    pub(super) limit: Option<i64>,
    swap_usage: Option<i64>,
    swap_limit: Option<i64>,
    pub(super) anon: Option<i64>,
    pub(super) file: Option<i64>,
    pub(super) shmem: Option<i64>,
    dirty: Option<i64>,
    writeback: Option<i64>,
    pub(super) swap_total: Option<i64>,
    pub(super) swap_free: Option<i64>,
    /// Pages, as the host's memory is counted.
    ram_pages: Option<i64>,
    free_pages: Option<i64>,
    shmem_pages: Option<i64>,
    slab_pages: Option<i64>,
    /// Bytes that are reserved as huge pages.
    pub(super) huge: Option<i64>,
    /// From the buddy lists; 4 KiB where they are missing.
    page_bytes: Option<i64>,
    /// Whether `Mem-Info:` was seen.
    pub(super) host: bool,
}

impl Memory {
    /// Takes what a line says; `false` if it says nothing of memory.
    pub(super) fn take(&mut self, text: &str) -> bool {
        self.counters(text) || self.statistics_on_one_line(text) || self.host_line(text) || self.statistic(text)
    }

    /// The size of a page.
    pub(super) fn page(&self) -> i64 {
        self.page_bytes.unwrap_or(4096)
    }

    /// The limit that was reached; of two (memory, memory with swap) the first that is one.
    pub(super) fn reached(&self) -> (Option<i64>, Option<i64>) {
        let real = |limit: Option<i64>| limit.filter(|bytes| *bytes < NO_LIMIT);
        match (real(self.limit), real(self.swap_limit)) {
            (None, Some(limit)) => (self.swap_usage, Some(limit)),
            (limit, _) => (self.usage, limit),
        }
    }

    /// File pages that still had to reach the disk: dirty ones and those on their way.
    pub(super) fn unwritten(&self) -> Option<i64> {
        match (self.dirty, self.writeback) {
            (None, None) => None,
            (dirty, writeback) => dirty.unwrap_or(0).checked_add(writeback.unwrap_or(0)),
        }
    }

    pub(super) fn ram(&self) -> Option<i64> {
        self.ram_pages?.checked_mul(self.page())
    }

    pub(super) fn free(&self) -> Option<i64> {
        self.free_pages?.checked_mul(self.page())
    }

    pub(super) fn slab(&self) -> Option<i64> {
        self.slab_pages?.checked_mul(self.page())
    }

    /// Shared memory of the cgroup, else of the host.
    pub(super) fn shared(&self) -> Option<i64> {
        self.shmem.or_else(|| self.shmem_pages?.checked_mul(self.page()))
    }

    /// `memory: usage 49152kB, limit 49152kB, failcnt 137`.
    fn counters(&mut self, text: &str) -> bool {
        if let Some(rest) = after(text, "memory+swap: usage ") {
            self.swap_usage = kilobytes_after(text, "usage ");
            self.swap_limit = kilobytes_after(rest, "limit ");
            true
        } else if let Some(rest) = after(text, "memory: usage ") {
            self.usage = kilobytes_after(text, "usage ");
            self.limit = kilobytes_after(rest, "limit ");
            true
        } else {
            phrase::holds(text, "kmem: usage ") || phrase::holds(text, "swap: usage ")
        }
    }

    /// `Memory cgroup stats for /docker/2e08…: cache:0KB rss:20260KB …`, before 5.3: a line for the cgroup and one
    /// for each below it, not summed up.
    fn statistics_on_one_line(&mut self, text: &str) -> bool {
        let Some(rest) = after(text, "Memory cgroup stats for ") else { return false };
        for token in rest.split_whitespace() {
            let Some((key, value)) = token.split_once(':') else { continue };
            let Some(bytes) = value.strip_suffix("KB").and_then(leading_integer).and_then(|kb| kb.checked_mul(1024)) else {
                continue;
            };
            if let Some(field) = self.field(key) {
                *field = Some(field.unwrap_or(0).saturating_add(bytes));
            }
        }
        true
    }

    /// `anon 31154200576`: a line each, in bytes, since 5.3; a `total_` line includes the cgroups below and comes
    /// later, so the last one counts.
    fn statistic(&mut self, text: &str) -> bool {
        let mut words = text.split_whitespace();
        let (Some(key), Some(value), None) = (words.next(), words.next(), words.next()) else { return false };
        let Ok(value) = value.parse::<i64>() else { return false };
        if key == "hierarchical_memory_limit" {
            self.limit = self.limit.or(Some(value));
            return true;
        }
        let Some(field) = self.field(key.strip_prefix("total_").unwrap_or(key)) else { return is_statistic(key) };
        *field = Some(value);
        true
    }

    /// The field of a statistic, by the names of both versions of cgroups.
    fn field(&mut self, key: &str) -> Option<&mut Option<i64>> {
        match key {
            "anon" | "rss" => Some(&mut self.anon),
            "file" | "cache" => Some(&mut self.file),
            "shmem" => Some(&mut self.shmem),
            "file_dirty" | "dirty" => Some(&mut self.dirty),
            "file_writeback" | "writeback" => Some(&mut self.writeback),
            _ => None,
        }
    }

    /// A line of `Mem-Info:` or one that follows it.
    fn host_line(&mut self, text: &str) -> bool {
        let trimmed = text.trim_start();
        if trimmed.starts_with("Mem-Info:") {
            self.host = true;
        } else if trimmed.starts_with("Free swap") {
            self.swap_free = swap(trimmed);
        } else if trimmed.starts_with("Total swap") {
            self.swap_total = swap(trimmed);
        } else if let Some(pages) = trimmed.strip_suffix(" pages RAM") {
            self.ram_pages = leading_integer(pages);
        } else if phrase::holds(trimmed, "hugepages_total=") {
            self.huge_pages(trimmed);
        } else if trimmed.starts_with("Node ") {
            self.page_size(trimmed);
        } else {
            return self.host && self.pages(trimmed);
        }
        true
    }

    /// ` slab_reclaimable:130091 slab_unreclaimable:89303`, in pages.
    fn pages(&mut self, text: &str) -> bool {
        let mut any = false;
        for token in text.split_whitespace() {
            let Some((key, value)) = token.split_once(':') else { continue };
            let Ok(pages) = value.parse::<i64>() else { continue };
            match key {
                "free" => self.free_pages = Some(pages),
                "shmem" => self.shmem_pages = Some(pages),
                "slab_unreclaimable" => self.slab_pages = Some(pages),
                "active_anon" | "active_file" | "unevictable" | "mapped" | "slab_reclaimable" | "slab" => {}
                _ => continue,
            }
            any = true;
        }
        any
    }

    /// `Node 0 hugepages_total=5120 hugepages_free=5120 hugepages_surp=0 hugepages_size=2048kB`, a line for each node
    /// and size.
    fn huge_pages(&mut self, text: &str) {
        let total = integer_after(text, "hugepages_total=").unwrap_or(0);
        let bytes = kilobytes_after(text, "hugepages_size=").and_then(|size| size.checked_mul(total));
        self.huge = bytes.and_then(|bytes| self.huge.unwrap_or(0).checked_add(bytes)).or(self.huge);
    }

    /// `Node 0 Normal: 6676*4kB (UME) …`: the first bucket holds single pages.
    fn page_size(&mut self, text: &str) {
        let bucket = after(text, ": ").and_then(|buckets| buckets.split_whitespace().next()).and_then(|bucket| after(bucket, "*"));
        if let Some(size @ 1..=1024) = bucket.filter(|size| size.ends_with("kB")).and_then(leading_integer) {
            self.page_bytes = self.page_bytes.or(Some(size * 1024));
        }
    }
}

/// `Free swap  = 84kB`, in old versions `Free swap:       84kB`.
fn swap(text: &str) -> Option<i64> {
    kilobytes_after(text, "=").or_else(|| kilobytes_after(text, ":"))
}

/// Whether a name is one of the many statistics nobody asks for here.
fn is_statistic(key: &str) -> bool {
    const STARTS: [&str; 19] = [
        "anon", "file", "kernel", "pagetables", "sec_", "percpu", "sock", "vmalloc", "z", "swap", "inactive_", "active_",
        "unevictable", "slab", "workingset_", "pg", "thp_", "total_", "hierarchical_",
    ];
    STARTS.iter().any(|start| key.starts_with(start))
}
