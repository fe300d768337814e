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

/// Threads of the system, for code that must stop in the middle of a synchronous function.
package enum PlatformThread {
  /// Starts a thread that executes a closure and then ends.
  ///
  /// - Parameter body: called on the new thread, once. The thread keeps it until it has returned.
  /// - Returns: whether the thread was started. Always `false` on Windows and WASI.
  package static func start(_ body: @escaping @Sendable () -> Void) -> Bool {
    #if os(Windows) || os(WASI)
      return false
    #else
      var attributes = pthread_attr_t()
      // SAFETY: the attributes are initialized here, used for one call, and destroyed.
      guard unsafe pthread_attr_init(&attributes) == 0 else { return false }
      defer { unsafe pthread_attr_destroy(&attributes) }
      _ = unsafe pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
      // The default of secondary threads on Apple platforms is half a megabyte, which is little for user code. Memory is used
      // only where the stack is.
      _ = unsafe pthread_attr_setstacksize(&attributes, 4 << 20)
      // SAFETY: the object is retained for the thread, which releases it.
      let start = unsafe Unmanaged.passRetained(Start(body)).toOpaque()
      #if canImport(Darwin)
        var thread: pthread_t?
        let result = unsafe pthread_create(&thread, &attributes, { unsafe PlatformThread.run($0) }, start)
      #else
        var thread = pthread_t()
        let result = unsafe pthread_create(&thread, &attributes, { unsafe PlatformThread.run($0) }, start)
      #endif
      if result != 0 { unsafe Unmanaged<Start>.fromOpaque(start).release() }
      return result == 0
    #endif
  }

  #if !os(Windows) && !os(WASI)
    private final class Start {
      let body: @Sendable () -> Void

      init(_ body: @escaping @Sendable () -> Void) {
        self.body = body
      }
    }

    /// The first function of each thread.
    private static func run(_ start: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
      guard let start = unsafe start else { return nil }
      // SAFETY: `start` has retained the object for this call.
      unsafe Unmanaged<Start>.fromOpaque(start).takeRetainedValue().body()
      return nil
    }
  #endif
}

/// A signal that one thread gives and another one waits for. A signal that is given first is not lost.
///
/// What a thread has written before it gives the signal is visible to the thread that has received it.
@safe
// SAFETY: the flag is accessed only between lock and unlock. The mutex and the condition have one address from `init` to
// `deinit`.
package final class PlatformSignal: @unchecked Sendable {
  #if os(Windows) || os(WASI)
    /// There are no threads to wait for.
    package init() {}
    /// Does nothing.
    package func give() {}
    /// Does nothing.
    package func wait() {}
    /// Does nothing.
    package func wait(seconds: Int) -> Bool { true }
  #else
    // SAFETY: `init` of the signal initializes both before any use.
    @safe
    private struct Parts {
      var mutex = unsafe pthread_mutex_t()
      var condition = pthread_cond_t()
      var isGiven = false
    }

    private let parts: UnsafeMutablePointer<Parts>

    /// Makes a signal that is not given.
    package init() {
      // SAFETY: the memory is initialized before the mutex and the condition in it are.
      unsafe parts = .allocate(capacity: 1)
      unsafe parts.initialize(to: Parts())
      unsafe pthread_mutex_init(&parts.pointee.mutex, nil)
      unsafe pthread_cond_init(&parts.pointee.condition, nil)
    }

    deinit {
      // SAFETY: no other code can use the signal any more.
      unsafe pthread_cond_destroy(&parts.pointee.condition)
      unsafe pthread_mutex_destroy(&parts.pointee.mutex)
      unsafe parts.deinitialize(count: 1)
      unsafe parts.deallocate()
    }

    /// Gives the signal. If it is given already, nothing changes.
    package func give() {
      // SAFETY: both are initialized until `deinit`.
      unsafe pthread_mutex_lock(&parts.pointee.mutex)
      unsafe parts.pointee.isGiven = true
      unsafe pthread_cond_signal(&parts.pointee.condition)
      unsafe pthread_mutex_unlock(&parts.pointee.mutex)
    }

    /// As ``wait()``, but not longer than a number of seconds. Returns whether the signal was given.
    package func wait(seconds: Int) -> Bool {
      // The members of `timespec` belong to a module that not every build can import. Its seconds come first on all platforms.
      let end = UnsafeMutablePointer<timespec>.allocate(capacity: 1)
      defer { unsafe end.deallocate() }
      // SAFETY: the call initializes the memory, whose first member is changed then. It is used until the end of this function.
      unsafe clock_gettime(CLOCK_REALTIME, end)
      unsafe UnsafeMutableRawPointer(end).withMemoryRebound(to: time_t.self, capacity: 1) {
        unsafe $0.pointee += time_t(seconds)
      }
      // SAFETY: both are initialized until `deinit`.
      unsafe pthread_mutex_lock(&parts.pointee.mutex)
      defer { unsafe pthread_mutex_unlock(&parts.pointee.mutex) }
      while unsafe !parts.pointee.isGiven {
        guard unsafe pthread_cond_timedwait(&parts.pointee.condition, &parts.pointee.mutex, end) == 0 else { break }
      }
      defer { unsafe parts.pointee.isGiven = false }
      return unsafe parts.pointee.isGiven
    }

    /// Waits until the signal is given, and takes it back. Blocks the thread.
    package func wait() {
      // SAFETY: both are initialized until `deinit`.
      unsafe pthread_mutex_lock(&parts.pointee.mutex)
      while unsafe !parts.pointee.isGiven { unsafe pthread_cond_wait(&parts.pointee.condition, &parts.pointee.mutex) }
      unsafe parts.pointee.isGiven = false
      unsafe pthread_mutex_unlock(&parts.pointee.mutex)
    }
  #endif
}
