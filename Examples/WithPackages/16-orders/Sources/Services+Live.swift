// This source file is part of swift-effects. License: Apache-2.0.

extension Services {
  /// A server and a file. The file is what is called outside of the database.
  static func live(
    folder: String, worker: String, calls: String, lease: Duration, outages: Outages = Outages { _ in }
  ) throws -> Services {
    let taking = Connection(folder: folder, outages: outages)
    let finishing = (0..<4).map { _ in Connection(folder: folder, outages: outages) }
    let outside = try CallLog(path: calls)
    return Services(
      take: { try await Database.take($0, worker, lease, taking) },
      renew: { try await Database.renew($0, lease, taking) },
      call: { try outside.call(key: $0, from: worker) },
      finish: { try await Database.finish($0, worker, finishing[$0.id % finishing.count]) },
      park: { try await Database.park($0, $1, finishing[$0.id % finishing.count]) },
      news: {
        let listening = Connection(folder: folder, outages: outages)
        try await Database.check(listening)
        return try await listening.notifications(of: "orders")
      })
  }
}
