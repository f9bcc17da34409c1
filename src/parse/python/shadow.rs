//! A file of the user that has the name of a standard module and so hides it, by the stack or by the message.
//!
//! It does not know what else could be wrong with an import, and leaves a package's own `random.py` alone.

use super::frame::Frame;

/// Standard modules whose names people give to files of their own.
const MODULES: [&str; 64] = [
    "abc", "argparse", "array", "ast", "asyncio", "base64", "bisect", "calendar", "cmd", "code", "codecs",
    "collections", "concurrent", "contextlib", "copy", "csv", "datetime", "decimal", "email", "enum",
    "fractions", "functools", "getpass", "glob", "hashlib", "heapq", "html", "http", "inspect", "io",
    "itertools", "json", "keyword", "locale", "logging", "math", "numbers", "operator", "pathlib", "pickle",
    "platform", "profile", "queue", "random", "re", "secrets", "select", "selectors", "shutil", "signal",
    "socket", "ssl", "stat", "statistics", "string", "struct", "subprocess", "tempfile", "threading", "token",
    "tokenize", "traceback", "types", "typing",
];
/// More of them, which are rarer.
const RARE: [&str; 14] = [
    "bdb", "configparser", "curses", "dis", "importlib", "multiprocessing", "pdb", "resource", "site",
    "symbol", "textwrap", "time", "uuid", "weakref",
];
/// A name that each of these modules has in every version and on every system. That a module lacks it proves that it is
/// not the standard one; names that were removed (`inspect.getargspec`) or are Unix's alone (`signal.SIGALRM`) do not.
const ALWAYS: [(&str, &[&str]); 24] = [
    ("calendar", &["timegm", "monthrange", "day_name"]),
    ("code", &["InteractiveConsole", "InteractiveInterpreter", "compile_command"]),
    ("copy", &["copy", "deepcopy"]),
    ("enum", &["Enum", "IntEnum", "IntFlag"]),
    ("json", &["loads", "dumps", "load", "JSONDecodeError"]),
    ("logging", &["getLogger", "Logger", "Handler", "INFO"]),
    ("math", &["sqrt", "log", "pi", "floor"]),
    ("numbers", &["Number", "Integral", "Real"]),
    ("operator", &["itemgetter", "attrgetter", "index"]),
    ("queue", &["Queue", "Empty", "Full"]),
    ("random", &["Random", "SystemRandom", "random", "seed", "choice", "randint", "getrandbits", "_inst"]),
    ("secrets", &["token_hex", "randbelow", "token_bytes"]),
    ("select", &["select"]),
    ("signal", &["Signals", "Handlers", "signal", "getsignal", "SIGINT", "default_int_handler"]),
    ("socket", &["socket", "AF_INET", "SOCK_STREAM", "create_connection"]),
    ("statistics", &["mean", "median"]),
    ("string", &["ascii_letters", "digits", "Template", "Formatter", "punctuation"]),
    ("struct", &["pack", "unpack", "calcsize", "Struct", "error"]),
    ("subprocess", &["Popen", "run", "PIPE", "check_output"]),
    ("threading", &["Thread", "Lock", "RLock", "local", "Event"]),
    ("token", &["NAME", "ENDMARKER", "tok_name", "EXACT_TOKEN_TYPES"]),
    ("tokenize", &["open", "generate_tokens", "TokenError"]),
    ("traceback", &["format_exc", "print_exc", "TracebackException"]),
    ("types", &["ModuleType", "FunctionType", "MethodType"]),
];

/// The file, or the name it must have.
pub(super) fn shadow(frames: &[Frame], message: &str) -> Option<String> {
    said(message).or_else(|| lacking(message)).or_else(|| imported(frames))
}

/// What a message alone tells.
pub(in crate::parse) fn in_message(message: &str) -> Option<String> {
    shadow(&[], message)
}

