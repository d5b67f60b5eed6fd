package import JSON

/// One thing that is wrong with a definition.
package struct DefinitionFault: Sendable, Hashable {
  /// Where in the document.
  package var pointer: JSONPointer
  /// Which code points of the text there, and at which of them the fault is; nil for the value as a whole.
  package var codePoints: (place: Int, extent: Range<Int>)? {
    extent.map { (place, $0) }
  }
  /// What kind of fault it is: the member that is wrong, such as `rule`.
  package var code: String
  /// One sentence that says what is wrong, and what to write.
  package var message: String
  private var place = 0
  private var extent: Range<Int>?

  /// A fault of a value.
  init(at pointer: JSONPointer, code: String, _ message: String) {
    self.pointer = pointer
    self.code = code
    self.message = message
  }

  /// A fault of code points of a text.
  init(at pointer: JSONPointer, place: Int, extent: Range<Int>, code: String, _ message: String) {
    self.init(at: pointer, code: code, message)
    self.place = place
    self.extent = extent
  }
}

/// Everything that is wrong with a definition.
package struct DefinitionError: Error {
  /// Never empty.
  package let faults: [DefinitionFault]
}
