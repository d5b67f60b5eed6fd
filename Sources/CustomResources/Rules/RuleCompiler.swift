internal import CEL
internal import JSON

/// Compiles the rules of one node of a schema.
struct RuleCompiler {
  private let node: StructuralSchemaReader.Ruled
  private let environment: Environment

  /// - Parameter environment: what rules can call, and the types of all nodes.
  init(_ node: StructuralSchemaReader.Ruled, in environment: Environment) {
    self.node = node
    self.environment = environment
  }

  /// The rules of the node that can be used.
  ///
  /// - Parameter faults: gets what is wrong with the others.
  func rules(_ faults: inout [DefinitionFault]) -> [ValidationRule] {
    guard let type = node.schema.type else {
      faults.append(
        DefinitionFault(
          at: node.rules[0].pointer,
          code: "x-kubernetes-validations",
          "there can be no rule here: what the values are is not said; write their type"
        )
      )
      return []
    }
    var rules: [ValidationRule] = []
    for rule in node.rules {
      var reading = RuleReading(rule.source, at: rule.pointer)
      if let compiled = self.rule(&reading, type, location: rule.location), reading.faults.isEmpty {
        rules.append(compiled)
      }
      faults += reading.faults
    }
    return rules
  }

  private func rule(_ reading: inout RuleReading, _ type: CELType, location: JSONPointer) -> ValidationRule? {
    let isOldSelfOptional = reading.truth("optionalOldSelf")
    var environment = environment
    environment.declare(variable: ValidationRule.variables[0], type: type, slot: 0)
    environment.declare(
      variable: ValidationRule.variables[1],
      type: isOldSelfOptional ? .optional(type) : type,
      slot: 1
    )
    guard let source = reading.text("rule") else {
      if reading.faults.isEmpty { reading.report("rule", "a rule is an expression of CEL") }
      return nil
    }
    let message = reading.line("message", bytesMax: 2_048)
    let reason = reading.text("reason").map(ValidationRule.Reason.init(rawValue:)) ?? .invalid
    if reason == nil {
      let names = ValidationRule.Reason.allCases.map(\.rawValue).joined(separator: ", ")
      reading.report("reason", "the reasons are \(names)")
    }
    let fieldPath = reading.fieldPath(in: node.schema)
    let program = reading.program("rule", source, in: environment, result: .bool)
    let messageExpression = reading.text("messageExpression").flatMap {
      reading.program("messageExpression", $0, in: environment, result: .string)
    }
    let usesOldSelf = program?.dependencies.contains { $0.variable == ValidationRule.variables[1] } ?? false
    if usesOldSelf, !node.isCorrelatable {
      reading.report(
        "rule",
        "oldSelf cannot be used here: the elements of a list around it are not followed from one version of an object to the "
          + "next; give that list x-kubernetes-list-type map, or put the rule above the list"
      )
    }
    if isOldSelfOptional, program != nil, !usesOldSelf {
      reading.report("optionalOldSelf", "the rule does not use oldSelf; remove optionalOldSelf")
    }
    guard let program, let reason else { return nil }
    return ValidationRule(
      source: source.trimmingSpaces,
      program: program,
      usesOldSelf: usesOldSelf,
      isOldSelfOptional: isOldSelfOptional,
      message: message?.trimmingSpaces,
      messageExpression: messageExpression,
      reason: reason,
      fieldPath: fieldPath,
      location: location
    )
  }
}

/// The members of one rule, and what is wrong with them.
private struct RuleReading {
  private let source: JSON
  private let pointer: JSONPointer
  private(set) var faults: [DefinitionFault] = []

  init(_ source: JSON, at pointer: JSONPointer) {
    self.source = source
    self.pointer = pointer
  }

  mutating func report(_ member: String, _ message: String) {
    let isThere = source[member] != nil
    faults.append(DefinitionFault(at: isThere ? pointer.appending(member) : pointer, code: member, message))
  }

  /// A text that is not empty; nil where there is none.
  mutating func text(_ member: String) -> String? {
    switch source[member] {
    case nil, .null?: return nil
    case .string(let text)?: return text.trimmingSpaces.isEmpty ? nil : text
    default:
      report(member, "\(member) is a text")
      return nil
    }
  }

  mutating func truth(_ member: String) -> Bool {
    switch source[member] {
    case nil, .null?: return false
    case .bool(let truth)?: return truth
    default:
      report(member, "\(member) is true or false")
      return false
    }
  }

  /// A text of one line.
  mutating func line(_ member: String, bytesMax: Int) -> String? {
    guard let text = text(member) else { return nil }
    if text.trimmingSpaces.utf8.contains(UInt8(ascii: "\n")) { report(member, "a \(member) has no line breaks") }
    if text.utf8.count > bytesMax { report(member, "a \(member) has at most \(bytesMax) bytes") }
    return text
  }

  mutating func fieldPath(in schema: StructuralSchema) -> [String] {
    guard let text = text("fieldPath") else { return [] }
    do throws(FieldPath.Fault) {
      return try FieldPath.tokens(of: text.trimmingSpaces, in: schema)
    } catch {
      report("fieldPath", error.message)
      return []
    }
  }

  /// An expression that results in that type, and in no other.
  mutating func program(
    _ member: String,
    _ text: String,
    in environment: Environment,
    result: CELType
  ) -> Program? {
    do throws(ExpressionError) {
      let program = try environment.compile(text, expecting: result)
      if program.type == result { return program }
      report(member, "the \(member) must be of type \(result); it is of type \(program.type)")
    } catch {
      for fault in error.faults {
        faults.append(
          DefinitionFault(
            at: pointer.appending(member),
            place: fault.offset,
            extent: fault.extent,
            code: member,
            "\(member) \(fault.place): \(fault.message)"
          )
        )
      }
    }
    return nil
  }
}

extension String {
  /// The text without white space at both ends.
  var trimmingSpaces: String {
    let isSpace: (Unicode.Scalar) -> Bool = { $0.properties.isWhitespace }
    let start = unicodeScalars.drop(while: isSpace)
    guard let end = start.lastIndex(where: { !isSpace($0) }) else { return "" }
    return String(start[...end])
  }
}
