// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Glibc
#endif

/// The stack size of a thread that is not the main thread on Apple platforms. Deep effects must work with it.
package let smallStackBytes = 512 * 1024

/// Runs the body in a separate thread with the given stack size in bytes, and waits for its result.
///
/// The body must not check expectations of a test, because the thread does not belong to the test.
package func withSmallStack<Result: Sendable>(
  bytes: Int = smallStackBytes, _ body: @escaping @Sendable () -> Result
) throws -> Result {
  let result = Box<Result>()
  try runThread(stackBytes: bytes, ThreadBody { result.value.withLock { $0 = body() } })
  guard let value = result.value.withLock({ $0 }) else { throw ThreadFailure(call: "body", status: -1) }
  return value
}

/// A thread could not be made; the status is the error code of the system.
package struct ThreadFailure: Error {
  package let call: String
  package let status: Int32
}

// A `Lock` cannot be captured by an escaping closure; a class with a `Lock` can.
private final class Box<Value: Sendable>: Sendable {
  let value = Lock<Value?>(nil)
}

private final class ThreadBody: Sendable {
  let run: @Sendable () -> Void

  init(_ run: @escaping @Sendable () -> Void) { self.run = run }
}

private func runThread(stackBytes: Int, _ body: ThreadBody) throws {
  var attributes = pthread_attr_t()
  try check("pthread_attr_init", unsafe pthread_attr_init(&attributes))
  defer { _ = unsafe pthread_attr_destroy(&attributes) }
  try check("pthread_attr_setstacksize", unsafe pthread_attr_setstacksize(&attributes, stackBytes))
  #if canImport(Darwin)
    var thread: pthread_t?
  #else
    var thread = pthread_t()
  #endif
  let context = unsafe Unmanaged.passRetained(body)
  let status = unsafe pthread_create(
    &thread, &attributes,
    { context in
      unsafe enterThread(context)
      return nil
    }, context.toOpaque())
  if status != 0 { unsafe context.release() }
  try check("pthread_create", status)
  #if canImport(Darwin)
    guard let thread = unsafe thread else { throw ThreadFailure(call: "pthread_create", status: -1) }
    try check("pthread_join", unsafe pthread_join(thread, nil))
  #else
    try check("pthread_join", pthread_join(thread, nil))
  #endif
}

// The parameter is optional on Linux only. An optional parameter works on both systems.
private func enterThread(_ context: UnsafeMutableRawPointer?) {
  guard let context = unsafe context else { return }
  unsafe Unmanaged<ThreadBody>.fromOpaque(context).takeRetainedValue().run()
}

private func check(_ call: String, _ status: Int32) throws {
  guard status == 0 else { throw ThreadFailure(call: call, status: status) }
}
