internal import JSON
internal import SourceTexts

/// The `scope` of an action in a definition.
enum ScopeDefinition {
  case form
  case none
  /// The id of a step.
  case step(String)
  /// The addresses of fields.
  case fields([String])
}

/// An action as a definition writes it.
struct ActionDefinition {
  var pointer: JSONPointer
  var name: String
  var label: Text?
  /// nil: the statuses that `enabled` reads decide.
  var scope: ScopeDefinition?
  var enabled: FormulaDefinition?
  var throttle: ThrottleDefinition?
  var debounce: Duration?
  var flight = Action.Flight.drop
  var refusesWhenPending = false
  var run: RunDefinition?
  var outcomes: [ActionOutcomeDefinition] = []
  var timeout: Duration
  var retry: RetryDefinition?
  /// Whether its request identifies its tap.
  var isIdempotent = false
  /// Whether its result is written nowhere.
  var isSecret = false
  /// Whether browsers get its result.
  var isPublic = false
}

/// The `throttle` of an action.
struct ThrottleDefinition {
  var interval: Duration
  var edges: Action.Edges
}

/// A branch of `outcomes` of an action.
struct ActionOutcomeDefinition {
  var pointer: JSONPointer
  var when: FormulaDefinition?
  var success: FormulaDefinition?
  var failure: FormulaDefinition?
  var message: MessageDefinition
  var fieldErrors: [(field: String, formula: FormulaDefinition)] = []
  /// In place of `fieldErrors`: one formula that gives all of them.
  var fieldErrorMap: FormulaDefinition?
}

extension ActionDefinition {
  /// The keys of an action, each with its schema.
  static let keys: JSONObject = [
    "label": ["$ref": "#/$defs/text", "description": "The action's label for users."],
    "scope": [
      "description":
        "The fields of the action. A tap starts their checks and shows their messages; their errors block it, and their pending checks hold it. form: all fields. none: no field, so a tap always passes. The id of a step: the step's fields. A list of addresses: these fields, with all fields inside them. Without it: the fields and steps whose isValid or isPending \"enabled\" reads. If \"enabled\" reads a status of the form, or none of these, the default is form.",
      "anyOf": [
        ["type": "string", "examples": ["form", "none"]], ["type": "array", "items": ["$ref": "#/$defs/address"]],
      ],
    ],
    "enabled": [
      "$ref": "#/$defs/expression",
      "description":
        "Whether the action can be tapped. The default is the validity of its scope: form.isValid for the scope form, always true for the scope none. A check with a failed service does not count, because a tap asks it again. An error in the scope blocks a tap even if this is true. A text instead of false is the reason.",
    ],
    "throttle": [
      "description": "At most one tap per interval of this length: at the leading edge, or at the edges in \"edges\".",
      "oneOf": [["$ref": "#/$defs/duration"], DefinitionSchema.object(throttleKeys, required: ["every"])],
    ],
    "debounce": [
      "$ref": "#/$defs/duration", "description": "Only the last tap of a burst takes effect, this long after it.",
    ],
    "flight": [
      "description":
        "What happens to a tap during another run: it is dropped (\"drop\", the default), replaces that run (\"latest\"), runs beside it (\"merge\"), or waits (\"queue\").",
      "enum": ["drop", "latest", "merge", "queue"], "default": "drop",
    ],
    "whenPending": [
      "description":
        "What happens to a tap while checks are pending: it waits for them (\"wait\", the default), or is refused (\"refuse\").",
      "enum": ["wait", "refuse"], "default": "wait",
    ],
    "run": ["$ref": "#/$defs/run"],
    "outcomes": [
      "type": "array",
      "description": "The possible results: the first branch that applies is used. The last branch has no \"when\".",
      "items": ["$ref": "#/$defs/actionOutcome"],
    ],
    "timeout": ["$ref": "#/$defs/duration", "description": "How long formd waits for the answer.", "default": "10s"],
    "retry": ["$ref": "#/$defs/retry"],
    "idempotency": [
      "type": "boolean",
      "description":
        "Whether the request has a key. All tries of one tap have the same key, and no other tap of any session has it. For http, it is the header Idempotency-Key; for a provider, idempotencyKey. Not for sql.",
      "default": false,
    ],
    "secret": [
      "type": "boolean",
      "description":
        "Whether the result, error and message are kept out of the store and the log. A kept session is restored without them.",
      "default": false,
    ],
    "public": [
      "type": "boolean",
      "description": "Whether browsers get the result. They get the error and the message in any case.",
      "default": false,
    ],
  ]

  static let schema = DefinitionSchema.object(keys, also: ["not": ["required": ["throttle", "debounce"]]])

  private static let throttleKeys: JSONObject = [
    "every": ["$ref": "#/$defs/duration", "description": "The length of the interval."],
    "edges": [
      "description":
        "Which edges of the interval let a tap through. At the trailing edge, the tap uses the values of that moment.",
      "enum": ["leading", "trailing", "both"], "default": "leading",
    ],
  ]
}

