// This source file is part of swift-effects. License: Apache-2.0.

// The lock of the standard library, except with a C library of Linux, where its mutex is slower, and under the thread
// sanitizer, which does not understand it.
#if !TSAN && !canImport(Glibc) && !canImport(Musl)
  public import Synchronization

  /// A lock around a value, for a few lines at a time: no user code and no continuation runs while it is held.
  @usableFromInline
  package struct Lock<Value>: ~Copyable, Sendable {
    @usableFromInline let mutex: Mutex<Value>

    package init(_ value: consuming sending Value) {
      mutex = Mutex(value)
    }

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

  /// A lock around a value, for a few lines at a time: no user code and no continuation runs while it is held.
  // SAFETY: `value` is touched only between lock and unlock; neither it nor the pthread mutex ever moves.
  @safe @usableFromInline
  package struct Lock<Value>: ~Copyable, @unchecked Sendable {
    @safe @usableFromInline
    struct Storage {
      @usableFromInline var mutex = unsafe pthread_mutex_t()
      @usableFromInline var value: Value

      init(_ value: consuming Value) {
        self.value = value
      }
    }

    @usableFromInline let storage: UnsafeMutablePointer<Storage>

    package init(_ value: consuming sending Value) {
      unsafe storage = .allocate(capacity: 1)
      unsafe storage.initialize(to: Storage(value))
      var attributes = pthread_mutexattr_t()
      unsafe pthread_mutexattr_init(&attributes)
      #if canImport(Glibc)
        // Only on this platform: the mutex spins for a moment before it sleeps.
        unsafe pthread_mutexattr_settype(&attributes, Int32(PTHREAD_MUTEX_ADAPTIVE_NP))
      #endif
      unsafe pthread_mutex_init(&storage.pointee.mutex, &attributes)
      unsafe pthread_mutexattr_destroy(&attributes)
    }

    deinit {
      unsafe pthread_mutex_destroy(&storage.pointee.mutex)
      unsafe storage.deinitialize(count: 1)
      unsafe storage.deallocate()
    }

    @inlinable
    package borrowing func withLock<Result, Failure: Error>(
      _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
      unsafe pthread_mutex_lock(&storage.pointee.mutex)
      defer { unsafe pthread_mutex_unlock(&storage.pointee.mutex) }
      return try unsafe body(&storage.pointee.value)
    }
  }
#endif
