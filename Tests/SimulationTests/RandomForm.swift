import Forms
import JSON
import Randomness

/// A random form definition, with the facts that the simulation has to know about it.
struct RandomForm {
  enum Kind: CaseIterable {
    /// A list whose elements are values, and one whose elements are rows.
    case text, number, flag, anything, list, secret, secretObject, object, union, rows
  }

  struct FieldPlan {
    /// The names that lead to it.
    let path: [String]
    let kind: Kind
    /// The field that contains it, in the same row.
    var parent: Int?
    /// The element of the list whose row it is a part of; nil for a field of the form.
    var row: Int?
    var isDelayed = false
    /// The source field: a formula makes the value from its text and one more letter; nil: inputs give the value.
    var source: Int?
    /// Whether the formula gives the value always, and not only until an input does.
    var isComputed = false
    /// Whether errors of its initial value are warnings.
    var isTrusted = false
    /// The choices of a text.
    var choices: ChoiceModel?
    /// Whether it is a list whose elements have choices.
    var isMultipleChoice = false
    /// Whether it is a list whose order does not count.
    var isUnordered = false
    /// Whether it is a list whose blank rows do not count.
    var ignoresBlankRows = false
    /// While this field has a value, a branch of the schema gives ``branchDefault`` to the field.
    var decider: Int?
    /// A change of this field's value by the user resets the field.
    var trigger: Int?
    /// Whether the formula that shows its row reads its value.
    var decidesRow = false
    /// Whether its value goes when it is hidden.
    var clears = false

    /// Whether nothing delays its value, and no formula gives it.
    var takesAnyInput: Bool { !isDelayed && source == nil }
    var address: String { JSONPointer(tokens: path).address }
    /// How formulas of the form name its value.
    var value: String { "values.\(path.joined(separator: "."))" }
    /// How formulas of its row name its status.
    var status: String { path.count == 1 ? "fields.\(path[0])" : "fields['\(address)']" }
    var message: String { path.count == 1 ? "messages.\(path[0])" : "messages['\(address)']" }
    /// The number of nested rows that contain it.
    var depth: Int { path.count { $0 == "*" } }
  }

  /// The default that branches of the schema give.
  static let branchDefault: JSON = "xbranch"

  /// An output of each row of a list.
  struct RowOutput {
    let address: String
    /// The element of the list.
    let row: Int
    let isNumber: Bool
  }

  /// Whether a formula decides if some field is shown.
  var hasFormulasOfVisibility: Bool {
    (definition["fields"]?.objectValue?.contains { $0.value["visible"] != nil } ?? false)
      || (definition["steps"]?.arrayValue?.contains { $0["visible"] != nil } ?? false)
  }

  /// Whether one of those fields delays its value.
  func isDelayed(in range: Range<Int>) -> Bool { range.contains { fields[$0].isDelayed } }

  /// Whether one of two fields contains the other.
  func areRelated(_ one: Int, _ other: Int) -> Bool {
    let (short, long) = one < other ? (one, other) : (other, one)
    return fields[long].path.starts(with: fields[short].path)
  }

  /// Whether users can take their edits back.
  private(set) var hasUndo = false
  /// Whether the values hold a secret anywhere.
  /// Whether a formula asks where the user is, or has been: in a snapshot that is kept he has left every field.
  var asksForPresence: Bool {
    let text = JSON.object(definition).description
    return text.contains("isFocused") || text.contains("isTouched")
  }
  var hasSecrets: Bool { fields.contains { $0.kind == .secret || $0.kind == .secretObject } }

  /// The fields that are not in rows.
  var ownFields: [Int] { fields.indices.filter { fields[$0].row == nil } }
  /// The lists with rows.
  var lists: [Int] { fields.indices.filter { fields[$0].kind == .rows } }
  /// The lists at the top whose rows that count an output counts.
  var countedLists: [Int] {
    lists.filter { fields[$0].ignoresBlankRows && fields[$0].path.count == 1 && !holdsSecret($0) }
  }
  /// What the form has that few forms have.
  var rarities: Set<String> {
    var rarities: Set<String> = []
    if hasContext { rarities.insert("a context") }
    if time != nil { rarities.insert("time") }
    if lists.contains(where: { fields[$0].isMultipleChoice }) { rarities.insert("a multiple choice") }
    if !countedLists.isEmpty { rarities.insert("blank rows that do not count") }
    if fields.contains(where: \.clears) { rarities.insert("values that go when they are hidden") }
    if checks.contains(where: { $0.ask != .change }) { rarities.insert("checks that wait for a leave or a tap") }
    return rarities
  }
  /// Whether a field has rows in it, or is in one.
  func concernsRows(_ index: Int) -> Bool {
    fields[index].row != nil || lists.contains { fields[$0].path.starts(with: fields[index].path) }
  }
  /// The list that a row is in.
  func list(of row: Int) -> Int? { lists.first { fields[$0].path.elementsEqual(fields[row].path.dropLast()) } }

  /// Whether a field is a secret or contains one.
  private func holdsSecret(_ index: Int) -> Bool {
    fields.indices.contains {
      [.secret, .secretObject].contains(fields[$0].kind) && fields[$0].path.starts(with: fields[index].path)
    }
  }

  /// A check whose answer depends on its field's value alone, so that the simulation knows the answer.
  struct CheckPlan {
    let field: Int
    let takenCode: String
    let failureCode: String
    var hasGate = false
    var ignoresFailure = false
    /// Whether an answer or its lack must stop a tap.
    var blocks = false
    var trustsInitial = false
    /// When it asks.
    var ask = AskPolicy.change
  }

