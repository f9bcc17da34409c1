fn main() {
    for path in std::env::args().skip(1) {
        let extract = kerneldoc::extract::extract(&path, kerneldoc::source::SourceId(0), std::fs::File::open(&path).unwrap()).unwrap();
        println!("== {path} [{}]", extract.kind);
        for r in &extract.records {
            let f: Vec<_> = r.event.fields().map(|(f, v)| format!("{f}={v}")).collect();
            println!("{} {} x{} {}", r.at.line, r.event.kind().name, r.count, f.join(" | "));
        }
        for n in &extract.notes { println!("NOTE {:?} {}", n.line, n.text); }
    }
}