extension ActionOutcomeDefinition {
  /// The keys of an outcome of an action, each with its schema.
  static let keys: JSONObject = [
    "when": [
      "$ref": "#/$defs/expression",
      "description":
        "The branch applies when this is true. The expression can read \"response\", \"previous\" and the form's cells.",
    ],
    "success": ["$ref": "#/$defs/expression", "description": "The run succeeded; this is its result."],
    "failure": [
      "$ref": "#/$defs/expression",
      "description":
        "The run failed; this is its error. With neither success nor failure, the run succeeded without a result, even with fieldErrors.",
    ],
    "message": ["$ref": "#/$defs/text"],
    "messageExpression": ["$ref": "#/$defs/expression"],
    "fieldErrors": [
      "description":
        "Error texts for fields, bound to the submitted values: a formula for each address, or one formula for a map from place to text or texts. A text can be {message, code}. They block nothing. They are removed when the value changes or the action runs again.",
      "oneOf": [["$ref": "#/$defs/expressions"], ["type": "string", "examples": ["response.body.errors"]]],
    ],
  ]

  /// The schema of an outcome of an action.
  static let schema = DefinitionSchema.object(
    keys,
    also: ["allOf": [["$ref": "#/$defs/oneMessage"], ["not": ["required": ["success", "failure"]]]]]
  )
}

extension ActionDefinition {
  init?(reading value: JSON, name: String, at pointer: JSONPointer, with reader: inout DefinitionReader) {
    let what = "action \"\(name)\""
    guard let members = reader.object(value, at: pointer, keys: Self.keys, what: what) else { return nil }
    self.init(pointer: pointer, name: name, timeout: FormDefinition.timeoutDefault)
    label = reader.text(members, "label", at: pointer, what: what)
    readScope(members, what, &reader)
    enabled = reader.formula(members, "enabled", at: pointer, what: what)
    debounce = reader.duration(members, "debounce", at: pointer, what: what)
    flight = reader.choice(members, "flight", at: pointer, what: what, of: Action.Flight.self) ?? .drop
    refusesWhenPending =
      reader.choice(members, "whenPending", at: pointer, what: what, among: ["wait", "refuse"]) == "refuse"
    run = RunDefinition(members, at: pointer, what: what, with: &reader)
    timeout = reader.duration(members, "timeout", at: pointer, what: what) ?? FormDefinition.timeoutDefault
    readThrottle(members, what, &reader)
    retry = reader.retry(members, at: pointer)
    isSecret = reader.bool(members, "secret", at: pointer, what: what) ?? false
    isPublic = reader.bool(members, "public", at: pointer, what: what) ?? false
    readIdempotency(members, what, &reader)
    readOutcomes(members, what, &reader)
  }

  private static let header = Action.idempotencyHeader

  private mutating func readIdempotency(_ members: JSONObject, _ what: String, _ reader: inout DefinitionReader) {
    isIdempotent = reader.bool(members, "idempotency", at: pointer, what: what) ?? false
    guard isIdempotent else { return }
    if case .provider? = run { return }
    guard case .http(let inner, _, _, _, _, let headers, _)? = run else {
      reader.collector.report(
        "conflict",
        at: pointer.appending("idempotency"),
        spot: .name,
        "\(what) runs neither \"http\" nor \"provider\", so it has no request that could carry an idempotency key",
        remedy: "leave \"idempotency\" out, or let the action run \"http\" or \"provider\""
      )
      return
    }
    if let header = headers.first(where: { $0.name.lowercased() == Self.header.lowercased() }) {
      reader.collector.report(
        "conflict",
        at: inner.appending("headers").appending(header.name),
        spot: .name,
        "\(what) has \"idempotency\", so its request has the header \(Self.header) already",
        remedy: "leave one of them out"
      )
    }
  }

  private mutating func readScope(_ members: JSONObject, _ what: String, _ reader: inout DefinitionReader) {
    guard let value = members["scope"] else { return }
    let inner = pointer.appending("scope")
    let elements: [JSON]
    switch value {
    case .string("form"):
      scope = .form
      return
    case .string("none"):
      scope = ScopeDefinition.none
      return
    case .string(let id):
      scope = .step(id)
      return
    case .array(let array): elements = array
    default:
      return reader.wrongType(
        value,
        at: inner,
        expected: "\"form\", \"none\", a step's id, or a list of addresses",
        what: "the scope of \(what)"
      )
    }
    var addresses: [String] = []
    for (index, element) in elements.enumerated() {
      if let address = element.stringValue {
        addresses.append(address)
      } else {
        reader.wrongType(
          element,
          at: inner.appending(index),
          expected: "a field's address",
          what: "the scope of \(what)"
        )
      }
    }
    scope = .fields(addresses)
  }

