// This source file is part of swift-effects. License: Apache-2.0.

// `Lock` uses the mutex of the standard library, with two exceptions. With Glibc and Musl this mutex is slower. The thread
// sanitizer does not understand it.
#if !TSAN && !canImport(Glibc) && !canImport(Musl)
  public import Synchronization

  /// A lock around a value. Hold it for a few lines only: call no user code and resume no continuation meanwhile.
  @usableFromInline
  package struct Lock<Value>: ~Copyable, Sendable {
    @usableFromInline let mutex: Mutex<Value>

    /// Makes a lock that is not held.
    ///
    /// - Parameter value: the value to protect.
    package init(_ value: consuming sending Value) {
      mutex = Mutex(value)
    }

    /// Calls a closure with the value while the lock is held. Waits until other threads have released it.
    ///
    /// A thread that already holds the lock must not call this: it traps or waits for ever.
    ///
    /// - Parameter body: reads or changes the value.
    /// - Returns: what `body` returns.
    /// - Throws: what `body` throws. The lock is released, and changes made before stay.
    @inlinable
    package borrowing func withLock<Result, Failure: Error>(
      _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
      try mutex.withLock(body)
    }
  }
#else
  #if canImport(Glibc)
    public import Glibc
  #elseif canImport(Musl)
    public import Musl
  #elseif canImport(Darwin)
    public import Darwin
  #elseif canImport(Android)
    public import Android
  #endif

  /// A lock around a value. Hold it for a few lines only: call no user code and resume no continuation meanwhile.
  @safe @usableFromInline
  // SAFETY: apart from `init` and `deinit`, `value` is accessed only between lock and unlock. The value and the pthread
  // mutex have one address from `init` to `deinit`.
  package struct Lock<Value>: ~Copyable, @unchecked Sendable {
    // SAFETY: `mutex` is zeroed here, and `init` of the lock initializes it before any use.
    @safe @usableFromInline
    struct Storage {
      @usableFromInline var mutex = unsafe pthread_mutex_t()
      @usableFromInline var value: Value

      init(_ value: consuming Value) {
        self.value = value
      }
    }

    @usableFromInline let storage: UnsafeMutablePointer<Storage>

    /// Makes a lock that is not held.
    ///
    /// - Parameter value: the value to protect.
    package init(_ value: consuming sending Value) {
      // SAFETY: the memory is initialized before the mutex in it is. The attributes are not used after `destroy`.
      unsafe storage = .allocate(capacity: 1)
      unsafe storage.initialize(to: Storage(value))
      var attributes = pthread_mutexattr_t()
      unsafe pthread_mutexattr_init(&attributes)
      #if canImport(Glibc)
        // SAFETY: the attributes are initialized. Only on this platform: the mutex spins for a moment before it sleeps.
        unsafe pthread_mutexattr_settype(&attributes, Int32(PTHREAD_MUTEX_ADAPTIVE_NP))
      #endif
      // SAFETY: the memory of the mutex is allocated and not moved until `deinit`.
      unsafe pthread_mutex_init(&storage.pointee.mutex, &attributes)
      unsafe pthread_mutexattr_destroy(&attributes)
    }

    deinit {
      // SAFETY: no other code can use the lock any more, so it is not held.
      unsafe pthread_mutex_destroy(&storage.pointee.mutex)
      unsafe storage.deinitialize(count: 1)
      unsafe storage.deallocate()
    }

    /// Calls a closure with the value while the lock is held. Waits until other threads have released it.
    ///
    /// A thread that already holds the lock must not call this: it would wait for ever.
    ///
    /// - Parameter body: reads or changes the value.
    /// - Returns: what `body` returns.
    /// - Throws: what `body` throws. The lock is released, and changes made before stay.
    @inlinable
    package borrowing func withLock<Result, Failure: Error>(
      _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
      // SAFETY: `storage` is initialized until `deinit`, and the value is accessed between lock and unlock.
      unsafe pthread_mutex_lock(&storage.pointee.mutex)
      defer { unsafe pthread_mutex_unlock(&storage.pointee.mutex) }
      return try unsafe body(&storage.pointee.value)
    }
  }
#endif
