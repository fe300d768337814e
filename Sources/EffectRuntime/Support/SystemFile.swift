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

/// An open file of a recording, and the calls of the system for it. On Windows and WASI each call fails.
///
/// The code that opens it closes it, once.
struct SystemFile: Sendable {
  /// What a file is opened for. Child processes do not inherit it.
  enum Purpose {
    /// A file or a folder that exists.
    case reading
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
    init(_ path: String, replacing other: String) throws(SystemError) { throw Self.unsupported }
    func close() {}
    func claim() throws(SystemError) { throw Self.unsupported }
    func endClaim() {}
    func isStill(at path: String) -> Bool { false }
    func duplicate() throws(SystemError) -> SystemFile { throw Self.unsupported }
    func sync() throws(SystemError) { throw Self.unsupported }
    func syncFolder() throws(SystemError) { throw Self.unsupported }
    func write(_ bytes: [UInt8]) throws(SystemError) { throw Self.unsupported }
    func read(into page: inout [UInt8]) throws(SystemError) -> Int { throw Self.unsupported }
    static func rename(_ path: String, to other: String) throws(SystemError) { throw unsupported }
    static func resolve(_ path: String) throws(SystemError) -> String { throw unsupported }
    static func refuseDevice(_ path: String) throws(SystemError) { throw unsupported }
  }
#else
  extension SystemError {
    /// The error of the call that has just failed.
    fileprivate static var ofLastCall: SystemError { SystemError(code: errno) }
    /// Not an error of the system, so it has a number that the system does not use.
    fileprivate static let noRegularFile = SystemError(code: -1)

    /// The system's text.
    var reason: String {
      if code == Self.noRegularFile.code { return "it is a device, a pipe or a folder" }
      // Not `strerror`, whose text another thread may overwrite.
      var text = [CChar](repeating: 0, count: 256)
      // SAFETY: at most `text.count` bytes are written.
      return unsafe strerror_r(code, &text, text.count) == 0 ? String(upToZeroOf: text) : "error \(code)"
    }
    /// There is no such file.
    var isMissing: Bool { code == ENOENT }
    /// This user has not the right to do that.
    fileprivate var isRefused: Bool { code == EACCES || code == EPERM }
    /// Another process, or another part of this one, has claimed the file.
    var isClaimed: Bool { code == EWOULDBLOCK }
  }

  extension SystemFile {
    /// Opens a file. Does not wait for the other end of a pipe.
    init(_ path: String, for purpose: Purpose) throws(SystemError) {
      let flags = O_CLOEXEC | O_NONBLOCK
      // SAFETY, for all three: the path is passed as a string that ends with a zero, and is valid during the call.
      switch purpose {
      case .reading:
        descriptor = unsafe open(path, flags | O_RDONLY)
        guard descriptor >= 0 else { throw .ofLastCall }
      case .claiming:
        var file = unsafe open(path, flags | O_RDWR | O_CREAT, 0o644)
        let error = SystemError.ofLastCall
        // Another user may have made it. To claim it, most file systems need only the right to read it.
        if file < 0, error.isRefused { file = unsafe open(path, flags | O_RDONLY) }
        guard file >= 0 else { throw error }
        descriptor = file
      }
    }

    /// Makes a file that is going to be renamed to another path, and opens it for appending.
    ///
    /// It gets the permissions of the file at that path, and its owner and group if the system allows that. A file that is
    /// in the way is removed: a process that has ended may have left it.
    init(_ path: String, replacing other: String) throws(SystemError) {
      let former = Self.status(of: other)
      if former == nil, !SystemError.ofLastCall.isMissing { throw .ofLastCall }
      if !PlatformFile.remove(path) {
        let error = SystemError.ofLastCall
        if !error.isMissing { throw error }
      }
      // No other user may open it before it has its permissions.
      let mode: mode_t = former == nil ? 0o644 : 0o600
      descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, mode)
      guard descriptor >= 0 else { throw .ofLastCall }
      guard let former else { return }
      // Two calls, because a process that must not change the owner may be allowed to change the group.
      _ = fchown(descriptor, uid_t.max, former.st_gid)
      _ = fchown(descriptor, former.st_uid, gid_t.max)
      guard fchmod(descriptor, former.st_mode & 0o7777) == 0 else {
        let error = SystemError.ofLastCall
        close()
        throw error
      }
    }

