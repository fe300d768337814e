// This source file is part of swift-effects. License: Apache-2.0.

/// Differs for two children of which one has replaced the other, and for children of two stores.
struct ChildLifetime: Hashable {
  /// The number of the store among all of the process.
  let store: UInt64
  let returns: Int
  let identity: ChildIdentity
}
