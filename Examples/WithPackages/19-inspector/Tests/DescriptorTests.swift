// This source file is part of swift-effects. License: Apache-2.0.

import EffectTesting
import Foundation
import InspectorCore
import NIOCore
import Testing

@testable import Inspector

/// In a process of its own, because all of a process share its limits.
@Suite(.timeLimit(.minutes(5))) struct `The inspector in a process without resources` {
  @Test func `Without file descriptors it says so, and goes on when there are some again`() async throws {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      let store = Store(initialState: Counter.State(), reducer: Counter())
      try await Inspector.whileRunning(store) { inspector, _ in
        let request = ByteBuffer(string: Wire.request(inspector, "GET", "rows?store=1&before=1"))
        try await Wire.connect(inspector) { reader, outbound in
          try await outbound.write(request)
          guard try await reader.next()?.status == 200 else { exit(2) }
          var limit = rlimit(rlim_cur: 200, rlim_max: 200)
          precondition(unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0)
          var files: [FileHandle] = []
          while let file = FileHandle(forReadingAtPath: "/dev/null") { files.append(file) }
          // One for the client, and none for the server.
          files.removeLast()
          try await Wire.connect(inspector) { later, waiting in
            try await waiting.write(request)
            // The server has tried to accept it before it answers this.
            try await outbound.write(request)
            guard try await reader.next()?.status == 200 else { exit(2) }
            files = []
            guard try await later.next()?.status == 200 else { exit(2) }
          }
        }
      }
    }
    let said = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(said.contains("The inspector cannot accept a connection") && said.contains("open files"), "\(said)")
    #expect(said.split(separator: "\n").count == 1, "\(said)")
  }
}
