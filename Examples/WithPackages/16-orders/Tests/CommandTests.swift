// This source file is part of swift-effects. License: Apache-2.0.

import Testing

@testable import orders

/// What the arguments of the program mean.
@Suite struct `Arguments of the program` {
  @Test(arguments: [
    (["--processes", "0"], "--processes needs a number from 1 to 16, and not \"0\""),
    (["--processes", "-1"], "--processes needs a number from 1 to 16, and not \"-1\""),
    (["--processes"], "--processes needs a number from 1 to 16"),
    (["--orders", "-5"], "--orders needs a number from 1 to 10000000, and not \"-5\""),
    (
      ["--orders", "99999999999999999999"],
      "--orders needs a number from 1 to 10000000, and not \"99999999999999999999\""
    ),
    (["--orders", "--plain"], "--orders needs a number from 1 to 10000000, and not \"--plain\""),
    (["--kill-every-ms", "-1"], "--kill-every-ms needs a number from 0 to 86400000, and not \"-1\""),
    (["--order", "1"], "there is no argument \"--order\"; --help shows the arguments"),
    (["7"], "there is no argument \"7\"; --help shows the arguments"),
    (["work", "folder"], "work needs a folder, a file for the calls, the seconds of a lease, and attempts"),
    (["work", "folder", "calls", "0", "1"], "the lease needs a number from 1 to 3600, and not \"0\""),
    (
      ["work-plain", "folder", "calls", "3", "x"],
      "the number of attempts needs a number from 1 to 1000000, and not \"x\""
    ),
  ])
  func `A wrong argument is a sentence`(arguments: [String], sentence: String) {
    let wrong = #expect(throws: Command.Wrong.self) { try Command(arguments) }
    #expect(wrong?.description == sentence)
  }

  @Test func `The arguments may come in any order`() throws {
    guard case .shop(let shop) = try Command(["--kill-every-ms", "0", "--plain", "--orders", "5"]) else {
      Issue.record("not a shop")
      return
    }
    #expect(shop.orders == 5 && shop.isPlain && shop.killEvery == nil)
  }
}
