//! Takes off what is wrapped around a line, layer by layer, before any parser looks at it.
//!
//! N envelopes and M bodies make N + M parsers: the same message under any envelope gives the same event. An
//! envelope knows nothing of what it carries. Each is an `Envelope` constant, listed below in the order in
//! which they are tried: the more a shape says of itself, the earlier. A wrong peel is worse than none; each file
//! says which shapes it leaves alone.

mod bare;
mod begins;
mod cloud;
mod colab;
mod compose;
mod cri;
mod dmesg;
mod docker_json;
mod journal_export;
mod journald_json;
mod json;
mod locale;
mod logger;
mod notebook_json;
pub mod prim;
mod quoted;
mod rank;
pub mod record;
mod rfc5424;
mod shipper;
mod stamped;
mod syslog;
mod talos;

use crate::{
    event::{Channel, Origin},
    line::Logger,
    stamp::Stamps,
};
pub use begins::Begins;
use std::borrow::Cow;

/// The most layers that are taken off one line.
const MAX_LAYERS: usize = 6;

/// A kind of envelope.
pub struct Envelope {
    /// Its name, used as a source's kind: `docker json-file`, `syslog`.
    pub name: &'static str,
    /// A line that wears it, for `docs/formats.md`.
    pub sample: &'static str,
    /// With which bytes such a line can begin; others are not looked at.
    pub begins: Begins,
    /// Takes one layer off, if the text wears this envelope.
    pub peel: fn(&str) -> Option<Layer<'_>>,
}

/// One layer taken off.
#[derive(Debug, Default)]
pub struct Layer<'a> {
    /// What was inside.
    pub rest: Cow<'a, str>,
    /// The layer's stamps, in the order in which they stand (`syslog` around `dmesg` has two).
    pub stamps: Stamps,
    /// What the layer says of the origin.
    pub origin: Origin,
    /// Whether the carrier split a longer line and the next record of the same stream continues this one.
    pub partial: bool,
    /// The logger, where the layer carries it beside the message and not in it.
    pub logger: Option<Logger<'static>>,
}

/// A line without its envelopes.
#[derive(Debug, Default)]
pub struct Peeled<'a> {
    /// The line without envelopes, with the logger's head.
    pub shown: Cow<'a, str>,
    /// Where the message begins in `shown`, behind the logger's head.
    pub body: usize,
    /// All stamps, outermost first.
    pub stamps: Stamps,
    /// All that the layers said of the origin; an inner layer wins.
    pub origin: Origin,
    /// The logger's head.
    pub logger: Option<Logger<'a>>,
    /// The names of the envelopes, outermost first.
    pub names: Vec<&'static str>,
    /// As in [`Layer::partial`].
    pub partial: bool,
    /// Whether Linux's own clock stands inside a container's envelope: a collector of the node's log passes it on,
    /// or somebody quotes it. Only the log as a whole can tell.
    pub relayed: bool,
}

/// Every envelope, in the order in which they are tried.
///
/// JSON objects name their members and exclude each other. Of the text shapes, those with a mark of their own come
/// before those that only have a stamp: `kernel:` after a boot clock must be seen before dmesg takes the clock,
/// the name of a stream before the bare stamp.
pub const ENVELOPES: &[Envelope] = &[
    record::ENVELOPE,
    docker_json::ENVELOPE,
    journald_json::ENVELOPE,
    notebook_json::ENVELOPE,
    shipper::SHIPPER,
    shipper::KAGGLE,
    cloud::ENVELOPE,
    rfc5424::ENVELOPE,
    cri::ENVELOPE,
    stamped::GITLAB,
    syslog::ENVELOPE,
    talos::ENVELOPE,
    dmesg::ENVELOPE,
    journal_export::ENVELOPE,
    colab::ENVELOPE,
    stamped::GITHUB,
    stamped::DOCKER,
    stamped::STAMPED,
    compose::COMPOSE,
    compose::KUBECTL,
    compose::STERN,
    rank::ENVELOPE,
    quoted::QUOTED,
    quoted::INDENTED,
];

