package import JSON

/// A value that is written as a value of another type, and not every such value is valid: a text with a meaning, a
/// number within bounds.
package protocol CheckedValue: MemberValue {
  /// The value that is written.
  associatedtype Written: MemberValue

  /// The value that is written in this form; nil if there is none.
  init?(_ written: Written)

  /// The value in its written form.
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
