internal import Texts

/// Resolves names and infers types (langdef.md, "Type Checking").
struct Checker {
  private let environment: Environment
  private let parsed: ParsedExpression
  /// False if every type is left to the evaluation; then nothing is reported.
  private let infersTypes: Bool
  var errors: ProblemCollector
  var inference = TypeInference()
  private var types: [CELType?]
  private var references: [CheckedExpression.Reference?]
  /// The variables that comprehensions around the current node bind, innermost last.
  private var locals: [(name: String, type: CELType)] = []
  /// The node to be looked at next is selected from, and a part of the chain that ends there is declared.
  private var isWithinDeclaredChain = false
  /// Whether the sides of the conditionals that give the result may differ: one is true or false, and one is a text.
  private var admitsReasons = false

  static func check(
    _ parsed: ParsedExpression,
    in environment: Environment,
    expecting expected: CELType?,
    orReason: Bool
  ) throws(ExpressionError) -> CheckedExpression {
    var checker = Checker(parsed, environment, infersTypes: true)
    checker.admitsReasons = orReason
    let type = checker.infer(parsed.root)
    if orReason {
      checker.requireTruthOrReason(in: parsed.root)
    } else if let expected, !checker.inference.assign(type, to: expected) {
      let found = checker.inference.resolve(type, unknownToDyn: true)
      checker.report("the expression must be of type \(expected); it is of type \(found)", at: parsed.root)
    }
    if let error = checker.errors.error() { throw error }
    return checker.finished(type)
  }

  /// Infers all types that can be inferred. A part that is wrong has the type ``CELType/error``.
  static func infer(_ parsed: ParsedExpression, in environment: Environment) -> CheckedExpression {
    var checker = Checker(parsed, environment, infersTypes: true)
    let type = checker.infer(parsed.root)
    return checker.finished(type)
  }

  static func resolve(_ parsed: ParsedExpression, in environment: Environment) -> CheckedExpression {
    var checker = Checker(parsed, environment, infersTypes: false)
    let type = checker.infer(parsed.root)
    return checker.finished(type)
  }

  private init(_ parsed: ParsedExpression, _ environment: Environment, infersTypes: Bool) {
    self.environment = environment
    self.parsed = parsed
    self.infersTypes = infersTypes
    errors = ProblemCollector(source: Array(parsed.source.utf8))
    types = Array(repeating: nil, count: parsed.bytes.count)
    references = Array(repeating: nil, count: parsed.bytes.count)
  }

  private func finished(_ type: CELType) -> CheckedExpression {
    CheckedExpression(
      parsed: parsed,
      type: inference.resolve(type, unknownToDyn: true),
      types: types.map { $0.map { inference.resolve($0, unknownToDyn: true) } ?? .dyn },
      references: references
    )
  }

  // MARK: Truths with reasons

  /// Whether a node is one of the conditionals that give the result, and their sides may differ.
  func admitsReason(at node: Syntax) -> Bool {
    admitsReasons && Self.conditionals(in: parsed.root).contains(node.id)
  }

  /// Each part that gives the result is true or false, or it is a text, and at least one is not a text.
  private mutating func requireTruthOrReason(in root: Syntax) {
    var isAlwaysText = true
    for part in Self.results(of: root) {
      let type = inference.resolve(types[part.id] ?? .dyn, unknownToDyn: true)
      if type == .null { continue }
      if type == .error || inference.assign(type, to: .bool) {
        isAlwaysText = false
      } else if !inference.assign(type, to: .string) {
        return report("the result must be of type bool, or a text: the reason; this is of type \(type)", at: part)
      }
    }
    if isAlwaysText {
      report("the result is always a text, and so never true; write CONDITION ? true : 'the reason'", at: root)
    }
  }

  /// The parts of an expression. One of them gives its result.
  private static func results(of node: Syntax) -> [Syntax] {
    guard let sides = sides(of: node) else { return [node] }
    return sides.flatMap(results)
  }

  /// The conditionals that give the result by one of their sides.
  private static func conditionals(in node: Syntax) -> Set<Int> {
    guard let sides = sides(of: node) else { return [] }
    return sides.reduce(into: [node.id]) { $0.formUnion(conditionals(in: $1)) }
  }