  /// A lookup whose service returns the request, so that the simulation knows the result.
  struct LookupPlan {
    let name: String
    /// The field whose value it sends.
    let field: Int
    /// The element of the list whose rows each have it; nil: the form has it.
    var row: Int?
    /// The lookup's name in formulas; if a row has the lookup, in formulas of this row.
    let spelling: String
    var hasGate = false
    var isCached = false
  }

  /// The parts of the time that formulas read. The outputs `today` and `now` report it, as far as the simulation has to
  /// know it.
  struct TimePlan {
    /// Seconds that the clocks of the zone are ahead of UTC.
    let offset: Int
    /// Milliseconds between two ticks of `now`; nil: only taps set it.
    let period: Int64?

    /// As zones are named.
    var zone: String {
      let minutes = abs(offset) / 60
      let digits = [minutes / 60, minutes % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }
      return "\(offset < 0 ? "-" : "+")\(digits[0]):\(digits[1])"
    }
  }

  private(set) var definition: JSONObject = [:]
  /// The fields whose initial values the output `initial` tells.
  private(set) var initialsTold: [Int] = []
  /// Whether formulas may read a context.
  private(set) var hasContext = false
  /// Nil if no formula reads the date or the time.
  private(set) var time: TimePlan?
  private(set) var fields: [FieldPlan] = []
  private(set) var checks: [CheckPlan] = []
  private(set) var lookups: [LookupPlan] = []
  private(set) var rowOutputs: [RowOutput] = []
  /// Fields whose options read an output that reads a lookup of the form, each with the lookup's name.
  private(set) var optionsByOutput: [(field: Int, lookup: String)] = []
  /// Rules of lists at the top that an empty list breaks, each with its code.
  private(set) var rulesOfLists: [(list: Int, code: String)] = []
  /// By step: the fields that it names.
  private(set) var steps: [[Int]] = []
  private(set) var actionCount = 0
  /// The fields that each action is about; nil: all.
  private(set) var scopes: [[Int]?] = []
  var stepCount: Int { steps.count }
  /// Whether every formula reads values alone: then a fresh session with equal values has an equal document.
  private(set) var isPure = true

  /// The formula of the output that options read.
  private var choice: String?
  private var random: SeededGenerator
  /// For parts that came later, so that the other parts of a seed stay.
  private var extra: SeededGenerator
  /// The element of the list whose rows' fields are being made.
  private var row: Int?

  init(seed: UInt64) {
    random = SeededGenerator(seed: seed)
    extra = SeededGenerator(seed: ~seed)
    isPure = random.chance(40)
    if random.chance(25) {
      let period = random.pick([nil, nil, 1, 2, 60])
      time = TimePlan(
        offset: random.pick([0, 3_600, 32_400, 45_900, -12_600, -36_000]),
        period: period.map { Int64($0) * 1_000 }
      )
      if let period { definition["clock"] = .string("\(period)s") }
    }
    if extra.chance(25) {
      hasContext = true
      definition["context"] = Self.context
    }
    if extra.chance(35) {
      hasUndo = true
      definition["undo"] = true
    }
    makeFields()
    makeRules()
    makeChecks()
    makeSteps()
    makeHiding()
    makeTriggers()
    makeLookups()
    makeActions()
    makeOutputs()
    definition["form"] = "random"
  }

  /// The schema of a context. The outputs `context` and `hasToken` tell its parts.
  private static let context: JSON = [
    "type": "object",
    "properties": [
      "role": ["enum": ["clerk", "chef"]], "level": ["type": "integer"],
      "user": ["type": "object", "properties": ["name": ["type": "string", "maxLength": 9]]],
      "token": ["type": "string", "writeOnly": true, "maxLength": 9],
    ],
  ]

  // MARK: Fields

  private mutating func makeFields() {
    var blocks = JSONObject()
    let schema = object(at: [], count: 2 + random.below(4), parent: nil, &blocks)
    // The fields of rows follow all other fields, as in the form. Fields of the lists that were found first come first.
    var rows = JSONObject()
    var found = 0
    while found < lists.count {
      let list = lists[found]
      found += 1
      row = fields.count
      rows["row\(list)"] = .object(element(of: list, &blocks))
    }
    row = nil
    definition["schema"] = .object(schema)
    if !rows.isEmpty {
      var whole = schema
      whole["$defs"] = .object(rows)
      definition["schema"] = .object(whole)
    }
    definition["fields"] = .object(blocks)
  }

  /// The schema of a list's rows.
  private mutating func element(of list: Int, _ blocks: inout JSONObject) -> JSONObject {
    let simple: [Kind] = [.text, .number, .anything, .union, .secret]
    let kinds = fields[list].depth < 1 ? simple + [.rows] : simple
    var kind: Kind = random.chance(60) ? .object : random.pick(kinds)
    if fields[list].isMultipleChoice { kind = .text }
    return add(kind, at: fields[list].path + ["*"], parent: nil, &blocks)
  }

