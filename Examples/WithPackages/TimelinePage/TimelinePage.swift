// This source file is part of swift-effects. License: Apache-2.0.

/// The page that shows a trace, without events, complete in one file.
///
/// It is made of the files of the library, to which the other names in this folder are links. It takes its title from its
/// address (`?title=…`), and events from a file, a link (`#open=…`), or the page around its frame
/// (`timeline.append([...])`).
public func timelinePage() -> [UInt8] { page }

// Only this page may connect: it opens links.
private let page = Array(
  TracePage.text(connections: "; connect-src http: https:", title: "Timeline", events: "").utf8)
