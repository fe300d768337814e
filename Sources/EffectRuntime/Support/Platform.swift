// This source file is part of swift-effects. License: Apache-2.0.

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Android)
  internal import Android
#elseif canImport(WASILibc)
  internal import WASILibc
#elseif os(Windows)
  internal import CRT
  internal import WinSDK
#endif

/// Calls of the system, for all platforms. `CONTRIBUTING.md` lists which branches have been compiled.
package enum Platform {
  /// The value of a variable of the environment.
  ///
  /// - Parameter name: the name of the variable.
  /// - Returns: the value; `nil` if the variable is not set, or empty.
  package static func environment(_ name: String) -> String? {
    // SAFETY: `getenv` returns `nil` or a string that ends with a zero. It is copied at once. The program must not change
    // its environment at the same time.
    unsafe getenv(name).map { unsafe String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
  }

  /// Writes a text to standard error, with one call of the system and no buffer.
  ///
  /// An error is ignored. `print` is not used, because it writes to standard output, which belongs to the program.
  ///
  /// - Parameter text: the text, with its line ends.
  package static func writeToStandardError(_ text: String) {
    let bytes = Array(text.utf8)
    // SAFETY: the bytes are valid during the closure, and the call does not keep their address.
    #if os(Windows)
      _ = unsafe bytes.withUnsafeBytes { unsafe _write(2, $0.baseAddress, UInt32($0.count)) }
    #else
      _ = unsafe bytes.withUnsafeBytes { unsafe write(STDERR_FILENO, $0.baseAddress, $0.count) }
    #endif
  }

  /// Whether standard error is a terminal, where a line can be rewritten.
  package static var isStandardErrorTerminal: Bool {
    #if os(Windows)
      _isatty(2) != 0
    #else
      isatty(STDERR_FILENO) != 0
    #endif
  }

  /// A number of the current thread, different for each thread that exists. Use it only for comparisons.
  package static var thread: UInt {
    #if os(Windows)
      UInt(GetCurrentThreadId())
    #elseif os(WASI)
      0  // There are no others.
    #elseif canImport(Glibc)
      UInt(pthread_self())
    #elseif canImport(Android)
      UInt(bitPattern: pthread_self())
    #else
      // SAFETY: `pthread_self` returns a pointer. Only its bits are used.
      unsafe UInt(bitPattern: pthread_self())
    #endif
  }

  /// The id of the process that the system has given to it.
  package static var process: Int32 {
    #if os(Windows)
      Int32(bitPattern: GetCurrentProcessId())
    #elseif os(WASI)
      1  // There are no others.
    #else
      getpid()
    #endif
  }

  /// The address of a symbol of the process.
  ///
  /// - Parameter name: the name of the symbol, as the linker writes it.
  /// - Returns: the address; `nil` if there is no such symbol. Always `nil` on Windows and WASI.
  package static func symbol(_ name: String) -> UnsafeMutableRawPointer? {
    #if os(Windows) || os(WASI)
      nil
    #else
      // SAFETY: the handle stands for the whole process and is never closed. The address is returned without being read.
      unsafe dlsym(dlopen(nil, RTLD_LAZY), name)
    #endif
  }
}

/// An open file of the system, for logs and saved failures of tests. On Windows no file can be opened.
///
/// The code that opens it closes it, once. A call after that may reach another file that was opened meanwhile.
package struct PlatformFile: Sendable {
  /// What a file is opened for: reading it, or writing it from its beginning.
  package enum Mode: Sendable { case reading, replacing }

  private let descriptor: Int32

  #if os(Windows)
    /// Always `nil`: files are not supported on this platform. The other functions do nothing.
    package init?(_ path: String, _ mode: Mode) { nil }
    /// Does nothing.
    package func close() {}
    /// Reads nothing.
    package func read(_ page: UnsafeMutableRawBufferPointer) -> Int { 0 }
    /// Writes nothing.
    package func write(_ bytes: [UInt8]) -> Bool { false }
    /// Writes nothing.
    package func write(_ bytes: [UInt8], at offset: Int64) {}
    /// Does nothing.
    package func truncate() {}
    /// Does nothing.
    package static func makeDirectory(_ path: String) {}
    /// Removes nothing.
    package static func remove(_ path: String) -> Bool { false }
    /// Renames nothing.
    package static func rename(_ path: String, to other: String) -> Bool { false }
  #else
    /// Opens a file.
    ///
    /// - Parameters:
    ///   - path: the path of the file.
    ///   - mode: what to open it for. With `replacing` the file is made if there is none, and emptied otherwise.
    /// - Returns: `nil` if the file cannot be opened.
    package init?(_ path: String, _ mode: Mode) {
      // SAFETY: the path is passed as a string that ends with a zero, and is valid during the call.
      switch mode {
      case .reading: descriptor = unsafe open(path, O_RDONLY)
      case .replacing: descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o666)
      }
      if descriptor < 0 { return nil }
    }

    /// Closes the file; call it once. An error is ignored.
    package func close() { _ = libraryClose(descriptor) }

    /// Reads the next bytes with one call of the system.
    ///
    /// - Parameter page: where to write the bytes. At most `page.count` are read.
    /// - Returns: how many bytes were read; 0 at the end of the file, -1 for an error.
    package func read(_ page: UnsafeMutableRawBufferPointer) -> Int {
      // SAFETY: the caller owns the page during the call. At most its size is written.
      unsafe libraryRead(descriptor, page.baseAddress, page.count)
    }

    /// Writes bytes with one call of the system.
    ///
    /// - Parameter bytes: the bytes to write at the present position.
    /// - Returns: `false` for an error, or if only a part was written.
    package func write(_ bytes: [UInt8]) -> Bool {
      // SAFETY: the bytes are valid during the closure, and the call does not keep their address.
      unsafe bytes.withUnsafeBytes { unsafe libraryWrite(descriptor, $0.baseAddress, $0.count) == $0.count }
    }

    /// Writes bytes at an offset, with one call of the system. An error is ignored.
    ///
    /// - Parameters:
    ///   - bytes: the bytes to write.
    ///   - offset: where in the file, in bytes from its beginning. The present position does not change.
    package func write(_ bytes: [UInt8], at offset: Int64) {
      // SAFETY: the bytes are valid during the closure, and the call does not keep their address.
      _ = unsafe bytes.withUnsafeBytes { unsafe pwrite(descriptor, $0.baseAddress, $0.count, off_t(offset)) }
    }

    /// Removes the content of the file. An error is ignored. The present position does not change.
    package func truncate() { _ = ftruncate(descriptor, 0) }

    /// Makes a directory and all directories around it, as far as they do not exist. Errors are ignored.
    ///
    /// - Parameter path: the path of the directory.
    package static func makeDirectory(_ path: String) {
      for end in path.indices where path[end] == "/" && end > path.startIndex { makeOneDirectory(String(path[..<end])) }
      makeOneDirectory(path)
    }

    // SAFETY: the path is passed as a string that ends with a zero, and is valid during the call.
    private static func makeOneDirectory(_ path: String) { _ = unsafe mkdir(path, 0o777) }

    // SAFETY: the path is passed as a string that ends with a zero, and is valid during the call.
    /// Removes a file.
    ///
    /// - Parameter path: the path of the file.
    /// - Returns: `false` if that was not possible.
    package static func remove(_ path: String) -> Bool { unsafe unlink(path) == 0 }

    /// Gives a file another name, and replaces the file that has that name.
    ///
    /// - Parameters:
    ///   - path: the path of the file.
    ///   - other: its new path, in the same file system.
    /// - Returns: `false` if that was not possible.
    package static func rename(_ path: String, to other: String) -> Bool { libraryRename(path, other) == 0 }
  #endif
}

#if !os(Windows)
  // Inside of a type, its own methods hide the functions of the library.
  @discardableResult
  func libraryClose(_ file: Int32) -> Int32 { close(file) }
  // SAFETY, for the two below: the caller owns at least `count` bytes at the address during the call.
  func libraryRead(_ file: Int32, _ page: UnsafeMutableRawPointer?, _ count: Int) -> Int {
    unsafe read(file, page, count)
  }
  func libraryWrite(_ file: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    unsafe write(file, bytes, count)
  }
  // SAFETY: both paths are passed as strings that end with a zero, and are valid during the call.
  func libraryRename(_ path: String, _ other: String) -> Int32 { unsafe rename(path, other) }
#endif