  /// The schema of a list whose elements are rows, without the elements' schema.
  private mutating func list(at index: Int) -> JSONObject {
    var schema: JSONObject = ["type": "array", "items": ["$ref": .string("#/$defs/row\(index)")]]
    if random.chance(15) { schema["type"] = ["array", "null"] }
    if random.chance(25) { schema["minItems"] = .integer(Int64(1 + random.below(2))) }
    if random.chance(40) { schema["maxItems"] = .integer(Int64(2 + random.below(3))) }
    if random.chance(20) { schema["uniqueItems"] = true }
    if random.chance(15) {
      schema["contains"] = random.pick([["type": "object", "required": ["b"]], ["const": "abc"], [:]] as [JSON])
    }
    if random.chance(15) {
      schema["default"] = random.pick([[["a": "abc"], ["a": "x"]], ["abc"], [["a": "ok"], 2], []] as [JSON])
    }
    if fields[index].isMultipleChoice, extra.chance(50) {
      schema["default"] = extra.pick([["x"], ["abc", "x"], ["abc", "abc"], ["ok", "zzz"]] as [JSON])
    }
    return schema
  }

  /// The schema of an object with so many members, which become fields.
  private mutating func object(at path: [String], count: Int, parent: Int?, _ blocks: inout JSONObject) -> JSONObject {
    var properties = JSONObject()
    let names = (0..<count).map { ["a", "b", "c", "d", "e", "f"][$0] }
    for (position, name) in names.enumerated() {
      let simple: [Kind] = [.text, .text, .text, .number, .flag, .anything, .list, .secret, .secretObject]
      var kinds = path.count < 3 ? simple + [.object, .object, .union] : simple
      if path.count(where: { $0 == "*" }) < 2, path.count < 4 { kinds += [.rows, .rows, .rows] }
      let kind: Kind = position == 0 ? .text : random.pick(kinds)
      properties[name] = .object(add(kind, at: path + [name], parent: parent, &blocks))
    }
    var schema: JSONObject = ["type": "object", "properties": .object(properties)]
    func pick() -> JSON { .string(random.pick(names)) }
    if random.chance(50) { schema["required"] = .array([pick()]) }
    if random.chance(25), count > 1 { schema["dependentRequired"] = .object([names[0]: .array([.string(names[1])])]) }
    if random.chance(25) {
      schema["if"] = .object(["required": .array([.string(names[0])])])
      schema["then"] = .object(["required": .array([pick()])])
      let members = names.compactMap { name in fields.firstIndex { $0.path == path + [name] } }
      if let given = members.dropFirst().first(where: {
        fields[$0].kind == .text && fields[$0].takesAnyInput && fields[$0].choices == nil
      }),
        !fields[members[0]].isDelayed
      {
        fields[given].decider = members[0]
        schema["then"] = .object([
          "required": .array([pick()]),
          "properties": .object([fields[given].path.last ?? "": ["default": Self.branchDefault]]),
        ])
      }
    }
    if random.chance(20), count > 1 {
      schema["anyOf"] = .array(names.prefix(2).map { .object(["required": .array([.string($0)])]) })
    }
    if random.chance(15) { schema["minProperties"] = 2 }
    if random.chance(25) { schema["additionalProperties"] = random.pick([false, true, ["type": "integer"]] as [JSON]) }
    return schema
  }

  /// Adds a field, with the fields inside of it; returns its schema.
  private mutating func add(_ kind: Kind, at path: [String], parent: Int?, _ blocks: inout JSONObject) -> JSONObject {
    let index = fields.count
    fields.append(FieldPlan(path: path, kind: kind, parent: parent, row: row))
    fields[index].isMultipleChoice = kind == .rows && extra.chance(20)
    let isElement = row == index && list(of: index).map { fields[$0].isMultipleChoice } ?? false
    if isElement || kind == .text && extra.chance(10) && !isInUnion(index) {
      fields[index].choices = choices(below: index)
    }
    blocks[fields[index].address] = block(of: index)
    switch kind {
    case .object:
      var schema = object(at: path, count: 1 + random.below(3), parent: index, &blocks)
      if random.chance(15) { schema["type"] = ["object", "null"] }
      if random.chance(10) { schema["type"] = nil }
      return schema
    case .union:
      // The members of the branches, which a constant picks.
      _ = add(.text, at: path + ["kind"], parent: index, &blocks)
      let one = add(.text, at: path + ["one"], parent: index, &blocks)
      let two = add(.number, at: path + ["two"], parent: index, &blocks)
      func branch(_ name: String, _ constant: JSON, _ schema: JSONObject) -> JSON {
        var schema = schema
        // The model knows the defaults of `then` alone.
        schema["default"] = nil
        return .object([
          "properties": .object(["kind": .object(["const": constant]), name: .object(schema)]),
          "required": random.chance(50) ? ["kind", .string(name)] : ["kind"],
        ])
      }
      return [
        "type": "object", "properties": ["kind": ["type": "string", "maxLength": 8]],
        "oneOf": .array([branch("one", "abc", one), branch("two", "x", two)]),
      ]
    case .secretObject:
      _ = add(.secret, at: path + ["pin"], parent: index, &blocks)
      return [
        "type": "object", "writeOnly": true, "additionalProperties": false, "maxProperties": 3,
        "properties": ["pin": ["type": "string", "maxLength": 9]],
      ]
    case .rows: return list(at: index)
    default: return property(of: index).objectValue ?? [:]
    }
  }

  private mutating func property(of index: Int) -> JSON {
    if let choices = fields[index].choices { return property(with: choices) }
    switch fields[index].kind {
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
      return ["type": "array", "maxItems": 3, "uniqueItems": true, "contains": ["type": "integer"], "minContains": 0]
    case .secret: return ["type": "string", "writeOnly": true, "maxLength": 12, "minLength": 7]
    case .secretObject, .object, .union, .rows: return [:]
    }
  }

  // MARK: Choices

