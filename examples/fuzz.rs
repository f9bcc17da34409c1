fn main() {
    let mut all: Vec<u8> = Vec::new();
    let run = |path: &str, bytes: &[u8]| { let _ = kerneldoc::extract::extract(path, kerneldoc::source::SourceId(0), bytes).unwrap(); };
    for path in std::env::args().skip(1) {
        let bytes = std::fs::read(&path).unwrap();
        if bytes.len() > 40_000 { continue; }
        for at in (0..bytes.len()).step_by(1 + bytes.len() / 60) { run(&path, &bytes[..at]); run(&path, &bytes[at..]); }
        let mut cut = Vec::new();
        for line in bytes.split(|b| *b == b'\n').take(80) {
            for at in 0..line.len().min(220) { cut.extend_from_slice(&line[..at]); cut.push(b'\n'); cut.extend_from_slice(&line[at..]); cut.push(b'\n'); }
        }
        run(&path, &cut);
        all.extend_from_slice(&bytes);
    }
    run("all", &all);
}
