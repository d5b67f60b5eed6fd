internal import CEL
internal import Forms

/// A function or a macro that formulas can call, as people are told of it.
struct FormulaFunction: Sendable {
  let name: String
  /// Each way to call it.
  let signatures: [String]
  private let line: String
  /// Whether it is called without something before a dot.
  let isGlobal: Bool
  /// What may stand before the dot, without what is inside of lists and maps.
  private let receivers: [String]

  /// All of them, by name.
  static let all: [FormulaFunction] = FormFunctions.summaries.map(FormulaFunction.init)

  /// The one of that name.
  static func named(_ name: String) -> FormulaFunction? { all.first { $0.name == name } }

  private init(_ summary: FunctionSummary) {
    name = summary.name
    signatures = summary.signatures
    line = summary.line
    let call = summary.name + "("
    isGlobal = signatures.contains { $0.hasPrefix(call) }
    receivers = signatures.filter { !$0.hasPrefix(call) }.compactMap { signature in
      signature.firstRange(of: "." + call).map { Self.base(of: String(signature[..<$0.lowerBound])) }
    }
  }

  /// Whether a value of that type has it; nil: of a type that is not known.
  func isMember(ofType type: String?) -> Bool {
    guard let type, type != "dyn" else { return !receivers.isEmpty }
    let base = Self.base(of: type)
    return receivers.contains { $0 == base || $0 == "A" || $0 == "dyn" }
  }

  /// `list` of `list(string)?`.
  private static func base(of type: String) -> String { String(type.prefix { $0 != "(" && $0 != "?" }) }

  /// What it gives and how it is called, in Markdown.
  var documentation: String {
    "```\n\(signatures.joined(separator: "\n"))\n```" + (line.isEmpty ? "" : "\n\n\(line)")
  }
}
