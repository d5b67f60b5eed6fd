extension Library {
  /// The functions and operators of the language definition (cel-spec, `doc/langdef.md`, "Standard Definitions").
  public static let standard = Library(
    name: "standard",
    functions: [sizeFunction] + textFunctions + conversionFunctions + timeFunctions,
    operators: logicOverloads + comparisonOverloads + arithmeticOverloads + collectionOverloads
  )
}
