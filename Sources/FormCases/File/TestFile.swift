package import FormProtocol
internal import JSON

/// A file `NAME.test.json`: the cases of one form.
///
/// A message like those of the protocol: its members are listed once, and reading, writing and `protocol/schema/test.schema.json` follow
/// from that list.
package struct TestFile: Message, Sendable {
  /// Where the schema of such files is, for editors.
  package var schemaPlace: String?
  /// What the file is about, for readers.
  package var note: String?
  /// The file of the form, from the folder of this file; nil: `NAME.form.json` beside `NAME.test.json`.
  package var form: String?
  /// The cases, in the order in which they run. None sees another.
  package var cases: [TestCase] = []

  package init() {}

  package mutating func list(_ members: inout some MessageVisitor) {
    members.optional("$schema", &schemaPlace, "Where this schema is, for editors.")
    members.optional("description", &note, "A note for readers.")
    members.optional(
      "form",
      &form,
      "The file of the form, seen from the folder of this file. Without it, NAME.form.json beside NAME.test.json."
    )
    members.required("cases", &cases, "The cases. Each has a session of its own.")
  }
}