  private static func sides(of node: Syntax) -> [Syntax]? {
    guard case .call(let call) = node.kind, call.function == "_?_:_", call.target == nil, call.arguments.count == 3
    else { return nil }
    return Array(call.arguments[1...])
  }

  // MARK: What the rules below use

  /// Reports a problem at a node, if the check infers types.
  ///
  /// - Parameters:
  ///   - whole: the node that the problem is about, if it is larger than `node`.
  ///   - replacement: the text to write in place of it, if it is known.
  mutating func report(
    _ message: String,
    at node: Syntax,
    of whole: Syntax? = nil,
    replacement: String? = nil,
    isUnknownName: Bool = false
  ) {
    guard infersTypes else { return }
    errors.report(
      parsed.message(message, about: node),
      at: parsed.bytes[node.id],
      in: parsed.extents[(whole ?? node).id],
      replacement: parsed.isWritten(node) ? replacement : nil,
      isUnknownName: isUnknownName
    )
  }

  /// Notes that a call names an unknown function; the problem is at the function's name in the source.
  mutating func report(_ message: String, atNameOf node: Syntax, _ name: String, replacement: String? = nil) {
    guard infersTypes else { return }
    guard parsed.isWritten(node) else { return report(message, at: node) }
    let start = parsed.bytes[node.id]
    errors.report(message, at: start, in: start..<start + name.utf8.count, replacement: replacement)
  }

  mutating func refer(_ node: Syntax, to reference: CheckedExpression.Reference) {
    references[node.id] = reference
  }

  /// The type of an expression; also kept for the node.
  mutating func infer(_ node: Syntax) -> CELType {
    let type = inferKind(node)
    let kept = infersTypes ? type : .dyn
    types[node.id] = kept
    return kept
  }

  /// The type of an expression, to the extent that the checker knows it at this point.
  mutating func inferResolved(_ node: Syntax) -> CELType {
    let type = infer(node)
    return inference.resolve(type)
  }

  /// Reports unless the type fits.
  mutating func require(_ type: CELType, of node: Syntax, toBe target: CELType, for purpose: String) {
    guard !inference.assign(type, to: target) else { return }
    let found = inference.resolve(type)
    let remedy = target == .bool ? Self.remedy(forConditionOf: found) : ""
    report("\(purpose) must be of type \(target); it is of type \(found)\(remedy)", at: node)
  }

  /// In other languages, texts, numbers and lists are conditions, too.
  private static func remedy(forConditionOf type: CELType) -> String {
    switch type.withoutNull {
    case .string: "; write x != ''"
    case .int, .uint: "; write x != 0"
    case .double: "; write x != 0.0"
    case .list, .map: "; write size(x) > 0"
    default: ""
    }
  }

  private func isLocal(_ name: String) -> Bool {
    locals.contains { $0.name == name }
  }

  /// Runs `body` with a variable in scope.
  mutating func withLocals<Result>(
    _ bound: [(name: String, type: CELType)],
    _ body: (inout Checker) -> Result
  ) -> Result {
    locals.append(contentsOf: bound)
    defer { locals.removeLast(bound.count) }
    return body(&self)
  }

  private mutating func inferKind(_ node: Syntax) -> CELType {
    switch node.kind {
    case .literal(let literal): literal.type
    case .identifier(let name): identifier(name, node)
    case .select(let selection): select(selection, node)
    case .call(let call): self.call(call, node)
    case .list(let elements): list(elements)
    case .map(let entries): map(entries)
    case .record(let name, let fields): record(name, fields, node)
    case .comprehension(let comprehension): self.comprehension(comprehension, node)
    case .invalid: .error
    }
  }

  // MARK: Names and selections

  private mutating func identifier(_ name: String, _ node: Syntax) -> CELType {
    if let local = locals.last(where: { $0.name == name }) {
      refer(node, to: .local(name))
      return local.type
    }
    if let type = declared(name, node) { return type }
    reportUndeclared(name, node)
    return .error
  }

