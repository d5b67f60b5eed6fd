public import JSON
internal import Times

/// A report for a developer about one expression: its value, and on request its tree, its types and the variables that
/// it reads. ``TriedExpression`` makes it.
///
/// This is the whole of a command such as `formctl expr 'EXPRESSION' --var name=JSON --ast --types --deps`.
public struct ExpressionReport: Sendable {
  /// The sections beside the value.
  public struct Sections: OptionSet, Sendable {
    /// One bit for each section.
    public let rawValue: Int

    public init(rawValue: Int) { self.rawValue = rawValue }

    /// The syntax tree, macros expanded.
    public static let tree = Sections(rawValue: 1)
    /// The type of the result. In the tree, also the type of each node and the overloads of calls.
    public static let types = Sections(rawValue: 2)
    /// The variables and paths that are read.
    public static let dependencies = Sections(rawValue: 4)
    /// How many steps the evaluation takes at most.
    public static let cost = Sections(rawValue: 8)
  }

  /// The report, in lines.
  public let text: String
  /// Whether the expression was refused, or its evaluation failed.
  public let isFailure: Bool
  /// The value, if there is one and it has a JSON.
  public let json: JSON?

  init(of result: Value, by program: Program, from expression: CheckedExpression, telling sections: Sections) {
    var lines = Self.lines(about: program, from: expression, sections)
    if case .error(let error) = result {
      let position = program.position(of: error).map { "\($0): " } ?? ""
      lines.append("error: \(position)\(error)")
    } else {
      lines.append("\(result)")
    }
    text = lines.joined(separator: "\n")
    isFailure = result.isErrorOrUnknown
    json = result.json
  }

  private static func lines(
    about program: Program,
    from expression: CheckedExpression,
    _ sections: Sections
  ) -> [String] {
    var lines: [String] = []
    if sections.contains(.tree) {
      TreeWriter(expression: expression, tellsTypes: sections.contains(.types))
        .write(expression.parsed.root, indentation: 0, role: "", into: &lines)
    }
    if sections.contains(.types) { lines.append("type: \(program.type)") }
    if sections.contains(.dependencies) {
      let names = program.dependencies.map { ([$0.variable] + $0.path).joined(separator: ".") }
      lines.append("reads: \(names.isEmpty ? "nothing" : names.joined(separator: ", "))")
    }
    if sections.contains(.cost) {
      let cost = program.cost
      let rest = cost.unbounded.map { ", and more with the size of \($0), which has no limit" }
      lines.append("cost: at most \(cost.steps) steps\(rest ?? "")")
    }
    return lines
  }
}

/// Writes a syntax tree, a node a line.
private struct TreeWriter {
  let expression: CheckedExpression
  let tellsTypes: Bool

  func write(_ node: Syntax, indentation: Int, role: String, into lines: inout [String]) {
    var line = String(repeating: "  ", count: indentation) + role + label(of: node)
    if tellsTypes {
      line += ": \(expression.type(of: node))"
      let overloads = expression.overloadIDs(of: node)
      if !overloads.isEmpty { line += " (\(overloads.joined(separator: ", ")))" }
    }
    lines.append(line)
    if case .variable = expression.references[node.id] { return }
    node.forEachChild { write($0, indentation: indentation + 1, role: "", into: &lines) }
  }

  private func label(of node: Syntax) -> String {
    if case .variable(let variable) = expression.references[node.id] { return "variable \(variable.name)" }
    switch node.kind {
    case .literal: return "literal \(Printer.print(node))"
    case .identifier(let name): return "name \(name)"
    case .select(let selection):
      return "\(selection.isTest ? "has" : selection.isOptional ? "optional select" : "select") \(selection.field)"
    case .call(let call): return "call \(call.function)"
    case .list: return "list"
    case .map: return "map"
    case .record(let name, _): return "record \(name)"
    case .comprehension(let comprehension):
      let variables = [comprehension.variable] + (comprehension.secondVariable.map { [$0] } ?? [])
      return "macro \(comprehension.macro.rawValue)(\(variables.joined(separator: ", ")))"
    case .invalid: return "invalid"
    }
  }
}
