//! The words of reports in every language, side by side.
//!
//! A phrase's places, `{n}`, are the same in all of them; a bar divides what is said of one from what is said of several.

/// Declares the words of all languages at once, so that none can be without one.
macro_rules! messages {
    ($($name:ident: $english:literal, $chinese:literal;)*) => {
        /// The words of one language. The field's name says what a word is for.
        #[derive(Debug)]
        #[expect(missing_docs, reason = "the English text stands beside each")]
        pub struct Messages { $(pub $name: &'static str,)* }

        /// English.
        pub(super) const ENGLISH: Messages = Messages { $($name: $english,)* };
        /// Simplified Chinese, without marks whose width a terminal may doubt.
        pub(super) const CHINESE: Messages = Messages { $($name: $chinese,)* };

        #[cfg(test)]
        const PAIRS: &[(&str, &str, &str)] = &[$((stringify!($name), $english, $chinese),)*];
    };
}

messages! {
    // Marks between words.
    separator: " · ", "｜";
    comma: ", ", "，";
    semicolon: "; ", "；";
    stop: ".", "。";
    space: " ", "";
    none: "–", "-";
    bar: "│", "|";
    rule: "─", "-";
    mark_confirmed: "●", "*";
    mark_probable: "◐", "+";
    mark_possible: "○", "?";
    times_sign: " ×{n}", "（{n} 次）";
    count_sign: "×{n}", "{n} 次";
    bracketed: "{text} ({more})", "{text}（{more}）";

    // The layers, how sure a verdict is, what ties a line to a death.
    layer_frontend: "frontend", "前端层";
    layer_server: "server", "服务层";
    layer_kernel: "kernel", "内核层";
    layer_cuda: "cuda", "CUDA 层";
    layer_host: "host", "宿主层";
    meaning_frontend: "The browser, the websocket, output limits: the kernel only looks dead.", "浏览器、WebSocket、输出上限：内核只是看起来死了。";
    meaning_server: "The Jupyter server or hub, its proxy configuration, culling, start-up.", "Jupyter 服务器或 Hub、代理配置、空闲回收、启动。";
    meaning_kernel: "The Python (R, Julia …) process itself.", "Python（R、Julia 等）进程本身。";
    meaning_cuda: "GPU memory, CUDA, ROCm or Metal, the driver, the GPU's hardware.", "显存，CUDA、ROCm 或 Metal，驱动，GPU 硬件。";
    meaning_host: "OOM killers, limits of containers and schedulers, disks, hardware, reboots.", "OOM killer、容器与调度器的上限、磁盘、硬件、重启。";
    confirmed: "confirmed", "已确认";
    probable: "probable", "很可能";
    possible: "possible", "有可能";
    link_time: "time only", "仅时间吻合";
    link_file: "same file", "同一文件";
    link_owner: "same owner", "同一归属";
    link_container: "same container", "同一容器";
    link_process: "same process", "同一进程";
    link_kernel: "same kernel", "同一内核";
    death: "death", "死亡";
    finding: "finding", "发现";

    // The headline.
    deaths: "{n} kernel death|{n} kernel deaths", "{n} 次内核死亡";
    findings: "{n} finding|{n} findings", "{n} 个发现";
    files: "{n} file|{n} files", "{n} 个文件";
    lines: "{n} line|{n} lines", "{n} 行";
    events: "{n} event|{n} events", "{n} 个事件";
    items: "{n} item|{n} items", "{n} 项";
    no_death: "No kernel death found", "没有发现内核死亡";
    only_findings: "No kernel death, but {findings}", "没有内核死亡，但有 {findings}";
    deaths_and_findings: "{deaths} and {findings}", "{deaths}，{findings}";
    said_in: "{said} in {read}", "{said}；读取了 {read}";
    in_read: "in {files}, {lines}, {events}", "读取了 {files}、{lines}、{events}";
    not_read_count: "{files} not read", "{files}未读取";

    // Columns of tables.
    column_time: "time", "时间";
    column_time_utc: "time (UTC)", "时间 (UTC)";
    column_layer: "layer", "层";
    column_cause: "cause", "原因";
    column_what: "what happened", "发生了什么";
    column_confidence: "confidence", "可信度";
    column_source: "source", "来源";
    column_log: "log", "日志";
    column_kind: "kind", "类型";
    column_events: "events", "事件";
    column_covers: "covers (UTC)", "覆盖时段 (UTC)";
    column_clock: "clock", "时钟";

    // Who it is about.
    notebook: "notebook", "笔记本";
    kernel: "kernel", "内核";
    container: "container", "容器";
    host: "host", "宿主机";
    user: "user", "用户";
    cell: "cell {n}", "单元格 {n}";

    // Labels of the text format: at most seven columns.
    label_proof: "proof", "证据";
    label_memory: "memory", "内存";
    label_figures: "figures", "数据";
    label_why: "why", "原因";
    label_fix: "fix", "处理";
    label_doubts: "doubts", "疑点";
    label_more: "more", "更多";
    label_read: "read", "已读";
    label_clock: "clock", "时钟";
    label_skipped: "skipped", "跳过";
    label_notes: "notes", "备注";

    // A verdict.
    ended_no_kernel: "finding, no kernel ended", "发现，没有内核终止";
    known_issue: "known issue: {reason}", "已知问题：{reason}";
    until: "until {date}", "到 {date} 为止";
    times_listed: "{n} times: {times}", "共 {n} 次：{times}";
    times_span: "{n} times from {first} to {last}; the first is shown", "从 {first} 到 {last} 共 {n} 次；这里显示第一次";
    times_page: "{n} times: {times}. The first is shown.", "共 {n} 次：{times}。这里显示第一次。";
    from_to: "from {first} to {last}", "从 {first} 到 {last}";
    first_to_last: "{first} to {last}", "{first} 至 {last}";
    more_lines: "… and {n} more line (-v shows all)|… and {n} more lines (-v shows all)", "另有 {n} 行（-v 显示全部）";
    more_files: "… and {n} more file (-v shows all)|… and {n} more files (-v shows all)", "另有 {n} 个文件（-v 显示全部）";
    more: "… and {n} more", "另有 {n} 项";
    remarks: "{n} remark on the logs (-v shows them)|{n} remarks on the logs (-v shows them)", "关于日志的备注 {n} 条（-v 显示）";
    bytes: "{size} ({n} bytes)", "{size}（{n} 字节）";

    // Spans of time.
    later: "{span} later", "晚 {span}";
    before: "{span} before", "早 {span}";
    milliseconds: "{a} ms", "{a} 毫秒";
    seconds: "{a} s", "{a} 秒";
    minutes: "{a} min {b} s", "{a} 分 {b} 秒";
    hours: "{a} h {b} min", "{a} 小时 {b} 分";
    days: "{a} d {b} h", "{a} 天 {b} 小时";

    // Doubts.
    is_symptom: "an effect of it, not another cause: {cause}", "它的后果，不是另一个原因：{cause}";
    is_alternative: "it could also be: {cause}", "也可能是：{cause}";
    only_probable: "probable: a log line names the cause, but only time and place tie it to this kernel", "很可能：有一行日志指明了原因，但只有时间和位置把它与这个内核联系起来";
    only_possible: "possible: inferred from effects or silence, or told by a line that nothing ties to a kernel", "有可能：由后果或没有记录推断而来，或只有一行与内核没有联系的日志";
    silent: "{path} covers the moment and shows nothing of it", "{path} 覆盖了当时，其中没有相关记录";
    would_help: "{source} would help, but {reason}.", "{source} 会有帮助，但 {reason}。";
    not_given: "not among the logs: {source}.", "日志中没有：{source}。";
    to_get_it: "To get it:", "获取方法：";
    step_gets_it: "Step {n} above gets it.", "上面第 {n} 步可以得到它。";
    would_settle: "would settle it: {cause}", "可以查清的日志：{cause}";
    gap_no_time: "{path} has no time that could be compared", "{path} 没有可以比较的时间";
    gap_ends: "the last line of {path} is of {time}; saved after the death, it rules that out", "{path} 的最后一行是 {time}；只有在死亡之后保存的才能排除它";
    gap_begins: "{path} begins after it, at {time}", "{path} 从 {time} 才开始，在它之后";
    gap_lost: "{path} says that lines of it were lost", "{path} 说自己丢失过若干行";

    // Curves of memory.
    curve: "{first} → {last}", "{first} -> {last}";
    curve_limited: "{first} → {last} of {limit}", "{first} -> {last}，上限 {limit}";
    curve_span: "{what}, {first} to {last}", "{what}，{first} 至 {last}";
    curve_grows: "; it grows steadily", "；持续增长";
    curve_step: ", {size} a step", "，每步 {size}";
    curve_minute: ", {size} a minute", "，每分钟 {size}";
    curve_full: "; full at {time}", "；{time} 会用尽";
    curve_after: ", {span} after the end", "，在终止之后 {span}";
    curve_before: ", {span} before the end", "，在终止之前 {span}";
    curve_explains: ": the leak explains it", "：泄漏可以解释这次死亡";
    curve_caption: "Memory ({what}): {first} to {last}; {trend}", "内存（{what}）：{first} 至 {last}；{trend}";
    curve_caption_limited: "Memory ({what}): {first} to {last}, limit {limit}; {trend}", "内存（{what}）：{first} 至 {last}，上限 {limit}；{trend}";
    curve_title: "Memory before the death", "死亡之前的内存";
    curve_limit: "limit", "上限";
    trend_too_short: "too-short", "数据太少";
    trend_plateau: "plateau", "平稳";
    trend_warm_up: "warm-up", "预热之后平稳";
    trend_step: "step", "阶梯上升";
    trend_saturating: "saturating", "上升后趋平";
    trend_leak: "leak", "持续增长";
    of_host: "of the host", "宿主机";
    of_process: "of the process", "进程";
    of_container: "of the container", "容器";
    of_gpu: "in use on the GPU", "GPU 已用显存";
    of_gpu_process: "of the process on the GPU", "进程占用的显存";
    of_gpu_allocated: "allocated by the framework on the GPU", "框架已分配的显存";
    of_gpu_reserved: "reserved by the framework on the GPU", "框架保留的显存";

    // Clocks.
    clock_apart: "cannot be put on one clock with the other logs (its times are {clock})", "无法与其他日志对到同一时钟（它的时间是 {clock}）";
    clock_boot: "counts from the boot at {time}", "从 {time} 开机时起算";
    clock_no_zone: "names no zone", "没有写时区";
    clock_no_year: "prints no year", "没有年份";
    clock_no_date: "prints no date", "没有日期";
    clock_assumed: "{lacks}; {zone} is assumed", "{lacks}；按 {zone} 处理";
    clock_found: "{lacks}; it is in {zone}", "{lacks}；时区是 {zone}";
    clock_other: "has the clock {clock}", "时钟是 {clock}";
    clock_none: "no times", "没有时间";
    clock_zoned: "names its zone", "写明了时区";

    // What a clock's place rests on, and remarks, in the words of those who make them.
    basis_zone: "the stamps name their zone", "时间戳写明了时区";
    basis_line: "both clocks on one line", "同一行上有两个时钟";
    basis_envelope: "an envelope with a zone around the same lines", "同样的行外面有带时区的封装";
    basis_one_same_id: "one event with the same id in another log", "另一份日志中有同一标识的一个事件";
    basis_same_id: "several events with the same id in another log", "另一份日志中有同一标识的多个事件";
    basis_one_fits: "one event that fit another log", "有一个事件与另一份日志吻合";
    basis_fit: "several events that fit another log", "有多个事件与另一份日志吻合";
    basis_day: "no date in the log: the day of its neighbours", "日志里没有日期：取相邻日志的日期";
    basis_no_date: "no date in any log", "所有日志都没有日期";
    basis_utc: "no zone in the log: taken as UTC", "日志里没有时区：按 UTC 处理";
    note_clock: "its clock cannot be tied to the other logs, so nothing in it is joined by time; --boot-time or --timezone settles it", "它的时钟无法与其他日志对上，所以其中的内容没有按时间关联；用 --boot-time 或 --timezone 可以解决";
    note_long: "a line longer than 1 MiB was cut", "有一行超过 1 MiB，已截断";

    // Logs that rules ask for and that no program's name stands for.
    source_server: "the server's log", "服务器的日志";
    source_user: "the user's server log", "用户服务器的日志";
    source_hub: "the hub's log", "Hub 的日志";
    source_host: "the host's log (dmesg)", "宿主机的日志（dmesg）";
    source_scheduler: "scheduler accounting", "调度器的作业记录";
    source_kubernetes: "kubernetes events", "Kubernetes 事件";
    source_journal: "systemd journal", "systemd 日志";
    source_memory: "memory log", "内存记录";
    source_exit: "exit status", "退出状态";

    // Parts of pages and tickets.
    what_to_do: "What to do", "怎么处理";
    how_known: "How it is known", "判断依据";
    doubts_heading: "Doubts, and what would settle them", "疑点，以及怎样查清";
    doubts_short: "Doubts", "疑点";
    why_heading: "Why this happens", "为什么会这样";
    figures_heading: "Figures", "数据";
    logs_heading: "The logs", "日志";
    not_read: "Not read", "未读取";
    remarks_heading: "Remarks on the logs", "关于日志的备注";
    references: "References", "参考";
    timeline_heading: "Timeline (UTC)", "时间线 (UTC)";
    verdicts: "Verdicts", "结论";
    was_not_read: "{path} was not read: {reason}", "{path} 未读取：{reason}";
    names: "Fingerprint {fingerprint}, occurrence {id}", "指纹 {fingerprint}，实例 {id}";
    ticket_names: "kerneldoc fingerprint {fingerprint}, occurrence {id}", "kerneldoc 指纹 {fingerprint}，实例 {id}";
    tells_more: "{command} tells more. Fingerprint {fingerprint}, occurrence {id}.", "详情：{command}。指纹 {fingerprint}，实例 {id}。";
    left_out: "{items} left out; the report has them all.", "略去 {items}；报告里都有。";
    made_by: "Made by kerneldoc {version}. Times are UTC.", "由 kerneldoc {version} 生成。时间均为 UTC。";
    secrets_out: "Secrets are taken out before quoting.", "引用之前已去除机密。";
    timeline_title: "The evidence over the five layers", "五层上的证据";
    timeline_from_death: "Numbers are those of the evidence below; times count from the dashed line.", "编号与下面的证据一致；时间从虚线起算。";
    timeline_from_first: "Numbers are those of the evidence below; times count from the first of it.", "编号与下面的证据一致；时间从第一条证据起算。";
    coverage_title: "What each log covers", "每份日志覆盖的时段";
    coverage_caption: "From when to when each log reaches, on one clock.", "每份日志从何时到何时，按同一时钟。";
    coverage_deaths: "Dashed lines are deaths.", "虚线是死亡的时刻。";
    short_fix: "Fix: {text}", "处理：{text}";
    strong_fix: "*Fix*: {text}", "*处理*：{text}";
    short_proof: "Proof: {text}", "证据：{text}";
    short_cell: "In {cell}.", "在{cell}。";
    explain_more: "kerneldoc explain {cause} tells more.", "详情：kerneldoc explain {cause}";
    more_in_report: "and {n} more; the report has them all", "另有 {n} 项；报告里都有";

    // A rule's page.
    page_looks: "What it looks like", "日志里的样子";
    page_happened: "What happened", "发生了什么";
    page_decided: "How it is decided", "怎样判断";
    page_confused: "Not to be confused with", "不要混淆";
    page_explains: "What it explains", "它能解释的现象";
    page_layer: "{layer} layer", "{layer}";
    page_ends: "ends the kernel", "会终止内核";
    page_ends_none: "ends no kernel", "不会终止内核";
    page_may_end: "may end the kernel", "可能终止内核";
    page_fallback: "the answer when nothing else explains a death", "没有其他原因能解释时的答案";
    page_record: "a record names it", "有日志记录指明";
    page_effect: "inferred from its effects", "从后果推断";
    page_any: "At least one of:", "至少有一项：";
    page_not: "But not if: {condition}", "但以下情况除外：{condition}";
    page_causes: "causes", "原因";
}

impl Messages {
    /// A layer's name; an unknown word stays as it is, here and below.
    pub fn layer<'a>(&self, word: &'a str) -> &'a str {
        match word {
            "frontend" => self.layer_frontend,
            "server" => self.layer_server,
            "kernel" => self.layer_kernel,
            "cuda" => self.layer_cuda,
            "host" => self.layer_host,
            other => other,
        }
    }

    /// How sure a verdict is.
    pub fn confidence<'a>(&self, word: &'a str) -> &'a str {
        match word {
            "confirmed" => self.confirmed,
            "probable" => self.probable,
            "possible" => self.possible,
            other => other,
        }
    }

    /// What ties a line to a death.
    pub fn link<'a>(&self, word: &'a str) -> &'a str {
        match word {
            "time only" => self.link_time,
            "same file" => self.link_file,
            "same owner" => self.link_owner,
            "same container" => self.link_container,
            "same process" => self.link_process,
            "same kernel" => self.link_kernel,
            other => other,
        }
    }

    /// `death` or `finding`.
    pub fn what<'a>(&self, word: &'a str) -> &'a str {
        match word {
            "death" => self.death,
            "finding" => self.finding,
            other => other,
        }
    }

    /// How a series of memory goes.
    pub fn trend<'a>(&self, word: &'a str) -> &'a str {
        match word {
            "too-short" => self.trend_too_short,
            "plateau" => self.trend_plateau,
            "warm-up" => self.trend_warm_up,
            "step" => self.trend_step,
            "saturating" => self.trend_saturating,
            "leak" => self.trend_leak,
            other => other,
        }
    }

    /// What a clock's place rests on, or a remark: those that are always the same; others stay as they are.
    pub fn remark<'a>(&self, text: &'a str) -> &'a str {
        let known = [
            (ENGLISH.basis_zone, self.basis_zone),
            (ENGLISH.basis_line, self.basis_line),
            (ENGLISH.basis_envelope, self.basis_envelope),
            (ENGLISH.basis_one_same_id, self.basis_one_same_id),
            (ENGLISH.basis_same_id, self.basis_same_id),
            (ENGLISH.basis_one_fits, self.basis_one_fits),
            (ENGLISH.basis_fit, self.basis_fit),
            (ENGLISH.basis_day, self.basis_day),
            (ENGLISH.basis_no_date, self.basis_no_date),
            (ENGLISH.basis_utc, self.basis_utc),
            (ENGLISH.note_clock, self.note_clock),
            (ENGLISH.note_long, self.note_long),
        ];
        known.into_iter().find(|(english, _)| *english == text).map_or(text, |(_, own)| own)
    }

    /// A log that a rule asks for.
    pub fn source<'a>(&self, name: &'a str) -> &'a str {
        let known = [
            (ENGLISH.source_server, self.source_server),
            (ENGLISH.source_user, self.source_user),
            (ENGLISH.source_hub, self.source_hub),
            (ENGLISH.source_host, self.source_host),
            (ENGLISH.source_scheduler, self.source_scheduler),
            (ENGLISH.source_kubernetes, self.source_kubernetes),
            (ENGLISH.source_journal, self.source_journal),
            (ENGLISH.source_memory, self.source_memory),
            (ENGLISH.source_exit, self.source_exit),
        ];
        known.into_iter().find(|(english, _)| *english == name).map_or(name, |(_, own)| own)
    }

    /// The mark before a verdict. The word for it stands beside it.
    pub fn mark(&self, confidence: &str) -> &'static str {
        match confidence {
            "confirmed" => self.mark_confirmed,
            "probable" => self.mark_probable,
            _ => self.mark_possible,
        }
    }

    /// What a confidence below `confirmed` means.
    pub fn reservation(&self, confidence: &str) -> Option<&'static str> {
        match confidence {
            "probable" => Some(self.only_probable),
            "possible" => Some(self.only_possible),
            _ => None,
        }
    }

    /// A text with more in brackets.
    pub fn with_brackets(&self, text: &str, more: &str) -> String {
        super::fill(self.bracketed, &[("text", text), ("more", more)])
    }
}

