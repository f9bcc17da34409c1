//! NVIDIA's Xids: what the driver writes to dmesg when a GPU is in trouble.
//!
//! Meanings after NVIDIA's Xid catalogue; whom to blame, after the catalogue and the lists of Kubernetes' device plugin.

use super::Entry;

/// An Xid.
#[derive(Debug, Clone, Copy)]
pub struct Xid {
    /// Its number.
    pub number: i64,
    /// What it says.
    pub meaning: &'static str,
    /// What to make of it.
    pub usual: &'static str,
    /// `program`, `hardware`, `driver`, `echo` (a consequence) or `annotation`.
    pub blame: &'static str,
    /// Causes that show it.
    pub causes: &'static [&'static str],
}

/// The common Xids, by number.
pub const XIDS: &[Xid] = &[
    Xid {
        number: 8,
        meaning: "the GPU stopped processing",
        usual: "A kernel ran too long on a GPU that drives a display, or hangs; pairs with CUDA error 702.",
        blame: "program",
        causes: &[],
    },
    Xid {
        number: 13,
        meaning: "graphics engine exception",
        usual: "Out-of-range or misaligned access or an illegal instruction in a CUDA kernel: the program first. On the same unit of the GPU with different programs it is the hardware.",
        blame: "program",
        causes: &["gpu-page-fault"],
    },
    Xid {
        number: 31,
        meaning: "GPU page fault",
        usual: "An illegal address in a CUDA kernel; pairs with CUDA error 700. The same GPU over different programs points to hardware.",
        blame: "program",
        causes: &["gpu-page-fault"],
    },
    Xid {
        number: 32,
        meaning: "bad push buffer or DMA",
        usual: "Often PCIe quality, or host memory overwritten.",
        blame: "driver or bus",
        causes: &[],
    },
    Xid {
        number: 38,
        meaning: "driver firmware error",
        usual: "Update the driver if it comes again.",
        blame: "driver",
        causes: &[],
    },
    Xid {
        number: 43,
        meaning: "the GPU stopped processing for this program",
        usual: "The program faulted and its channel was reset; the GPU is healthy.",
        blame: "program",
        causes: &[],
    },
    Xid {
        number: 45,
        meaning: "a program's work was removed",
        usual: "A consequence: the process was killed, interrupted, or the GPU reset. Never the cause when a kill of the same process is in the log.",
        blame: "echo",
        causes: &[],
    },
    Xid {
        number: 48,
        meaning: "uncorrectable memory error (ECC)",
        usual: "Hardware: the program is innocent. Reset the GPU; drain the node if it comes with 63 or 64.",
        blame: "hardware",
        causes: &["gpu-ecc-error"],
    },
    Xid {
        number: 54,
        meaning: "auxiliary power is not connected",
        usual: "Check the GPU's power cable.",
        blame: "hardware",
        causes: &[],
    },
    Xid {
        number: 61,
        meaning: "internal micro-controller breakpoint",
        usual: "Reset the GPU; update driver and firmware.",
        blame: "driver",
        causes: &[],
    },
    Xid {
        number: 62,
        meaning: "internal micro-controller halt",
        usual: "Reset the GPU; update driver and firmware.",
        blame: "driver",
        causes: &[],
    },
    Xid {
        number: 63,
        meaning: "a memory row was remapped or a page retired",
        usual: "Information, no cause by itself; it takes effect at the next reset.",
        blame: "annotation",
        causes: &[],
    },
    Xid {
        number: 64,
        meaning: "remapping or retiring memory failed",
        usual: "Hardware: reset, and replace the GPU if it comes again.",
        blame: "hardware",
        causes: &["gpu-ecc-error"],
    },
    Xid {
        number: 68,
        meaning: "video decoder exception",
        usual: "A decoding job failed.",
        blame: "program or driver",
        causes: &[],
    },
    Xid {
        number: 69,
        meaning: "graphics engine class error",
        usual: "Restart the program; update the driver if it comes again.",
        blame: "driver",
        causes: &[],
    },
    Xid {
        number: 74,
        meaning: "NVLink error",
        usual: "Hardware of the link or of the GPU at its other end; NCCL errors are echoes.",
        blame: "hardware",
        causes: &["gpu-link-error"],
    },
    Xid {
        number: 79,
        meaning: "the GPU has fallen off the bus",
        usual: "PCIe lost it: power, heat, riser or board. Reboot; no bug of the program.",
        blame: "hardware",
        causes: &["gpu-fell-off-bus"],
    },
    Xid {
        number: 92,
        meaning: "many corrected memory errors",
        usual: "Watch it: the memory is ageing.",
        blame: "hardware",
        causes: &[],
    },
    Xid {
        number: 94,
        meaning: "contained memory error",
        usual: "Hardware; only the program that used the memory is hit. Restart the kernel, reset the GPU when convenient.",
        blame: "hardware",
        causes: &["gpu-ecc-error"],
    },
    Xid {
        number: 95,
        meaning: "uncontained memory error",
        usual: "Hardware; everyone on the GPU is hit. Reset it.",
        blame: "hardware",
        causes: &["gpu-ecc-error"],
    },
    Xid {
        number: 109,
        meaning: "context switch timeout",
        usual: "A long kernel or a driver bug; reset the GPU.",
        blame: "driver",
        causes: &[],
    },
    Xid {
        number: 119,
        meaning: "the GPU's firmware processor does not answer",
        usual: "Reset or power-cycle; update the driver.",
        blame: "driver",
        causes: &["gpu-firmware-timeout"],
    },
    Xid {
        number: 120,
        meaning: "error of the GPU's firmware processor",
        usual: "Reset or power-cycle; update the driver.",
        blame: "driver",
        causes: &["gpu-firmware-timeout"],
    },
    Xid {
        number: 121,
        meaning: "error of the link between CPU and GPU",
        usual: "Hardware of Grace systems.",
        blame: "hardware",
        causes: &[],
    },
    Xid {
        number: 137,
        meaning: "illegal access to another GPU's memory",
        usual: "A peer-access bug; look for Xid 31 on the other GPU.",
        blame: "program",
        causes: &[],
    },
    Xid {
        number: 140,
        meaning: "unrecovered memory error",
        usual: "Hardware: reset the GPU.",
        blame: "hardware",
        causes: &["gpu-ecc-error"],
    },
    Xid {
        number: 143,
        meaning: "the GPU could not be initialised",
        usual: "Reset; then hardware.",
        blame: "hardware",
        causes: &[],
    },
    Xid {
        number: 145,
        meaning: "NVLink error (fifth generation)",
        usual: "The words Fatal or Nonfatal in the line decide.",
        blame: "hardware",
        causes: &["gpu-link-error"],
    },
    Xid {
        number: 149,
        meaning: "NVLink error (fifth generation)",
        usual: "The words Fatal or Nonfatal in the line decide.",
        blame: "hardware",
        causes: &["gpu-link-error"],
    },
    Xid {
        number: 154,
        meaning: "the recovery action changed",
        usual: "A summary of what to do: do what the line says. Never the cause.",
        blame: "annotation",
        causes: &[],
    },
    Xid {
        number: 167,
        meaning: "fatal PCIe timeout",
        usual: "As Xid 79: the bus or the board.",
        blame: "hardware",
        causes: &["gpu-fell-off-bus"],
    },
    Xid {
        number: 171,
        meaning: "uncorrectable error in the GPU's DRAM",
        usual: "A detail of Xid 48.",
        blame: "hardware",
        causes: &["gpu-ecc-error"],
    },
    Xid {
        number: 172,
        meaning: "uncorrectable error in the GPU's SRAM",
        usual: "A detail of Xid 48.",
        blame: "hardware",
        causes: &["gpu-ecc-error"],
    },
];

/// The entry of a number. An unknown one is said to be rare.
pub(super) fn entry(number: &str) -> Option<Entry> {
    let digits: String = number.chars().take_while(char::is_ascii_digit).collect();
    let number: i64 = digits.parse().ok()?;
    let Some(xid) = XIDS.iter().find(|xid| xid.number == number) else {
        return (number < 1000).then(|| Entry {
            heading: format!("Xid {number}: a rare or retired code"),
            paragraphs: vec!["See NVIDIA's list: https://docs.nvidia.com/deploy/xid-errors/".to_owned()],
            causes: Vec::new(),
        });
    };
    Some(Entry {
        heading: format!("Xid {number}: {}", xid.meaning),
        paragraphs: vec![xid.usual.to_owned(), format!("To blame: {}.", xid.blame)],
        causes: xid.causes.to_vec(),
    })
}
