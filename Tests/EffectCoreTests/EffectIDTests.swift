// This source file is part of swift-effects. License: Apache-2.0.

import EffectCore
import Synchronization
import TestSupport
import Testing

@Suite struct `Ids of effects` {
  private enum Work: Hashable { case search, page(Int) }
  private enum OtherWork: Hashable { case search }
  private struct Screen {}

  @Test func `Ids are equal when type and value are`() {
    let ids: [EffectID] = [
      "a", "b", "1", EffectID(1), EffectID(UInt8(1)), EffectID(1.0), EffectID(2), EffectID(Work.search),
      EffectID(Work.page(1)), EffectID(Work.page(2)), EffectID(OtherWork.search), EffectID(type: Screen.self),
      EffectID(type: Int.self), EffectID("Screen"), EffectID(Int?.none),
      EffectID(String?.none), EffectID(Character("a")), EffectID([1]), EffectID(true),
    ]
    for (i, left) in ids.enumerated() {
      for (j, right) in ids.enumerated() {
        #expect((left == right) == (i == j), "\(left), \(right)")
        #expect((left.scoped(by: "x") == right.scoped(by: "x")) == (i == j), "\(left), \(right) inside x")
        #expect((EffectID("x").scoped(by: left) == EffectID("x").scoped(by: right)) == (i == j), "around x")
      }
    }
    #expect(Set(ids).count == ids.count)
  }

  @Test func `Ids of equal values built apart are equal and hash alike`() {
    let pairs: [(EffectID, EffectID)] = [
      ("a", EffectID("a")), ("ab", EffectID("a" + "b")), (EffectID(Work.page(1)), EffectID(Work.page(0 + 1))),
      (EffectID(type: Screen.self), EffectID(type: Screen.self)), (EffectID([1, 2]), EffectID([1] + [2])),
    ]
    for (left, right) in pairs {
      #expect(left == right)
      #expect(left.hashValue == right.hashValue)
    }
  }

  @Test func `An id of an optional is the id of its value, wherever it is given`() {
    #expect(EffectID(Int?.some(1)) == EffectID(1))
    #expect(EffectID(Int??.some(.some(1))) == EffectID(1))
    #expect(EffectID(EffectID?.some("a")) == "a")
    #expect(EffectID(Optional(\String.count)) == EffectID(\String.count))
    #expect(EffectID(Int?.some(1)).value(as: Int.self) == 1)
    #expect(EffectID.unwrapping(Int??.some(.none)) == nil)
    #expect(EffectID.unwrapping(Optional(\String.count)) == EffectID(\String.count))
    // A child in the scope of an optional is cancelled by the same id.
    let selected: Int? = 3
    let work = Effect<Int>.run(id: "search", overlap: .restart) { _ in }.scoped(selected) { $0 }
    guard case .run(let operation) = work, case .cancel(.scope(let scope)) = Effect<Int>.cancel(scope: selected) else {
      Issue.record("\(work)")
      return
    }
    #expect(operation.id == EffectID("search").scoped(by: scope))
  }

  @Test func `An id of an id is that id`() {
    let id = EffectID("a").scoped(by: EffectID(1))
    func generic(_ value: some Hashable & Sendable) -> EffectID { EffectID(value) }
    #expect(EffectID(id) == id)
    #expect(generic(id) == id)
    #expect(generic(id).head === id.head)
  }

  @Test func `Ids inside different scopes are different, and the order of scopes counts`() {
    let id: EffectID = "search"
    #expect(id != id.scoped(by: EffectID(1)))
    #expect(id.scoped(by: EffectID(1)) != id.scoped(by: EffectID(2)))
    #expect(id.scoped(by: EffectID(1)) == id.scoped(by: EffectID(1)))
    #expect(id.scoped(by: EffectID(1)).scoped(by: EffectID(2)) != id.scoped(by: EffectID(2)).scoped(by: EffectID(1)))
    #expect(id.scoped(by: EffectID(1)).scoped(by: EffectID(1)) != id.scoped(by: EffectID(1)))
    #expect(EffectID("a").scoped(by: "b") != EffectID("b").scoped(by: "a"))
    #expect(id.scoped(by: EffectID(1)).scoped(by: EffectID(2)).description == #"2/1/"search""#)
  }

  @Test func `Scoping step by step and by a path give the same id and the same hash`() {
    let steps = EffectID("a").scoped(by: EffectID(1)).scoped(by: "x").scoped(by: EffectID(Work.search))
    let path = EffectID("a").scoped(by: EffectID(1).scoped(by: "x").scoped(by: EffectID(Work.search)))
    let mixed = EffectID("a").scoped(by: EffectID(1).scoped(by: "x")).scoped(by: EffectID(Work.search))
    for other in [path, mixed] {
      #expect(steps == other)
      #expect(steps.hashValue == other.hashValue)
      #expect(steps.head.pathHash == other.head.pathHash)
    }
    #expect(Set([steps, path, mixed]).count == 1)
  }

  @Test func `Scoping changes neither the id nor the scope`() {
    let (id, scope): (EffectID, EffectID) = (EffectID("a").scoped(by: EffectID(1)), EffectID(2).scoped(by: EffectID(3)))
    #expect(id.scoped(by: scope).description == #"3/2/1/"a""#)
    #expect("\(id)" == #"1/"a""#)
    #expect("\(scope)" == "3/2")
  }

