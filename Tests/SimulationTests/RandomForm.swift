import Forms
import JSON

/// A form definition made by chance, with what the simulation has to know about it.
struct RandomForm {
  enum Kind: CaseIterable {
    case text, number, flag, anything, list, secret, secretObject
  }

  struct FieldPlan {
    let name: String
    let kind: Kind
    var isDelayed = false
  }

  /// A check whose answer depends on its field's value alone, so that the simulation knows what it must say.
  struct CheckPlan {
    let field: Int
    let takenCode: String
    let failureCode: String
    var hasGate = false
    var ignoresFailure = false
  }

  private(set) var definition: JSONObject = [:]
  private(set) var fields: [FieldPlan] = []
  private(set) var checks: [CheckPlan] = []
  private(set) var actionCount = 0
  /// The actions whose scope is none: their taps reveal nothing.
  private(set) var freeActions: Set<Int> = []
  /// Whether every formula reads values alone: then a fresh session with the same values shows the same.
  private(set) var isPure = true

  private var random: Randomness

  init(seed: UInt64) {
    random = Randomness(seed: seed)
    isPure = random.chance(40)
    makeFields()
    makeRules()
    makeChecks()
    makeActions()
    makeOutputs()
    definition["form"] = "random"
  }

  // MARK: Fields

  private mutating func makeFields() {
    let count = 2 + random.below(4)
    for index in 0..<count {
      let kind: Kind =
        index == 0
        ? .text : random.pick([.text, .text, .text, .number, .flag, .anything, .list, .secret, .secretObject])
      fields.append(FieldPlan(name: ["a", "b", "c", "d", "e", "f"][index], kind: kind))
    }
    var properties = JSONObject()
    var blocks = JSONObject()
    for index in fields.indices {
      properties[fields[index].name] = property(of: fields[index].kind)
      blocks[fields[index].name] = block(of: index)
    }
    var schema: JSONObject = ["type": "object", "properties": .object(properties)]
    let names = fields.map { JSON.string($0.name) }
    if random.chance(50) { schema["required"] = .array([random.pick(names)]) }
    if random.chance(25) { schema["dependentRequired"] = .object([fields[0].name: .array([names[1]])]) }
    if random.chance(25) {
      schema["if"] = .object(["required": .array([names[0]])])
      schema["then"] = .object(["required": .array([random.pick(names)])])
    }
    if random.chance(20) {
      schema["anyOf"] = .array([.object(["required": .array([names[0]])]), .object(["required": .array([names[1]])])])
    }
    if random.chance(15) { schema["minProperties"] = 2 }
    definition["schema"] = .object(schema)
    definition["fields"] = .object(blocks)
  }

  private mutating func property(of kind: Kind) -> JSON {
    switch kind {
    case .text:
      var text: JSONObject = ["type": random.chance(15) ? ["string", "null"] : "string", "maxLength": 8]
      if random.chance(50) { text["minLength"] = .integer(Int64(1 + random.below(4))) }
      if random.chance(20) { text["pattern"] = "^[a-z]*$" }
      if random.chance(20) { text["default"] = random.pick(["abc", "x", "ok"] as [JSON]) }
      return .object(text)
    case .number: return ["type": random.chance(50) ? "integer" : "number", "minimum": 1, "maximum": 5]
    case .flag: return ["type": "boolean"]
    case .anything: return [:]
    case .list:
      return ["type": "array", "maxItems": 3, "uniqueItems": true, "items": ["type": "integer", "minimum": 0]]
    case .secret: return ["type": "string", "writeOnly": true, "maxLength": 12, "minLength": 7]
    case .secretObject:
      return [
        "type": "object", "writeOnly": true, "additionalProperties": false, "maxProperties": 3,
        "properties": ["pin": ["type": "string", "maxLength": 9]],
      ]
    }
  }

