// This source file is part of swift-effects. License: Apache-2.0.

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Android)
  internal import Android
#endif

/// A pointer of which each thread has its own; it does not keep what it points to.
package struct ThreadValue: Sendable {
  #if os(Windows) || os(WASI)
    /// Always `nil`: this is not supported on this platform.
    package init?() { nil }

    /// Always `nil`.
    package var pointer: UnsafeRawPointer? {
      get { nil }
      nonmutating set {}
    }
  #else
    private let key: pthread_key_t

    /// Makes a key of the system. It is never deleted, so make it once for a process.
    ///
    /// - Returns: `nil` if the process has too many keys.
    package init?() {
      var key = pthread_key_t()
      // SAFETY: the call writes one key to the variable, and does not keep its address.
      guard unsafe pthread_key_create(&key, nil) == 0 else { return nil }
      self.key = key
    }

    /// The pointer of the current thread; `nil` until this thread has set it.
    package var pointer: UnsafeRawPointer? {
      // SAFETY: the key was made by `init` and is never deleted. The pointer is not read here.
      get { unsafe pthread_getspecific(key).map { UnsafeRawPointer($0) } }
      nonmutating set { _ = unsafe pthread_setspecific(key, newValue) }
    }
  #endif
}
