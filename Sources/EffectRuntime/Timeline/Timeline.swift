// This source file is part of swift-effects. License: Apache-2.0.

/// Draws the trace of a store.
public enum Timeline {}
