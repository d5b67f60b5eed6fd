internal import JSON
internal import SourceTexts

/// A formula with a name and parameters.
struct FunctionDefinition {
  var name: String
  var pointer: JSONPointer
  var parameters: [String] = []
  /// nil if it, or the parameters, could not be read.
  var formula: FormulaDefinition?
}

extension FunctionDefinition {
  /// The keys of a named formula, each with its schema.
  static let keys: JSONObject = [
    "parameters": [
      "type": "array", "items": ["type": "string", "pattern": "^[A-Za-z_][A-Za-z0-9_]*$"], "uniqueItems": true,
      "maxItems": .integer(Int64(parametersMax)),
      "description": "The names of the arguments, in order; without it, none.", "examples": [["gross", "rate"]],
    ],
    "is": [
      "$ref": "#/$defs/expression",
      "description":
        "The formula. It reads the parameters by their names, and everything that the formula reads that calls it.",
    ],
  ]

  /// The schema of a named formula.
  static let schema = DefinitionSchema.object(keys, required: ["is"])
}

extension FunctionDefinition {
  /// The maximum number of named formulas, and of parameters of each. A definition may come from a stranger.
  static let countMax = 1_000
  private static let parametersMax = 20

  /// The `functions` of a definition, in the order written.
  static func all(_ members: JSONObject, _ reader: inout DefinitionReader) -> [FunctionDefinition] {
    guard let block = members["functions"] else { return [] }
    let pointer = JSONPointer(tokens: ["functions"])
    guard case .object(let entries) = block, entries.count <= countMax else {
      reader.wrongCount(block, at: pointer, expected: "an object", max: countMax, "members", what: "\"functions\"")
      return []
    }
    return entries.map { entry in
      var function = FunctionDefinition(name: entry.name, pointer: pointer.appending(entry.name))
      function.read(entry.value, with: &reader)
      return function
    }
  }

  private mutating func read(_ value: JSON, with reader: inout DefinitionReader) {
    let what = "the function \"\(name)\""
    guard let members = reader.object(value, at: pointer, keys: Self.keys, what: what) else { return }
    if let list = members["parameters"] {
      let names = list.arrayValue?.compactMap(\.stringValue)
      guard let names, names.count == list.arrayValue?.count, names.count <= Self.parametersMax else {
        reader.wrongCount(
          list,
          at: pointer.appending("parameters"),
          expected: "a list",
          max: Self.parametersMax,
          "names",
          what: "\"parameters\" of \(what)"
        )
        return
      }
      parameters = names
    }
    if members["is"] == nil { reader.missing("is", at: pointer, what: what, remedy: "add \"is\": FORMULA") }
    formula = reader.formula(members, "is", at: pointer, what: what)
  }
}
