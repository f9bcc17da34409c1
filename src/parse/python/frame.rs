//! One frame of a Python stack, in the notations of `CPython`'s tracebacks, of faulthandler's dumps and of `IPython`.
//!
//! It does not know which traceback a frame belongs to.

use nom::{
    IResult, Parser,
    branch::alt,
    bytes::complete::{tag, take_until},
    character::complete::{char, digit1, space0},
    combinator::{map, map_opt, opt, rest, verify},
    sequence::{delimited, preceded},
};

/// The extensions of files that `IPython` before 8 names in `FILE in FUNCTION(…)`.
const SOURCES: [&str; 6] = [".py", ".pyx", ".pxi", ".pxd", ".pyc", ".ipynb"];

/// The longest path or function kept, in characters.
const LONGEST: usize = 400;

/// A frame.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Frame {
    /// The file as printed; `Cell In[9]` for a cell.
    pub file: String,
    /// The function, without arguments.
    pub function: Option<String>,
    /// The cell's execution count.
    pub cell: Option<i64>,
    /// The kernel's process, from the name of the cell's file.
    pub pid: Option<i64>,
}

impl Frame {
    /// Whether the user's cell is what ran here.
    pub(super) fn is_cell(&self) -> bool {
        self.cell.is_some() || self.pid.is_some()
    }

    /// The file with slashes, for comparisons.
    pub(super) fn path(&self) -> String {
        self.file.replace('\\', "/")
    }
}

/// Reads a line as a frame of any notation but faulthandler's.
pub(super) fn frame(text: &str) -> Option<Frame> {
    alt((quoted, cell, file_colon_line, file_in_function)).parse(text).ok().map(|(_, frame)| frame)
}

/// Reads a line of a faulthandler dump: `  File "/x/y.py", line 3 in f`, without a comma before `in`.
pub(super) fn dumped(text: &str) -> Option<Frame> {
    quoted(text).ok().map(|(_, frame)| frame)
}

/// Whether a frame of `CPython`'s notation begins here but is cut off: its file's name has no end.
pub(super) fn is_cut(text: &str) -> bool {
    text.trim_start().starts_with("File \"") && quoted(text).is_err()
}

/// `  File "/x/y.py", line 3, in f`; a syntax error's has no function.
fn quoted(input: &str) -> IResult<&str, Frame> {
    let function = preceded(alt((tag(", in "), tag(" in "))), rest);
    let path = delimited(tag("File \""), take_until("\", line "), tag("\", line "));
    map((space0, path, alt((digit1, tag("???"))), opt(function)), |(_, path, _, function)| {
        at_path(path, function)
    })
    .parse(input)
}

/// `Cell In[9], line 6`, with a blank after `In` in `IPython` 8.5, `Input In [3], in f(x)` in 8.0 to 8.4.
fn cell(input: &str) -> IResult<&str, Frame> {
    let number = map_opt(delimited(char('['), digit1, char(']')), |digits: &str| digits.parse().ok());
    let head = (space0, alt((tag("Cell In"), tag("Input In"))), space0, number);
    let place = (opt((tag(", line "), digit1)), opt(preceded(tag(", in "), rest)));
    map((head, place), |((_, _, _, number), (_, function)): (_, (_, Option<&str>))| Frame {
        file: format!("Cell In[{number}]"),
        function: function.map(bare).filter(|function| !function.is_empty()),
        cell: Some(number),
        pid: None,
    })
    .parse(input)
}

/// `File ~/envs/x.py:1511, in f(self)`: `IPython` since 8.0.
fn file_colon_line(input: &str) -> IResult<&str, Frame> {
    map_opt(preceded(tag("File "), rest), |text: &str| {
        let (place, function) = match text.split_once(", in ") {
            Some((place, function)) => (place, Some(function)),
            None => (text, None),
        };
        let (path, line) = place.trim_end().rsplit_once(':')?;
        let numbered = !line.is_empty() && line.bytes().all(|byte| byte.is_ascii_digit());
        (numbered && !path.is_empty()).then(|| at_path(path, function))
    })
    .parse(input)
}

/// `~/envs/x.py in f(self)`, `<ipython-input-5-7c0c0b8f4c52> in <module>`: `IPython` before 8.0.
fn file_in_function(input: &str) -> IResult<&str, Frame> {
    let path = verify(take_until(" in "), |path: &str| {
        !path.starts_with(' ') && (path.starts_with('<') && path.ends_with('>') || has_source_ending(path))
    });
    map((path, tag(" in "), rest), |(path, _, function)| at_path(path, Some(function))).parse(input)
}

/// Whether a path is a Python or Cython source.
fn has_source_ending(path: &str) -> bool {
    SOURCES.iter().any(|ending| path.ends_with(ending))
}

/// A frame in a file, which may be a cell's.
fn at_path(path: &str, function: Option<&str>) -> Frame {
    Frame {
        file: path.chars().take(LONGEST).collect(),
        function: function.map(bare).filter(|function| !function.is_empty()),
        cell: number_after(path, "<ipython-input-", |c| c == '-'),
        pid: ["ipykernel_", "xpython_"]
            .iter()
            .find_map(|mark| number_after(path, mark, |c| c == '/' || c == '\\')),
    }
}

/// A function without its arguments.
fn bare(function: &str) -> String {
    function.split('(').next().unwrap_or_default().trim().chars().take(LONGEST).collect()
}

/// The number between a mark and a closing character.
fn number_after(path: &str, mark: &str, closes: fn(char) -> bool) -> Option<i64> {
    let (_, tail) = path.split_once(mark)?;
    let length = tail.find(|c: char| !c.is_ascii_digit())?;
    let well_closed = tail.get(length..)?.starts_with(closes);
    tail.get(..length)?.parse().ok().filter(|_| well_closed)
}
