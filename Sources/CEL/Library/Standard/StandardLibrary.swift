extension Library {
  /// The functions and operators of the language definition (cel-spec, `doc/langdef.md`, "Standard Definitions").
  public static let standard = Library(
    name: "standard",
    functions: [sizeFunction] + textFunctions + conversionFunctions + timeFunctions,
    operators: logicOverloads + comparisonOverloads + arithmeticOverloads + collectionOverloads
  )

  /// Every library of this module, the standard one first.
  public static let all: [Library] = [
    .standard, .strings, .math, .encoders, .lists, .sets, .regex, .optionals, .comprehensions, .network, .formats,
    .formd, .aggregates, .calendar, .decimals, .localTime,
  ]
}
