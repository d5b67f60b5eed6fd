package import FormProtocol
internal import JSON

/// A file `NAME.test.json`: the cases of one form.
///
/// Like the messages of the protocol, it lists its members once. Reading, writing and
/// `protocol/schema/test.schema.json` follow from that list.
package struct TestFile: Message, Sendable {
  /// The address of the schema of test files, for editors.
  package var schemaLocation: String?
  /// The subject of the file, for readers.
  package var note: String?
  /// The file of the form, relative to the folder of this file; nil: `NAME.form.json` beside `NAME.test.json`.
  package var form: String?
  /// The cases, in the order in which they run. Each case has its own session.
  package var cases: [TestCase] = []

  package init() {}

  package mutating func list(_ members: inout some MessageVisitor) {
    members.optional("$schema", &schemaLocation, "Where this schema is, for editors.")
    members.optional("description", &note, "A note for readers.")
    members.optional(
      "form",
      &form,
      "The form's file, relative to the folder of this file. Without it, NAME.form.json beside NAME.test.json."
    )
    members.required("cases", &cases, "The cases. Each case has its own session.")
  }
}
