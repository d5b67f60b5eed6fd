import Forms
import JSON
import Testing

struct FormDependenciesTests {
  private func dependencies() throws -> FormDependencies {
    let definition: JSON = [
      "form": "f",
      "schema": [
        "type": "object",
        "properties": [
          "a": ["type": "string"], "b": ["type": "string"], "c": ["type": "string"],
          "box": ["type": "object", "properties": ["city": ["type": "string"]]],
        ],
      ],
      "rules": [
        ["id": "a.long", "field": "a", "check": "size(self) > 3", "message": "short"],
        ["id": "same", "check": "values.a == values.b", "message": "different"],
      ],
      "actions": ["send": ["enabled": "fields.a.isValid"], "other": [:]],
      "outputs": ["color": "form.isValid ? 'on' : 'off'", "again": "outputs.color + values.c"],
    ]
    return FormDependencies(of: try #require(Form.compile(Array(definition.description.utf8)).form))
  }

  @Test func `an input changes what reads it, and what reads that, and nothing else`() throws {
    let dependencies = try dependencies()
    #expect(
      dependencies.dependents(of: "values.b")
        == ["rule same", "fields.b", "form", "actions.other.isEnabled", "outputs.color", "outputs.again"]
    )
    #expect(dependencies.dependents(of: "values.a").contains("actions.send.isEnabled"))
    #expect(!dependencies.dependents(of: "values.c").contains("actions.send.isEnabled"))
    #expect(dependencies.dependents(of: "outputs.again").isEmpty)
  }

  @Test(
    arguments: [
      ("values.aa", "values.a"), ("/a", "values.a"), ("box.city", "values.box.city"), ("/box/city", "values.box.city"),
      ("/box/ctiy", "values.box.city"), ("fields['/box/ctiy']", "fields['/box/city']"),
      ("send.isEnabled", "actions.send.isEnabled"),
      ("same", "rule same"), ("something else", nil), ("", nil), ("/", nil),
    ]
  )
  func `a name that no cell has leads to the one that was meant`(name: String, closest: String?) throws {
    #expect(try dependencies().closestName(to: name) == closest)
  }