    func close() { libraryClose(descriptor) }

    /// Claims the file until ``endClaim()``. Does not wait: throws an error that `isClaimed` if the file is claimed already.
    func claim() throws(SystemError) {
      guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { throw .ofLastCall }
    }

    /// Ends the claim at once. Call it before ``close()``.
    ///
    /// ``close()`` alone is not enough. When another thread starts a process, that process has copies of all descriptors
    /// until it runs its program, and the system keeps the claim as long as there is a copy.
    func endClaim() { _ = flock(descriptor, LOCK_UN) }

    /// Whether the file is there under this name; `false` if it was removed, renamed or replaced.
    func isStill(at path: String) -> Bool {
      guard let other = Self.status(of: path) else {
        // A process may lose the right to look at the path, and keeps the right to write to the open file.
        return !SystemError.ofLastCall.isMissing
      }
      var own = stat()
      // SAFETY: `fstat` fills the variable, and does not keep its address.
      guard unsafe fstat(descriptor, &own) == 0 else { return false }
      return own.st_ino == other.st_ino && own.st_dev == other.st_dev
    }

    /// A second descriptor of the same open file. Close it as well.
    func duplicate() throws(SystemError) -> SystemFile {
      let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
      guard copy >= 0 else { throw .ofLastCall }
      return SystemFile(descriptor: copy)
    }

    /// Returns when what was written before is on the disk.
    func sync() throws(SystemError) {
      #if canImport(Darwin)
        // There `fsync` leaves the data in the cache of the drive. Some file systems support only `fsync`.
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

    /// Returns when the names of the files in this folder are on the disk. No error if the file system cannot do this.
    func syncFolder() throws(SystemError) {
      do throws(SystemError) { try sync() } catch {
        if error.code != EINVAL { throw error }
      }
    }

    /// Writes all bytes, with as many calls of the system as that needs.
    ///
    /// - Throws: the error of the system. By default the system ends the process by a signal if the file has reached its size
    ///   limit. This throws then, except on Darwin.
    func write(_ bytes: [UInt8]) throws(SystemError) {
      #if canImport(Darwin)
        let error = writeAll(bytes)
      #else
        let error = SignalOfFullFile.withheld { writeAll(bytes) }
      #endif
      if let error { throw SystemError(code: error) }
    }

    private func writeAll(_ bytes: [UInt8]) -> Int32? {
      var rest = bytes[...]
      while !rest.isEmpty {
        // SAFETY: the bytes are valid during the closure, and the call does not keep their address.
        let written = unsafe rest.withUnsafeBytes { unsafe libraryWrite(descriptor, $0.baseAddress, $0.count) }
        if written < 0, errno == EINTR { continue }
        // A device may take nothing and report no error. Without this check the loop would not end.
        guard written != 0 else { return EIO }
        guard written > 0 else { return errno }
        rest = rest.dropFirst(written)
      }
      return nil
    }

    /// Reads the next bytes into a page that is not empty. Returns their number; 0 at the end of the file.
    func read(into page: inout [UInt8]) throws(SystemError) -> Int {
      while true {
        // SAFETY: at most as many bytes are written as the page has.
        let count = unsafe page.withUnsafeMutableBytes { unsafe libraryRead(descriptor, $0.baseAddress, $0.count) }
        if count >= 0 { return count }
        if errno != EINTR { throw .ofLastCall }
      }
    }

    /// Gives a file another name, and removes the file that had that name.
    static func rename(_ path: String, to other: String) throws(SystemError) {
      guard libraryRename(path, other) == 0 else { throw .ofLastCall }
    }

    /// The absolute path of a file, without symbolic links. The file need not exist, but its folder must.
    static func resolve(_ path: String) throws(SystemError) -> String {
      var resolved = [CChar](repeating: 0, count: Int(PATH_MAX))
      // SAFETY: at most `PATH_MAX` bytes are written. The path ends with a zero, and its address is not kept.
      if unsafe realpath(path, &resolved) != nil { return String(upToZeroOf: resolved) }
      let error = SystemError.ofLastCall
      let start = path.utf8.lastIndex(of: UInt8(ascii: "/")).map(path.utf8.index(after:)) ?? path.startIndex
      guard error.isMissing, start < path.endIndex else { throw error }
      // A folder that is missing fails here, because this path ends with a slash.
      let folder = try resolve(start == path.startIndex ? "./" : String(path[..<start]))
      let begin = folder == "/" ? folder : "\(folder)/"
      let file = "\(begin)\(path[start...])"
      guard let target = target(ofLink: file) else { return file }
      return try resolve(target.hasPrefix("/") ? target : "\(begin)\(target)")
    }

    /// Throws if there is something at this path that a file must not replace. No error if there is nothing.
    static func refuseDevice(_ path: String) throws(SystemError) {
      if let status = status(of: path), status.st_mode & S_IFMT != S_IFREG { throw .noRegularFile }
    }

    /// What the system knows of the file at a path; `nil` if there is none, or it cannot be seen.
    private static func status(of path: String) -> stat? {
      var status = stat()
      // SAFETY: the path ends with a zero, and its address is not kept. `stat` fills the variable.
      return unsafe stat(path, &status) == 0 ? status : nil
    }

    /// What a symbolic link contains; `nil` if there is no link at this path.
    private static func target(ofLink path: String) -> String? {
      var text = [CChar](repeating: 0, count: Int(PATH_MAX))
      // SAFETY: at most `text.count` bytes are written. The path ends with a zero, and its address is not kept.
      let count = unsafe readlink(path, &text, text.count)
      return count < 0 ? nil : String(upToZeroOf: text.prefix(count))
    }
  }