  private mutating func block(of index: Int) -> JSON {
    var block: JSONObject = ["show": .string(random.pick(["always", "edit", "blur", "blur", "submit"]))]
    let kind = fields[index].kind
    if kind == .text || kind == .secret {
      if random.chance(25) {
        fields[index].isDelayed = true
        block[random.pick(["throttle", "debounce"])] = .string(random.pick(["50ms", "300ms"]))
      } else {
        if random.chance(40) {
          block["normalize"] = random.pick([["trim"], ["trim", "nfc"], ["lower"], ["collapse"]] as [JSON])
        }
        if kind == .text && random.chance(10) { block["emptyAs"] = "keep" }
      }
    }
    if index > 0 {
      if random.chance(25) { block["visible"] = .string(condition(below: index)) }
      if random.chance(20) { block["required"] = .string(condition(below: index)) }
      if random.chance(15) { block["enabled"] = .string(condition(below: index)) }
    }
    if random.chance(30) {
      block["messages"] = ["required": ["en": "needed", "ko": "필요"], "minLength": "{limit} at least"]
    }
    return .object(block)
  }

  // MARK: Formulas

  /// A condition over the fields before that one.
  private mutating func condition(below bound: Int, depth: Int = 0) -> String {
    if depth < 2 && random.chance(30) {
      let left = condition(below: bound, depth: depth + 1)
      return "(\(left) \(random.pick(["&&", "||"])) \(condition(below: bound, depth: depth + 1)))"
    }
    let index = random.below(bound)
    let name = fields[index].name
    if !isPure && random.chance(20) {
      return "fields.\(name).\(random.pick(["isDirty", "isTouched", "isEmpty", "isValid", "isPending"]))"
    }
    switch fields[index].kind {
    case .text, .secret:
      return random.pick([
        "values.\(name) == 'abc'", "size(values.\(name)) > 2", "values.\(name).contains('x')",
        "!fields.\(name).isEmpty",
      ])
    case .number: return random.pick(["values.\(name) != null", "values.\(name) > 2", "values.\(name) == 3"])
    case .flag: return random.pick(["values.\(name) == true", "values.\(name) != null"])
    case .anything:
      return random.pick(["values.\(name) == 1", "values.\(name) != null", "string(values.\(name)) == '1'"])
    case .list: return random.pick(["values.\(name) != null", "fields.\(name).isEmpty", "size(values.\(name)) > 1"])
    case .secretObject: return "fields.\(name).isEmpty"
    }
  }

  /// A formula of any type that reads no secret.
  private mutating func expression() -> String {
    let open = fields.filter { $0.kind != .secret && $0.kind != .secretObject }
    let name = random.pick(open).name
    switch random.below(8) {
    case 0: return "values.\(name)"
    case 1: return "{'v': values.\(name), 'k': 1}"
    case 2: return "[values.\(name), 1]"
    case 3: return "string(values.\(name))"
    case 4 where !isPure: return "form.isValid ? 'yes' : 'no'"
    case 5 where !isPure: return "messages.\(name)"
    case 6 where !isPure: return random.pick(["form.isDirty", "form.isPending", "fields.\(name).isTouched"])
    default: return condition(below: fields.count)
    }
  }

  // MARK: Rules and checks

  private mutating func makeRules() {
    var rules: [JSON] = []
    for number in 0..<random.below(5) {
      var rule: JSONObject = ["id": .string("r\(number)")]
      if random.chance(75) {
        // Only fields before it, so that there is no circle however the formulas fall.
        let index = random.below(fields.count)
        rule["field"] = .string(fields[index].name)
        let ofSelf: String =
          switch fields[index].kind {
          case .text, .secret: "size(self) > \(1 + random.below(4))"
          case .number: "self != 2"
          case .flag: "self == true"
          case .anything: "self == 1 || self == 'x'"
          case .list: "size(self) > 0"
          case .secretObject: "true"
          }
        let others = index > 0 && random.chance(40) ? " && \(condition(below: index))" : ""
        rule["check"] = .string(ofSelf + others)
        if index > 0 && random.chance(30) { rule["when"] = .string(condition(below: index)) }
        if fields[index].kind == .text && random.chance(25) { rule["messageExpression"] = "'not ' + self" }
      } else {
        rule["check"] = .string(condition(below: fields.count))
      }
      if random.chance(25) { rule["severity"] = "warning" }
      rules.append(.object(rule))
    }
    definition["rules"] = .array(rules)
  }

