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

/// Calls of the system, for all platforms. `Docs/Platforms.md` lists which branches have been compiled.
package enum Platform {
  /// A variable of the environment; `nil` if it is not set, or empty.
  package static func environment(_ name: String) -> String? {
    unsafe getenv(name).map { unsafe String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
  }

  /// Writes a text to standard error, with one call and no buffer. `print` is not used, because standard output belongs to
  /// the program.
  package static func writeToStandardError(_ text: String) {
    let bytes = Array(text.utf8)
    #if os(Windows)
      _ = unsafe bytes.withUnsafeBytes { unsafe _write(2, $0.baseAddress, UInt32($0.count)) }
    #else
      _ = unsafe bytes.withUnsafeBytes { unsafe write(STDERR_FILENO, $0.baseAddress, $0.count) }
    #endif
  }

  /// The current thread, as a number that is only compared.
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
      unsafe UInt(bitPattern: pthread_self())  // A pointer.
    #endif
  }

  /// The number of the process.
  package static var process: Int32 {
    #if os(Windows)
      Int32(bitPattern: GetCurrentProcessId())
    #elseif os(WASI)
      1  // There are no others.
    #else
      getpid()
    #endif
  }

  /// The address of a symbol of the process; `nil` if there is none, or if the platform cannot say.
  package static func symbol(_ name: String) -> UnsafeMutableRawPointer? {
    #if os(Windows) || os(WASI)
      nil
    #else
      unsafe dlsym(dlopen(nil, RTLD_LAZY), name)
    #endif
  }
}

/// A pointer for each thread.
package struct ThreadValue: Sendable {
  #if os(Windows) || os(WASI)
    /// `nil`: there is none on this platform.
    package init?() { nil }

    package var pointer: UnsafeRawPointer? {
      get { nil }
      nonmutating set {}
    }
  #else
    private let key: pthread_key_t

    /// `nil` if the process has no key left.
    package init?() {
      var key = pthread_key_t()
      guard unsafe pthread_key_create(&key, nil) == 0 else { return nil }
      self.key = key
    }

    package var pointer: UnsafeRawPointer? {
      get { unsafe pthread_getspecific(key).map { UnsafeRawPointer($0) } }
      nonmutating set { _ = unsafe pthread_setspecific(key, newValue) }
    }
  #endif
}

/// A file of the system, for tests that write down what they do. On Windows no file can be opened.
package struct PlatformFile: Sendable {
  /// What a file is opened for: reading it, or writing it from its beginning.
  package enum Mode: Sendable { case reading, replacing }

  private let descriptor: Int32

  #if os(Windows)
    package init?(_ path: String, _ mode: Mode) { nil }
    package func close() {}
    package func read(_ page: UnsafeMutableRawBufferPointer) -> Int { 0 }
    package func write(_ bytes: [UInt8]) -> Bool { false }
    package func write(_ bytes: [UInt8], at offset: Int64) {}
    package func truncate() {}
    package static func makeDirectory(_ path: String) {}
    package static func remove(_ path: String) -> Bool { false }
    package static func rename(_ path: String, to other: String) -> Bool { false }
  #else
    /// `nil` if the file cannot be opened.
    package init?(_ path: String, _ mode: Mode) {
      switch mode {
      case .reading: descriptor = unsafe open(path, O_RDONLY)
      case .replacing: descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o666)
      }
      if descriptor < 0 { return nil }
    }

    package func close() { _ = libraryClose(descriptor) }

    /// Reads the next bytes. Returns how many; 0 at the end, and less for an error.
    package func read(_ page: UnsafeMutableRawBufferPointer) -> Int {
      unsafe libraryRead(descriptor, page.baseAddress, page.count)
    }

    /// Writes all bytes with one call. Returns `false` if that was not possible.
    package func write(_ bytes: [UInt8]) -> Bool {
      unsafe bytes.withUnsafeBytes { unsafe libraryWrite(descriptor, $0.baseAddress, $0.count) == $0.count }
    }

    /// Writes bytes at a place. An error is ignored.
    package func write(_ bytes: [UInt8], at offset: Int64) {
      _ = unsafe bytes.withUnsafeBytes { unsafe pwrite(descriptor, $0.baseAddress, $0.count, off_t(offset)) }
    }

    package func truncate() { _ = ftruncate(descriptor, 0) }

    /// Makes a directory, unless there is one, and those around it.
    package static func makeDirectory(_ path: String) {
      for end in path.indices where path[end] == "/" && end > path.startIndex { makeOneDirectory(String(path[..<end])) }
      makeOneDirectory(path)
    }

    private static func makeOneDirectory(_ path: String) { _ = unsafe mkdir(path, 0o777) }

    /// Removes a file. Returns `false` if that was not possible.
    package static func remove(_ path: String) -> Bool { unsafe unlink(path) == 0 }

    /// Replaces one file by another. Returns `false` if that was not possible.
    package static func rename(_ path: String, to other: String) -> Bool { libraryRename(path, other) == 0 }
  #endif
}

#if !os(Windows)
  // Inside of a type, its own methods hide the functions of the library.
  @discardableResult
  func libraryClose(_ file: Int32) -> Int32 { close(file) }
  func libraryRead(_ file: Int32, _ page: UnsafeMutableRawPointer?, _ count: Int) -> Int {
    unsafe read(file, page, count)
  }
  func libraryWrite(_ file: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    unsafe write(file, bytes, count)
  }
  func libraryRename(_ path: String, _ other: String) -> Int32 { unsafe rename(path, other) }
#endif
