/// The keywords that this module evaluates (JSON Schema 2020-12, core sections 8, 10 and 11; validation sections 6 to
/// 9). The keywords of the older drafts are included if a document of such a draft may use them. The raw value is the
/// name of the keyword.
public enum Keyword: String, Sendable, Hashable, CaseIterable {
  // Core
  /// Core 8.2.3.1: applies the schema that the URI reference names.
  case ref = "$ref"
  /// Core 8.2.3.2: the same, but an outer schema may replace the target.
  case dynamicRef = "$dynamicRef"
  /// Draft 2019-09 only.
  case recursiveRef = "$recursiveRef"
  // Applicators in place
  /// Core 10.2.1.1: every one of the schemas holds.
  case allOf
  /// Core 10.2.1.2: at least one of the schemas holds.
  case anyOf
  /// Core 10.2.1.3: exactly one of the schemas holds.
  case oneOf
  /// Core 10.2.1.4: the schema does not hold.
  case not
  /// Core 10.2.2.1: chooses between `then` and `else`.
  case `if`
  /// Core 10.2.2.2: holds if `if` holds.
  case then
  /// Core 10.2.2.3: holds if `if` does not.
  case `else`
  /// Core 10.2.2.4: by member name, the schema of an object that has the member.
  case dependentSchemas
  /// Draft 7 and older; read as `dependentRequired` and `dependentSchemas` in every dialect.
  case dependencies
  // Applicators to children
  /// Core 10.3.1.1: a schema for each of the first elements.
  case prefixItems
  /// Core 10.3.1.2: the schema of every element behind those of `prefixItems`.
  case items
  /// Core 10.3.1.3: the schema of at least one element, or of as many as `minContains` and `maxContains` say.
  case contains
  /// Draft 2019-09 and older.
  case additionalItems
  /// Core 10.3.2.1: by name, the schema of a member.
  case properties
  /// Core 10.3.2.2: by pattern, the schema of the members whose names match.
  case patternProperties
  /// Core 10.3.2.3: the schema of the members that neither of those two covers.
  case additionalProperties
  /// Core 10.3.2.4: the schema of every member's name.
  case propertyNames
  /// Core 11.2: the schema of the elements that no other keyword has evaluated.
  case unevaluatedItems
  /// Core 11.3: the schema of the members that no other keyword has evaluated.
  case unevaluatedProperties
  // Assertions
  /// Validation 6.1.1: the type or types that are allowed.
  case type
  /// Validation 6.1.2: the values that are allowed.
  case `enum`
  /// Validation 6.1.3: the one value that is allowed.
  case const
  /// Validation 6.2.1: a number is a whole multiple of this one.
  case multipleOf
  /// Validation 6.2.2: a number is at most this.
  case maximum
  /// Validation 6.2.3: a number is less than this.
  case exclusiveMaximum
  /// Validation 6.2.4: a number is at least this.
  case minimum
  /// Validation 6.2.5: a number is more than this.
  case exclusiveMinimum
  /// Validation 6.3.1: a text has at most so many code points.
  case maxLength
  /// Validation 6.3.2: a text has at least so many code points.
  case minLength
  /// Validation 6.3.3: the regular expression matches somewhere in a text.
  case pattern
  /// Validation 7: the kind of text; asserted if the options say so.
  case format
  /// Validation 6.4.1: an array has at most so many elements.
  case maxItems
  /// Validation 6.4.2: an array has at least so many elements.
  case minItems
  /// Validation 6.4.3: no two elements are equal.
  case uniqueItems
  /// Validation 6.4.4: `contains` holds for at most so many elements.
  case maxContains
  /// Validation 6.4.5: `contains` holds for at least so many elements.
  case minContains
  /// Validation 6.5.1: an object has at most so many members.
  case maxProperties
  /// Validation 6.5.2: an object has at least so many members.
  case minProperties
  /// Validation 6.5.3: the members that an object has.
  case required
  /// Validation 6.5.4: by member name, the members that an object has which has that one.
  case dependentRequired
  // Meta-data and content, never asserted
  /// Validation 9.1: a short text for people.
  case title
  /// Validation 9.1: a longer text for people.
  case description
  /// Validation 9.2: the value if there is none.
  case `default`
  /// Validation 9.3: not to be used any more.
  case deprecated
  /// Validation 9.4: only the owner of the data changes the value.
  case readOnly
  /// Validation 9.4: the value is never sent back: a secret.
  case writeOnly
  /// Validation 9.5: values to show.
  case examples
  /// Validation 8.3: how a text encodes bytes.
  case contentEncoding
  /// Validation 8.4: the media type of the content.
  case contentMediaType
  /// Validation 8.5: the schema of the content.
  case contentSchema
  /// No keyword: a schema that is `false`, if no applicator names it.
  case falseSchema = "false"
}

extension Keyword {
  /// Stops the program: a function of one family of keywords got a keyword of another.
  func failAsMisplaced() -> Never { preconditionFailure("the keyword \(rawValue) belongs to another family") }
}
