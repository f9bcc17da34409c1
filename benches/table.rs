//! The table of `docs/speed.md`: kerneldoc, ripgrep with the same needles and `wc -l` over the same logs, in turn.
//!
//! `cargo bench --bench table -- [--size MIB] [--kinds abcde] [--growth|--deaths-only] [--runs N] [--folder FOLDER]`. It needs GNU
//! `time` for memory and processor time. Logs are made in the folder and removed when they have been measured.

mod corpus;
#[path = "corpus/deaths.rs"]
mod deaths;

use corpus::{Kind, Size};
use deaths::Told;
use kerneldoc::extract::needle_texts;
use std::{
    env, fs,
    io::{self, Write},
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

/// The kinds, by the letters that `--kinds` takes, and their names in the table.
const KINDS: [(char, Kind, &str); 5] = [
    ('a', Kind::Hub, "(a) hub noise"),
    ('b', Kind::Docker, "(b) docker json-file"),
    ('c', Kind::OomReports, "(c) OOM reports"),
    ('d', Kind::Samples, "(d) memory samples"),
    ('e', Kind::Half, "(e) half matters"),
];

/// How many deaths growth is measured over.
const DEATHS: [u64; 4] = [10, 100, 1_000, 10_000];

/// What is asked for.
struct Options {
    mebibytes: u64,
    deaths: u64,
    kinds: String,
    growth: bool,
    /// Of growth, only that with the number of deaths in logs of nothing else.
    tellings: bool,
    runs: usize,
    folder: PathBuf,
}

/// What one program took: medians.
#[derive(Default)]
struct Cost {
    seconds: f64,
    cpu: f64,
    mebibytes: f64,
}

fn main() -> io::Result<()> {
    let options = options();
    fs::create_dir_all(&options.folder)?;
    let needles = options.folder.join("needles.txt");
    fs::write(&needles, needle_texts().join("\n"))?;
    let mut out = io::stdout().lock();
    if options.growth {
        return growth(&options, &needles, &mut out);
    }
    if options.tellings {
        return growth_of_deaths(&options, &mut out);
    }
    writeln!(
        out,
        "| logs | MB | kerneldoc | of which CPU | GB/s | peak memory | rg | ratio to rg | ratio of CPU | ratio to `wc -l` |"
    )?;
    writeln!(out, "|---|---|---|---|---|---|---|---|---|---|")?;
    for (letter, kind, name) in KINDS {
        if !options.kinds.contains(letter) {
            continue;
        }
        let (bytes, [ours, rg, wc]) = measured(kind, options.mebibytes, options.deaths, &options, &needles)?;
        writeln!(
            out,
            "| {} | {:.0} | {:.2} s | {:.2} s | {:.2} | {:.0} MiB | {:.2} s | {:.2} | {:.2} | {:.1} |",
            name,
            bytes / 1e6,
            ours.seconds,
            ours.cpu,
            bytes / ours.seconds / 1e9,
            ours.mebibytes,
            rg.seconds,
            ours.seconds / rg.seconds,
            ours.cpu / rg.cpu,
            ours.seconds / wc.seconds,
        )?;
        out.flush()?;
    }
    Ok(())
}

/// Growth with the size and with the number of deaths, of hub noise and of logs of nothing but deaths, and the exponents.
fn growth(options: &Options, needles: &Path, out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "| hub noise | deaths | kerneldoc | of which CPU | peak memory |\n|---|---|---|---|---|")?;
    let sizes = [1, 2, 4, 8, 16].map(|step| (options.mebibytes * step / 2, options.deaths));
    let deaths = DEATHS.map(|deaths| (options.mebibytes, deaths));
    for (row, name) in [(&sizes[..], "size"), (&deaths[..], "deaths")] {
        let mut points = Vec::new();
        for (mebibytes, deaths) in row {
            let (bytes, [ours, ..]) = measured(Kind::Hub, *mebibytes, *deaths, options, needles)?;
            let Cost { seconds, cpu, mebibytes: memory } = ours;
            writeln!(
                out,
                "| {:.0} MB | {deaths} | {seconds:.2} s | {cpu:.2} s | {memory:.0} MiB |",
                bytes / 1e6
            )?;
            out.flush()?;
            points.push((if name == "size" { bytes } else { count(*deaths) }, cpu));
        }
        writeln!(out, "\nexponent of CPU time over {name}: {:.2}\n", exponent(&points))?;
    }
    growth_of_deaths(options, out)
}

/// Growth with the number of deaths, for each way in which they are told. A start costs what it costs, so that the last
/// tenfold says more than the exponent over all.
fn growth_of_deaths(options: &Options, out: &mut impl Write) -> io::Result<()> {
    let columns = DEATHS.map(|deaths| format!("{deaths} |")).concat();
    writeln!(out, "| deaths told, CPU time | {columns} peak memory | exponent | of the last tenfold |")?;
    writeln!(out, "|---|{}---|---|---|", "---|".repeat(DEATHS.len()))?;
    for (told, name) in Told::ALL {
        let (mut points, mut memory) = (Vec::new(), 0.0);
        write!(out, "| {name} |")?;
        for deaths in DEATHS {
            let folder = options.folder.join("logs");
            let _ = fs::remove_dir_all(&folder);
            deaths::write(told, deaths, &folder)?;
            let mut ours = Command::new(env!("CARGO_BIN_EXE_kerneldoc"));
            ours.args(["diagnose", "--exit-zero"]).arg(&folder);
            let costs =
                (0..options.runs).map(|_| timed(&ours, &options.folder)).collect::<io::Result<Vec<_>>>()?;
            fs::remove_dir_all(&folder)?;
            let cost = medians(&costs);
            write!(out, " {:.2} s |", cost.cpu)?;
            out.flush()?;
            memory = cost.mebibytes;
            points.push((count(deaths), cost.cpu));
        }
        let last = points.get(points.len().saturating_sub(2)..).unwrap_or_default();
        writeln!(out, " {memory:.0} MiB | {:.2} | {:.2} |", exponent(&points), exponent(last))?;
    }
    Ok(())
}

