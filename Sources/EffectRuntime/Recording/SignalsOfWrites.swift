// This source file is part of swift-effects. License: Apache-2.0.

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

#if !canImport(Darwin)
  /// The signals by which the system ends a process that writes where it cannot: `SIGPIPE` for a pipe that has no reader,
  /// `SIGXFSZ` for a file that has reached the limit of its size.
  ///
  /// A library must not change what a signal does to its process. So these are blocked in the thread that writes, for the
  /// time of the write; both are sent to that very thread, and the one that the write has caused is taken back.
  enum SignalsOfWrites {
    /// Calls a closure that writes, and answers with its error; no signal comes of it.
    static func withheld(_ write: () -> Int32?) -> Int32? {
      var (set, former, before) = (sigset_t(), sigset_t(), sigset_t())
      unsafe sigemptyset(&set)
      unsafe sigaddset(&set, SIGPIPE)
      unsafe sigaddset(&set, SIGXFSZ)
      unsafe pthread_sigmask(SIG_BLOCK, &set, &former)
      // One that waited before is not of this write, and stays.
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

    /// Takes back the signal that goes with an error. None waits if the process ignores it.
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
