/// The keywords that this module evaluates (JSON Schema 2020-12, core sections 8, 10 and 11; validation sections 6 to 9), with
/// those of the older drafts that a document of theirs may use. The raw value is the keyword as it is written.
public enum Keyword: String, Sendable, Hashable, CaseIterable {
  // Core
  case ref = "$ref"
  case dynamicRef = "$dynamicRef"
  /// Draft 2019-09 only.
  case recursiveRef = "$recursiveRef"
  // Applicators in place
  case allOf, anyOf, oneOf, not
  case `if`, then, `else`
  case dependentSchemas
  /// Draft 7; read as `dependentRequired` and `dependentSchemas` in every dialect.
  case dependencies
  // Applicators to children
  case prefixItems, items, contains
  /// Draft 2019-09 and older.
  case additionalItems
  case properties, patternProperties, additionalProperties, propertyNames
  case unevaluatedItems, unevaluatedProperties
  // Assertions
  case type, `enum`, const
  case multipleOf, maximum, exclusiveMaximum, minimum, exclusiveMinimum
  case maxLength, minLength, pattern, format
  case maxItems, minItems, uniqueItems, maxContains, minContains
  case maxProperties, minProperties, required, dependentRequired
  // Meta-data and content: never asserted
  case title, description, `default`, deprecated, readOnly, writeOnly, examples
  case contentEncoding, contentMediaType, contentSchema
  /// No keyword: a schema that is `false`, where no applicator names it.
  case falseSchema = "false"
}
