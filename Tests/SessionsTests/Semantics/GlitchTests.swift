import Forms
import JSON
import Sessions
import Testing

/// No client ever sees half of a change: each turn is one update, and sends no formula twice.
@Suite struct `Glitches` {
  @Test func `the diamond: with b = a + 1 and c = a * 10, b + c is never torn`() throws {
    let form = try SessionDriver(
      text: """
        {"schema": {"type": "object", "properties": {"a": {"type": "integer", "default": 1}}},
         "outputs": {"b": "values.a + 1", "c": "values.a * 10", "sum": "int(outputs.b) + int(outputs.c)"}}
        """
    )
    #expect(form["/outputs"] == ["b": 2, "c": 10, "sum": 12])
    form.change("a", 2)
    #expect(
      form.patches == [["isDirty": true, "fields": ["a": ["isDirty": true]], "outputs": ["b": 3, "c": 20, "sum": 23]]]
    )
  }

  @Test func `no false enabled between two invalid states`() throws {
    let form = try SessionDriver(
      text: """
        {"schema": {"type": "object", "properties": {"a": {"type": "integer", "default": 1}, "b": {"type": "integer", "default": 2}}},
         "rules": [{"id": "order", "field": "b", "check": "values.a > values.b"}],
         "actions": {"go": {}}, "outputs": {"enabledSeen": "actions.go.isEnabled"}}
        """
    )
    #expect(!form.isEnabled("go"))
    form.change(["a": 3, "b": 4])
    #expect(!form.isEnabled("go"))
    #expect(form.patches.allSatisfy { $0["actions"] == nil && $0["isValid"] == nil && $0["outputs"] == nil })
  }

  @Test func `password and confirmation changed together are one update, without a mismatch in between`() throws {
    let form = try SessionDriver(
      text: """
        {"schema": {"type": "object", "required": ["password", "confirmation"], "properties": {
           "password": {"type": "string", "maxLength": 64, "writeOnly": true}, "confirmation": {"type": "string", "maxLength": 64, "writeOnly": true}}},
         "fields": {"confirmation": {"show": "always"}},
         "rules": [{"id": "same", "field": "confirmation", "check": "self == values.password", "message": "They differ."}]}
        """
    )
    form.change(["password": "one", "confirmation": "one"])
    #expect(form.isValid)
    form.change(["password": "two", "confirmation": "two"])
    #expect(form.patches.count == 1)
    #expect(form.isValid && form.message("confirmation") == nil)
  }

  @Test func `a ladder of ten diamonds is one update, not 1,024`() throws {
    var outputs = #""x0": "values.a""#
    for step in 1...10 {
      outputs += #", "l\#(step)": "int(outputs.x\#(step - 1)) + 1", "r\#(step)": "int(outputs.x\#(step - 1)) - 1""#
      outputs += #", "x\#(step)": "int(outputs.l\#(step)) + int(outputs.r\#(step))""#
    }
    let form = try SessionDriver(
      text:
        #"{"schema": {"type": "object", "properties": {"a": {"type": "integer", "default": 1}}}, "outputs": {\#(outputs)}}"#
    )
    #expect(form["/outputs/x10"] == 1024)
    form.change("a", 3)
    #expect(form["/outputs/x10"] == 3072)
    #expect(form.patches.count == 1)
    #expect(form.session.revision == 1)
    #expect(form.evaluations <= 40)
  }

  @Test func `an equal result stops the propagation`() throws {
    let form = try SessionDriver(
      text: """
        {"schema": {"type": "object", "properties": {"a": {"type": "integer", "default": 1}}},
         "outputs": {"isPositive": "values.a > 0", "text": "outputs.isPositive == true ? 'yes' : 'no'", "more": "outputs.text == 'yes'"}}
        """
    )
    form.change("a", 2)
    #expect(form.evaluations <= 1)
    #expect(form.patches == [["isDirty": true, "fields": ["a": ["isDirty": true]]]])
  }

  #if DEBUG
    /// A form of so many fields, with that at its schema.
    private func wide(_ count: Int, _ keywords: String) throws -> SessionDriver {
      let properties = (0..<count).map { #""f\#($0)": {"type": "string"}"# }.joined(separator: ", ")
      return try SessionDriver(
        text: #"{"schema": {"type": "object", "properties": {\#(properties)}, \#(keywords)}}"#
      )
    }

    @Test(arguments: [10, 1_000])
    func `keywords that look at all values gather them once for a change, however many they are`(_ count: Int) throws {
      let keywords =
        #""minProperties": 2, "maxProperties": 500, "propertyNames": {"maxLength": 9}, "patternProperties": {"9$": {"maxLength": 3}}"#
      let form = try wide(count, keywords)
      form.change("f0", "x")
      #expect(form["/isValid"] == false)
      // Once for the formulas that only ask whether the value is present, and once for the formula that reads the
      // value.
      #expect(form.valuesVisited == 2 * count)
      form.change("f1", "y")
      #expect(form["/isValid"] == true)
      #expect(form.valuesVisited == 2 * count)
    }

    @Test(arguments: [10, 1_000])
    func `a keyword that reads some fields looks at no others`(_ count: Int) throws {
      let keywords =
        #""dependentRequired": {"f0": ["f1"]}, "if": {"properties": {"f2": {"const": "x"}}}, "then": {"required": ["f3"]}"#
      let form = try wide(count, keywords)
      form.change("f0", "x")
      #expect(form.codes("f1") == ["dependentRequired"])
      #expect(form.valuesVisited == 2)
      form.change("f2", "y")
      #expect(form.valuesVisited <= 3)
      form.change("f9", "y")
      #expect(form.valuesVisited == 0)
    }
  #endif
}
