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

/// An open file of a recording or a journal, and the calls of the system for it. On Windows and WASI each call fails.
///
/// The code that opens it closes it, once.
struct SystemFile: Sendable {
  /// What a file is opened for. Child processes do not inherit it.
  enum Purpose {
    /// A file or a folder that exists.
    case reading
    /// A new file, or one that is emptied. Each write is appended.
    case appending
    /// A file that is made if there is none. Nothing is written to it.
    case claiming
  }

  private let descriptor: Int32
}

/// Why a call of the system has failed.
struct SystemError: Error {
  fileprivate let code: Int32
}

#if os(Windows) || os(WASI)
  extension SystemError {
    var reason: String { "files are not supported on this platform" }
    /// There is no such file.
    var isMissing: Bool { false }
    /// Another process, or another part of this one, has claimed the file.
    var isClaimed: Bool { false }
  }

  extension SystemFile {
    private static let unsupported = SystemError(code: 0)

    init(_ path: String, for purpose: Purpose) throws(SystemError) { throw Self.unsupported }
    func close() {}
    func claim() throws(SystemError) { throw Self.unsupported }
    func duplicate() throws(SystemError) -> SystemFile { throw Self.unsupported }
    func sync() throws(SystemError) { throw Self.unsupported }
    func syncFolder() throws(SystemError) { throw Self.unsupported }
    func write(_ bytes: [UInt8]) throws(SystemError) { throw Self.unsupported }
    func read(into page: inout [UInt8]) throws(SystemError) -> Int { throw Self.unsupported }
    static func rename(_ path: String, to other: String) throws(SystemError) { throw unsupported }
    static func currentFolder() throws(SystemError) -> String { throw unsupported }
  }
#else
  extension SystemError {
    /// The error of the call that has just failed.
    fileprivate static var ofLastCall: SystemError { SystemError(code: errno) }

    /// The system's text.
    var reason: String {
      // Not `strerror`, whose text another thread may overwrite.
      var text = [CChar](repeating: 0, count: 256)
      return unsafe strerror_r(code, &text, text.count) == 0
        ? String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self) : "error \(code)"
    }
    /// There is no such file.
    var isMissing: Bool { code == ENOENT }
    /// Another process, or another part of this one, has claimed the file.
    var isClaimed: Bool { code == EWOULDBLOCK }
  }

  extension SystemFile {
    init(_ path: String, for purpose: Purpose) throws(SystemError) {
      let flags =
        switch purpose {
        case .reading: O_RDONLY
        case .appending: O_WRONLY | O_CREAT | O_TRUNC | O_APPEND
        case .claiming: O_RDWR | O_CREAT
        }
      descriptor = unsafe open(path, flags | O_CLOEXEC, 0o644)
      guard descriptor >= 0 else { throw .ofLastCall }
      #if canImport(Darwin)
        if case .appending = purpose { _ = fcntl(descriptor, F_SETNOSIGPIPE, 1) }
      #endif
    }

    func close() { libraryClose(descriptor) }

    /// Claims the file until it is closed. Does not wait.
    func claim() throws(SystemError) {
      guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { throw .ofLastCall }
    }

    /// The same file, to be closed separately.
    func duplicate() throws(SystemError) -> SystemFile {
      let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
      guard copy >= 0 else { throw .ofLastCall }
      return SystemFile(descriptor: copy)
    }

    /// Returns when what was written before is on the disk.
    func sync() throws(SystemError) {
      #if canImport(Darwin)
        // `fsync` leaves the data in the cache of the drive there; some file systems know only `fsync`.
        while true {
          if fcntl(descriptor, F_FULLFSYNC) == 0 { return }
          if errno != EINTR { break }
        }
      #endif
      while fsync(descriptor) != 0 {
        let error = SystemError.ofLastCall
        if error.code != EINTR { throw error }
      }
    }

    /// The same for the names in a folder. Some file systems cannot do this, and that is no error.
    func syncFolder() throws(SystemError) {
      do throws(SystemError) { try sync() } catch {
        if error.code != EINVAL { throw error }
      }
    }

    /// Writes all bytes, however many calls of the system that takes.
    ///
    /// - Throws: also where the system would end the process by a signal: for a pipe that has no reader, and, except on
    ///   Darwin, for a file that has reached its size limit.
    func write(_ bytes: [UInt8]) throws(SystemError) {
      #if canImport(Darwin)
        let error = writeAll(bytes)
      #else
        let error = SignalsOfWrites.withheld { writeAll(bytes) }
      #endif
      if let error { throw SystemError(code: error) }
    }

    private func writeAll(_ bytes: [UInt8]) -> Int32? {
      var rest = bytes[...]
      while !rest.isEmpty {
        let written = unsafe rest.withUnsafeBytes { unsafe libraryWrite(descriptor, $0.baseAddress, $0.count) }
        if written < 0, errno == EINTR { continue }
        // Otherwise a device that takes nothing and reports no error would be written to for ever.
        guard written != 0 else { return EIO }
        guard written > 0 else { return errno }
        rest = rest.dropFirst(written)
      }
      return nil
    }

    /// Reads the next bytes into a page that is not empty. Returns how many; 0 at the end.
    func read(into page: inout [UInt8]) throws(SystemError) -> Int {
      while true {
        let count = unsafe page.withUnsafeMutableBytes { unsafe libraryRead(descriptor, $0.baseAddress, $0.count) }
        if count >= 0 { return count }
        if errno != EINTR { throw .ofLastCall }
      }
    }

    /// Gives a file another name, and removes the file that had that name.
    static func rename(_ path: String, to other: String) throws(SystemError) {
      guard libraryRename(path, other) == 0 else { throw .ofLastCall }
    }

    static func currentFolder() throws(SystemError) -> String {
      guard let folder = unsafe getcwd(nil, 0) else { throw .ofLastCall }
      defer { unsafe free(folder) }
      return unsafe String(cString: folder)
    }
  }

  #if !canImport(Darwin)
    /// The signals with which the system ends a process that writes where it cannot: `SIGPIPE` for a pipe that has no
    /// reader, `SIGXFSZ` for a file that has reached its size limit.
    ///
    /// A library must not change what a signal does to its process. So these signals are blocked in the writing thread
    /// during the write. Both are sent to that thread, and the one that the write has caused is removed.
    private enum SignalsOfWrites {
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
#endif
