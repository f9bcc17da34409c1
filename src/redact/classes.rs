//! The classes of secrets: one line of a table each, with what must be searched for and what is none after all.
//!
//! It does not replace anything.

use super::accept;
use regex::Regex;
use std::sync::OnceLock;

/// A class of secrets.
pub(super) struct Class {
    /// Its name, for tests.
    #[cfg_attr(not(test), expect(dead_code, reason = "tests name the class that failed"))]
    pub(super) name: &'static str,
    /// Whether only the strict mode takes it out.
    pub(super) strict: bool,
    /// Words of which one stands in every match, in lower case.
    pub(super) triggers: &'static [&'static str],
    /// What stands in every match too.
    pub(super) needs: &'static str,
    /// Its shape. The last group that takes part is the secret; without groups, the whole match.
    pub(super) pattern: &'static str,
    /// Whether it is one: what stands before the match, what stands in it before the secret, the secret.
    pub(super) accept: fn(&str, &str, &str) -> bool,
}

/// A value behind a key: after escaped, double or single quotes, or up to the next blank, quote, `&`, `,` or `;`.
macro_rules! value {
    ($head:literal) => {
        concat!(
            $head,
            r#"(?:\\+"((?:[^"\\]|\\[^"])+)|"((?:[^"\\]|\\.)+)|\\*'((?:[^'\\]|\\[^'])+)|((?:[^\s"'&,;\\]|\\[^\s"'])+))"#
        )
    };
}