  @Test func `a formula that names whether a field is shown depends on it`() throws {
    let definition = """
      {"form": "f", "schema": {"properties": {"a": {"type": "string"}, "b": {"type": "string"}}},
       "fields": {"a": {"visible": "values.b == 'yes'"}}, "outputs": {"o": "fields.a.isVisible"}}
      """
    let dependencies = FormDependencies(of: try #require(Form.compile(Array(definition.utf8)).form))
    #expect(dependencies.parts.last?.reads == ["fields.a"])
    #expect(dependencies.dependents(of: "values.b").contains("outputs.o"))
  }

  @Test func `a field whose value a formula gives is computed from what the formula reads`() throws {
    let definition = """
      {"form": "f", "schema": {"properties": {"a": {"type": "integer"}, "b": {"type": "integer"}, "c": {"type": "integer"}}},
       "fields": {"b": {"computed": "values.a + 1"}, "c": {"suggested": "values.b"}}, "outputs": {"o": "values.c"}}
      """
    let dependencies = FormDependencies(of: try #require(Form.compile(Array(definition.utf8)).form))
    #expect(
      dependencies.dependents(of: "values.a")
        == ["values.b", "values.c", "fields.a", "fields.b", "fields.c", "form", "outputs.o"]
    )
    let cells = dependencies.parts.prefix(3)
    #expect(cells.map(\.isInput) == [true, false, false])
    #expect(cells.map(\.reads) == [[], ["values.a"], ["values.b"]])
    #expect(cells.map { $0.definitions.last } == ["show: blur", "computed: values.a + 1", "suggested: values.b"])
  }

  @Test func `a step reads its fields, and hides them`() throws {
    let definition = """
      {"form": "f", "schema": {"properties": {"a": {"type": "boolean"}, "b": {}}},
       "steps": [{"id": "one", "fields": ["a"]}, {"id": "two", "fields": ["b"], "visible": "values.a == true"}],
       "actions": {"next": {"scope": "one", "enabled": "steps.one.isValid"}}}
      """
    let dependencies = FormDependencies(of: try #require(Form.compile(Array(definition.utf8)).form))
    #expect(
      dependencies.dependents(of: "values.a")
        == ["steps.two.isVisible", "fields.a", "fields.b", "form", "steps.one", "steps.two", "actions.next.isEnabled"]
    )
    #expect(dependencies.dependents(of: "values.b") == ["fields.b", "form", "steps.two"])
  }

  @Test func `a list changes what is in its rows, and what they lead to`() throws {
    let definition = """
      {"form": "f", "schema": {"properties": {"items": {"type": "array", "maxItems": 9, "items": {"type": "object",
         "properties": {"price": {"type": "integer"}}}}}},
       "rules": [{"id": "dear", "field": "/items/*/price", "check": "self < 100"}],
       "outputs": {"/items/*/double": "row.price * 2", "total": "outputs['/items/*/double'].sum()"}}
      """
    let dependencies = FormDependencies(of: try #require(Form.compile(Array(definition.utf8)).form))
    let fromPrice = dependencies.dependents(of: "/items/*/price")
    #expect(fromPrice.contains("rule dear") && fromPrice.contains("outputs.total"))
    let fromItems = dependencies.dependents(of: "values.items")
    #expect(Set(fromItems + ["values.items"]).isSuperset(of: fromPrice) && fromItems.contains("/items/*/price"))
  }

  @Test func `a cell tells its formula and what it reads`() throws {
    let cell = try #require(try dependencies().parts.first { $0.name == "actions.send.isEnabled" })
    #expect(cell.definitions == ["enabled: fields.a.isValid"])
    #expect(cell.reads == ["fields.a"])
  }

  @Test func `a check and an action tell everything that decides them, in the words of a definition`() throws {
    let definition = """
      {"form": "f", "schema": {"properties": {"a": {"type": "string", "writeOnly": true}}},
       "fields": {"a": {"normalize": ["trim"], "debounce": "300ms"}},
       "rules": [{"id": "r", "field": "a", "when": "values.a != ''", "check": "size(self) > 1",
         "messageExpression": "'Too ' + 'short'"}],
       "checks": [{"id": "c", "field": "a", "when": "size(self) > 2", "ask": "leave", "debounce": "1s",
         "run": {"http": {"service": "s", "path": "/free"}}, "onFailure": "warn",
         "outcomes": [{"when": "response.status == 200", "valid": true}, {"code": "taken", "message": "Taken."}]}],
       "actions": {"send": {"run": {"http": {"service": "s", "method": "POST", "path": "/x"}}, "outcomes": [
         {"when": "response.status == 201", "success": "response.body", "message": "Thanks."},
         {"failure": "response.kind", "messageExpression": "'No: ' + response.kind"}]}}}
      """
    let dependencies = FormDependencies(of: try #require(Form.compile(Array(definition.utf8)).form))
    func definitions(_ name: String) -> [String]? { dependencies.parts.first { $0.name == name }?.definitions }
    #expect(definitions("values.a") == ["show: blur; secret: true; normalize: trim; debounce: 300ms"])
    #expect(
      definitions("rule r")
        == ["when: values.a != ''", "check: size(self) > 1", "messageExpression: 'Too ' + 'short'"]
    )
    #expect(
      definitions("check c") == [
        "when: size(self) > 2", "run: http GET s /free", "ask: leave; debounce: 1s; timeout: 10s; onFailure: warn",
        "outcome when response.status == 200: valid", "outcome: error taken, \"Taken.\"",
      ]
    )
    #expect(
      definitions("actions.send.result") == [
        "run: http POST s /x", "flight: drop; timeout: 10s",
        "outcome when response.status == 201: success response.body, message \"Thanks.\"",
        "outcome: failure response.kind, messageExpression 'No: ' + response.kind",
      ]
    )
  }
}
