//! The line that names an exception: `zmq.error.ZMQError: Address already in use`.
//!
//! It does not know the frames around it, nor where it was raised.

/// Exceptions with which Jupyter's programs report what happened to a kernel; their own parsers tell of them.
const WRAPPERS: [&str; 6] = [
    "CellExecutionError",
    "PapermillExecutionError",
    "DeadKernelError",
    "CellTimeoutError",
    "CellExecutionException",
    "NoSuchKernel",
];
/// Messages of `jupyter_client` that say so with an ordinary type.
const WRAPPED: [&str; 2] = ["Kernel died before replying", "Kernel didn't respond in"];

/// How the names of exceptions end that are believed without a traceback before them.
const PLAIN_ENDINGS: [&str; 4] = ["Error", "Exception", "SystemExit", "BrokenProcessPool"];

/// The longest type's name, and the longest first line of a message, in characters. Log text is hostile.
const LONGEST_TYPE: usize = 200;
const LONGEST: usize = 1000;

/// An exception's type and message.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Raised {
    /// The type without its module.
    pub name: String,
    /// The first line of the message; empty if there is none.
    pub message: String,
    /// Whether a colon follows the type. `IPython` prints one even before an empty message.
    pub colon: bool,
}

impl Raised {
    /// `Type: message`, as it stands in a list of causes.
    pub(super) fn shown(&self) -> String {
        match self.message.lines().next() {
            Some(first) if !first.is_empty() => format!("{}: {first}", self.name),
            _ => self.name.clone(),
        }
    }

    /// Whether a Jupyter program only passes on with it what happened to a kernel.
    pub(super) fn is_wrapper(&self) -> bool {
        WRAPPERS.contains(&self.name.as_str()) || WRAPPED.iter().any(|said| self.message.starts_with(said))
    }
}

/// Reads a line of an open traceback as its exception.
///
/// Own exceptions may be named anything, so a module path or a second capital is enough; `INFO: …` and `Epoch: 3`
/// that another thread printed in between are not taken.
pub(super) fn within_traceback(text: &str) -> Option<Raised> {
    let (path, raised) = split(text)?;
    let dotted = path.contains('.');
    let capitals = raised.name.chars().filter(char::is_ascii_uppercase).count();
    let small = raised.name.chars().any(|c| c.is_ascii_lowercase());
    let ending = ends_plainly(&raised.name) || raised.name.ends_with("Warning");
    (ending || small && (dotted || capitals >= 2)).then_some(raised)
}

/// Reads a line that stands alone as an exception. A restart loop often leaves only the last line of each traceback.
pub(super) fn alone(text: &str) -> Option<Raised> {
    let (path, raised) = split(text)?;
    // `Error: …` is how every program begins a complaint.
    let says_something = !matches!(path, "Error" | "Exception");
    let complete = raised.colon && !raised.message.is_empty() || raised.name == "MemoryError";
    (says_something && complete && ends_plainly(&raised.name)).then_some(raised)
}

/// Whether a name ends as exceptions' names do.
fn ends_plainly(name: &str) -> bool {
    PLAIN_ENDINGS.iter().any(|ending| name.ends_with(ending)) || name == "KeyboardInterrupt"
}

/// Whether a text is the name of a type, with or without its module.
pub(super) fn is_type_path(path: &str) -> bool {
    let name = path.rsplit('.').next().unwrap_or_default();
    path.len() <= LONGEST_TYPE
        && name.starts_with(|c: char| c.is_alphabetic() || c == '_')
        && path.starts_with(|c: char| c.is_alphabetic() || c == '_')
        && path.chars().all(|c| c.is_alphanumeric() || "._<>".contains(c))
}

/// Divides `module.Type: message`; the path as written and the rest.
fn split(text: &str) -> Option<(&str, Raised)> {
    let text = text.trim_end();
    let (path, message, colon) = match text.split_once(':') {
        Some((path, message)) if message.is_empty() || message.starts_with(' ') => {
            (path, message.trim(), true)
        }
        Some(_) => return None,
        None => (text, "", false),
    };
    if !is_type_path(path) {
        return None;
    }
    let message: String = message.chars().take(LONGEST).collect();
    let name = path.rsplit('.').next().unwrap_or(path).to_owned();
    Some((path, Raised { name, message, colon }))
}
