// This source file is part of swift-effects. License: Apache-2.0.

// One import is enough: code that has a store also writes reducers and effects.
@_exported public import EffectCore
