package import JSON

/// A form that was made of an input.
package struct ImportedForm: Sendable {
  /// The definition; `Form.compile` accepts it.
  package let definition: JSON
  /// The parts of the inputs that the form does not have, or has in another way, in the order of the files.
  package let losses: [Loss]
}