/// Makes logs, measures the three programs over them, and removes the logs.
fn measured(
    kind: Kind,
    mebibytes: u64,
    deaths: u64,
    options: &Options,
    needles: &Path,
) -> io::Result<(f64, [Cost; 3])> {
    let folder = options.folder.join("logs");
    let _ = fs::remove_dir_all(&folder);
    corpus::write(kind, Size { bytes: mebibytes << 20, deaths }, &folder)?;
    let mut files: Vec<PathBuf> =
        fs::read_dir(&folder)?.map(|entry| Ok(entry?.path())).collect::<io::Result<_>>()?;
    files.sort();
    let bytes: u64 = files.iter().map(|file| fs::metadata(file).map_or(0, |data| data.len())).sum();
    let mut ours = Command::new(env!("CARGO_BIN_EXE_kerneldoc"));
    ours.args(["diagnose", "--exit-zero"]).args(&files);
    let mut rg = Command::new("rg");
    rg.args(["-cF", "-f"]).arg(needles).args(&files);
    let mut wc = Command::new("wc");
    wc.arg("-l").args(&files);
    let commands = [ours, rg, wc];
    let mut costs: [Vec<Cost>; 3] = Default::default();
    // Once to warm the page cache; then in turn, so that whatever else the machine does meets all alike.
    for run in 0..=options.runs {
        for (command, costs) in commands.iter().zip(&mut costs) {
            let cost = timed(command, &options.folder)?;
            if run > 0 {
                costs.push(cost);
            }
        }
    }
    fs::remove_dir_all(&folder)?;
    Ok((count(bytes), costs.map(|costs| medians(&costs))))
}

/// Runs a command under GNU `time`.
fn timed(command: &Command, folder: &Path) -> io::Result<Cost> {
    let report = folder.join("time.txt");
    let mut timed = Command::new("time");
    timed.args(["-f", "%e %U %S %M", "-o"]).arg(&report).arg(command.get_program()).args(command.get_args());
    // `rg` fails if no line matches; what failed otherwise took no time worth a table.
    timed.stdout(Stdio::null()).stderr(Stdio::null()).status()?;
    let text = fs::read_to_string(&report)?;
    let figures: Vec<f64> =
        text.lines().last().unwrap_or_default().split(' ').filter_map(|word| word.parse().ok()).collect();
    match figures[..] {
        [seconds, user, system, kibibytes] => Ok(Cost {
            seconds: seconds.max(0.005),
            cpu: (user + system).max(0.005),
            mebibytes: kibibytes / 1024.0,
        }),
        _ => Err(io::Error::other(format!("GNU time says `{text}`"))),
    }
}

/// The median of each figure.
fn medians(costs: &[Cost]) -> Cost {
    let median = |figure: fn(&Cost) -> f64| {
        let mut figures: Vec<f64> = costs.iter().map(figure).collect();
        figures.sort_by(f64::total_cmp);
        figures.get(figures.len() / 2).copied().unwrap_or_default()
    };
    Cost {
        seconds: median(|cost| cost.seconds),
        cpu: median(|cost| cost.cpu),
        mebibytes: median(|cost| cost.mebibytes),
    }
}

/// The slope of a line through the points on paper with two logarithmic scales: 1 is linear.
fn exponent(points: &[(f64, f64)]) -> f64 {
    let logarithms: Vec<(f64, f64)> = points.iter().map(|(x, y)| (x.ln(), y.ln())).collect();
    let number = count(logarithms.len() as u64);
    let (sum_x, sum_y) = logarithms.iter().fold((0.0, 0.0), |(a, b), (x, y)| (a + x, b + y));
    let (mean_x, mean_y) = (sum_x / number, sum_y / number);
    let above: f64 = logarithms.iter().map(|(x, y)| (x - mean_x) * (y - mean_y)).sum();
    let below: f64 = logarithms.iter().map(|(x, _)| (x - mean_x).powi(2)).sum();
    above / below
}

/// A count as a number to reckon with.
#[expect(clippy::cast_precision_loss, reason = "no file has 2^53 bytes")]
fn count(number: u64) -> f64 {
    number as f64
}

/// Reads the arguments. Cargo's own (`--bench`) are passed over.
fn options() -> Options {
    let mut options = Options {
        mebibytes: 1024,
        deaths: 100,
        kinds: "abcde".to_owned(),
        growth: false,
        tellings: false,
        runs: 5,
        folder: env::temp_dir().join("kerneldoc-bench"),
    };
    let mut arguments = env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let mut number = |or: u64| arguments.next().and_then(|text| text.parse().ok()).unwrap_or(or);
        match argument.as_str() {
            "--size" => options.mebibytes = number(options.mebibytes),
            "--deaths" => options.deaths = number(options.deaths),
            "--runs" => options.runs = usize::try_from(number(5)).unwrap_or(5),
            "--growth" => options.growth = true,
            "--deaths-only" => options.tellings = true,
            "--kinds" => options.kinds = arguments.next().unwrap_or_default(),
            "--folder" => options.folder = arguments.next().map_or(options.folder, PathBuf::from),
            _ => {}
        }
    }
    options
}
