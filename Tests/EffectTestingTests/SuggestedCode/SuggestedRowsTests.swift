// This source file is part of swift-effects. License: Apache-2.0.

import Testing

@testable import EffectTesting

/// What failures suggest for a change of a few rows among many. Each suggestion stands beside the same code, compiled.
@Suite struct `Suggested code for rows` {
  private static let rows = Shop.State().rows

  /// Compares the statements, and what the compiled ones make of the rows.
  private func suggests(
    _ statements: [String], when change: (inout [Shop.Row]) -> Void, compiled: (inout [Shop.Row]) -> Void,
    line: UInt = #line
  ) {
    let place = SourceLocation(fileID: #fileID, filePath: #filePath, line: Int(line), column: 1)
    var (changed, suggested) = (Self.rows, Self.rows)
    change(&changed)
    compiled(&suggested)
    #expect(ChangeCode(from: Self.rows, to: changed).statements == statements, sourceLocation: place)
    #expect(suggested == changed, sourceLocation: place)
  }

  @Test func `A row that changes beside one that is removed is not assigned as a whole`() {
    suggests(
      ["$0.remove(at: 0)", #"$0[2].title = "y""#],
      when: { rows in
        rows[3].title = "y"
        rows.removeFirst()
      },
      compiled: {
        $0.remove(at: 0)
        $0[2].title = "y"
      })
  }

  @Test func `A row that changes beside one that is added is not assigned as a whole`() {
    suggests(
      [#"$0.append(.init(id: 9, title: "new", tags: []))"#, #"$0[0].title = "x""#],
      when: { rows in
        rows[0].title = "x"
        rows.append(Shop.Row(id: 9, title: "new"))
      },
      compiled: {
        $0.append(.init(id: 9, title: "new", tags: []))
        $0[0].title = "x"
      })
  }

  @Test func `A row that moves is removed and inserted, and the others stay`() {
    suggests(
      ["$0.remove(at: 0)", #"$0.append(.init(id: 1, title: "row number 1", tags: []))"#],
      when: { rows in rows.append(rows.removeFirst()) },
      compiled: {
        $0.remove(at: 0)
        $0.append(.init(id: 1, title: "row number 1", tags: []))
      })
  }

  @Test func `Random changes of rows are made by the suggested code`() {
    var random = SystemRandomNumberGenerator()
    for _ in 0..<200 {
      var rows = Self.rows
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        switch Int.random(in: 0..<4, using: &random) {
        case 0 where !rows.isEmpty: rows.remove(at: Int.random(in: 0..<rows.count, using: &random))
        case 1 where !rows.isEmpty: rows[Int.random(in: 0..<rows.count, using: &random)].title = "changed"
        case 2:
          rows.insert(
            Shop.Row(id: 100 + rows.count, title: "inserted"), at: Int.random(in: 0...rows.count, using: &random))
        default: rows.shuffle(using: &random)
        }
      }
      let code = ChangeCode(from: Self.rows, to: rows)
      #expect(code.isUnchanged == (rows == Self.rows))
      #expect(performed(code.statements) == rows, "\(code.statements)")
    }
  }

  /// Performs statements of the forms that change rows of a shop; `nil` if one has another form.
  private func performed(_ statements: [String]) -> [Shop.Row]? {
    var rows = Self.rows
    for statement in statements {
      if let match = statement.wholeMatch(of: /\$0\.remove\(at: (\d+)\)/), let index = Int(match.1) {
        rows.remove(at: index)
      } else if let match = statement.wholeMatch(of: /\$0\.removeSubrange\((\d+)\.\.<(\d+)\)/), let low = Int(match.1),
        let high = Int(match.2)
      {
        rows.removeSubrange(low..<high)
      } else if let match = statement.wholeMatch(of: /\$0\[(\d+)\]\.title = "(.*)"/), let index = Int(match.1) {
        rows[index].title = String(match.2)
      } else if let match = statement.wholeMatch(of: /\$0\[(\d+)\] = (\.init\(.*\))/), let index = Int(match.1) {
        rows[index] = parsed(String(match.2))[0]
      } else if let match = statement.wholeMatch(of: /\$0\.append\((?:contentsOf: )?(.*)\)/) {
        rows += parsed(String(match.1))
      } else if let match = statement.wholeMatch(of: /\$0\.insert\((?:contentsOf: )?(.*), at: (\d+)\)/),
        let index = Int(match.2)
      {
        rows.insert(contentsOf: parsed(String(match.1)), at: index)
      } else if let match = statement.wholeMatch(of: /\$0\.replaceSubrange\((\d+)\.\.<(\d+), with: (.*)\)/),
        let low = Int(match.1), let high = Int(match.2)
      {
        rows.replaceSubrange(low..<high, with: parsed(String(match.3)))
      } else if let match = statement.wholeMatch(of: /\$0 = (\[.*\])/) {
        rows = parsed(String(match.1))
      } else {
        return nil
      }
    }
    return rows
  }

  private func parsed(_ text: String) -> [Shop.Row] {
    text.matches(of: /\.init\(id: (\d+), title: "([^"]*)", tags: \[\]\)/).compactMap { match in
      Int(match.1).map { Shop.Row(id: $0, title: String(match.2)) }
    }
  }
}