/// Takes all envelopes and the logger's head off a line.
pub fn peel(text: &str) -> Peeled<'_> {
    if let Some(head) = bare::head(text) {
        let mut peeled = Peeled { shown: Cow::Borrowed(text), ..Peeled::default() };
        finish(&mut peeled, Some(head));
        return peeled;
    }
    let mut peeled = strip(text);
    let head = match &peeled.shown {
        Cow::Borrowed(text) => logger::head(text),
        Cow::Owned(text) => logger::head(text).map(logger::Head::into_owned),
    };
    finish(&mut peeled, head);
    peeled
}

/// Takes all envelopes off.
fn strip(text: &str) -> Peeled<'_> {
    let mut peeled = Peeled { shown: Cow::Borrowed(text), ..Peeled::default() };
    while peeled.names.len() < MAX_LAYERS {
        let shown = std::mem::take(&mut peeled.shown);
        let (shown, found) = peel_one(shown, &mut peeled);
        peeled.shown = shown;
        if !found {
            break;
        }
    }
    peeled
}

/// Adds what the logger's head says.
fn finish<'a>(peeled: &mut Peeled<'a>, head: Option<logger::Head<'a>>) {
    if let Some(head) = head {
        peeled.stamps.extend(head.stamp);
        peeled.body = head.length;
        peeled.logger = head.logger.or(peeled.logger.take());
    }
    if peeled.logger.is_some() && peeled.origin.channel == Channel::Unknown {
        peeled.origin.channel = Channel::Process;
    }
}

/// Takes one layer off; `false` if there is none. What was borrowed from the line stays borrowed.
fn peel_one<'a>(shown: Cow<'a, str>, peeled: &mut Peeled<'a>) -> (Cow<'a, str>, bool) {
    for envelope in ENVELOPES.iter().filter(|envelope| envelope.begins.fits(&shown)) {
        let rest = match &shown {
            Cow::Borrowed(text) => (envelope.peel)(text).map(|layer| peeled.add(envelope.name, layer)),
            Cow::Owned(text) => {
                (envelope.peel)(text).map(|layer| Cow::Owned(peeled.add(envelope.name, layer).into_owned()))
            }
        };
        if let Some(rest) = rest {
            return (rest, true);
        }
    }
    (shown, false)
}

impl Peeled<'_> {
    /// Takes a quoted line of Linux's for its own: who passed it on is not whom it is about.
    pub fn trust_relay(&mut self) {
        if self.relayed {
            let (host, stream) = (self.origin.host.take(), self.origin.stream.take());
            self.origin = Origin { host, stream, channel: Channel::RingBuffer, ..Origin::default() };
        }
    }

    /// Adds what a layer says, and gives back what was inside.
    fn add<'b>(&mut self, name: &'static str, layer: Layer<'b>) -> Cow<'b, str> {
        self.stamps.extend(layer.stamps);
        let linux = layer.origin.channel == Channel::RingBuffer;
        self.relayed |= linux && self.origin.channel == Channel::Process && self.origin.program.is_none();
        merge(&mut self.origin, layer.origin);
        self.partial |= layer.partial;
        self.logger = layer.logger.or(self.logger.take());
        self.names.push(name);
        layer.rest
    }
}

/// Adds what an inner layer says to what the outer ones said.
fn merge(outer: &mut Origin, inner: Origin) {
    let Origin { host, container_id, container_name, pod, program, pid, stream, unit, boot, channel } = inner;
    outer.host = host.or(outer.host.take());
    outer.container_id = container_id.or(outer.container_id.take());
    outer.container_name = container_name.or(outer.container_name.take());
    outer.pod = pod.or(outer.pod.take());
    outer.program = program.or(outer.program.take());
    outer.pid = pid.or(outer.pid.take());
    outer.stream = stream.or(outer.stream.take());
    outer.unit = unit.or(outer.unit.take());
    outer.boot = boot.or(outer.boot.take());
    // A ring-buffer line inside a process's output is a quotation, so the outer channel wins.
    if outer.channel == Channel::Unknown {
        outer.channel = channel;
    }
}
