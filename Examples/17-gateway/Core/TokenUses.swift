// This source file is part of swift-effects. License: Apache-2.0.

/// Which call has which token. It tells a service that never accepts its own tokens from one whose tokens serve few requests.
///
/// A token may be used up by other calls, so a call that is refused says nothing about the service as long as another call has
/// this token, or one was accepted with it.
public struct TokenUses: Hashable, Sendable {
  private struct Use: Hashable {
    var calls = 0
    var isAccepted = false
  }

  private var tokens: [Int: AccessToken] = [:]
  private var uses: [AccessToken: Use] = [:]
  /// How many tokens in a row were of no use to any call.
  private var useless = 0

  /// No call has a token.
  public init() {}

  /// A call is made with a token.
  public mutating func begin(_ call: Int, _ token: AccessToken) {
    end(call)
    tokens[call] = token
    uses[token, default: Use()].calls += 1
  }

  /// The token that a call has.
  public func token(of call: Int) -> AccessToken? { tokens[call] }

  /// A call has its answer.
  public mutating func accepted(_ call: Int) {
    guard let token = tokens[call] else { return }
    useless = 0
    uses[token]?.isAccepted = true
    end(call)
  }

  /// The service has not accepted the token of a call.
  ///
  /// - Parameters:
  ///   - call: the number of the call.
  ///   - most: after how many useless tokens in a row to give up.
  /// - Returns: whether it makes sense to get another token.
  public mutating func refused(_ call: Int, most: Int) -> Bool {
    guard let token = tokens[call] else { return true }
    let use = uses[token] ?? Use()
    end(call)
    if use.calls == 1, !use.isAccepted { useless += 1 }
    return useless < most
  }

  /// A call has ended in another way, or has ended already.
  public mutating func end(_ call: Int) {
    guard let token = tokens.removeValue(forKey: call), var use = uses[token] else { return }
    use.calls -= 1
    uses[token] = use.calls == 0 ? nil : use
  }
}
