// This source file is part of swift-effects. License: Apache-2.0.

/// The streams that runs have read: the object of each, as long as it exists.
///
/// All stores share this list, because runs of two stores may read one stream.
enum ReadSequences {
  private static let known = Lock(Known())

  private struct Known {
    var references: [ObjectIdentifier: Reference] = [:]
    /// At how many references those of released objects are removed.
    var limit = 64
  }

  // SAFETY: the object is compared with another one that the caller holds, and is not used otherwise.
  private struct Reference: @unchecked Sendable {
    weak let object: AnyObject?
  }

  /// Adds an object. Returns `false` if it had been added before.
  static func add(_ object: AnyObject) -> Bool {
    let key = ObjectIdentifier(object)
    let reference = Reference(object: object)
    let (isNew, held) = known.withLock { known -> (Bool, Held) in
      // An object that was released and this one may have the same address.
      if known.references[key]?.object != nil { return (false, Held(objects: [])) }
      var held: [AnyObject] = []
      if known.references.count >= known.limit {
        known.references = known.references.filter { entry in
          guard let object = entry.value.object else { return false }
          held.append(object)
          return true
        }
        known.limit = max(64, known.references.count * 2)
      }
      known.references[key] = reference
      return (true, Held(objects: held))
    }
    // Released when the lock is no longer held: that may end a stream, and then code of the user runs.
    withExtendedLifetime(held) {}
    return isNew
  }

  // SAFETY: only held and released.
  private struct Held: @unchecked Sendable {
    let objects: [AnyObject]
  }
}
