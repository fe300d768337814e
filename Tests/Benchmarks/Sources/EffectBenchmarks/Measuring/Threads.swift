// This source file is part of swift-effects. License: Apache-2.0.

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// Runs a body on the given number of threads at once and does not wait for them.
///
/// They are threads and not tasks: two tasks that never wait would fill the pool of a machine with two cores, the other
/// two would run after them, and "four producers" would never run at the same time.
func onThreads(_ count: Int, _ body: @escaping @Sendable () -> Void) {
  for _ in 0..<count { startThread(body) }
}

private func startThread(_ body: @escaping @Sendable () -> Void) {
  let context = unsafe Unmanaged.passRetained(ThreadBody(body)).toOpaque()
  #if canImport(Darwin)
    var thread: pthread_t?
    let code = unsafe pthread_create(&thread, nil, { unsafe ThreadBody.run($0) }, context)
    if let thread = unsafe thread { unsafe pthread_detach(thread) }
  #else
    var thread = pthread_t()
    let code = unsafe pthread_create(&thread, nil, { unsafe $0.flatMap { unsafe ThreadBody.run($0) } }, context)
    if code == 0 { pthread_detach(thread) }
  #endif
  precondition(code == 0, "pthread_create: error \(code)")
}

/// The work of a thread, in a form that C can store.
private final class ThreadBody: Sendable {
  let body: @Sendable () -> Void

  init(_ body: @escaping @Sendable () -> Void) {
    self.body = body
  }

  static func run(_ context: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
    unsafe Unmanaged<ThreadBody>.fromOpaque(context).takeRetainedValue().body()
    return nil
  }
}