  /// Choices that an earlier field may disable.
  private mutating func choices(below index: Int) -> ChoiceModel {
    let source: ChoiceModel.Source = extra.pick([.schema, .list, .formula])
    let candidates = candidates(below: index, in: row).filter {
      source == .formula && fields[$0].row == nil && fields[$0].kind == .text && !isInUnion($0)
    }
    return ChoiceModel(
      source: source,
      disabled: extra.pick(["abc", "x", "x", nil]),
      disabler: candidates.isEmpty || extra.chance(50) ? nil : extra.pick(candidates),
      admitsOther: source != .schema && extra.chance(50)
    )
  }

  private mutating func property(with choices: ChoiceModel) -> JSON {
    var schema: JSONObject = ["type": "string"]
    if choices.source == .schema {
      schema["enum"] = .array(ChoiceModel.values.map { .string($0) })
    } else {
      if extra.chance(15) { schema["type"] = ["string", "null"] }
      schema["maxLength"] = .integer(Int64(ChoiceModel.lengthMax))
    }
    if extra.chance(25) { schema["default"] = extra.pick(["abc", "x", "ok"] as [JSON]) }
    return .object(schema)
  }

  private func options(of choices: ChoiceModel) -> JSON {
    if choices.source == .formula {
      let condition = choices.disabler.map { "\(fields[$0].value) == 'abc'" } ?? "true"
      let texts = ChoiceModel.values.map {
        $0 == choices.disabled ? "{'value': '\($0)', 'disabled': \(condition)}" : "'\($0)'"
      }
      return .string("[\(texts.joined(separator: ", "))]")
    }
    return .array(
      ChoiceModel.values.map {
        $0 == choices.disabled ? ["value": .string($0), "disabled": true] : ["value": .string($0)]
      }
    )
  }

  // MARK: Properties

