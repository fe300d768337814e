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
      var (set, former, before) = (sigset_t(), sigset_t(), sigset_t())
      unsafe sigemptyset(&set)
      unsafe sigaddset(&set, SIGPIPE)
      unsafe sigaddset(&set, SIGXFSZ)
      unsafe pthread_sigmask(SIG_BLOCK, &set, &former)
      // A signal that was pending before does not belong to this write, and is kept.
      unsafe sigpending(&before)
      let error = write()
      switch error {
      case EPIPE: if unsafe sigismember(&before, SIGPIPE) == 0 { take(SIGPIPE) }
      case EFBIG: if unsafe sigismember(&before, SIGXFSZ) == 0 { take(SIGXFSZ) }
      default: break
      }
      unsafe pthread_sigmask(SIG_SETMASK, &former, nil)
      return error
    }

    /// Removes the signal that goes with an error. None is pending if the process ignores it.
    private static func take(_ number: Int32) {
      var (set, pending, taken) = (sigset_t(), sigset_t(), Int32(0))
      unsafe sigpending(&pending)
      guard unsafe sigismember(&pending, number) == 1 else { return }
      unsafe sigemptyset(&set)
      unsafe sigaddset(&set, number)
      unsafe sigwait(&set, &taken)
    }
  }
#endif
