internal import JSON
internal import SourceTexts

/// How a run is tried again.
struct RetryDefinition {
  var times: Int
  var delay: Duration
  var factor: Double
  var delayMax: Duration
}

extension RetryDefinition {
  /// The keys of `retry`, each with its schema.
  static let keys: JSONObject = [
    "times": [
      "type": "integer", "minimum": 1, "maximum": 20, "default": 1,
      "description": "How many more tries, after the first try.",
    ],
    "delay": ["$ref": "#/$defs/duration", "default": "500ms", "description": "The pause before the second try."],
    "factor": [
      "type": "number", "minimum": 1, "maximum": 10, "default": 2,
      "description": "How many times longer the pause before each later try is.",
    ],
    "maxDelay": ["$ref": "#/$defs/duration", "default": "30s", "description": "The longest pause before a try."],
  ]

  /// The schema of `retry`.
  static let schema = DefinitionSchema.object(
    keys,
    about: "Tries again when the service cannot be reached, or reports a temporary failure."
  )
}

extension DefinitionReader {
  /// `retry` of an action or a lookup; nil: a run is not tried again.
  mutating func retry(_ members: JSONObject, at pointer: JSONPointer) -> RetryDefinition? {
    let inner = pointer.appending("retry")
    guard let value = members["retry"],
      let members = object(value, at: inner, keys: RetryDefinition.keys, what: "\"retry\"")
    else { return nil }
    let factor = members["factor"]?.doubleValue ?? 2
    if !(1...10).contains(factor) {
      collector.report("range", at: inner.appending("factor"), "\"factor\" must be from 1 to 10")
    }
    return RetryDefinition(
      times: count(members, "times", in: 1...20, at: inner, what: "\"retry\"") ?? 1,
      delay: duration(members, "delay", at: inner, what: "\"retry\"") ?? .milliseconds(500),
      factor: factor,
      delayMax: duration(members, "maxDelay", at: inner, what: "\"retry\"") ?? .seconds(30)
    )
  }
}
