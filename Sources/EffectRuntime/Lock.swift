// This source file is part of swift-effects. License: Apache-2.0.

#if TSAN || os(Linux)
  #if canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #elseif canImport(Darwin)
    import Darwin
  #endif

  /// A lock around a value, for a few lines at a time: no user code and no continuation runs while it is held.
  ///
  /// On Linux for two reasons. A contended `Mutex` is handed from sleeper to sleeper by the kernel, a context switch for
  /// each action: eight threads with 100,000 sends each took 32 s in a debug build on two cores, with this 1.8 s. And
  /// the thread sanitizer does not know `Mutex` and reports races that are none.
  // SAFETY: `value` is touched only between lock and unlock; the pthread mutex never moves.
  @safe package final class Lock<Value>: @unchecked Sendable {
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private var value: Value

    package init(_ value: sending Value) {
      self.value = value
      unsafe mutex = .allocate(capacity: 1)
      unsafe mutex.initialize(to: pthread_mutex_t())
      unsafe pthread_mutex_init(mutex, nil)
    }

    deinit {
      unsafe pthread_mutex_destroy(mutex)
      unsafe mutex.deallocate()
    }

    package func withLock<Result, Failure: Error>(
      _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
      unsafe pthread_mutex_lock(mutex)
      defer { unsafe pthread_mutex_unlock(mutex) }
      return try body(&value)
    }
  }
#else
  import Synchronization

  /// A lock around a value, for a few lines at a time: no user code and no continuation runs while it is held.
  // SAFETY: `value` is touched only inside `withLock`, and only while the mutex is held.
  package struct Lock<Value>: ~Copyable, @unchecked Sendable {
    private let mutex: Mutex<Value>

    package init(_ value: consuming sending Value) {
      mutex = Mutex(value)
    }

    package borrowing func withLock<Result, Failure: Error>(
      _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
      try mutex.withLock(body)
    }
  }
#endif