  private mutating func block(of index: Int) -> JSON {
    var block: JSONObject = ["show": .string(random.pick(["always", "edit", "blur", "blur", "submit"]))]
    let kind = fields[index].kind
    if kind == .text || kind == .secret {
      // A toggle looks for the value before a delayed value takes effect.
      if random.chance(25), row != index || fields[index].choices == nil {
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
      if random.chance(25) { block["visible"] = .string(condition(below: index, in: row)) }
      if random.chance(20) { block["required"] = .string(condition(below: index, in: row)) }
      if random.chance(15) { block["enabled"] = .string(condition(below: index, in: row)) }
      // A formula that may give a text reads no secret.
      if extra.chance(10), let read = (0..<index).last(where: { fields[$0].kind == .text && fields[$0].row == nil }) {
        block["enabled"] = .string("\(fields[read].value) == '' ? 'empty' : size(\(fields[read].value)) != 2")
      }
    }
    if let choices = fields[index].choices {
      block["options"] = options(of: choices)
      if choices.admitsOther { block["other"] = true }
    } else if index > 0, [.text, .number, .anything, .list, .secret].contains(kind), random.chance(20) {
      block["options"] = .string(options(below: index))
    }
    if let source = source(for: index), random.chance(35) {
      fields[index].source = source
      fields[index].isComputed = random.chance(50)
      block[fields[index].isComputed ? "computed" : "suggested"] = .string("\(value(of: source, in: row)) + 'q'")
    }
    if kind == .rows, random.chance(30) { block["key"] = "a" }
    if row != nil, [.text, .number].contains(kind), random.chance(25) { block["unique"] = true }
    if !fields[index].isComputed, extra.chance(8) {
      block["trustInitial"] = true
      fields[index].isTrusted = true
    }
    if kind == .rows || kind == .list, extra.chance(20) {
      block["unordered"] = true
      fields[index].isUnordered = true
    }
    if kind == .rows, extra.chance(30) {
      block["blankRows"] = "ignore"
      fields[index].ignoresBlankRows = true
    }
    if random.chance(30) {
      block["messages"] = ["required": ["en": "needed", "ko": "필요"], "minLength": "{limit} at least"]
    }
    return .object(block)
  }

  /// An earlier field, whose text a formula can turn into this field's value. The source is a secret only if the field
  /// is a secret. It is not a delayed field, so that the time of the new value is known. It is not a field of a union,
  /// because no property says which type it has.
  private mutating func source(for index: Int) -> Int? {
    let field = fields[index]
    guard [.text, .number, .anything, .secret].contains(field.kind), !field.isDelayed, field.choices == nil,
      field.path.last != "a", field.path.last != "*", !isInUnion(index)
    else { return nil }
    let candidates = candidates(below: index, in: row).filter { other in
      fields[other].kind == (field.kind == .secret ? .secret : .text) && !fields[other].isDelayed && !isInUnion(other)
    }
    return candidates.isEmpty ? nil : random.pick(candidates)
  }

  private func isInUnion(_ index: Int) -> Bool { fields[index].parent.map { fields[$0].kind == .union } ?? false }

  // MARK: Formulas

  /// The options of a field, depending on the fields before it.
  private mutating func options(below index: Int) -> String {
    let always = "['abc', {'value': 'ok', 'label': form.locale}, 1, 3]"
    let others = candidates(below: index, in: row).filter { !holdsSecret($0) }
    if others.isEmpty { return always }
    let value = value(of: random.pick(others), in: row)
    return random.pick([
      always, "[\(value), 'abc', 'x', 1]", "\(value) != null ? ['abc', 'ok', 1] : ['x', 2, 3]",
      "dyn(\(value)) == 'abc' ? dyn(['abc', 'x', 3]) : dyn(null)",
    ])
  }

  /// The fields before a bound that formulas of a row (nil: of the form) can name. In the rows around it, these are the
  /// fields before its list.
  private func candidates(below bound: Int, in row: Int?) -> [Int] {
    var own = (0..<min(bound, fields.count)).filter { fields[$0].row == row }
    if let row, let list = list(of: row) {
      let outer = candidates(below: list, in: fields[list].row)
      // Of the rows around it a formula can name only the next ones.
      own += outer.filter { field in
        !fields[list].path.starts(with: fields[field].path)
          && (fields[field].row == nil || fields[field].row == fields[list].row)
      }
    }
    return own
  }

  /// How formulas of a row (nil: of the form) name the value of a field.
  private func value(of field: Int, in row: Int?) -> String {
    guard let own = fields[field].row else { return fields[field].value }
    let name = own == row ? "row" : "outer"
    return ([name] + fields[field].path.dropFirst(fields[own].path.count)).joined(separator: ".")
  }

  /// A condition over the fields before that one.
  private mutating func condition(below bound: Int, in row: Int? = nil, depth: Int = 0) -> String {
    if depth < 2 && random.chance(30) {
      let left = condition(below: bound, in: row, depth: depth + 1)
      let right = condition(below: bound, in: row, depth: depth + 1)
      return "(\(left) \(random.pick(["&&", "||"])) \(right))"
    }
    if bound == fields.count, !steps.isEmpty, random.chance(15) {
      let members = isPure ? ["isVisible"] : ["isVisible", "isValid", "isPending", "isTouched"]
      return "steps.s\(random.below(steps.count)).\(random.pick(members))"
    }
    let lookups = self.lookups.filter { [nil, row].contains($0.row) }
    if bound == fields.count, !isPure, !lookups.isEmpty, random.chance(15) {
      return "\(random.pick(lookups).spelling).\(random.pick(["isLoading", "value != null", "error == ''"]))"
    }
    if hasContext, random.chance(15) {
      return random.pick([
        "context.role == 'chef'", "context.level > 1", "context.user.name == 'kim'", "context.token != ''",
      ])
    }
    if row != nil, random.chance(15) { return random.pick(["index > 0", "index == 0", "index != 1"]) }
    if time != nil, random.chance(15) {
      let times = ["now.getSeconds() % 2 == 0", "now.getMinutes() % 2 == 0"]
      return random.pick(
        isPure ? ["days('2000-01-01', today) % 2 == 0"] : times + ["days('2000-01-01', today) % 2 == 0"]
      )
    }
    let index = random.pick(candidates(below: bound, in: row))
    let field = fields[index]
    let value = value(of: index, in: row)
    if !isPure && random.chance(20) {
      return
        "\(field.status).\(random.pick(["isVisible", "isDirty", "isTouched", "isEdited", "isFocused", "isEmpty", "isValid", "isPending"]))"
    }
    switch field.kind {
    case .text, .secret:
      return random.pick([
        "\(value) == 'abc'", "size(\(value)) > 2", "\(value).contains('x')", "!\(field.status).isEmpty",
        // Fails with a short text.
        "\(value).substring(2) != 'c'",
      ])
    // The last one fails with 3.
    case .number: return random.pick(["\(value) != null", "\(value) > 2", "\(value) == 3", "6 / (\(value) - 3) > 0"])
    case .flag: return random.pick(["\(value) == true", "\(value) != null"])
    case .anything: return random.pick(["\(value) == 1", "\(value) != null", "string(\(value)) == '1'"])
    case .list: return random.pick(["\(value) != null", "\(field.status).isEmpty", "size(\(value)) > 1"])
    case .object, .union:
      return random.pick(["\(value) != null", "\(field.status).isEmpty", "size(\(value)) > 1"])
    case .secretObject: return "\(field.status).isEmpty"
    case .rows where holdsSecret(index): return "\(field.status).isEmpty"
    case .rows:
      return random.pick(["\(field.status).isEmpty", "size(\(value)) > 1", "size(\(value)) == 2"])
    }
  }

  /// A formula of any type that reads no secret.
  private mutating func expression(in row: Int? = nil) -> String {
    let index = random.pick(candidates(below: fields.count, in: row).filter { !holdsSecret($0) })
    let field = fields[index]
    let value = value(of: index, in: row)
    switch random.below(11) {
    case 0: return value
    case 1: return "{'v': \(value), 'k': 1}"
    case 2 where field.kind == .number: return "10 % (\(value) - 2)"
    case 2: return "[\(value), 1]"
    case 3 where ![.object, .union, .rows].contains(field.kind): return "string(\(value))"
    case 4 where !isPure: return "form.isValid ? 'yes' : 'no'"
    case 5 where !isPure: return field.message
    case 6 where !isPure: return random.pick(["form.isDirty", "form.isPending", "\(field.status).isTouched"])
    case 7, 8: return column(seenFrom: row) ?? value
    case 9 where !isPure:
      let seen = lookups.filter { [nil, row].contains($0.row) }
      return seen.isEmpty ? value : "\(random.pick(seen).spelling).value"
    case 10 where !isPure:
      let seen = checks.indices.filter { [nil, row].contains(fields[checks[$0].field].row) }
      return seen.isEmpty ? value : "checks.c\(random.pick(seen)).result"
    default: return condition(below: fields.count, in: row)
    }
  }

  /// A formula over an output of rows, from inside of the row or from outside; nil without such an output.
  private mutating func column(seenFrom row: Int?) -> String? {
    guard !rowOutputs.isEmpty else { return nil }
    let output = random.pick(rowOutputs)
    let name = "outputs['\(output.address)']"
    if let row, fields[row].path.starts(with: fields[output.row].path) { return "[\(name)]" }
    return output.isNumber && random.chance(60) ? "\(name).sum()" : random.pick([name, "\(name).size()"])
  }

  // MARK: Rules and checks

  private mutating func makeRules() {
    var rules: [JSON] = []
    for number in 0..<random.below(5) {
      var rule: JSONObject = ["id": .string("r\(number)")]
      if random.chance(75) {
        // Only fields before it, so that the formulas can never form a circle.
        let index = random.below(fields.count)
        rule["field"] = .string(fields[index].address)
        let ofSelf: String =
          switch fields[index].kind {
          case .text, .secret: "size(self) > \(1 + random.below(4))"
          case .number: "self != 2"
          case .flag: "self == true"
          case .anything: "self == 1 || self == 'x'"
          case .list: "size(self) > 0"
          case .secretObject: "true"
          case .object, .union: "size(self) != 1"
          case .rows: "size(self) > 1"
          }
        let row = fields[index].row
        var others = index > 0 && random.chance(40) ? " && \(condition(below: index, in: row))" : ""
        if row != nil, random.chance(20) { others += " && index != 1" }
        if let list = row.flatMap({ list(of: $0) }), row == index, fields[list].row == nil, fields[index].kind == .text,
          random.chance(40)
        {
          others += " && \(fields[list].value).filter(i, i == self).size() == 1"
        }
        rule["check"] = .string(ofSelf + others)
        if index > 0 && random.chance(30) { rule["when"] = .string(condition(below: index, in: row)) }
        if fields[index].kind == .rows, fields[index].path.count == 1, others.isEmpty, rule["when"] == nil {
          // An absent list reads as null if its schema admits null.
          rulesOfLists.append((index, "r\(number)"))
        }
        if fields[index].kind == .text && random.chance(25) {
          rule["messageExpression"] = "'not ' + self"
        } else if row != nil, random.chance(40) {
          rule["message"] = .string(random.pick(["row {number}", "the row at {index}"]))
        }
      } else {
        rule["check"] = .string(condition(below: fields.count))
      }
      if random.chance(25) { rule["severity"] = "warning" }
      rules.append(.object(rule))
    }
    if let group = groupRule() { rules.append(group) }
    definition["rules"] = .array(rules)
  }

  /// A rule about which of several fields have a value; nil for most forms.
  private mutating func groupRule() -> JSON? {
    guard extra.chance(40) else { return nil }
    let row = extra.chance(50) ? fields[extra.below(fields.count)].row : nil
    var members = fields.indices.filter {
      fields[$0].row == row && $0 != row && [.text, .secret, .number, .flag, .anything].contains(fields[$0].kind)
    }
    while members.count > 4 { members.remove(at: extra.below(members.count)) }
    guard members.count > 1 else { return nil }
    let kind = extra.pick(["exactlyOne", "atLeastOne", "atMostOne", "allOrNone"])
    var rule: JSONObject = ["id": "group", kind: .array(members.map { .string(fields[$0].address) })]
    if row != nil, extra.chance(40) { rule["message"] = "row {number}" }
    if row == nil, extra.chance(20) {
      rule["messageExpression"] = .string("\(fields[members[0]].status).isEmpty ? 'empty' : 'full'")
    }
    if extra.chance(25) { rule["severity"] = "warning" }
    return .object(rule)
  }

  private mutating func makeChecks() {
    var list: [JSON] = []
    for number in 0..<random.below(3) {
      let candidates = fields.indices.filter { fields[$0].kind == .text || fields[$0].kind == .secret }
      var index = random.pick(candidates)
      // Rows come and go while their checks are under way.
      let inRows = candidates.filter { fields[$0].row != nil }
      if !inRows.isEmpty, extra.chance(40) { index = extra.pick(inRows) }
      var plan = CheckPlan(field: index, takenCode: "taken\(number)", failureCode: "c\(number)")
      var check: JSONObject = [
        "id": .string("c\(number)"), "field": .string(fields[index].address),
        "timeout": .string(random.pick(["500ms", "2s"])),
        "run": ["provider": ["name": "p", "arguments": ["v": "self"]]],
        "outcomes": [["when": "response.body == true", "valid": true], ["code": .string(plan.takenCode)]],
      ]
      if random.chance(60) { check["debounce"] = .string(random.pick(["100ms", "400ms"])) }
      if random.chance(50) { check["cache"] = random.pick([true, 2] as [JSON]) }
      if index > 0 && random.chance(20) {
        check["when"] = .string(condition(below: index, in: fields[index].row))
        plan.hasGate = true
      }
      let policy = random.pick(["block", "warn", "ignore"])
      check["onFailure"] = .string(policy)
      plan.ignoresFailure = policy == "ignore"
      plan.blocks = policy == "block"
      if random.chance(50) {
        check["result"] = random.pick(["response.body", "response.body == true ? 'free' : 'taken'"])
      }
      if random.chance(25) {
        check["trustInitial"] = true
        plan.trustsInitial = true
      }
      if extra.chance(40) {
        plan.ask = extra.pick([.leave, .tap])
        check["ask"] = .string(plan.ask.rawValue)
      }
      checks.append(plan)
      list.append(.object(check))
    }
    definition["checks"] = .array(list)
  }

  // MARK: Lookups

  private mutating func makeLookups() {
    let candidates = fields.indices.filter { [.text, .number, .flag, .anything].contains(fields[$0].kind) }
    var blocks = JSONObject()
    for number in 0..<random.below(3) where !candidates.isEmpty {
      let field = random.pick(candidates)
      let name = "l\(number)"
      let row = fields[field].row
      let address = row.map { JSONPointer(tokens: fields[$0].path + [name]).address } ?? name
      let spelling = row == nil ? "lookups.\(name)" : "lookups['\(address)']"
      var plan = LookupPlan(name: name, field: field, row: row, spelling: spelling)
      var lookup: JSONObject = [
        "run": [
          "provider": [
            "name": "l", "arguments": ["n": .integer(Int64(number)), "v": .string(value(of: field, in: row))],
          ]
        ],
        "timeout": .string(random.pick(["500ms", "2s"])),
      ]
      if random.chance(40) { lookup["debounce"] = .string(random.pick(["100ms", "400ms"])) }
      if random.chance(40) { lookup["retry"] = ["times": 2, "delay": "100ms"] }
      if random.chance(30) {
        lookup["cache"] = random.pick([true, 1] as [JSON])
        plan.isCached = true
      }
      if random.chance(40) { lookup["value"] = "response.body" }
      if random.chance(30) {
        lookup["when"] = .string(condition(below: fields.count, in: row))
        plan.hasGate = true
      }
      lookups.append(plan)
      blocks[address] = .object(lookup)
    }
    definition["lookups"] = .object(blocks)
    makeOptions()
  }

  /// Lets a lookup give the options of some field.
  private mutating func makeOptions() {
    guard !isPure, !lookups.isEmpty, random.chance(60) else { return }
    let lookup = random.pick(lookups)
    let candidates = fields.indices.filter {
      fields[$0].kind == .text && fields[$0].choices == nil && [nil, fields[$0].row].contains(lookup.row)
    }
    guard !candidates.isEmpty else { return }
    let field = random.pick(candidates)
    var blocks = definition["fields"]?.objectValue ?? [:]
    var block = blocks[fields[field].address]?.objectValue ?? [:]
    if lookup.row == nil, random.chance(50) {
      block["options"] = "['abc', outputs.choice]"
      choice = "\(lookup.spelling).value.of"
      optionsByOutput.append((field, lookup.name))
    } else {
      block["options"] = .string(
        random.pick([
          "['abc', \(lookup.spelling).value.of]", "\(lookup.spelling).isLoading ? ['x'] : ['abc', 'ok']",
        ])
      )
    }
    blocks[fields[field].address] = .object(block)
    definition["fields"] = .object(blocks)
  }

  // MARK: Steps

  private mutating func makeSteps() {
    guard random.chance(60) else { return }
    steps = [[Int]](repeating: [], count: 1 + random.below(3))
    for index in ownFields where fields[index].parent == nil { addToSteps(index) }
    definition["steps"] = .array(
      steps.enumerated().map { number, named in
        var step: JSONObject = [
          "id": .string("s\(number)"), "fields": .array(named.map { .string(fields[$0].address) }),
        ]
        // Only fields before its own, so that there cannot be a circle.
        let first = named.min() ?? fields.count
        if first > 0, random.chance(50) { step["visible"] = .string(condition(below: first)) }
        return .object(step)
      }
    )
  }

  /// Puts a field into a step, or some fields inside of it, or no field.
  private mutating func addToSteps(_ index: Int) {
    let inside = fields.indices.filter { fields[$0].parent == index }
    if !inside.isEmpty, random.chance(40) {
      for field in inside { addToSteps(field) }
    } else if random.chance(75) {
      steps[random.below(steps.count)].append(index)
    }
  }

  // MARK: Triggers

  /// Whether an input resets fields that it does not name.
  var hasTriggers: Bool { fields.contains { $0.trigger != nil || $0.clears } }

  /// Lets members hide their rows, and lets hidden fields lose their values.
  private mutating func makeHiding() {
    var blocks = definition["fields"]?.objectValue ?? [:]
    for element in fields.indices where fields[element].path.last == "*" && random.chance(30) {
      let members = fields.indices.filter { member in
        let field = fields[member]
        return field.row == element && field.kind == .text && field.takesAnyInput && field.decider == nil
          && !isInUnion(member)
      }
      guard !members.isEmpty else { continue }
      let member = random.pick(members)
      fields[member].decidesRow = true
      var block = blocks[fields[element].address]?.objectValue ?? [:]
      block["visible"] = .string("\(value(of: member, in: element)) != 'x'")
      blocks[fields[element].address] = .object(block)
    }
    // A formula that reads a status could show a field again because the field was cleared.
    if isPure, random.chance(50) {
      let clears = random.chance(40)
      if clears { definition["whenHidden"] = "clear" }
      var policies = [Bool?](repeating: nil, count: fields.count)
      for index in fields.indices {
        var block = blocks[fields[index].address]?.objectValue ?? [:]
        // The simulation remembers what was typed.
        if fields[index].isDelayed {
          policies[index] = false
        } else if random.chance(30), !fields[index].isComputed {
          policies[index] = random.chance(70)
        }
        if let policy = policies[index] { block["whenHidden"] = policy ? "clear" : "keep" }
        blocks[fields[index].address] = .object(block)
        let around = fields.indices.filter { fields[index].path.starts(with: fields[$0].path) }
          .sorted { fields[$0].path.count > fields[$1].path.count }
        let own = around.lazy.compactMap { policies[$0] }.first ?? clears
        fields[index].clears = own && !fields[index].isComputed && !fields[index].decidesRow
      }
    }
    definition["fields"] = .object(blocks)
  }

  /// Lets fields reset others. The others are texts that inputs alone change, at once, and that nothing hides, so that
  /// the simulation knows what formulas read.
  private mutating func makeTriggers() {
    guard random.chance(35) else { return }
    var blocks = definition["fields"]?.objectValue ?? [:]
    let mayHideSteps = definition["steps"]?.arrayValue?.contains { $0["visible"] != nil } ?? false
    for index in fields.indices where !fields[index].isComputed && random.chance(30) {
      // The simulation remembers what was typed.
      if fields.contains(where: { $0.isDelayed && $0.path.starts(with: fields[index].path) }) { continue }
      let candidates = fields.indices.filter { other in
        let field = fields[other]
        let isShown = fields.indices.allSatisfy { around in
          !field.path.starts(with: fields[around].path) || blocks[fields[around].address]?["visible"] == nil
        }
        return field.kind == .text && field.takesAnyInput && field.decider == nil && isShown && !mayHideSteps
          && !isInUnion(other) && !areRelated(other, index) && (field.row == nil || field.row == fields[index].row)
      }
      guard !candidates.isEmpty else { continue }
      // A field that others reset resets further fields.
      let chained = candidates.filter { fields[$0].trigger != nil }
      let other = random.pick(chained.isEmpty ? candidates : chained)
      fields[index].trigger = other
      var block = blocks[fields[index].address]?.objectValue ?? [:]
      if random.chance(50) {
        block["resetOn"] = [.string(fields[other].address)]
      } else {
        block["resetWhen"] = .string(value(of: other, in: fields[index].row))
      }
      blocks[fields[index].address] = .object(block)
    }
    definition["fields"] = .object(blocks)
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
      var scope: [Int]?
      switch random.below(10) {
      case 0, 1:
        action["scope"] = "none"
        scope = []
      case 2 where !steps.isEmpty, 3 where !steps.isEmpty:
        let step = random.below(steps.count)
        action["scope"] = .string("s\(step)")
        scope = fields.indices.filter { field in
          steps[step].contains { fields[field].path.starts(with: fields[$0].path) }
        }
      case 2, 3, 4:
        let roots = (0...random.below(2)).map { _ in random.pick(ownFields) }
        action["scope"] = .array(roots.map { .string(fields[$0].address) })
        scope = fields.indices.filter { field in
          roots.contains { fields[field].path.starts(with: fields[$0].path) }
        }
      default: break
      }
      // The fields that `enabled` reads would narrow the scope.
      if scope == nil { action["scope"] = "form" }
      scopes.append(scope)
      if random.chance(40) { action["enabled"] = .string(random.pick(["true", condition(below: fields.count)])) }
      if random.chance(80) {
        var arguments = JSONObject()
        arguments["action"] = .string("\(number)")
        for field in ownFields { arguments[fields[field].address] = .string(fields[field].value) }
        if extra.chance(30) { arguments["changes"] = "changes" }
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
              "fieldErrors": .object([fields[random.pick(ownFields)].address: "'the server says no'"]),
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
    // Rows inside of other rows come first, so that the outer rows can read them.
    for row in fields.indices.reversed() where fields[row].path.last == "*" {
      for number in 0..<random.below(3) {
        let isNumber = random.chance(40)
        let numbers = ["index", "index * 2", "\(fields[row].status).isEmpty ? 0 : 1"]
        let formula = isNumber ? random.pick(numbers) : expression(in: row)
        rowOutputs.append(RowOutput(address: "\(fields[row].address)/o\(number)", row: row, isNumber: isNumber))
        outputs["\(fields[row].address)/o\(number)"] = .string(formula)
      }
      let texts = fields.indices.filter { fields[$0].row == row && fields[$0].kind == .text && !isInUnion($0) }
      if !texts.isEmpty, extra.chance(30) {
        let name = value(of: extra.pick(texts), in: row).replacing("row", with: "above", maxReplacements: 1)
        outputs["\(fields[row].address)/above"] = .string(name)
      }
    }
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
      } else if !isPure, random.chance(40), let lookup = lookups.first(where: { $0.row == nil }) {
        outputs["o\(number)"] = .string("\(lookup.spelling).\(random.pick(["value", "isLoading", "error"]))")
      } else {
        outputs["o\(number)"] = .string(expression())
      }
    }
    if let choice { outputs["choice"] = .string(choice) }
    if !isPure, extra.chance(40) {
      initialsTold = ownFields.filter {
        fields[$0].path.count == 1 && fields[$0].takesAnyInput && fields[$0].decider == nil
          && [.text, .number, .flag, .anything].contains(fields[$0].kind)
      }
      outputs["initial"] = .string(
        "[\(initialsTold.map { "dyn(initial.\(fields[$0].path[0]))" }.joined(separator: ", "))]"
      )
      for row in fields.indices where fields[row].path.last == "*" && !holdsSecret(row) {
        outputs["\(fields[row].address)/was"] = .string("initial['\(fields[row].address)']")
      }
    }
    for list in countedLists { outputs["\(fields[list].path[0])Count"] = .string("size(\(fields[list].value))") }
    if hasContext {
      outputs["context"] = "[dyn(context.role), dyn(context.level), dyn(context.user.name)]"
      // Only a condition may read a secret.
      outputs["hasToken"] = "context.token != ''"
    }
    if time != nil {
      outputs["today"] = "today"
      if !isPure { outputs["now"] = "string(now)" }
    }
    definition["outputs"] = .object(outputs)
  }
}