  /// The type of a declared variable or type name; refers the node to it.
  private mutating func declared(_ name: String, _ node: Syntax) -> CELType? {
    if let variable = environment.variable(named: name) {
      refer(node, to: .variable(variable))
      return variable.type
    }
    if let constant = environment.constant(named: name) {
      refer(node, to: .constant(constant.value))
      return constant.type
    }
    if let record = environment.record(named: name) {
      let type = CELType.object(record.name)
      refer(node, to: .constant(.type(TypeValue(record.name))))
      return .type(type)
    }
    return nil
  }

  /// Whether messages say what to write instead.
  var suggests: Bool { environment.suggests }

  /// The names of the formulas that calls can name.
  var namedFormulas: [String] { Array(environment.parserOptions.functions.keys) }

  /// Whether the parser adds an argument to the calls of a function.
  func hasContextArgument(_ function: String) -> Bool { environment.parserOptions.contextArguments[function] != nil }

  /// The name that was meant by one that does not exist. Of equally close names the first in order.
  func meant(by name: String, among candidates: some Sequence<String>) -> String? {
    environment.suggests ? closestName(to: name, among: candidates.sorted { $0.precedesInUTF8($1) }) : nil
  }

  /// "; did you mean 'x'?", or nothing.
  static func suggestion(_ meant: String?) -> String { meant.map { "; did you mean '\($0)'?" } ?? "" }

  private mutating func reportUndeclared(_ name: String, _ node: Syntax) {
    // The search for the name that was meant takes time, and a full collector drops the message.
    guard infersTypes, !errors.isFull else { return }
    // The body of a named formula names everything from the root.
    let name = String(name.drop { $0 == "." })
    var root = node
    while let part = root.namedPart { root = part.operand }
    let (remedy, meant) = remedy(forUndeclared: name)
    report("unknown name '\(name)'\(remedy)", at: root, of: node, replacement: meant, isUnknownName: true)
  }

  /// The remedy for a name that is not declared, and the name that was probably meant, if there is one.
  private func remedy(forUndeclared name: String) -> (text: String, meant: String?) {
    guard environment.suggests else { return ("", nil) }
    if let advice = environment.advice[name] { return ("; \(advice)", nil) }
    if locals.contains(where: { $0.name == name }) {
      return ("; a function does not see the variables around its call, so give it a parameter", nil)
    }
    let known =
      (environment.suggestedNames ?? environment.variables.keys.map(\.text).sorted { $0.precedesInUTF8($1) })
      + locals.map(\.name)
    // The commonest mistake is to leave out the beginning of a name: 'email' for 'values.email'.
    let end = ".\(name)".utf8
    let whole = known.filter { $0.utf8.count > end.count && $0.utf8.suffix(end.count).elementsEqual(end) }
      .min { ($0.utf8.count, $0) < ($1.utf8.count, $1) }
    // Or to write dots for a name that has dots itself, or slashes: 'values.a.b' for "values['a.b']".
    let bracketed = known.first { Self.haveSameLetters($0, name) }
    if let meant = whole ?? bracketed { return (Self.suggestion(meant), meant) }
    if let found = ForeignWord.name(String(name.prefix { $0 != "." && $0 != "[" })) {
      return ("; \(found.advice)", nil)
    }
    if let meant = closestName(to: name, among: known) { return (Self.suggestion(meant), meant) }
    // Or a misspelled name of a variable that has members: 'respons.status' for 'response.status'.
    if let dot = name.firstIndex(of: "."),
      let holder = closestName(to: String(name[..<dot]), among: known.filter { !$0.contains(".") && !$0.contains("[") })
    {
      return (Self.suggestion(holder + name[dot...]), holder + name[dot...])
    }
    return (environment.functions[name] == nil ? "" : "; '\(name)' is a function, call it: '\(name)(...)'", nil)
  }

  /// Whether two names have the same bytes, except the bytes that separate the parts of names.
  private static func haveSameLetters(_ name: String, _ other: String) -> Bool {
    var one = name.utf8.makeIterator()
    var two = other.utf8.makeIterator()
    while true {
      let byte = nextLetter(&one)
      guard byte == nextLetter(&two) else { return false }
      if byte == nil { return true }
    }
  }

