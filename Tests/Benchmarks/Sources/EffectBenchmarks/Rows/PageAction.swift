// This source file is part of swift-effects. License: Apache-2.0.

/// An action like those of large features: 18 cases, most of them with objects, strings or both.
///
/// To copy and to destroy such an action takes a switch over its cases and counts references. For an action that is an
/// integer it takes one instruction.
enum PageAction: Sendable {
  case appeared
  case disappeared
  case refreshed
  case queryChanged(String)
  case rowTapped(id: String)
  case rowMoved(from: Int, to: Int)
  case rowDeleted(id: String)
  case pageLoaded(Page, title: String)
  case pageFailed(message: String)
  /// While `left` is above 0, the effect of this case and the next one is the same action with one less.
  case countedDown(left: Int)
  case nextPageLoaded(Page, title: String, left: Int)
  case pictureLoaded(Picture, url: String)
  case pictureFailed(url: String)
  case favouriteSet(id: String, isOn: Bool)
  case draftChanged(Draft)
  case draftSaved(Draft, url: String)
  case alertShown(title: String, message: String)
  case alertDismissed

  final class Page: Sendable {
    let number: Int
    init(number: Int) { self.number = number }
  }

  final class Picture: Sendable {
    let width: Int
    init(width: Int) { self.width = width }
  }

  final class Draft: Sendable {
    let text: String
    init(text: String) { self.text = text }
  }

  /// One action of each case. Its objects and strings are referred to only by these actions.
  @Sendable static func oneOfEach() -> [PageAction] {
    [
      .appeared, .disappeared, .refreshed, .queryChanged(text("a query")), .countedDown(left: 0),
      .rowTapped(id: text("a row")), .rowMoved(from: 1, to: 5), .rowDeleted(id: text("another row")),
      .pageLoaded(Page(number: 1), title: text("a title")), .pageFailed(message: text("a message")), .pages(left: 0),
      .pictureLoaded(Picture(width: 640), url: text("an address")), .pictureFailed(url: text("an address")),
      .favouriteSet(id: text("a row"), isOn: true), .draftChanged(Draft(text: text("a draft"))),
      .draftSaved(Draft(text: text("a draft")), url: text("an address")),
      .alertShown(title: text("a title"), message: text("a message")), .alertDismissed,
    ]
  }

  /// The same number of actions of one case, without references.
  @Sendable static func integers() -> [PageAction] {
    (1...18).map { .countedDown(left: -$0) }
  }

  /// Causes the given number of further actions, each with an object and a string.
  static func pages(left: Int) -> PageAction {
    .nextPageLoaded(Page(number: 2), title: text("a title"), left: left)
  }

  /// A string that is too long to be stored without a buffer. The buffer is reference-counted, unlike that of a
  /// literal.
  private static func text(_ start: String) -> String {
    "\(start), of more than fifteen bytes, \(start.utf8.count)"
  }
}

/// The state of these rows. Like the state of a feature, it keeps the contents of the actions, and counts them.
struct PageState {
  private var tally: Tally
  private var query = ""
  private var title = ""
  private var message: String?
  private var page: PageAction.Page?
  private var picture: PageAction.Picture?
  private var draft: PageAction.Draft?

  init(expected: Int, done: Signal) {
    tally = Tally(expected: expected, done: done)
  }

  mutating func count(_ value: Int) { tally.add(value) }

  /// The change that each action makes.
  mutating func apply(_ action: PageAction) {
    var value = 1
    switch action {
    case .appeared, .disappeared, .refreshed: break
    case .queryChanged(let query): self.query = query
    case .countedDown(let left): value = left
    case .rowTapped(let id), .rowDeleted(let id): value = id.utf8.count
    case .rowMoved(let from, let to): value = to - from
    case .pageLoaded(let page, let title):
      self.page = page
      self.title = title
    case .pageFailed(let message): self.message = message
    case .nextPageLoaded(let page, _, _): value = page.number
    case .pictureLoaded(let picture, _): self.picture = picture
    case .pictureFailed(let url): value = url.utf8.count
    case .favouriteSet(let id, let isOn): value = isOn ? id.utf8.count : 0
    case .draftChanged(let draft): self.draft = draft
    case .draftSaved(let draft, let url):
      self.draft = draft
      value = url.utf8.count
    case .alertShown(_, let message): self.message = message
    case .alertDismissed: message = nil
    }
    count(value)
  }
}
