// This source file is part of swift-effects. License: Apache-2.0.

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

#if !canImport(Darwin)
  /// The signals with which the system ends a process that writes where it cannot: `SIGPIPE` for a pipe that has no
  /// reader, `SIGXFSZ` for a file that has reached its size limit.
  ///
  /// A library must not change what a signal does to its process. So these signals are blocked in the writing thread
  /// during the write. Both are sent to that thread, and the one that the write has caused is removed.
  enum SignalsOfWrites {
    /// Calls a closure that writes, and returns its error; it causes no signal.
    static func withheld(_ write: () -> Int32?) -> Int32? {
      var (set, former) = (set(of: [SIGPIPE, SIGXFSZ]), sigset_t())
      unsafe pthread_sigmask(SIG_BLOCK, &set, &former)
      // A signal that was pending before does not belong to this write, and is kept.
      let wasPending = (pipe: isPending(SIGPIPE), file: isPending(SIGXFSZ))
      let error = write()
      if error == EPIPE, !wasPending.pipe { take(SIGPIPE) }
      if error == EFBIG, !wasPending.file { take(SIGXFSZ) }
      unsafe pthread_sigmask(SIG_SETMASK, &former, nil)
      return error
    }

    /// Removes the signal that goes with an error. None is pending if the process ignores it.
    private static func take(_ number: Int32) {
      guard isPending(number) else { return }
      var (set, taken) = (set(of: [number]), Int32(0))
      unsafe sigwait(&set, &taken)
    }

    private static func isPending(_ number: Int32) -> Bool {
      var pending = sigset_t()
      return unsafe sigpending(&pending) == 0 && sigismember(&pending, number) == 1
    }

    private static func set(of numbers: [Int32]) -> sigset_t {
      var set = sigset_t()
      unsafe sigemptyset(&set)
      for number in numbers { unsafe sigaddset(&set, number) }
      return set
    }
  }
#endif
