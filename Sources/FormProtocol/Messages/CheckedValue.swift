package import JSON

/// A value that is written as another one, of which not every one will do: a text with a meaning, a number within bounds.
package protocol CheckedValue: MemberValue {
  /// What is written.
  associatedtype Written: MemberValue

  /// The value that is written so; nil where there is none.
  init?(_ written: Written)

  /// As it is written.
  var written: Written { get }
}

extension CheckedValue {
  package static func read(_ node: JSONNode, _ reader: inout MessageReader) -> Self? {
    guard let written = Written.read(node, &reader) else { return nil }
    guard let value = Self(written) else {
      reader.note(.value, expectation)
      return nil
    }
    return value
  }

  package func write(into buffer: OutputBuffer) { written.write(into: buffer) }
}
