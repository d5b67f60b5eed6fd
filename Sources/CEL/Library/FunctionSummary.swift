internal import Texts

/// A function or a macro in the form that is shown to people.
package struct FunctionSummary: Sendable, Hashable {
  /// The name as expressions call it: `contains` (of a text), `math.abs`.
  package let name: String
  /// Each way to call it, with types: `string.contains(string) -> bool`. A macro has names in place of types.
  package let signatures: [String]
  /// Its result, in one line; empty if it has no description.
  package let line: String
}

extension Environment {
  /// Every function that was declared with a description, and every macro, in no order.
  package var listedFunctions: [Function] { Function.macros + describedFunctions }

  /// Every function that expressions call by name, and every macro, sorted by name. Operators are not among them.
  package var functionSummaries: [FunctionSummary] {
    // A macro and a function can have one name: `list.exists(x, condition)`, `exists(text, zone)`. Two libraries can
    // have functions of one name.
    let described = Dictionary(grouping: listedFunctions, by: \.name)
    let called = functions.keys.filter { !$0.utf8.contains(where: Self.marksOperators) }
    return Set(described.keys).union(called).sorted { $0.precedesInUTF8($1) }.map { name in
      FunctionSummary(
        name: name,
        signatures: (described[name] ?? []).flatMap(\.macroSignatures) + (functions[name] ?? []).map(signature),
        line: (described[name] ?? []).map(\.summary).joined(separator: "; or ")
      )
    }
  }

  /// Operators, and the functions that macros become, have names that no expression can write: `_+_`, `!_`,
  /// `math.@max`.
  private static func marksOperators(_ byte: UInt8) -> Bool {
    [UInt8(ascii: "_"), UInt8(ascii: "@"), UInt8(ascii: "!")].contains(byte)
  }

  /// One way to call a function, without the arguments that the parser supplies.
  private func signature(of overload: Overload) -> String {
    let supplied = parserOptions.contextArguments[overload.name] == nil ? 0 : 1
    let parameters = overload.parameters.dropLast(supplied).map(\.shown)
    let receiver = overload.isMember ? parameters.first.map { "\($0)." } : nil
    let arguments = parameters.dropFirst(overload.isMember ? 1 : 0).joined(separator: ", ")
    return "\(receiver ?? "")\(overload.name)(\(arguments)) -> \(overload.result.shown)"
  }
}

extension CELType {
  /// The type in the form that is shown to people: with a question mark if a value may be absent.
  package var shown: String {
    switch self {
    case .wrapper(let type): "\(type.shown)?"
    case .list(let element): "list(\(element.shown))"
    default: description
    }
  }
}
