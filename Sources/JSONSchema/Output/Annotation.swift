public import JSON

/// An annotation of a value by a schema that holds (core, section 7.7).
public struct Annotation: Hashable, Sendable {
  /// The keyword, which may be unknown to this module.
  public var keyword: String
  /// The location of the annotated value.
  public var instanceLocation: JSONPointer
  /// The way to the keyword from the schema that was evaluated, through every reference that was followed.
  public var keywordLocation: JSONPointer
  /// The keyword's own location: the URI of its schema resource (empty if it has none) and a pointer inside it.
  public var absoluteKeywordLocation: String
  /// The keyword's location in the document that it was written in.
  public var documentLocation: JSONPointer
  /// The value of the keyword.
  public var value: JSON
}
