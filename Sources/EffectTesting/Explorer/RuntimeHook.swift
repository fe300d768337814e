// This source file is part of swift-effects. License: Apache-2.0.

internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// One of the Swift runtime's variables for a function that it calls instead of its own.
///
/// There is one of each in a process. A function that was set before is kept, so that the new one can call it.
@safe
// SAFETY: `variable` is set once; what it points to has the process's life and is read and written as a whole.
final class RuntimeHook: @unchecked Sendable {
  private let variable: UnsafeMutablePointer<Atomic<UInt>>?
  private let formerFunction = Atomic<UInt>(0)

  init(_ symbol: String) {
    let address = unsafe dlsym(dlopen(nil, RTLD_LAZY), symbol)
    unsafe variable = address?.assumingMemoryBound(to: Atomic<UInt>.self)
  }

  /// The address of the function that was set before; 0 for none.
  var former: UInt { formerFunction.load(ordering: .acquiring) }

  /// Sets a function by its address. `false` where the runtime has no such variable.
  func set(_ address: UInt) -> Bool {
    guard let variable = unsafe variable else { return false }
    while true {
      let former = unsafe variable.pointee.load(ordering: .acquiring)
      formerFunction.store(former, ordering: .releasing)
      let (isDone, _) = unsafe variable.pointee.compareExchange(
        expected: former, desired: address, ordering: .acquiringAndReleasing)
      if isDone { return true }
    }
  }
}
