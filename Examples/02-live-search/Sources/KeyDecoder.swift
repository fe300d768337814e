// This source file is part of swift-effects. License: Apache-2.0.

/// What a person can press.
enum Key: Equatable, Sendable {
  case character(Character)
  case backspace
  case escape
  case up, down, pageUp, pageDown, home, end
  /// Ctrl-U.
  case eraseLine
  /// Ctrl-C.
  case interrupt
  /// Ctrl-D, or a terminal that was closed.
  case endOfInput
}

/// Converts the bytes that a terminal sends to keys.
///
/// A value that does not read or wait itself. The Esc key is one byte, and the sequences of other keys begin with the
/// same byte; only time separates them. So the code that feeds the decoder calls ``pause()`` when nothing follows.
struct KeyDecoder {
  private enum Phase {
    case ground
    /// After an Esc byte.
    case escape
    /// Inside the sequence of an arrow or function key.
    case sequence(parameters: [UInt8])
    /// Inside a character of several bytes.
    case character(bytes: [UInt8], count: Int)
  }

  private var phase = Phase.ground

  /// Whether ``pause()`` would make a difference.
  var isUndecided: Bool {
    if case .escape = phase { true } else { false }
  }

  /// Nothing has followed for a while: the Esc byte was the Esc key.
  mutating func pause() -> Key? {
    guard isUndecided else { return nil }
    phase = .ground
    return .escape
  }

  /// Takes the next byte; returns the keys that it completes: two if it shows that the byte before was the Esc key.
  mutating func next(_ byte: UInt8) -> [Key] {
    switch phase {
    case .escape where byte == UInt8(ascii: "[") || byte == UInt8(ascii: "O"):
      phase = .sequence(parameters: [])
      return []
    case .escape:
      // No sequence. Alt with a key sends the same bytes as Esc and then the key, but has no meaning here: a person who
      // types a key right after Esc must lose neither.
      phase = .ground
      return [.escape] + next(byte)
    case .sequence(let parameters):
      // Parameters are digits and signs; a letter or a tilde ends it.
      guard (0x40...0x7E).contains(byte) else {
        phase = .sequence(parameters: parameters + [byte])
        return []
      }
      phase = .ground
      return key(String(decoding: parameters + [byte], as: UTF8.self)).map { [$0] } ?? []
    case .character(let bytes, let count):
      guard byte & 0b1100_0000 == 0b1000_0000 else {
        // The character is incomplete; this byte begins something else.
        phase = .ground
        return next(byte)
      }
      let bytes = bytes + [byte]
      guard bytes.count == count else {
        phase = .character(bytes: bytes, count: count)
        return []
      }
      phase = .ground
      return String(validating: bytes, as: UTF8.self)?.first.map { [.character($0)] } ?? []
    case .ground:
      return nextInGround(byte).map { [$0] } ?? []
    }
  }

  /// The key of a sequence; `nil` for keys that mean nothing here, and for those pressed together with another one.
  private func key(_ sequence: String) -> Key? {
    switch sequence {
    case "A": .up
    case "B": .down
    case "5~": .pageUp
    case "6~": .pageDown
    case "H", "1~", "7~": .home
    case "F", "4~", "8~": .end
    default: nil
    }
  }

  private mutating func nextInGround(_ byte: UInt8) -> Key? {
    switch byte {
    case 0x03: return .interrupt
    case 0x04: return .endOfInput
    case 0x08, 0x7F: return .backspace
    case 0x15: return .eraseLine
    case 0x1B:
      phase = .escape
      return nil
    case 0x20..<0x7F: return .character(Character(UnicodeScalar(byte)))
    case 0xC2...0xDF: phase = .character(bytes: [byte], count: 2)
    case 0xE0...0xEF: phase = .character(bytes: [byte], count: 3)
    case 0xF0...0xF4: phase = .character(bytes: [byte], count: 4)
    default: break  // Other control keys, and bytes that begin no character.
    }
    return nil
  }
}
