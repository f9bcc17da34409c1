//! Secrets never survive, evidence does, and redacting twice changes nothing.

#[path = "common/secrets.rs"]
mod secrets;

use kerneldoc::redact::{LineRedactor, Mode, Redactor};
use proptest::prelude::*;
use secrets::{TEMPLATES, filled};

#[track_caller]
fn gone(text: &str, secret: &str) {
    let out = Redactor::new(Mode::Secrets).redact(text);
    assert!(!out.as_str().contains(secret), "{text}\n -> {out}");
    assert!(out.as_str().contains("[redacted]"), "{text}\n -> {out}");
    assert_eq!(Redactor::new(Mode::Secrets).redact(out.as_str()), out, "not idempotent");
}

#[track_caller]
fn stays(text: &str) {
    assert_eq!(Redactor::new(Mode::Secrets).redact(text).as_str(), text);
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn canaries_never_survive(canary in "KDCANARY[A-Za-z0-9]{8,24}", before in "[ -~]{0,12} ") {
        for template in TEMPLATES {
            let (text, secret) = filled(template, &canary);
            let text = format!("{before}{text}");
            let out = Redactor::new(Mode::Secrets).redact(&text);
            prop_assert!(!out.as_str().contains(&secret), "{}\n -> {}", text, out);
            prop_assert_eq!(Redactor::new(Mode::Secrets).redact(out.as_str()), out);
        }
    }

    #[test]
    fn twice_is_once(text in "(token|=|:|\"|'|\\\\|password|://|@|\\[redacted\\]|cookie|authorization|bearer|key|\\]|[a-zA-Z0-9]{1,20}| |&|;|\n){0,40}") {
        for mode in [Mode::Secrets, Mode::Strict] {
            let once = Redactor::new(mode).redact(&text);
            prop_assert_eq!(Redactor::new(mode).redact(once.as_str()), once, "{}", text);
        }
    }

    #[test]
    fn any_text_is_taken(text in "\\PC*") {
        let _ = Redactor::new(Mode::Strict).redact(&text);
    }
}

#[test]
fn secrets_go() {
    for template in TEMPLATES {
        let (text, secret) = filled(template, "Zq7KDCANARY19xk");
        gone(&text, &secret);
    }
    gone("?token=12345", "12345");
    gone("?token=abc", "abc");
    gone("password='two words'", "two words");
    gone("argon2:$argon2id$v=19$m=10240,t=10,p=8$abcd$efgh", "abcd$efgh");
}

#[test]
fn evidence_stays() {
    for text in [
        "max_tokens=512, max_new_tokens=4096, tokens: 512, tokenizer=gpt2",
        "max_token=512 pad_token='[PAD]' eos_token=\"</s>\" token_type_ids=[0, 1]",
        "token=17 tokens/s 1312.5 tokens per second",
        "Unknown token: hello, next token: world",
        "kernel b273fb86-d5a8-48b8-8771-f8f6010cdf71 restarted",
        "container oom f3b5d883e02722d01cddacab679e946d685ba60273d9cb096acc11d74f7082c5 (image=pytorch-cuda:v2.8)",
        "commit 1a9cd302b1c0a7c0b0f3e1d2c3b4a5968778695a",
        "http://127.0.0.1:8899/lab?token=...",
        "404 GET /lab?token=[secret] (127.0.0.1)",
        "jupyter lab --NotebookApp.token='' --ServerApp.token=",
        "PWD=/home/jovyan",
        "Writing Jupyter server cookie secret to /srv/notebooks/.local/share/jupyter/runtime/jupyter_cookie_secret",
        "Killed process 19744 (python3) total-vm:9123456kB, anon-rss:366972kB, UID:1000",
        "KeyError: 'label'  key=value  key: 3",
        "https://github.com/jupyter/notebook/issues/1",
        "ssh://git@github.com/o/r",
        "secret=None password=null token=None",
        "class=\"sk-top-container sk-container-id-1-long-name\"",
        "Error: session: closed, credentials: not found",
    ] {
        stays(text);
    }
}

#[test]
fn people_go_only_when_strict() {
    let text = "/home/ada/train.ipynb mailed to ada.l@example.org by C:\\Users\\ada\\x via /user/ada/lab";
    stays(text);
    let strict = Redactor::new(Mode::Strict).redact(text);
    assert_eq!(
        strict.as_str(),
        "/home/[redacted]/train.ipynb mailed to [redacted] by C:\\Users\\[redacted]\\x via /user/[redacted]/lab"
    );
    assert_eq!(Redactor::new(Mode::Off).redact("password=abc").as_str(), "password=abc");
}

#[test]
fn keys_over_several_lines_go() {
    let mut lines = LineRedactor::new(Mode::Secrets);
    let text = [
        "a",
        "-----BEGIN OPENSSH PRIVATE KEY-----",
        "b3BlbnNzaC1rZXk",
        "AAAA",
        "-----END OPENSSH PRIVATE KEY-----",
        "b",
    ];
    let out: Vec<_> = text.iter().map(|line| lines.line(line).as_str().to_owned()).collect();
    assert_eq!(out, ["a", text[1], "[redacted]", "[redacted]", text[4], "b"]);
}