/// A path in parentheses or quotes: `cannot import name 'Random' from 'random' (/home/lea/random.py)`, and what
/// Python 3.13 says by itself: `consider renaming '/home/lea/random.py' since it has the same name as …`.
fn said(message: &str) -> Option<String> {
    let cannot = message.contains("cannot import name") || message.contains("partially initialized module");
    if !cannot && !message.contains("same name as the standard library module") {
        return None;
    }
    message.split(['(', ')', '\'']).find(|path| hides(path)).map(str::to_owned)
}

/// `module 'signal' has no attribute 'Signals'`.
fn lacking(message: &str) -> Option<String> {
    let mut parts = message.split('\'');
    let head = parts.next().filter(|head| head.trim_end().ends_with("module"))?;
    let module = parts.next()?;
    let lacks = parts.next().filter(|text| text.contains("has no attribute"))?;
    let attribute = parts.next()?;
    let known = ALWAYS.iter().find(|(known, _)| *known == module);
    let partial = head.contains("partially") || lacks.contains("partially");
    let proved = known.is_some_and(|(_, names)| names.contains(&attribute)) && !partial;
    proved.then(|| format!("{module}.py"))
}

/// A file of the user that a library imported: nobody's package asks for the user's `random`.
fn imported(frames: &[Frame]) -> Option<String> {
    let pairs = frames.iter().zip(frames.iter().skip(1));
    let mut found = pairs.filter(|(by, file)| {
        let import = file.function.as_deref().is_none_or(|function| function.starts_with("<module"));
        import && !by.is_cell() && is_library(&by.path()) && hides(&file.file)
    });
    found.next().map(|(_, file)| file.file.clone())
}

/// Whether a path is a user's file with the name of a standard module.
fn hides(path: &str) -> bool {
    let path = path.replace('\\', "/");
    let name = path.rsplit('/').next().and_then(|name| name.strip_suffix(".py"));
    path.contains('/')
        && name.is_some_and(|name| MODULES.contains(&name) || RARE.contains(&name))
        && !is_library(&path)
}

/// Whether a path is in the standard library or in an installed package.
fn is_library(path: &str) -> bool {
    path.starts_with('<')
        || path.split('/').any(|part| {
            let part = part.to_ascii_lowercase();
            matches!(part.as_str(), "lib" | "lib64" | "site-packages" | "dist-packages")
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame(file: &str, function: &str) -> Frame {
        Frame { file: file.to_owned(), function: Some(function.to_owned()), ..Frame::default() }
    }

    #[test]
    fn a_users_file_that_a_library_imports_hides_a_module() {
        let selectors = frame("/opt/c/lib/python3.9/selectors.py", "<module>");
        let select = frame("C:\\Users\\mia\\sql\\select.py", "<module>");
        assert_eq!(shadow(&[selectors.clone(), select.clone()], ""), Some(select.file));
        assert_eq!(shadow(&[selectors, frame("/opt/c/lib/python3.9/site-packages/torch/random.py", "<module>")], ""), None);
    }

    #[test]
    fn a_users_own_package_may_have_a_file_of_that_name() {
        let cell = Frame { cell: Some(1), ..frame("Cell In[1]", "<module>") };
        assert_eq!(shadow(&[cell, frame("/home/mia/shop/types.py", "<module>")], ""), None);
        let library = frame("/e/lib/python3.9/site-packages/sklearn/metrics.py", "score");
        assert_eq!(shadow(&[library, frame("/home/mia/shop/statistics.py", "mean_of")], ""), None);
    }

    #[test]
    fn messages_prove_it() {
        let shown = |message| shadow(&[], message);
        assert!(shown("cannot import name 'x' from 'random' (/home/mia/random.py)").is_some());
        assert!(shown("module 'signal' has no attribute 'Signals'").is_some());
        assert!(shown("module 'token' has no attribute 'x' (consider renaming '/home/mia/token.py' since it has the same name as the standard library module named 'token')").is_some());
        assert_eq!(shown("module 'inspect' has no attribute 'getargspec'"), None);
        assert_eq!(shown("module 'signal' has no attribute 'SIGALRM'"), None);
        assert_eq!(shown("cannot import name 'x' from 'types' (/e/lib/python3.9/types.py)"), None);
    }
}