  extension String {
    /// The text of bytes of C, up to the first zero.
    fileprivate init(upToZeroOf bytes: some Sequence<CChar>) {
      self.init(decoding: bytes.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
  }

  #if !canImport(Darwin)
    /// The signal by which the system ends a process that writes to a file which has reached its size limit, `SIGXFSZ`.
    ///
    /// A library must not change what a signal does to its process. So the signal is blocked in the writing thread during the
    /// write. The system sends it to that thread. The signal that the write has caused is removed.
    private enum SignalOfFullFile {
      /// Calls a closure that writes, and returns its error. The write causes no signal.
      static func withheld(_ write: () -> Int32?) -> Int32? {
        var (set, former) = (onlyThis, sigset_t())
        // SAFETY: both sets are initialized. The mask is set back below, on the same thread.
        unsafe pthread_sigmask(SIG_BLOCK, &set, &former)
        // A signal that was pending before does not belong to this write, and is kept.
        let wasPending = isPending
        let error = write()
        if error == EFBIG, !wasPending { take() }
        // SAFETY: `former` is the mask of this thread before the write.
        unsafe pthread_sigmask(SIG_SETMASK, &former, nil)
        return error
      }

      /// Removes the signal. None is pending if the process ignores it.
      private static func take() {
        guard isPending else { return }
        var (set, taken) = (onlyThis, Int32(0))
        // SAFETY: both variables are initialized, and the call does not keep their addresses.
        unsafe sigwait(&set, &taken)
      }

      private static var isPending: Bool {
        var pending = sigset_t()
        // SAFETY: the call fills the set, and does not keep its address.
        return unsafe sigpending(&pending) == 0 && sigismember(&pending, SIGXFSZ) == 1
      }

      private static var onlyThis: sigset_t {
        var set = sigset_t()
        // SAFETY: `sigemptyset` initializes the set, and the calls do not keep its address.
        unsafe sigemptyset(&set)
        unsafe sigaddset(&set, SIGXFSZ)
        return set
      }
    }
  #endif
#endif
