import Forms
import JSON
import Sessions
import Testing

/// Values that never leave the daemon.
@Suite struct `Secret values` {
  @Test func `Secrets: the value never leaves, not in a message, an error's parameters, the values or a fault`()
    throws
  {
    let form = try SessionDriver(
      text: """
        {"schema": {"type": "object", "properties": {
           "s": {"type": "object", "writeOnly": true, "additionalProperties": false, "properties": {"pin": {"type": "string", "minLength": 9}}},
           "t": {"type": "string", "maxLength": 30}}},
         "fields": {"t": {"secret": true, "show": "always"}, "s": {"show": "always"}},
         "rules": [{"id": "r", "field": "t", "check": "int(self) > 3"}]}
        """
    )
    form.change(["s": ["CANARY1": 1, "pin": "CANARY2"], "t": "CANARY3"])
    #expect(!form.codes("s").isEmpty && form.codes("t") == ["r"] || form["/fields/t/errors/0/source"] == "fault")
    let told = "\(form.kept) \(form.session.values()) \(form.patches) \(form.events) \(form.faults)"
    #expect(!told.contains("CANARY"))
  }

  @Test func `Secrets: what is logged of a fault is its kind, place and types, never a field's value`() throws {
    let form = try SessionDriver(
      text: """
        {"schema": {"type": "object", "properties": {"a": {"type": "string", "maxLength": 30}, "d": {}}},
         "outputs": {"number": "int(values.a)", "key": "[values.a][size(values.a)]", "member": "values.d.none", "time": "timestamp(values.a)"}}
        """
    )
    form.change("a", "PERSONAL")
    #expect(form.faults.map(\.pointer) == ["/outputs/number", "/outputs/key", "/outputs/time"])
    #expect(
      form.faults.map(\.message) == [
        "type conversion error: int(string)", "index out of bounds: list[int]",
        "type conversion error: timestamp(string)",
      ]
    )
  }

  @Test func `Secrets: an error of the form does not say which conditions a secret meets`() throws {
    let form = try SessionDriver(
      text: """
        {"schema": {"properties": {"pin": {"type": "string", "maxLength": 30}},
           "oneOf": [{"properties": {"pin": {"pattern": "^1"}}}, {"properties": {"pin": {"pattern": "1$"}}},
                     {"properties": {"pin": {"const": "x", "writeOnly": true}}}]}}
        """
    )
    form.change("pin", "1")
    #expect(form["/errors/0/code"] == "oneOf")
    #expect(form["/errors/0/params"] == [:])
  }

  @Test func `Secrets: arguments of run may read them, and the request says so to a provider`() throws {
    let form = try SessionDriver(
      text: """
        {"schema": {"type": "object", "properties": {"s": {"type": "string", "maxLength": 30, "writeOnly": true}}},
         "actions": {"go": {"run": {"provider": {"name": "p", "arguments": {"s": "values.s"}}}}}}
        """
    )
    form.change("s", "hunter2")
    form.tap("go")
    let request = try #require(form.onlyProviderRequest)
    #expect(request.readsSecrets)
    #expect(request.arguments == ["s": "hunter2"])
  }
}