#[cfg(test)]
mod tests {
    use super::{super::pieces, *};
    use std::collections::BTreeSet;
    use unicode_width::UnicodeWidthStr;

    /// The places of a phrase, of all its forms.
    fn places(phrase: &str) -> BTreeSet<&str> {
        pieces(phrase).into_iter().filter_map(|(_, place)| place).collect()
    }

    #[test]
    fn both_languages_have_the_same_places() {
        for (name, english, chinese) in PAIRS {
            assert_eq!(places(english), places(chinese), "{name}");
            assert!(!english.is_empty() && (*name == "space" || !chinese.is_empty()), "{name}");
        }
    }

    #[test]
    fn no_chinese_word_has_a_doubtful_width() {
        for (name, _, chinese) in PAIRS {
            // A mark that is one column wide here and two there would break tables; quotes are never in them.
            assert_eq!(chinese.width(), chinese.width_cjk(), "{name}: {chinese}");
            let mixed = chinese.contains(", ") || chinese.contains("; ") || chinese.contains(": ");
            assert!(!mixed || !chinese.chars().any(|c| c > '\u{2e80}'), "{name}: {chinese}");
        }
    }

    #[test]
    fn labels_leave_room() {
        for (name, english, chinese) in PAIRS.iter().filter(|(name, ..)| name.starts_with("label_")) {
            assert!(english.width() <= 7 && chinese.width() <= 7, "{name}");
        }
    }
}
