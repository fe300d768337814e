// This source file is part of swift-effects. License: Apache-2.0.

/// What a person can press.
enum Key: Equatable, Sendable {
  case character(Character)
  case backspace
  case escape
  /// Ctrl-C.
  case interrupt
  /// Ctrl-D, or a terminal that has gone away.
  case endOfInput
}

/// Makes keys of the bytes that a terminal sends.
///
/// A value without any reading or waiting in it. The Esc key is one byte, with which the sequences of other keys begin
/// as well; only time tells them apart. So whoever feeds the decoder calls ``pause()`` when nothing follows.
struct KeyDecoder {
  private enum Phase {
    case ground
    /// After an Esc byte.
    case escape
    /// Inside the sequence of an arrow or function key, none of which means anything here.
    case sequence
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

  /// Takes the next byte; a key if the byte completes one.
  mutating func next(_ byte: UInt8) -> Key? {
    switch phase {
    case .escape:
      // Esc [ and Esc O open a sequence, a second Esc leaves the first one alone, anything else is a key with Alt.
      switch byte {
      case UInt8(ascii: "["), UInt8(ascii: "O"): phase = .sequence
      case 0x1B: return .escape
      default: phase = .ground
      }
      return nil
    case .sequence:
      // Parameters are digits and signs; a letter or a tilde ends it.
      if (0x40...0x7E).contains(byte) { phase = .ground }
      return nil
    case .character(let bytes, let count):
      guard byte & 0b1100_0000 == 0b1000_0000 else {
        // The character was broken off; this byte begins something else.
        phase = .ground
        return next(byte)
      }
      let bytes = bytes + [byte]
      guard bytes.count == count else {
        phase = .character(bytes: bytes, count: count)
        return nil
      }
      phase = .ground
      return String(validating: bytes, as: UTF8.self)?.first.map(Key.character)
    case .ground:
      return nextInGround(byte)
    }
  }

  private mutating func nextInGround(_ byte: UInt8) -> Key? {
    switch byte {
    case 0x03: return .interrupt
    case 0x04: return .endOfInput
    case 0x08, 0x7F: return .backspace
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
