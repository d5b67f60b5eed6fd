internal import JSON

/// Pieces of formulas in CEL.
enum FormulaText {
  /// The cell of the value of a field, or a member of it: `values.address.city`, `row['first-name']`.
  ///
  /// - Parameter field: the location of the field; `*` for the rows of a list. In a list, the formula must belong to a
  ///   row of that list.
  static func value(_ field: JSONPointer) -> String {
    let row = field.tokens.lastIndex(of: "*")
    let inner = row.map { field.tokens[($0 + 1)...] } ?? field.tokens[...]
    return inner.reduce(row == nil ? "values" : "row") { $0 + member($1) }
  }

  /// The cell with a property of a field: `fields['/address/city'].isEmpty`.
  static func property(_ name: String, of field: JSONPointer) -> String {
    let address = FormDraft.address(of: field)
    return "fields" + member(address) + "." + name
  }

  /// `.name`, or `['first-name']`.
  static func member(_ name: String) -> String {
    isPlain(name) ? "." + name : "[\(literal(.string(name)) ?? "''")]"
  }

  /// A constant; nil for lists and objects.
  static func literal(_ value: JSON) -> String? {
    switch value {
    case .null: "null"
    case .bool(let isTrue): isTrue ? "true" : "false"
    case .integer(let number): String(number)
    case .real(let number):
      JSON.real(number).description.contains { ".eE".contains($0) }
        ? JSON.real(number).description : JSON.real(number).description + ".0"
    case .string(let text): "'" + escaped(text) + "'"
    case .decimal, .array, .object: nil
    }
  }

  /// `cell == 'a'`, or `cell in ['a', 'b']`; nil if a value has no constant.
  static func comparison(_ cell: String, _ values: [JSON]) -> String? {
    let literals = values.compactMap(literal)
    guard literals.count == values.count, !literals.isEmpty else { return nil }
    return literals.count == 1 ? "\(cell) == \(literals[0])" : "\(cell) in [\(literals.joined(separator: ", "))]"
  }

  private static func escaped(_ text: String) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\": escaped += "\\\\"
      case "'": escaped += "\\'"
      case "\n": escaped += "\\n"
      case "\r": escaped += "\\r"
      case "\t": escaped += "\\t"
      case _ where scalar.value < 0x20:
        escaped += "\\x" + (scalar.value < 16 ? "0" : "") + String(scalar.value, radix: 16)
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }

  /// Whether a name can follow a dot: it is an identifier, and not a word of the language.
  private static func isPlain(_ name: String) -> Bool {
    guard let first = name.utf8.first, !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first) else { return false }
    return ReadableName.isIdentifier(name) && !reserved.contains(name)
  }

  /// The language definition of CEL, section "Syntax".
  private static let reserved: Set<String> = [
    "as", "break", "const", "continue", "else", "false", "for", "function", "if", "import", "in", "let", "loop", "null",
    "namespace", "package", "return", "true", "var", "void", "while",
  ]
}