  private static func nextLetter(_ bytes: inout String.UTF8View.Iterator) -> UInt8? {
    while let byte = bytes.next() {
      switch byte {
      case UInt8(ascii: "."), UInt8(ascii: "/"), UInt8(ascii: "["), UInt8(ascii: "'"), UInt8(ascii: "]"): continue
      default: return byte
      }
    }
    return nil
  }

  private mutating func select(_ selection: Syntax.Selection, _ node: Syntax) -> CELType {
    let isWithin = isWithinDeclaredChain
    isWithinDeclaredChain = false
    if environment.spreadsAbsence, let chain = node.testedChain, !isLocal(chain[0]),
      declared(Printer.print(chain: chain), node) != nil
    {
      return .bool
    }
    if isWithin, node.depth > environment.segmentsMax {
      // Longer than any name. Only a part of the chain can be declared, and one part is.
      isWithinDeclaredChain = true
    } else if !selection.isTest, !selection.isOptional, let name = node.memberName,
      let root = node.rootIdentifier, !isLocal(root)
    {
      // The longest name that is declared wins; the remaining parts are selections on it (langdef.md, "Name
      // Resolution").
      if let type = declared(name, node) { return type }
      guard isWithin || isDeclaredPrefix(of: selection.operand) else {
        reportUndeclared(name, node)
        return .error
      }
      isWithinDeclaredChain = true
    }
    let operand = inferResolved(selection.operand)
    isWithinDeclaredChain = false
    let result = field(selection.field, of: operand, selection.operand, node)
    if selection.isTest { return .bool }
    if selection.isOptional {
      // Selecting through an optional already gives an optional.
      if case .optional = result { return result }
      return .optional(result)
    }
    return result
  }

  /// The type of `a['b']` if a variable is declared under that name; nil if it is an ordinary element.
  mutating func namedElement(_ node: Syntax) -> CELType? {
    guard let name = node.memberName, let root = node.rootIdentifier, !isLocal(root) else { return nil }
    if node.depth <= environment.segmentsMax, let type = declared(name, node) { return type }
    guard !isWithinDeclaredChain, !isDeclaredPrefix(of: node) else { return nil }
    reportUndeclared(name, node)
    return .error
  }

  /// Whether some prefix of a chain of names is declared; if none is, the whole name is unknown.
  func isDeclaredPrefix(of node: Syntax) -> Bool {
    if node.depth <= environment.segmentsMax, let name = node.memberName {
      if environment.variable(named: name) != nil || environment.constant(named: name) != nil
        || environment.record(named: name) != nil
      {
        return true
      }
    }
    guard let part = node.namedPart else { return false }
    return isDeclaredPrefix(of: part.operand)
  }

  /// The type of a member.
  /// - Parameters:
  ///   - operand: the type of the value that has it.
  ///   - holder: the node that has the field.
  mutating func field(_ name: String, of operand: CELType, _ holder: Syntax, _ node: Syntax) -> CELType {
    switch operand {
    case .optional(let inner):
      return .optional(field(name, of: inference.resolve(inner), holder, node))
    case .map(_, let value):
      return value
    case .object(let recordName):
      guard let record = environment.records[recordName] else { return .dyn }
      if let field = record.fields[name] { return field.type }
      if record.admitsOther(name) { return .dyn }
      reportUnknown(name, of: record, holder, node)
      return .error
    case .wrapper(.object):
      return field(name, of: operand.withoutNull, holder, node)
    case .parameter:
      _ = inference.assign(.dyn, to: operand)
      return .dyn
    case .dyn, .any, .error:
      return .dyn
    default:
      let remedy = ForeignWord.name(name).map { "; \($0.advice)" } ?? ""
      report("a value of type \(operand) has no fields; '.\(name)' cannot be selected\(remedy)", at: node)
      return .error
    }
  }

