// This source file is part of swift-effects. License: Apache-2.0.

import Testing

@testable import live_search

struct KeyDecoderTests {
  @Test(arguments: [
    ("ab", [Key.character("a"), .character("b")]),
    ("é€😀", [.character("é"), .character("€"), .character("😀")]),
    ("\u{7F}\u{08}", [.backspace, .backspace]),
    ("\u{03}\u{04}", [.interrupt, .endOfInput]),
    ("\u{15}", [.eraseLine]),
    // Tab, Return, Ctrl-A, Ctrl-Z.
    ("\t\r\u{01}\u{1A}", []),
    // Arrow up, the same in application mode; then a letter.
    ("\u{1B}[Aa\u{1B}OAa", [.up, .character("a"), .up, .character("a")]),
    (
      "\u{1B}[B\u{1B}[5~\u{1B}[6~\u{1B}[H\u{1B}[F\u{1B}[1~\u{1B}[4~",
      [.down, .pageUp, .pageDown, .home, .end, .home, .end]
    ),
    // Delete, control and arrow left, shift and arrow up: keys without a meaning.
    ("\u{1B}[3~a\u{1B}[1;5Da\u{1B}[1;2Aa", [.character("a"), .character("a"), .character("a")]),
    // A byte that opens no sequence comes after the Esc key, however soon; two Esc bytes are at least one Esc key.
    ("\u{1B}xa", [.escape, .character("x"), .character("a")]),
    ("\u{1B}éa", [.escape, .character("é"), .character("a")]),
    ("\u{1B}\u{7F}\u{1B}\u{03}", [.escape, .backspace, .escape, .interrupt]),
    ("\u{1B}\u{1B}", [.escape]),
    ("\u{1B}\u{1B}[Aa", [.escape, .up, .character("a")]),
  ])
  func `Bytes become keys`(text: String, keys: [Key]) {
    #expect(decode(Array(text.utf8)) == keys)
  }

  @Test func `An Esc byte is the Esc key when nothing follows, and undecided before`() {
    var decoder = KeyDecoder()
    #expect(decoder.next(0x1B) == [])
    #expect(decoder.isUndecided)
    #expect(decoder.pause() == .escape)
    #expect(!decoder.isUndecided)
    #expect(decoder.next(0x61) == [.character("a")])
  }

  @Test func `A pause within a sequence or a character is no key`() {
    for bytes: [UInt8] in [[0x1B, 0x5B], [0xC3]] {
      var decoder = KeyDecoder()
      #expect(bytes.flatMap { decoder.next($0) } == [])
      #expect(!decoder.isUndecided)
      #expect(decoder.pause() == nil)
    }
  }

  @Test(
    arguments: [[0xC3, 0x61], [0x80, 0x61], [0xFF, 0x61], [0xE2, 0x82, 0x61], [0xED, 0xA0, 0x80, 0x61]] as [[UInt8]])
  func `Bytes that are not UTF-8 are passed over`(bytes: [UInt8]) {
    #expect(decode(bytes) == [.character("a")])
  }

  private func decode(_ bytes: [UInt8]) -> [Key] {
    var decoder = KeyDecoder()
    return bytes.flatMap { decoder.next($0) }
  }
}