/// Every class. A class whose match holds another's comes first only for reading; overlaps are joined.
pub(super) const CLASSES: &[Class] = &[
    Class {
        name: "private key block",
        strict: false,
        triggers: &["private key-----"],
        needs: "",
        pattern: r"(?s)-----BEGIN [A-Z0-9 ]*PRIVATE KEY-----(.*?)(?:-----END [A-Z0-9 ]*PRIVATE KEY-----|\z)",
        accept: accept::not_blank,
    },
    // jupyter_server 2.21 masks `?token=` in its request log but prints the referer of a 404 in clear.
    Class {
        name: "token",
        strict: false,
        triggers: &["token"],
        needs: "",
        pattern: value!(r#"(?i)token(?:\\*["'])?\s*(?:=>|=|:|%3d)\s*[ubr]?"#),
        accept: accept::token,
    },
    Class {
        name: "command-line option",
        strict: false,
        triggers: &["token", "password", "passwd", "secret", "apikey", "api_key", "api-key"],
        needs: "",
        pattern: r#"(?i)--?[\w.-]*(?:token|password|passwd|secret|api[_-]?key)\s+["']?([^\s"'-][^\s"']*)"#,
        accept: accept::option,
    },
    Class {
        name: "long hexadecimal token",
        strict: false,
        triggers: &["token"],
        needs: "",
        pattern: r"(?i)token[^a-z0-9]{1,6}(?:(?:is|was)[^a-z0-9]{1,6})?([0-9a-f]{40,})",
        accept: accept::always,
    },
    Class {
        name: "named secret",
        strict: false,
        triggers: &[
            "password",
            "passwd",
            "passphrase",
            "pwd",
            "secret",
            "apikey",
            "api_key",
            "api-key",
            "accesskey",
            "access_key",
            "access-key",
            "privatekey",
            "private_key",
            "private-key",
            "accountkey",
            "account_key",
            "account-key",
            "cryptkey",
            "crypt_key",
            "crypt-key",
            "encryptionkey",
            "encryption_key",
            "encryption-key",
            "signingkey",
            "signing_key",
            "signing-key",
            "authkey",
            "auth_key",
            "auth-key",
            "credential",
            "signature",
            "_xsrf",
            "xsrftoken",
            "session_id",
            "sessionid",
            "sessionkey",
            "session.key",
            "?sig",
            "&sig",
        ],
        needs: "",
        pattern: value!(
            r#"(?i)(?:password|passwd|passphrase|pwd|secret|api[_-]?key|access[_-]?key(?:[_-]?id)?|(?:secret|private|account|crypt|encryption|signing|auth)[_-]?key|credentials?|x-amz-signature|shared_?access_?signature|[?&]sig|_xsrf|x-xsrftoken|session_?id|sessionkey|session\.key)(?:\\*["'])?\s*(?:=>|=|:|%3d)\s*[ubr]?"#
        ),
        accept: accept::named,
    },
    // The key of a kernel's connection file is a uuid or 32 hexadecimal digits, as a Kaggle key is.
    Class {
        name: "connection key",
        strict: false,
        triggers: &["\"key", "'key"],
        needs: "",
        pattern: r#"["']key\\*["']\s*:\s*\\*["']([0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f-]{16,})"#,
        accept: accept::always,
    },
    Class {
        name: "docker registry login",
        strict: false,
        triggers: &["\"auth", "'auth"],
        needs: "",
        pattern: r#"["']auth\\*["']\s*:\s*\\*["']([A-Za-z0-9+/=]{12,})"#,
        accept: accept::always,
    },
    Class {
        name: "authorization header",
        strict: false,
        triggers: &["authorization"],
        needs: "",
        pattern: r#"(?i)authorization(?:\\*["'])?\s*[:=,]\s*(?:b?\\*["'])?(?:(?:token|bearer|basic|digest|negotiate|apikey|aws4-hmac-sha256)\s+)?([^\s"'\\]+)"#,
        accept: accept::header,
    },
    Class {
        name: "signed request",
        strict: false,
        triggers: &["authorization"],
        needs: "",
        pattern: r#"(?i)authorization(?:\\*["'])?\s*[:=]\s*(?:b?\\*["'])?(?:digest|aws4-hmac-sha256)\s+([^'\r\n\\]+)"#,
        accept: accept::always,
    },
    Class {
        name: "bearer",
        strict: false,
        triggers: &["bearer"],
        needs: "",
        pattern: r"(?i)\bbearer\s+([A-Za-z0-9._~+/=-]{16,})",
        accept: accept::always,
    },
    Class {
        name: "cookie header",
        strict: false,
        triggers: &["cookie"],
        needs: "",
        pattern: r#"(?i)cookie(?:\\*["'])?\s*:\s*(?:\\*"((?:[^"\\]|\\[^"])+)|'([^'\r\n]+)|((?:=\\*"[^"\r\n]*"|[^\r\n"])+))"#,
        accept: accept::header,
    },
    // tornado's signed values: `2|1:0|10:1796052986|22:username-host-8888|44:…|<64 hexadecimal digits>`.
    Class {
        name: "tornado signed value",
        strict: false,
        triggers: &["2|1:"],
        needs: "",
        pattern: r"2\|1:\d+\|\d+:\d+\|\d+:[^|\s]*\|\d+:[^|\s]*\|[0-9a-f]{64}",
        accept: accept::always,
    },
    Class {
        name: "password in a URL",
        strict: false,
        triggers: &["://"],
        needs: "@",
        pattern: r#"[A-Za-z][A-Za-z0-9+.-]{1,20}://[^\s/@:"'<>]*:([^\s/"'<>]+)@"#,
        accept: accept::always,
    },
    Class {
        name: "token in a URL",
        strict: false,
        triggers: &["://"],
        needs: "@",
        pattern: r#"[A-Za-z][A-Za-z0-9+.-]{1,20}://([^\s/@:"'<>]{20,})(?::[^\s/@"'<>]*)?@"#,
        accept: accept::always,
    },
    Class {
        name: "AWS key id",
        strict: false,
        triggers: &["akia", "asia"],
        needs: "",
        pattern: r"\b(?:AKIA|ASIA)[A-Z0-9]{16}\b",
        accept: accept::always,
    },
    Class {
        name: "Google key",
        strict: false,
        triggers: &["aiza", "ya29."],
        needs: "",
        pattern: r"\bAIza[0-9A-Za-z_-]{30,}|\bya29\.[0-9A-Za-z_-]{20,}",
        accept: accept::always,
    },
    Class {
        name: "GitHub token",
        strict: false,
        triggers: &["ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_"],
        needs: "",
        pattern: r"\b(?:gh[pousr]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,})",
        accept: accept::always,
    },
    Class {
        name: "GitLab token",
        strict: false,
        triggers: &["glpat-", "gldt-", "glrt-", "glcbt-", "glptt-", "glsoat-", "gloas-"],
        needs: "",
        pattern: r"\bgl(?:pat|dt|rt|cbt|ptt|soat|oas)-[A-Za-z0-9_.-]{16,}",
        accept: accept::always,
    },
    Class {
        name: "Slack token",
        strict: false,
        triggers: &["xox", "xapp-", "hooks.slack.com"],
        needs: "",
        pattern: r"\b(?:xox[a-z](?:\.xox[a-z])?-[A-Za-z0-9-]{10,}|xapp-[A-Za-z0-9-]{10,})|hooks\.slack\.com/(?:services|workflows)/([A-Za-z0-9_/+]{10,})",
        accept: accept::always,
    },
    Class {
        name: "Hugging Face token",
        strict: false,
        triggers: &["hf_", "api_org_"],
        needs: "",
        pattern: r"\b(?:hf|api_org)_[A-Za-z0-9]{20,}",
        accept: accept::mixed,
    },
    Class {
        name: "OpenAI, Anthropic or Stripe key",
        strict: false,
        triggers: &["sk-", "sk_live_", "sk_test_", "rk_live_", "rk_test_"],
        needs: "",
        pattern: r"\bsk-[A-Za-z0-9_-]{20,}|\b[sr]k_(?:live|test)_[A-Za-z0-9]{16,}",
        accept: accept::mixed,
    },
    Class {
        name: "package registry and platform tokens",
        strict: false,
        triggers: &["npm_", "pypi-", "dapi", "dckr_pat_", "nvapi-", "wandb_v1_"],
        needs: "",
        pattern: r"\b(?:npm_[A-Za-z0-9]{30,}|pypi-[A-Za-z0-9_-]{30,}|dapi[0-9a-f]{32}|dckr_pat_[A-Za-z0-9_-]{20,}|nvapi-[A-Za-z0-9_-]{20,}|wandb_v1_[A-Za-z0-9_]{20,})",
        accept: accept::always,
    },
    Class {
        name: "JSON web token",
        strict: false,
        triggers: &["eyj"],
        needs: "",
        pattern: r"\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{4,}(?:\.[A-Za-z0-9_-]*)?",
        accept: accept::always,
    },
    Class {
        name: "password hash",
        strict: false,
        triggers: &["argon2", "sha1:"],
        needs: "",
        pattern: r"(?:argon2:)?\$argon2[a-z]{1,2}\$[^\s'\x22]+|\bsha1:[0-9a-f]{8,}:[0-9a-f]{40}\b",
        accept: accept::always,
    },
    Class {
        name: "email address",
        strict: true,
        triggers: &["@"],
        needs: "",
        pattern: r"[A-Za-z0-9._%+-]{1,64}@[A-Za-z0-9](?:[A-Za-z0-9.-]{0,250})\.[A-Za-z]{2,24}\b",
        accept: accept::always,
    },
    Class {
        name: "user name in a path",
        strict: true,
        triggers: &["/home/", "/users/", "\\users\\", "/user/"],
        needs: "",
        pattern: r#"(?:/home/|/Users/|/user/|[A-Za-z]:\\+Users\\+)([^\s/\\"'<>:,;|]+)"#,
        accept: accept::always,
    },
];

/// The regular expressions of the table, each compiled when a text holds one of its class's triggers: compiling all of
/// them takes longer than reading a small folder.
static COMPILED: [OnceLock<Option<Regex>>; CLASSES.len()] = [const { OnceLock::new() }; CLASSES.len()];

/// A class by its place in the table, with its regular expression. A test makes sure that each compiles.
pub(super) fn class(at: usize) -> Option<(&'static Class, &'static Regex)> {
    let class = CLASSES.get(at)?;
    let regex = COMPILED.get(at)?.get_or_init(|| Regex::new(class.pattern).ok()).as_ref()?;
    Some((class, regex))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::{
        strategy::{Strategy, ValueTree},
        string::string_regex,
        test_runner::TestRunner,
    };

    #[test]
    fn every_class_compiles() {
        for class in CLASSES {
            assert!(Regex::new(class.pattern).is_ok(), "{}", class.name);
        }
    }

    #[test]
    fn every_match_holds_a_word_of_its_class() {
        let mut runner = TestRunner::deterministic();
        for class in CLASSES {
            // Word boundaries and ends of texts add nothing that could be made.
            let shape = class.pattern.replace(r"\b", "").replace(r"|\z", "");
            let texts = string_regex(&shape).expect("a shape without anchors can be made");
            for _ in 0..200 {
                let text = texts.new_tree(&mut runner).expect("nothing is filtered").current();
                // Unicode's long s is an s without case, and in nobody's password.
                let text = text.to_lowercase().replace('ſ', "s");
                let held =
                    class.triggers.iter().any(|word| text.contains(word)) && text.contains(class.needs);
                assert!(held, "{}: {text:?}", class.name);
            }
        }
    }
}
