// This source file is part of swift-effects. License: Apache-2.0.

/// Differs for two children of which one has replaced the other, and for children of two stores.
struct ChildLifetime: Hashable {
  /// The number of the store among all of the process.
  let store: UInt64
  /// How often the child was seen to exist again.
  let returns: Int
  /// Its id, if it has one.
  let identity: ChildIdentity
}