  private mutating func readThrottle(_ members: JSONObject, _ what: String, _ reader: inout DefinitionReader) {
    guard let value = members["throttle"] else { return }
    let inner = pointer.appending("throttle")
    switch value {
    case .string(let text):
      throttle = reader.duration(text, at: inner, what: "\"throttle\" of \(what)")
        .map { ThrottleDefinition(interval: $0, edges: .leading) }
    case .object:
      guard let object = reader.object(value, at: inner, keys: Self.throttleKeys, what: "\"throttle\"") else {
        return
      }
      if object["every"] == nil { reader.missing("every", at: inner, what: "\"throttle\"") }
      let edges = reader.choice(
        object,
        "edges",
        at: inner,
        what: "\"throttle\"",
        of: Action.Edges.self
      )
      throttle = reader.duration(object, "every", at: inner, what: "\"throttle\"")
        .map { ThrottleDefinition(interval: $0, edges: edges ?? .leading) }
    default:
      reader.wrongType(
        value,
        at: inner,
        expected: "a duration, or {\"every\": \"1s\", \"edges\": \"both\"}",
        what: "\"throttle\" of \(what)"
      )
    }
    if throttle != nil && debounce != nil {
      reader.conflict("throttle", "debounce", at: pointer, what: what, remedy: "keep one of them")
    }
  }

  private mutating func readOutcomes(_ members: JSONObject, _ what: String, _ reader: inout DefinitionReader) {
    guard let block = members["outcomes"] else { return }
    let list = pointer.appending("outcomes")
    guard case .array(let branches) = block else {
      return reader.wrongType(block, at: list, expected: "an array", what: "\"outcomes\" of \(what)")
    }
    for (index, value) in branches.enumerated() {
      let inner = list.appending(index)
      guard
        let branch = reader.object(
          value,
          at: inner,
          keys: ActionOutcomeDefinition.keys,
          what: "an outcome of \(what)"
        )
      else { continue }
      let outcome = ActionOutcomeDefinition(branch, at: inner, what, &reader)
      outcome.checkPlace(isLast: index == branches.count - 1, what, &reader)
      outcomes.append(outcome)
    }
  }
}

extension ActionOutcomeDefinition {
  fileprivate init(
    _ branch: JSONObject,
    at pointer: JSONPointer,
    _ what: String,
    _ reader: inout DefinitionReader
  ) {
    let hasMap = branch["fieldErrors"]?.stringValue != nil
    self.init(
      pointer: pointer,
      when: reader.formula(branch, "when", at: pointer, what: "the outcome"),
      success: reader.formula(branch, "success", at: pointer, what: "the outcome"),
      failure: reader.formula(branch, "failure", at: pointer, what: "the outcome"),
      message: reader.message(branch, at: pointer, what: "the outcome"),
      fieldErrors: hasMap
        ? []
        : reader.formulas(branch, "fieldErrors", at: pointer, what: "the outcome")
          .map { (field: $0.name, formula: $0.formula) },
      fieldErrorMap: hasMap ? reader.formula(branch, "fieldErrors", at: pointer, what: "the outcome") : nil
    )
    checkResult(branch, what, &reader)
  }

  /// Reports a result that contradicts itself, and an outcome that counts as a success although it may not be meant so.
  private func checkResult(_ branch: JSONObject, _ what: String, _ reader: inout DefinitionReader) {
    if success != nil && failure != nil {
      reader.collector.report(
        "conflict",
        at: pointer,
        "an outcome of \(what) has both \"success\" and \"failure\"",
        remedy: "keep one of them; use two outcomes with \"when\" to tell the cases apart"
      )
    }
    if branch["fieldErrors"] != nil, success == nil, failure == nil {
      reader.collector.report(
        "outcomes",
        at: pointer.appending("fieldErrors"),
        spot: .name,
        "this outcome of \(what) has \"fieldErrors\" and counts as a success",
        remedy: "for a failure, add \"failure\": \"'invalid'\"; for a success, add \"success\": \"true\"",
        severity: .warning
      )
    }
    if branch.allSatisfy({ $0.name == "when" }) {
      reader.collector.report(
        "outcomes",
        at: pointer,
        "this outcome of \(what) has no result, and counts as a success",
        remedy: "give it a result: {\"success\": \"true\"}, or {\"failure\": \"'unexpected'\"}",
        severity: .warning
      )
    }
  }

  /// Reports a last outcome with a condition, and another outcome without one.
  fileprivate func checkPlace(isLast: Bool, _ what: String, _ reader: inout DefinitionReader) {
    if isLast && when != nil {
      reader.collector.report(
        "outcomes",
        at: pointer.appending("when"),
        spot: .name,
        "the last outcome of \(what) must have no \"when\"",
        remedy: "add a last outcome for everything else, such as {\"failure\": \"'unexpected'\"}"
      )
    } else if !isLast && when == nil {
      reader.collector.report(
        "outcomes",
        at: pointer,
        "this outcome of \(what) has no \"when\", so later outcomes are never reached",
        remedy: "give it a \"when\", or move it to the end"
      )
    }
  }
}
