// This source file is part of swift-effects. License: Apache-2.0.

// One import is enough for a test.
@_exported public import EffectRuntime
