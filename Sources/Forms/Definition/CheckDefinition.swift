internal import JSON
internal import SourceTexts

/// The effect of a check when its service fails.
public enum FailurePolicy: String, Sendable {
  /// The form stays invalid until a later try succeeds.
  case block
  /// The field shows a warning.
  case warn
  /// The check counts as passed.
  case ignore
}

/// The moment at which a check asks about a value.
public enum AskPolicy: String, Sendable, CaseIterable {
  /// When the value changes.
  case change
  /// When the user leaves a field.
  case leave
  /// When the user taps an action.
  case tap
}

/// A check as a definition writes it.
struct CheckDefinition {
  var pointer: JSONPointer
  var id: String
  var field: String
  var when: FormulaDefinition?
  var ask: AskPolicy = .change
  var debounce: Duration?
  var run: RunDefinition
  var outcomes: [CheckOutcomeDefinition]
  var timeout: Duration
  var cacheCount: Int
  var trustsInitial: Bool
  var onFailure: FailurePolicy = .block
  /// The text while its service fails; nil: the built-in text.
  var failureMessage: Text?
  /// The part of an answer that formulas read.
  var result: FormulaDefinition?
  /// Whether an answer is written nowhere.
  var isSecret: Bool
}

/// A branch of `outcomes` of a check.
struct CheckOutcomeDefinition {
  var pointer: JSONPointer
  var when: FormulaDefinition?
  /// Whether the value is valid in this branch.
  var isValid: Bool
  var code: String?
  var message: MessageDefinition
  var severity: Severity = .error
}

extension CheckDefinition {
  /// The keys of a check, each with its schema.
  static let keys: JSONObject = [
    "id": ["type": "string", "description": "The error's code; unique among rules and checks."],
    "field": [
      "$ref": "#/$defs/address",
      "description": "The address of the check's field. For a field of a row, each row has its own check.",
    ],
    "when": ["$ref": "#/$defs/expression", "description": "The check only applies while this is true."],
    "debounce": [
      "$ref": "#/$defs/duration",
      "description": "The check asks when nothing has changed for this time. Until then, it is pending.",
    ],
    "run": ["$ref": "#/$defs/run"],
    "outcomes": [
      "type": "array", "minItems": 1,
      "description":
        "The meanings of an answer: the first branch that applies is used. The branches are tried only if there is an answer.",
      "items": ["$ref": "#/$defs/checkOutcome"],
    ],
    "result": [
      "$ref": "#/$defs/expression",
      "description":
        "What formulas read from the answer, as checks['ID'].result. This expression can read \"response\" and the form's cells. The result is absent while the check has no answer.",
    ],
    "timeout": ["$ref": "#/$defs/duration", "description": "How long formd waits for the answer.", "default": "10s"],
    "cache": [
      "description": "How many answers a session keeps: true (32), false, or a number.",
      "oneOf": [["type": "boolean"], ["type": "integer", "minimum": 0, "maximum": 1000]],
    ],
    "ask": [
      "description":
        "When the check asks: at every change (\"change\", the default), when the user leaves a field (\"leave\"), or only at a tap (\"tap\"). A tap asks what was not asked.",
      "enum": .array(AskPolicy.allCases.map { .string($0.rawValue) }), "default": "change",
    ],
    "trustInitial": [
      "type": "boolean",
      "description":
        "Whether the initial value needs no check. Otherwise a tap runs the check before anything is sent.",
      "default": false,
    ],
    "onFailure": [
      "description":
        "The effect of a failed service: an error (\"block\", the default), a warning (\"warn\"), or nothing (\"ignore\"). The next tap tries again.",
      "enum": ["block", "warn", "ignore"], "default": "block",
    ],
    "failureMessage": [
      "$ref": "#/$defs/text",
      "description":
        "The field's message while the service fails. The default is \"This could not be checked. Please try again.\"",
    ],
    "secret": [
      "type": "boolean",
      "description":
        "Whether the answers are kept out of the store and the log. A kept session asks again when it is restored.",
      "default": false,
    ],
  ]

  static let schema = DefinitionSchema.object(keys, required: ["id", "field", "run", "outcomes"])
}

extension CheckOutcomeDefinition {
  /// The keys of an outcome of a check, each with its schema.
  static let keys: JSONObject = [
    "when": [
      "$ref": "#/$defs/expression",
      "description": "The branch applies when this is true. The expression can read \"response\" and the form's cells.",
    ],
    "valid": ["type": "boolean", "description": "Whether this answer means that the value is valid."],
    "code": ["type": "string", "description": "The error's code, if not the check's id."],
    "message": ["$ref": "#/$defs/text"],
    "messageExpression": ["$ref": "#/$defs/expression"],
    "severity": ["$ref": "#/$defs/severity"],
  ]

