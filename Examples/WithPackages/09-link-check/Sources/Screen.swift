// This source file is part of swift-effects. License: Apache-2.0.

extension Crawl.State {
  /// The progress, in one line.
  var progress: String {
    var (done, asked, broken) = (0, 0, 0)
    for visit in pages.values {
      switch visit {
      case .waiting: break
      case .asked: asked += 1
      case .done(let answer, _):
        done += 1
        broken += answer.problem == nil ? 0 : 1
      }
    }
    return "\(done) of \(pages.count) pages, \(asked) asked for, \(broken) broken\(isStopping ? ", stopping" : "")"
  }
}

/// In a terminal, a line that is drawn over the previous one.
func redrawn(_ line: String) -> String {
  "\r\u{1B}[2K\(line)"
}