  private mutating func reportUnknown(_ name: String, of record: RecordDeclaration, _ holder: Syntax, _ node: Syntax) {
    guard infersTypes, !errors.isFull else { return }
    func spelled(_ name: String) -> String {
      holder.memberChain.map { Printer.print(chain: $0 + [name]) } ?? ".\(name)"
    }
    var remedy = ""
    var meant: String?
    if environment.suggests {
      let known = record.fields.keys.sorted { $0.precedesInUTF8($1) }
      let listed = known.prefix(12).joined(separator: ", ") + (known.count > 12 ? ", ..." : "")
      if let advice = environment.advice[spelled(name)] {
        remedy = "; \(advice)"
      } else if let closest = closestName(to: name, among: known) {
        remedy = Self.suggestion(spelled(closest))
        // An operand that is more than a name has no replacement.
        meant = holder.memberChain == nil ? nil : spelled(closest)
      } else {
        remedy = ForeignWord.name(name).map { "; \($0.advice)" } ?? "; it has: \(listed)"
      }
    }
    report("unknown name '\(spelled(name))'\(remedy)", at: node, replacement: meant, isUnknownName: true)
  }

  // MARK: Literals of lists, maps and records

  private mutating func list(_ elements: [Syntax.Element]) -> CELType {
    var joined: CELType?
    for element in elements {
      var type = infer(element.value)
      if element.isOptional { type = unwrapped(type, element.value) }
      joined = inference.join(joined, type)
    }
    return .list(joined ?? inference.freshVariable())
  }

  private mutating func map(_ entries: [Syntax.Entry]) -> CELType {
    var keys: CELType?
    var values: CELType?
    for entry in entries {
      let key = inferResolved(entry.key)
      switch key {
      case .list, .map, .object, .abstract, .optional:
        // Refused by every implementation at run time; reporting it here also keeps types as small as their source.
        report("a key must be of type bool, int, uint or string; it is of type \(key)", at: entry.key)
      default: break
      }
      keys = inference.join(keys, key)
      var value = infer(entry.value)
      if entry.isOptional { value = unwrapped(value, entry.value) }
      values = inference.join(values, value)
    }
    return .map(keys ?? inference.freshVariable(), values ?? inference.freshVariable())
  }

  /// The type inside an element or entry written with `?`.
  private mutating func unwrapped(_ type: CELType, _ node: Syntax) -> CELType {
    switch inference.resolve(type) {
    case .optional(let inner): return inner
    case let other where other.isDynamic: return .dyn
    case .parameter: return .dyn
    case let other:
      report("an optional is needed after '?'; this is of type \(other)", at: node)
      return .error
    }
  }

  private mutating func record(_ name: String, _ fields: [Syntax.Field], _ node: Syntax) -> CELType {
    guard let record = environment.record(named: name) else {
      let remedy = Self.suggestion(meant(by: name, among: environment.records.keys))
      report("unknown record type '\(name)'\(remedy)", at: node)
      for field in fields { _ = infer(field.value) }
      return .error
    }
    refer(node, to: .record(record))
    for field in fields {
      var type = infer(field.value)
      if field.isOptional { type = unwrapped(type, field.value) }
      if let declared = record.fields[field.name] {
        require(type, of: field.value, toBe: declared.type, for: "the field '\(field.name)'")
      } else {
        let remedy = Self.suggestion(meant(by: field.name, among: record.fields.keys))
        report("\(name) has no field '\(field.name)'\(remedy)", at: field.value)
      }
    }
    return .object(record.name)
  }
}

extension Checker {
  var functions: [String: [Overload]] { environment.functions }

  func overloads(named name: String) -> [Overload]? { environment.overloads(named: name) }

  /// Whether the root of a chain of names is a variable in scope, so that the chain cannot name a function.
  func isVariable(_ node: Syntax) -> Bool {
    guard let root = node.rootIdentifier else { return true }
    return isLocal(root)
  }

  var isInferring: Bool { infersTypes }

  /// Whether null means that something is absent.
  var spreadsAbsence: Bool { environment.spreadsAbsence }
}

extension Literal {
  /// The type of the literal.
  var type: CELType {
    switch self {
    case .null: .null
    case .bool: .bool
    case .int: .int
    case .uint: .uint
    case .double: .double
    case .string: .string
    case .bytes: .bytes
    }
  }

  /// The value of the literal.
  var value: Value {
    switch self {
    case .null: .null
    case .bool(let value): .bool(value)
    case .int(let value): .int(value)
    case .uint(let value): .uint(value)
    case .double(let value): .double(value)
    case .string(let value): .string(value)
    case .bytes(let value): .bytes(value)
    }
  }
}
