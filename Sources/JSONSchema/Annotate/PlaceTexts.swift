package import JSON

/// What is to be said, in the words of a schema, of a place of the values and of the places inside of it.
package struct PlaceTexts: Sendable {
  /// `title`; nil leaves what the schema says.
  package var title: String?
  /// `description`; nil leaves what the schema says.
  package var description: String?
  /// `default`; nil leaves what the schema says.
  package var `default`: JSON?
  /// What those of its choices are called that have a name.
  package var choices: [JSON: String] = [:]
  /// Of the members of an object, by name.
  package var members: [(name: String, texts: PlaceTexts)] = []
  /// Of each element of a list: none or one.
  package var element: [PlaceTexts] = []

  /// Nothing to say.
  package init() {}

  /// Whether there is nothing to say of this very place.
  var isSilent: Bool { title == nil && description == nil && self.default == nil }
}