  private mutating func makeChecks() {
    var list: [JSON] = []
    for number in 0..<random.below(3) {
      let candidates = fields.indices.filter { fields[$0].kind == .text || fields[$0].kind == .secret }
      let index = random.pick(candidates)
      var plan = CheckPlan(field: index, takenCode: "taken\(number)", failureCode: "c\(number)")
      var check: JSONObject = [
        "id": .string("c\(number)"), "field": .string(fields[index].name),
        "timeout": .string(random.pick(["500ms", "2s"])),
        "run": ["provider": ["name": "p", "arguments": ["v": "self"]]],
        "outcomes": [["when": "response.body == true", "valid": true], ["code": .string(plan.takenCode)]],
      ]
      if random.chance(60) { check["debounce"] = .string(random.pick(["100ms", "400ms"])) }
      if random.chance(50) { check["cache"] = random.pick([true, 2] as [JSON]) }
      if index > 0 && random.chance(20) {
        check["when"] = .string(condition(below: index))
        plan.hasGate = true
      }
      let policy = random.pick(["block", "warn", "ignore"])
      check["onFailure"] = .string(policy)
      plan.ignoresFailure = policy == "ignore"
      checks.append(plan)
      list.append(.object(check))
    }
    definition["checks"] = .array(list)
  }

  // MARK: Actions and outputs

  private mutating func makeActions() {
    var actions = JSONObject()
    actionCount = 1 + random.below(2)
    for number in 0..<actionCount {
      var action: JSONObject = ["flight": .string(random.pick(["drop", "latest", "merge", "queue", "queue"]))]
      switch random.below(6) {
      case 0: action["throttle"] = "300ms"
      case 1: action["throttle"] = ["every": "300ms", "edges": .string(random.pick(["leading", "trailing", "both"]))]
      case 2: action["debounce"] = "200ms"
      default: break
      }
      if random.chance(25) { action["whenPending"] = "refuse" }
      if random.chance(20) {
        action["scope"] = "none"
        freeActions.insert(number)
      }
      if random.chance(40) { action["enabled"] = .string(random.pick(["true", condition(below: fields.count)])) }
      if random.chance(80) {
        var arguments = JSONObject()
        for field in fields { arguments[field.name] = .string("values.\(field.name)") }
        action["run"] = ["provider": ["name": "q", "arguments": .object(arguments)]]
        action["timeout"] = .string(random.pick(["400ms", "3s"]))
        if random.chance(40) { action["retry"] = ["times": 2, "delay": "100ms"] }
        if random.chance(60) {
          action["outcomes"] = [
            [
              "when": "response.kind == 'ok' && response.body == true",
              "success": "{'n': 1, 'previous': previous != null}", "message": "done",
            ],
            [
              "when": "response.kind == 'ok'", "failure": "'no'",
              "fieldErrors": .object([fields[0].name: "'the server says no'"]),
            ], ["failure": "response.kind"],
          ]
        }
      }
      actions["go\(number)"] = .object(action)
    }
    definition["actions"] = .object(actions)
  }

  private mutating func makeOutputs() {
    var outputs = JSONObject()
    for number in 0..<(1 + random.below(4)) {
      if number > 0 && random.chance(40) {
        let earlier = random.below(number)
        outputs["o\(number)"] = .string(
          random.pick([
            "outputs.o\(earlier) == true", "outputs.o\(earlier) == null ? 'none' : 'some'", "[outputs.o\(earlier)]",
          ])
        )
      } else if !isPure && random.chance(25) {
        outputs["o\(number)"] = .string(
          random.pick([
            "actions.go0.isLoading", "actions.go0.attempts", "actions.go0.result", "actions.go0.error == null",
            "actions.go0.isEnabled", "actions.go0.message",
          ])
        )
      } else {
        outputs["o\(number)"] = .string(expression())
      }
    }
    definition["outputs"] = .object(outputs)
  }
}
