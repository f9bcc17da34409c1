//! How a piece of evidence is tied to a death, from the weakest to the strongest.

/// What ties a record to a death. Ordered: a later one is stronger.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Link {
    /// Nothing but the time.
    TimeOnly,
    /// The same log, in the right place of it.
    SameFile,
    /// The same user, unit, job or notebook.
    SameOwner,
    /// The same container, pod or cgroup.
    SameContainer,
    /// The same process.
    SameProcess,
    /// The same kernel id.
    SameKernel,
}

impl Link {
    /// Every link, weakest first.
    pub const ALL: [Self; 6] = [
        Self::TimeOnly,
        Self::SameFile,
        Self::SameOwner,
        Self::SameContainer,
        Self::SameProcess,
        Self::SameKernel,
    ];

    /// The words used in reports.
    pub fn words(self) -> &'static str {
        match self {
            Self::TimeOnly => "time only",
            Self::SameFile => "same file",
            Self::SameOwner => "same owner",
            Self::SameContainer => "same container",
            Self::SameProcess => "same process",
            Self::SameKernel => "same kernel",
        }
    }

    /// The link of these words.
    pub fn from_words(words: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|link| link.words() == words)
    }
}
