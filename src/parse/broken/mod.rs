//! Long lines that a mail program or a terminal broke in several: whether a text is the beginning of one, and
//! whether the text behind it goes on with it.
//!
//! Each shape is a row of literals with what may stand between them. A continuation counts only if the joined text
//! fits the shape further than before, joined with a blank (mail) or without (a terminal's edge); so a line that was
//! merely cut off takes nothing in. It makes no events.

mod shapes;

pub(crate) use shapes::NEEDLES;

use super::{phrase, prim};
use shapes::{Mark, SHAPES};
use std::{collections::BTreeMap, sync::LazyLock};

/// How far a text fits a shape.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
enum Fit {
    /// Another line.
    #[default]
    No,
    /// The line's beginning.
    Part,
    /// A line that may end here, but need not.
    Whole,
    /// The line's end.
    Closed,
}

/// The length of a kernel's id.
const ID: usize = 36;

/// What stands behind a literal.
#[derive(Debug, Clone, Copy)]
enum Gap {
    /// Decimal digits, a minus before them or not.
    Digits,
    /// Hexadecimal digits, `x` too.
    Hex,
    /// Anything without a blank.
    Word,
    /// Anything at all, up to the next literal.
    Text,
    /// As `Text`, but short: the next literal must come with the next piece.
    Name,
    /// A kernel's id, whole.
    Id,
    /// Nothing.
    None,
}

/// Shapes, a bit each.
pub(crate) type Shapes = u64;

/// All of them.
pub(crate) const ALL_SHAPES: Shapes = Shapes::MAX;

/// The first literal of each shape, and its bit. Most lines hold none, and are not held against the shapes.
pub(crate) fn first_literals() -> impl Iterator<Item = (&'static str, Shapes)> {
    const { assert!(SHAPES.len() <= 64, "a bit for each shape") }
    let firsts = SHAPES.iter().enumerate().filter_map(|(index, shape)| Some((index, shape.first()?)));
    firsts.map(|(index, (literal, ..))| (*literal, 1 << index))
}

