//! What ordinary lines hold, so that the search for needles looks for what they do not.
//!
//! It knows no needle.

/// What ordinary lines are made of: dates, levels, requests, logins, JSON's members. It needs not be complete, it only
/// saves time.
const TEXT: &str = "\
[I 2026-11-30 15:22:30.902 ServerApp] 200 GET /user/name/api/contents/work/notebook.ipynb?content=0 (name@10.0.0.1) 9.02ms
[D 2026-11-30 15:22:30.902 JupyterHub log:192] 302 POST /hub/api/users/name/server/activity?_=1796052150 -> /user/name/lab
{\"log\":\"text\\n\",\"stream\":\"stderr\",\"time\":\"2026-11-30T15:22:30.411378443Z\"} {\"level\":\"info\",\"msg\":\"message\",\"ts\":1}
2026-11-30T15:22:30.411Z stdout F time=\"2026-11-30T15:22:30+00:00\" level=info msg=\"container memory limits process \" error=\"none\"
Nov 30 15:22:30 host systemd[1]: Started Session 12 of User root. Starting service... Reached target: Stopped unit.
Nov 30 15:22:30 host sshd[123]: Accepted publickey for root from 10.0.0.1 port 22 ssh2; session opened, closed by user(uid=0)
Nov 30 15:22:30 host kernel: [ 1234.567890] eth0: link is not ready, IN=eth0 OUT= MAC=00 SRC=10.0.0.1 DST=10.0.0.2 PROTO=TCP
Nov 30 15:22:30 host CRON[12]: (root) CMD (command -v test > /dev/null && run-parts --report /etc/cron.hourly)
[ConfigProxy] info: Adding route -> http://127.0.0.1:8081 Connecting to kernel, Kernel started, restarting process
Epoch 12/1000: loss=0.1234 accuracy=0.98 step 1234 training validation model batch time remaining memory usage
INFO WARNING DEBUG ERROR Exception: error: failed to connect, Error: timeout, not found, File \"/opt/conda/lib/python3.11/site-packages/a.py\", line 12, in function
 downloading installing version of the package was not running; has been killed; exited with status code 0; received signal
10.0.0.1 - - [30/Nov/2026:15:22:30 +0000] \"GET /static/style.css HTTP/1.1\" 304 0 \"-\" \"Mozilla/5.0 (X11; Linux x86_64) Gecko\"
    at java.lang.Thread.run(Thread.java:748) 4f3c2b1a-9d8e-4c7b-a6f5-e4d3c2b1a098 total used free shared available
[I 2026-11-30 15:22:30.902 ServerApp] Saving file at /work/notebook.ipynb 200 GET /user/name/api/terminals?1796052150902 /api/metrics/v1
[I 2026-11-30 15:22:30.902 JupyterHub base:1032] User logged in: name; User took 9.078 seconds to start; Server is slow to start (timeout=10)
/user/name/lab/api/settings/@jupyterlab/notebook-extension:tracker /api/sessions /api/kernels /hub/spawn-pending/name /static/favicon.ico
Nov 30 15:22:30 host sshd[123]: Failed password for invalid user admin; pam_unix(sshd:session): Received disconnect: preauth [UFW BLOCK]
Nov 30 15:22:30 host dockerd[811]: msg=\"ignoring event\" module=libcontainerd namespace=moby topic=/tasks/delete type=\"*events.TaskDelete\"
/opt/conda/lib/python3.11/site-packages/validation.py:12: FutureWarning: parameter is deprecated; trainer.py processed rows, batches left
";

/// How often ordinary lines hold each two, three and four bytes. Some thousand needles' bytes are looked up at every
/// start, so a look-up is one place of a table; who shares a place with others is taken for less rare than it is.
pub(super) struct Ordinary {
    counts: [Vec<u8>; 3],
}

impl Ordinary {
    /// Counts the text.
    pub(super) fn new() -> Self {
        let counted = |length: usize| {
            let mut counts = vec![0; 1 << 16];
            for few in TEXT.as_bytes().windows(length) {
                let count: &mut u8 = &mut counts[place(few)];
                *count = count.saturating_add(1);
            }
            counts
        };
        Self { counts: [2, 3, 4].map(counted) }
    }

    /// How common three or four bytes are: as often as the text holds them, and, for it is a small part of what lines
    /// are made of, as often as it holds their pairs.
    pub(super) fn count(&self, bytes: &[u8]) -> (u8, u64) {
        let [pairs, threes, fours] = &self.counts;
        let whole = if bytes.len() > 3 { fours } else { threes };
        let pairs = bytes.windows(2).map(|pair| u64::from(pairs[place(pair)]) + 1);
        (whole[place(bytes)], pairs.product())
    }
}

/// The place of a few bytes in a table.
fn place(bytes: &[u8]) -> usize {
    let number = bytes.iter().fold(0, |number: u32, byte| number << 8 | u32::from(*byte));
    usize::try_from(number.wrapping_mul(0x9e37_79b1) >> 16).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_lines_hold_is_counted() {
        let ordinary = Ordinary::new();
        assert!(ordinary.count(b"2026") > ordinary.count(b"GET "));
        assert!(ordinary.count(b"GET ") > ordinary.count(b"oom-"));
        assert!(ordinary.count(b"race") > ordinary.count(b"k (m"));
    }
}
