//! Windows and displays: Qt, GTK, X11, and Objective-C on macOS.
//!
//! Python's own `TclError` is an exception and not read here.

use super::{Hit, Reading, detail::said};
use crate::{event::NativeMessage, parse::prim};

/// `qt.qpa.xcb: could not connect to display`, `QXcbConnection: Could not connect to display :0`; the display's name
/// stays.
pub(super) fn qt(hit: Hit<'_>) -> Reading {
    said(hit.text)
}

/// `XIO:  fatal IO error 11 (Resource temporarily unavailable) on X server ":0"`.
pub(super) fn x_connection(hit: Hit<'_>) -> Reading {
    if !hit.after().contains("X server") {
        return Reading::Not;
    }
    let code = prim::integer(hit.after().trim_start()).ok().map(|(_, code)| code.to_string());
    Reading::Is(NativeMessage { code, ..NativeMessage::default() })
}

/// `(python3:1234): Gtk-ERROR **: GTK+ 2.x symbols detected.`; newer ones put a time before the message.
pub(super) fn glib(hit: Hit<'_>) -> Reading {
    let pid =
        hit.before().rsplit_once("):").and_then(|(program, _)| program.rsplit_once(':')?.1.parse().ok());
    Reading::Is(NativeMessage { pid, message: Some(hit.text.trim().to_owned()), ..NativeMessage::default() })
}

/// `*** Terminating app due to uncaught exception 'NSInternalInconsistencyException', reason: '…'`: `AppKit` off the main
/// thread.
pub(super) fn uncaught(hit: Hit<'_>) -> Reading {
    let Ok((rest, exception)) = prim::quoted(hit.after()) else {
        return Reading::Cut("the exception in quotes");
    };
    let reason = rest.split_once("reason: ").map(|(_, reason)| reason.trim().trim_matches('\'').to_owned());
    Reading::Is(NativeMessage {
        exception: Some(exception.to_owned()),
        message: reason,
        ..NativeMessage::default()
    })
}

/// `objc[71844]: +[NSResponder initialize] may have been in progress in another thread when fork() was called. … Crashing
/// instead. …`. The same words without `Crashing` come before and end nothing.
pub(super) fn forked(hit: Hit<'_>) -> Reading {
    if !hit.text.contains("Crashing instead") {
        return Reading::Not;
    }
    let pid = hit.text.split_once("objc[").and_then(|(_, pid)| prim::integer(pid).ok()).map(|(_, pid)| pid);
    Reading::Is(NativeMessage { pid, message: Some(hit.text.trim().to_owned()), ..NativeMessage::default() })
}
