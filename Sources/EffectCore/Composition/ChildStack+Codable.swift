// This source file is part of swift-effects. License: Apache-2.0.

private enum CodingKeys: String, CodingKey { case ids, elements, generated }

extension ChildStack: Encodable where Element: Encodable {
  /// Encodes the elements with their ids.
  ///
  /// - Parameter encoder: where to.
  /// - Throws: what the encoder throws.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(ids, forKey: .ids)
    try values.encode(elements, forKey: .elements)
    // A recording of a store contains which ids its store must not give again.
    try values.encode(nextNumber, forKey: .generated)
  }
}

extension ChildStack: Decodable where Element: Decodable {
  /// Decodes a stack: its elements have the ids they had, and the next one that is pushed has a new one.
  ///
  /// - Parameter decoder: where the stack was encoded.
  /// - Throws: what the decoder throws; a `DecodingError` if there is not one different id for each element, or if the
  ///   stack would generate one of them again.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    let ids = try values.decode([ChildStackID].self, forKey: .ids)
    let elements = try values.decode([Element].self, forKey: .elements)
    let generated = try values.decode(Int.self, forKey: .generated)
    // Half of all numbers are left for the elements that are pushed later.
    guard ids.count == elements.count, Set(ids).count == ids.count, (0...Int.max / 2).contains(generated),
      ids.allSatisfy({ (0..<generated).contains($0.number) })
    else {
      throw DecodingError.dataCorruptedError(
        forKey: .ids, in: values,
        debugDescription: """
          a ChildStack needs a different id for each element, from 0 to below `generated` (\(generated), at most half of \
          the largest integer); found \
          \(elements.count) element\(elements.count == 1 ? "" : "s") and the ids \(ids)
          """)
    }
    self.init(ids: ids, elements: elements, generated: generated)
    if let counter = StackCounter.current { noteIDs(in: counter) }
  }
}
