import JSON
import Sessions

extension SessionDriver {
  /// A form with one check that asks about `a` (and also sends `b`).
  static func checked(_ more: String = "", actions: String = "{\"go\": {}}", show: String = "always") throws
    -> SessionDriver
  {
    try SessionDriver(
      text: """
        {"schema": {"type": "object", "properties": {
           "a": {"type": "string", "maxLength": 20, "minLength": 2}, "b": {"type": "string", "maxLength": 20}}},
         "fields": {"a": {"show": "\(show)"}},
         "checks": [{"id": "free", "field": "a", \(more) "run": {"provider": {"name": "p", "arguments": {"a": "self", "b": "values.b"}}},
           "outcomes": [{"when": "response.body == true", "valid": true}, {"message": "taken"}]}],
         "actions": \(actions)}
        """
    )
  }

  /// Answers the only effect that is under way: its service gives that body.
  func answer(ok body: JSON) {
    answer(onlyEffect, EffectResponse(kind: .ok, body: body))
  }
}
