extension Keyword {
  /// The names of the parameters that a failure of this keyword may have, as ``FailureParameters/object`` writes them;
  /// nil for a keyword that never fails by itself.
  package var parameterNames: [String]? {
    switch self {
    case .minLength, .maxLength, .minItems, .maxItems, .minProperties, .maxProperties, .minContains, .maxContains:
      ["limit", "actual"]
    case .contains: ["limit", "actual", "causes"]
    case .minimum, .maximum, .exclusiveMinimum, .exclusiveMaximum, .multipleOf: ["limit"]
    case .type: ["expected", "actual"]
    case .enum, .const: ["allowed"]
    case .pattern: ["pattern"]
    case .format: ["format"]
    case .required: ["missing"]
    case .dependentRequired, .dependencies: ["property", "missing"]
    case .properties, .patternProperties, .additionalProperties, .unevaluatedProperties: ["property"]
    case .propertyNames: ["property", "causes"]
    case .prefixItems, .items, .additionalItems, .unevaluatedItems: ["item"]
    case .uniqueItems: ["first", "second"]
    case .oneOf: ["matches", "causes"]
    case .anyOf: ["causes"]
    case .not, .falseSchema: []
    case .ref, .dynamicRef, .recursiveRef, .allOf, .if, .then, .else, .dependentSchemas, .title, .description, .default,
      .deprecated, .readOnly, .writeOnly, .examples, .contentEncoding, .contentMediaType, .contentSchema:
      nil
    }
  }
}
