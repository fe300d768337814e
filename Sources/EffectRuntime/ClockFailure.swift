// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectCore

/// A store's clock threw an error although nobody had cancelled the sleep, as a clock never does.
struct ClockFailure: Error, CustomStringConvertible {
  let error: any Error

  var description: String {
    "waits for its time: the store's clock threw \(EffectText.of(error)) instead of sleeping, so nothing wakes the store. It "
      + "looks at the clock when it is sent something. Give it a clock that sleeps until it is cancelled."
  }
}