/// The beginnings of shapes' first literals at which a text may end, and the literal's shape.
type Heads = Vec<(&'static str, Shapes)>;

/// What [`begun`] looks for at a text's end, by its last two bytes.
static HEADS: LazyLock<BTreeMap<[u8; 2], Heads>> = LazyLock::new(|| {
    let mut heads: BTreeMap<_, Heads> = BTreeMap::new();
    for (literal, shape) in first_literals() {
        for head in beginnings(literal).flat_map(|head| [head, head.trim_end()]) {
            if let Some(end) = head.as_bytes().last_chunk() {
                heads.entry(*end).or_default().push((head, shape));
            }
        }
    }
    heads
});

/// With which bytes what [`begun`] looks for ends: few lines do.
static LAST_BYTES: LazyLock<[bool; 256]> = LazyLock::new(|| {
    let mut last = [false; 256];
    HEADS.keys().for_each(|[_, byte]| last[usize::from(*byte)] = true);
    last
});

/// The shapes of which a text ends with the beginning of the first literal, if that is long enough to be no chance.
fn begun(text: &str) -> Shapes {
    let ends = |end: &&[u8; 2]| LAST_BYTES[usize::from(end[1])];
    let heads = text.as_bytes().last_chunk().filter(ends).and_then(|end| HEADS.get(end));
    let fitting = heads.into_iter().flatten().filter(|(head, _)| text.ends_with(head));
    fitting.fold(0, |shapes, (_, shape)| shapes | shape)
}

/// Whether a text may be the beginning of a longer line. It holds the first literals of no other than these shapes.
pub(crate) fn may_go_on(text: &str, shapes: Shapes) -> bool {
    matches!(reach_among(text, shapes).1, Fit::Part | Fit::Whole)
}

/// The two texts as one line, if the second goes on where the first was broken; `columns` is the width of the line as
/// it stands in the log.
pub(crate) fn joined(first: &str, second: &str, columns: usize) -> Option<String> {
    let apart = first.ends_with(' ') || second.starts_with(' ');
    let (first, second) = (first.trim_end(), second.trim());
    if second.is_empty() {
        return None;
    }
    let text = continued(first, second, apart, columns)?;
    // A line that begins anew is no continuation, unless with it the one before is all there.
    let closes = || reach(&text).1 == Fit::Closed && reach(&text) > reach(second);
    (!begins_anew(second) || closes()).then_some(text)
}

/// The two texts as one line, if that is a line; `apart` if a blank stands between them.
fn continued(first: &str, second: &str, apart: bool, columns: usize) -> Option<String> {
    let before = reach(first);
    if fit_table(first) == Fit::Whole {
        // Only a terminal breaks a row's last word, and nothing else tells that it did.
        let name = is_edge(columns) && !apart && second.len() < 16 && !second.contains(' ');
        return name.then(|| format!("{first}{second}"));
    }
    if apart {
        let goes_on = |text: &String| reach(text).1 != Fit::No && reach(text) >= before;
        let text = Some(format!("{first} {second}")).filter(goes_on);
        // People wrap the line for machines, which holds no blank, behind a comma, and indent what follows.
        let comma = first.ends_with(',');
        return text.or_else(|| comma.then(|| format!("{first}{second}")).filter(goes_on));
    }
    let mut joined = [format!("{first} {second}"), format!("{first}{second}")];
    if !is_edge(columns) {
        joined.reverse();
    }
    // Where both go equally far the last one counts.
    let (best, text) = joined.into_iter().map(|text| (reach(&text), text)).max_by_key(|(reach, _)| *reach)?;
    let further = best > before || (best == before && !in_name(first));
    (best.1 != Fit::No && further).then_some(text)
}

/// Whether a text is itself the beginning of a line of some shape.
fn begins_anew(text: &str) -> bool {
    first_literals().any(|(literal, _)| text.contains(literal)) || fit_table(text) != Fit::No
}

/// Whether a terminal may be that wide; a mail program breaks at a blank, wherever that is.
fn is_edge(columns: usize) -> bool {
    columns == 132 || (columns >= 80 && columns.is_multiple_of(10))
}

/// Whether a text ends where a name stands.
fn in_name(text: &str) -> bool {
    let (depth, _) = reach(text);
    let last = |shape: &&&[Mark]| {
        shape.get(depth.wrapping_sub(1)).is_some_and(|(_, gap, _)| matches!(gap, Gap::Name))
    };
    SHAPES.iter().filter(last).any(|shape| reach_of(text, shape).map_or(0, |reach| reach.0) == depth)
}

/// How many literals of the best shape a text reaches, and how far it fits.
type Reach = (usize, Fit);

/// How far a text fits the best of the shapes.
fn reach(text: &str) -> Reach {
    reach_among(text, ALL_SHAPES)
}

/// How far a text fits the best of the shapes, if it holds the first literals of no other than these.
fn reach_among(text: &str, shapes: Shapes) -> Reach {
    let (mut held, mut best) = (0, (0, Fit::No));
    if shapes != 0 {
        let numbered = SHAPES.iter().enumerate().filter(|(index, _)| shapes >> index & 1 == 1);
        for (index, reach) in numbered.filter_map(|(index, shape)| Some((index, reach_of(text, shape)?))) {
            held |= 1 << index;
            best = best.max(Some(reach).filter(|(_, fit)| *fit != Fit::No).unwrap_or_default());
        }
    }
    let begun = if begun(text) & !held == 0 { Fit::No } else { Fit::Part };
    let statistics = if held == 0 { Fit::No } else { fit_statistics(text) };
    let others = [(0, begun), (1, fit_table(text)), (1, statistics)];
    others.into_iter().filter(|(_, fit)| *fit != Fit::No).fold(best, Reach::max)
}

/// How far a text fits a shape whose first literal it holds.
fn reach_of(text: &str, shape: &[Mark]) -> Option<Reach> {
    let (first, _) = shape.split_first()?;
    let mut rest = phrase::from(text, first.0)?;
    for (index, (literal, gap, _)) in shape.iter().enumerate() {
        let may_end = index > 0 && shape.get(index - 1).is_some_and(|(_, _, may_end)| *may_end);
        if rest.is_empty() && may_end {
            return Some((index, Fit::Whole));
        }
        let Some(behind) = rest.strip_prefix(literal) else {
            return Some((index, if literal.starts_with(rest) { Fit::Part } else { Fit::No }));
        };
        if matches!(gap, Gap::Id) && prim::uuid(behind).is_err() {
            let begun =
                behind.len() < ID && behind.bytes().all(|byte| byte.is_ascii_hexdigit() || byte == b'-');
            return Some((index, if begun { Fit::Part } else { Fit::No }));
        }
        let next = shape.get(index + 1).map(|(literal, _, _)| *literal);
        rest = behind.get(width(behind, *gap, next)..).unwrap_or_default();
    }
    let fit = match (rest.is_empty(), shape.last()) {
        (true, Some((_, Gap::None | Gap::Text, _))) => Fit::Closed,
        // Digits may go on behind a terminal's edge.
        (true, _) => Fit::Whole,
        (false, _) => Fit::No,
    };
    Some((shape.len(), fit))
}

/// The beginnings of a literal that are long enough.
fn beginnings(literal: &'static str) -> impl Iterator<Item = &'static str> {
    let least = (literal.len() * 3 / 5).max(13).min(literal.len().saturating_sub(2));
    (least..literal.len()).rev().filter_map(|length| literal.get(..length))
}

/// How much of a text stands in a gap.
fn width(text: &str, gap: Gap, next: Option<&str>) -> usize {
    let run = |fits: fn(char) -> bool| text.find(|c: char| !fits(c)).unwrap_or(text.len());
    match gap {
        Gap::Digits => run(|c| c.is_ascii_digit() || c == '-'),
        Gap::Hex => run(|c| c.is_ascii_hexdigit() || c == 'x'),
        Gap::Id => ID,
        Gap::None => 0,
        // Up to the last place where the next literal stands, or its beginning at the end of the text.
        Gap::Word | Gap::Text | Gap::Name => {
            let end = if matches!(gap, Gap::Word) { run(|c| !c.is_whitespace()) } else { text.len() };
            let inside = text.get(..end).unwrap_or_default();
            let Some(next) = next else { return end };
            if let Some(at) = text.rfind(next).filter(|at| *at <= end) {
                return at;
            }
            let tail = (1..next.len())
                .rev()
                .filter_map(|length| next.get(..length))
                .find(|head| inside.ends_with(head));
            end - tail.map_or(0, str::len)
        }
    }
}

/// A report's table: its header, and rows, which end in a name.
fn fit_table(text: &str) -> Fit {
    // Most brackets hold no number and no name, which their first byte shows.
    let begins = |rest: &&str| {
        rest.starts_with(|c: char| c.is_ascii_digit() || c.is_whitespace() || matches!(c, 'p' | '+' | '-'))
    };
    let brackets = memchr::memchr_iter(b'[', text.as_bytes()).take(4);
    let brackets = brackets.filter_map(|at| text.get(at + 1..)).filter(begins);
    let rows = brackets.filter_map(|rest| rest.split_once(']'));
    rows.map(|(pid, rest)| fit_row(pid.trim(), rest)).max().unwrap_or(Fit::No)
}

/// A row behind its bracketed first column.
fn fit_row(pid: &str, rest: &str) -> Fit {
    if pid == "pid" {
        return if rest.ends_with(" name") { Fit::Closed } else { Fit::Part };
    }
    let numeric = |word: &str| word.parse::<i64>().is_ok();
    if !numeric(pid) {
        return Fit::No;
    }
    let words: Vec<&str> = rest.split_whitespace().take(24).collect();
    if words.len() < 3 {
        return Fit::No;
    }
    match words.iter().position(|word| !numeric(word)) {
        None => Fit::Part,
        Some(name) if name >= 5 => Fit::Whole,
        Some(_) => Fit::No,
    }
}

/// A cgroup's statistics on one line: `Memory cgroup stats for /a: cache:0KB rss:20260KB …`.
fn fit_statistics(text: &str) -> Fit {
    let Some((_, rest)) = text.split_once("Memory cgroup stats for ") else { return Fit::No };
    let mut words = rest.split_whitespace().skip(1).peekable();
    while let Some(word) = words.next() {
        let (key, value) = word.split_once(':').unwrap_or((word, ""));
        let named = !key.is_empty() && key.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_');
        let digits = value.trim_end_matches(['K', 'B']);
        let complete = value.ends_with("KB") || words.peek().is_none();
        if !named || !complete || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return Fit::No;
        }
    }
    Fit::Whole
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINES: &[&str] = &[
        "Memory cgroup out of memory: Killed process 26069 (python3) total-vm:50348kB, anon-rss:48640kB, file-rss:604kB, shmem-rss:0kB, UID:1000 pgtables:140kB oom_score_adj:-5",
        "Killed process 40738, UID 27, (my sqld) total-vm:6424316kB, anon-rss:13128kB, file-rss:4kB",
        "Out of memory: Kill process 40738 (mysqld) score 16 or sacrifice child",
        "Plex Media (x) invoked oom-killer: gfp_mask=0x6200ca(GFP_HIGHUSER_MOVABLE), nodemask=(null), order=0, oom_score_adj=0",
        "python3 invoked oom-killer: gfp_mask=0xcc0(GFP_KERNEL), order=0, oom_score_adj=-17",
        "oom-kill:constraint=CONSTRAINT_MEMCG,nodemask=(null),cpuset=ab12,mems_allowed=0,oom_memcg=/docker/ab12,task_memcg=/docker/ab12,task=Plex Media,pid=26069,uid=1000",
        "memory: usage 49152kB, limit 49152kB, failcnt 137",
        "Task in /docker/2e088f36a9c2 killed as a result of limit of /docker/2e088f36a9c2",
        "[  26069]     0 26069    12587    12311    12160      151         0   143360        0             0 python3",
        "python3[3902]: segfault at 0 ip 00007f1e6a4b91c7 sp 00007ffd3d1f27a0 error 4 in libc.so.6[7f1e6a428000+155000] likely on CPU 1 (core 1, socket 0)",
        "container die 6515c10db0d8b36a9c2cd981b6fecc1a37ae27dc573c45cfbc05a97fd2e32dd5 (exitCode=137, image=a b:1, name=kd)",
    ];

    /// Lines of servers and runners, as far as they say what happened.
    const OF_SERVERS: &[&str] = &[
        "[I 2026-11-30 09:14:30.402 ServerApp] AsyncIOLoopKernelRestarter: restarting kernel (1/5)",
        "[I 2026-11-30 09:14:30.402 NotebookApp] KernelRestarter: restarting kernel (12/15)",
        "[W 2026-11-30 09:14:30.402 ServerApp] AsyncIOLoopKernelRestarter: restart failed",
        "[W 2026-11-30 09:14:30.402 ServerApp] kernel 6d0f1f0e-6f0b-4d0c-9a55-0c5b7a1e2f34 restarted",
        "[E 2026-11-30 09:14:30.402 ServerApp] Kernel 6d0f1f0e-6f0b-4d0c-9a55-0c5b7a1e2f34 died, removing from map",
        "[I 2026-11-30 09:14:30.402 ServerApp] Kernel started: 6d0f1f0e-6f0b-4d0c-9a55-0c5b7a1e2f34",
        "[I 2026-11-30 09:14:30.402 ServerApp] Kernel shutdown: 6d0f1f0e-6f0b-4d0c-9a55-0c5b7a1e2f34",
        "[W 2026-11-30 09:14:30.402 ServerApp] Culling 'idle' kernel 'python3' (6d0f1f0e-6f0b-4d0c-9a55-0c5b7a1e2f34) with",
        "2026-11-30T09:14:30.4021234Z nbclient.exceptions.DeadKernelError: Kernel died",
        "RuntimeError: Kernel died before replying to kernel_info",
        "/home/runner/work/book/book/a.ipynb: WARNING: Executing notebook failed: DeadKernelError",
    ];

    /// Breaks a line in two, puts it together again.
    fn mended(first: &str, second: &str, columns: usize) -> String {
        assert!(may_go_on(first, ALL_SHAPES), "{first}");
        joined(first, second, columns).unwrap_or_else(|| panic!("{first} | {second}"))
    }

    #[test]
    fn lines_broken_at_blanks_are_mended() {
        for line in LINES.iter().chain(OF_SERVERS) {
            for (blank, _) in line.match_indices(' ').filter(|(at, _)| *at >= 40) {
                let (first, second) = (line.get(..blank).unwrap(), line.get(blank + 1..).unwrap());
                let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
                assert_eq!(words(&mended(first, second, 77)), words(line));
            }
        }
    }

    #[test]
    fn lines_broken_at_an_edge_are_mended() {
        for line in LINES.iter().chain(OF_SERVERS).filter(|line| !line.starts_with("[ ")) {
            for at in 44..line.len() {
                let (first, second) = (line.get(..at).unwrap(), line.get(at..).unwrap());
                if may_go_on(first, ALL_SHAPES) && !first.ends_with(' ') && !second.starts_with(' ') {
                    assert_eq!(mended(first, second, 80), *line, "{first}|{second}");
                }
            }
        }
    }

    #[test]
    fn the_quick_look_says_what_the_shapes_say() {
        let others =
            ["[I 2026-11-30 15:22:30.902 ServerApp] x", "[  12]", "a\u{e9}", "", "n", "x Killed proc"];
        for line in LINES.iter().chain(OF_SERVERS).chain(&others) {
            for text in (0..=line.len()).filter_map(|end| line.get(..end)) {
                assert_eq!(
                    may_go_on(text, ALL_SHAPES),
                    matches!(reach(text).1, Fit::Part | Fit::Whole),
                    "{text}"
                );
            }
        }
    }

    #[test]
    fn what_was_only_cut_takes_nothing_in() {
        let cut = "Memory cgroup out of memory: Killed process 26069 (python3) total-vm:503";
        for next in [
            "oom_reaper: reaped process 26069 (python3), now anon-rss:0kB, file-rss:0kB, shmem-rss:0kB",
            "Memory cgroup out of memory: Killed process 26070 (python3) total-vm:50348kB, anon-rss:48640kB",
            "docker0: port 2(veth1) entered disabled state",
            "",
        ] {
            assert_eq!(joined(cut, next, 80), None, "{next}");
        }
        for (line, next) in
            OF_SERVERS.iter().flat_map(|line| [(line, "epoch 3"), (line, "done"), (line, "- restarted")])
        {
            assert!(!may_go_on(line, ALL_SHAPES) || joined(line, next, 77).is_none(), "{line} | {next}");
        }
        assert!(!may_go_on(
            "an ordinary line that says nothing of all this, as long as it may be",
            ALL_SHAPES
        ));
    }
}