  @Test func `A thousand random paths are equal just when their components are`() {
    var random = Numbers(seed: 7)
    // Few names and short paths, so that many of the thousand paths are equal to another one.
    let paths = (0..<1000).map { _ in (0..<Int.random(in: 1...5, using: &random)).map { _ in Part.random(&random) } }
    let ids = paths.map { $0.id(&random) }
    var equal = 0
    var wrong: [(EffectID, EffectID)] = []
    for i in paths.indices {
      for j in i..<paths.count {
        let areEqual = paths[i] == paths[j]
        if i != j, areEqual { equal += 1 }
        if (ids[i] == ids[j]) != areEqual || (areEqual && ids[i].hashValue != ids[j].hashValue) {
          wrong.append((ids[i], ids[j]))
        }
      }
    }
    #expect(wrong.isEmpty)
    #expect(equal > 1000, "too few equal pairs to prove anything")
    #expect(Set(ids).count == Set(paths).count)
  }

  @Test func `Every short path has a different hash`() {
    let names = (0..<14).map { EffectID($0) }
    var paths = names
    var all = names
    for _ in 2...4 {
      paths = names.flatMap { name in paths.map { $0.scoped(by: name) } }
      all += paths
    }
    // With equal hashes a comparison of different ids would be right, but not O(1).
    #expect(all.count == 14 + 14 * 14 + 14 * 14 * 14 + 14 * 14 * 14 * 14)
    #expect(Set(all.map(\.head.pathHash)).count == all.count)
  }

  @Test func `Ids whose values hash alike are distinguished by their values`() {
    let (a, b) = (EffectID(Clashing(name: "a")), EffectID(Clashing(name: "b")))
    #expect(a.hashValue == b.hashValue)
    #expect(a != b)
    #expect(a == EffectID(Clashing(name: "a")))
    #expect(a.scoped(by: "x") != b.scoped(by: "x"))
    #expect(a.scoped(by: b) != b.scoped(by: a))
    #expect(a.scoped(by: b) == EffectID(Clashing(name: "a")).scoped(by: EffectID(Clashing(name: "b"))))
    #expect(Set([a, b, a.scoped(by: b), b.scoped(by: a), a.scoped(by: a)]).count == 5)
  }

  @Test func `The value of an id is read by its type`() {
    let id = EffectID(Work.page(3)).scoped(by: "list").scoped(by: EffectID(7))
    #expect(id.value(as: Work.self) == .page(3))
    #expect(id.value() == Work.page(3))
    #expect(id.value(as: OtherWork.self) == nil)
    #expect(id.value(as: String.self) == nil)
    #expect(id.value(as: Int.self) == nil)
    #expect(EffectID("a").value(as: String.self) == "a")
    #expect(EffectID(UInt8(1)).value(as: Int.self) == nil)
  }

  @Test func `Ids print their values, scopes first, strings in quotes`() {
    #expect(EffectID("a").description == #""a""#)
    #expect(EffectID(#"say "hi""#).description == #""say \"hi\"""#)
    #expect(EffectID(1).description == "1")
    #expect(EffectID(Work.page(1)).description == "page(1)")
    #expect(EffectID(type: Screen.self).description == "Screen")
    #expect(EffectID("search").scoped(by: EffectID(3)).scoped(by: "rows").description == #""rows"/3/"search""#)
  }

  @Test func `An id is hashed by its user's code once, when it is made`() {
    let id = EffectID(Counted())
    let hashes = Counted.hashes
    _ = id.hashValue
    _ = id.scoped(by: "a").scoped(by: EffectID("b").scoped(by: "c")).hashValue
    _ = EffectID("x").scoped(by: id)
    _ = id == EffectID("a")
    #expect(hashes == 1)
    #expect(Counted.hashes == hashes)
  }
}

/// A component of a path, as the test stores it.
private enum Part: Hashable {
  case int(Int), byte(UInt8), text(String)

  static func random(_ random: inout Numbers) -> Part {
    let number = Int.random(in: 0...1, using: &random)
    return [.int(number), .byte(UInt8(number)), .text("\(number)")].randomElement(using: &random) ?? .int(0)
  }

  var id: EffectID {
    switch self {
    case .int(let value): EffectID(value)
    case .byte(let value): EffectID(value)
    case .text(let value): EffectID(value)
    }
  }
}

extension [Part] {
  /// The id of the path, put together in a random way.
  fileprivate func id(_ random: inout Numbers) -> EffectID {
    guard count > 1 else { return self[0].id }
    let cut = Int.random(in: 1..<count, using: &random)
    return Array(self[cut...]).id(&random).scoped(by: Array(self[..<cut]).id(&random))
  }
}

/// All of its values have the same hash.
private struct Clashing: Hashable {
  let name: String
  func hash(into hasher: inout Hasher) {}
}

/// Counts how often it is hashed; used by one test only.
private struct Counted: Hashable {
  private static let counter = Mutex(0)
  static var hashes: Int { counter.withLock { $0 } }

  func hash(into hasher: inout Hasher) {
    Self.counter.withLock { $0 += 1 }
  }
}
