package import JSON

/// The texts of a value and of the values inside it, in the words of a schema.
package struct ValueTexts: Sendable {
  /// `title`; nil keeps the schema's title.
  package var title: String?
  /// `description`; nil keeps the schema's description.
  package var description: String?
  /// `default`; nil keeps the schema's default.
  package var `default`: JSON?
  /// The names of its choices that have one.
  package var choices: [JSON: String] = [:]
  /// By name: the texts of an object's members.
  package var members: [(name: String, texts: ValueTexts)] = []
  /// Of each element of a list: none or one.
  package var element: [ValueTexts] = []

  /// Nothing to say.
  package init() {}
}