  /// The schema of an outcome of a check.
  static let schema = DefinitionSchema.object(keys, also: ["allOf": [["$ref": "#/$defs/oneMessage"]]])
}

extension CheckDefinition {
  init?(reading value: JSON, at pointer: JSONPointer, with reader: inout DefinitionReader) {
    let what = "the check"
    guard let members = reader.object(value, at: pointer, keys: Self.keys, what: "a check") else { return nil }
    let id = reader.requiredString(members, "id", at: pointer, what: what)
    let field = reader.requiredString(members, "field", at: pointer, what: what)
    if members["run"] == nil { reader.missing("run", at: pointer, what: what) }
    let run = RunDefinition(members, at: pointer, what: what, with: &reader)
    let outcomes = Self.outcomes(members, at: pointer, with: &reader)
    guard let id, let field, let run else { return nil }
    self.init(
      pointer: pointer,
      id: id,
      field: field,
      when: reader.formula(members, "when", at: pointer, what: what),
      debounce: reader.duration(members, "debounce", at: pointer, what: what),
      run: run,
      outcomes: outcomes,
      timeout: reader.duration(members, "timeout", at: pointer, what: what) ?? FormDefinition.timeoutDefault,
      cacheCount: reader.cacheCount(members, at: pointer, what: what),
      trustsInitial: reader.bool(members, "trustInitial", at: pointer, what: what) ?? false,
      failureMessage: reader.text(members, "failureMessage", at: pointer, what: what),
      result: reader.formula(members, "result", at: pointer, what: what),
      isSecret: reader.bool(members, "secret", at: pointer, what: what) ?? false
    )
    let moments = AskPolicy.allCases.map(\.rawValue)
    ask = reader.choice(members, "ask", at: pointer, what: what, among: moments).flatMap(AskPolicy.init) ?? .change
    switch reader.choice(members, "onFailure", at: pointer, what: what, among: ["block", "warn", "ignore"]) {
    case "warn": onFailure = .warn
    case "ignore": onFailure = .ignore
    default: onFailure = .block
    }
    if onFailure == .ignore, failureMessage != nil {
      reader.collector.report(
        "conflict",
        at: pointer.appending("failureMessage"),
        spot: .name,
        "the check \"\(id)\" shows no message when its service fails, so \"failureMessage\" has no effect",
        remedy: "leave it out, or write \"onFailure\": \"warn\"",
        severity: .warning
      )
    }
  }

  private static func outcomes(
    _ members: JSONObject,
    at parent: JSONPointer,
    with reader: inout DefinitionReader
  ) -> [CheckOutcomeDefinition] {
    let pointer = parent.appending("outcomes")
    guard case .array(let branches)? = members["outcomes"], !branches.isEmpty else {
      reader.missing(
        "outcomes",
        at: parent,
        what: "the check",
        remedy:
          "add \"outcomes\": [{\"when\": \"response.status == 200\", \"valid\": true}, {\"code\": \"...\", \"message\": \"...\"}]"
      )
      return []
    }
    return branches.enumerated().compactMap { index, value in
      let inner = pointer.appending(index)
      guard
        let branch = reader.object(
          value,
          at: inner,
          keys: CheckOutcomeDefinition.keys,
          what: "an outcome of a check"
        )
      else { return nil }
      let isValid = reader.bool(branch, "valid", at: inner, what: "the outcome") ?? false
      warnOfIdleMembers(of: branch, isValid, at: inner, &reader)
      return CheckOutcomeDefinition(
        pointer: inner,
        when: reader.formula(branch, "when", at: inner, what: "the outcome"),
        isValid: isValid,
        code: reader.string(branch, "code", at: inner, what: "the outcome"),
        message: reader.message(branch, at: inner, what: "the outcome"),
        severity: reader.severity(branch, at: inner, what: "the outcome")
      )
    }
  }
}

extension CheckDefinition {
  /// An outcome that is valid has no error, and so no members about an error.
  private static func warnOfIdleMembers(
    of branch: JSONObject,
    _ isValid: Bool,
    at inner: JSONPointer,
    _ reader: inout DefinitionReader
  ) {
    guard isValid else { return }
    for name in ["code", "message", "messageExpression", "severity"] where branch[name] != nil {
      reader.collector.report(
        "outcomes",
        at: inner.appending(name),
        spot: .name,
        "this outcome is \"valid\", so its \"\(name)\" has no effect",
        remedy: "leave it out, or remove \"valid\"",
        severity: .warning
      )
    }
  }
}
