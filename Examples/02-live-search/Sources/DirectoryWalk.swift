// This source file is part of swift-effects. License: Apache-2.0.

#if canImport(Darwin)
  import Darwin
  private typealias DirectoryStream = UnsafeMutablePointer<DIR>
#else
  #if canImport(Musl)
    import Musl
  #else
    import Glibc
  #endif
  private typealias DirectoryStream = OpaquePointer
#endif

/// Goes through the files below a directory, one at a time, in the order in which the file system lists them.
///
/// It holds the open directories of the current path, and no list of names: a directory of a million files takes no
/// more memory than one of ten. It leaves out names that begin with a dot, symbolic links (so there are no loops), and
/// everything that is neither file nor directory: opening a pipe or a device could block or have an effect.
final class DirectoryWalk {
  enum Step {
    case file(OpenFile)
    /// Something could not be read; the walk goes on after it.
    case skipped(PosixError)
    /// An entry that holds no text of its own: a directory, a link, a hidden file.
    case passed
  }

  /// The open directories of the current path.
  private var levels: [OpenDirectory] = []
  private let excluded: FileIdentity?

  /// Opens the first directory, which may be a symbolic link.
  init(_ path: String, except excluded: FileIdentity? = nil) throws {
    self.excluded = excluded
    let descriptor = unsafe open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw PosixError(path) }
    levels.append(try OpenDirectory(descriptor, path))
  }

  /// Takes one entry; `nil` when all have been seen.
  func next() -> Step? {
    guard let directory = levels.last else { return nil }
    do {
      return try next(in: directory).map(Step.file) ?? .passed
    } catch {
      return .skipped(error)
    }
  }

  /// Goes down into a directory, opens a file, or skips everything else.
  private func next(in directory: OpenDirectory) throws(PosixError) -> OpenFile? {
    errno = 0
    guard let entry = unsafe readdir(directory.stream) else {
      let code = errno
      levels.removeLast()
      if code != 0 { throw PosixError(directory.path, code: code) }
      return nil
    }
    // The name is used as bytes: it need not be valid text.
    let nameOffset = MemoryLayout<dirent>.offset(of: \.d_name) ?? 0
    let name = unsafe (UnsafeRawPointer(entry) + nameOffset).assumingMemoryBound(to: CChar.self)
    if unsafe name.pointee == CChar(UInt8(ascii: ".")) { return nil }
    let path = unsafe directory.prefix + String(cString: name)

    let parent = unsafe dirfd(directory.stream)
    var status = stat()
    guard unsafe fstatat(parent, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else { throw PosixError(path) }
    let kind = status.st_mode & S_IFMT
    guard kind == S_IFREG || kind == S_IFDIR, FileIdentity(status) != excluded else { return nil }
    // If a link or a pipe replaces it at this moment: do not follow the link, do not wait for the pipe.
    let descriptor = unsafe openat(parent, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { throw PosixError(path) }
    if kind == S_IFREG { return OpenFile(descriptor: descriptor, path: path) }
    levels.append(try OpenDirectory(descriptor, path))
    return nil
  }
}

/// A directory that is open for reading, until its last reference is released.
@safe private final class OpenDirectory {
  let stream: DirectoryStream
  let path: String

  /// The prefix of the paths of its entries; empty if it is the current directory.
  var prefix: String { path == "." ? "" : path.hasSuffix("/") ? path : "\(path)/" }

  /// Takes over the descriptor, also if the initializer fails.
  init(_ descriptor: Int32, _ path: String) throws(PosixError) {
    guard let stream = unsafe fdopendir(descriptor) else {
      let error = PosixError(path)
      close(descriptor)
      throw error
    }
    unsafe self.stream = stream
    self.path = path
  }

  deinit { unsafe closedir(stream) }
}
