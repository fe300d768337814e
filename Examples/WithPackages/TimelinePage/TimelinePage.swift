// This source file is part of swift-effects. License: Apache-2.0.

/// The page that shows a trace, without events, complete in one file.
///
/// `python3 .ci/embed.py --write` writes it. It takes its title from its address (`?title=…`), and events from a file, a
/// link (`#open=…`), or the page around its frame (`timeline.append([...])`).
public func timelinePage() -> [UInt8] { PackageResources.timeline_html }
