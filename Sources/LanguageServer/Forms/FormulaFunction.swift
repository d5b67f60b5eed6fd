internal import CEL
internal import Forms
internal import JSON
internal import SourceTexts

/// A function or a macro that formulas can call, described for people.
struct FormulaFunction: Sendable {
  let name: String
  /// Each way to call it.
  let signatures: [String]
  /// What it gives, in one line; empty if it has no description.
  let line: String
  /// Whether it is called without a receiver before a dot.
  let isGlobal: Bool
  /// The types that may precede the dot, without the types inside of lists and maps.
  private let receivers: [String]

  /// All of them, by name.
  static let all: [FormulaFunction] = FormFunctions.summaries.map(FormulaFunction.init)

  /// The one of that name.
  static func named(_ name: String) -> FormulaFunction? { all.first { $0.name == name } }

  /// A named formula of a form.
  fileprivate init?(_ part: ScannedNode) {
    guard let name = part.key, let formula = part.child("is")?.value.stringValue else { return nil }
    let parameters = part.child("parameters")?.children.compactMap(\.value.stringValue) ?? []
    self.name = name
    signatures = ["\(name)(\(parameters.joined(separator: ", ")))"]
    line = "`\(formula)`"
    isGlobal = true
    receivers = []
  }

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

  /// The types of its results, without the types inside of lists and maps.
  private var results: Set<String> {
    Set(
      signatures.compactMap { signature in
        signature.firstRange(of: " -> ").map { Self.base(of: String(signature[$0.upperBound...])) }
      }
    )
  }

  /// The parameters that a signature names: `string` and `int` of `string.f(string, int) -> bool`.
  static func parameters(of signature: String) -> [String] {
    let open = signature.firstRange(of: " -> ").map { signature[..<$0.lowerBound] } ?? signature[...]
    guard open.hasSuffix(")") else { return [] }
    // The last bracket at the outermost level begins the parameters.
    var depth = 0
    var start = open.endIndex
    for index in open.indices.reversed() {
      if open[index] == ")" { depth += 1 }
      if open[index] == "(" {
        depth -= 1
        if depth == 0 {
          start = open.index(after: index)
          break
        }
      }
    }
    var parameters: [String] = []
    var current = ""
    for character in open[start...].dropLast() {
      if character == "(" { depth += 1 }
      if character == ")" { depth -= 1 }
      if character == ",", depth == 0 {
        parameters.append(current)
        current = ""
      } else if character != " " || !current.isEmpty {
        current.append(character)
      }
    }
    return current.isEmpty ? parameters : parameters + [current]
  }

  /// Whether a call may give that type.
  func mayGive(_ type: String) -> Bool { results.contains(type) }

  /// Whether values of that type have the function; nil is an unknown type.
  func isMember(ofType type: String?) -> Bool {
    guard let type, type != "dyn" else { return !receivers.isEmpty }
    let base = Self.base(of: type)
    return receivers.contains { $0 == base || $0 == "A" || $0 == "dyn" }
  }

  /// `list` of `list(string)?`.
  private static func base(of type: String) -> String { String(type.prefix { $0 != "(" && $0 != "?" }) }

  /// The description and the signatures, in Markdown.
  var documentation: String {
    "```\n\(signatures.joined(separator: "\n"))\n```" + (line.isEmpty ? "" : "\n\n\(line)")
  }
}

extension FormText {
  /// The named formulas that the form has in addition to all functions.
  var functions: [FormulaFunction] {
    scanned.root.child("functions")?.children.compactMap(FormulaFunction.init) ?? []
  }

  /// A function that formulas of the form can call.
  func function(named name: String) -> FormulaFunction? {
    FormulaFunction.named(name) ?? functions.first { $0.name == name }
  }
}
