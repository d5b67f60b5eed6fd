import CEL
import DocumentProperties
import Forms
import PageCode
import Testing

/// The reference for formulas in the page for authors of forms.
@Suite struct `The reference for formulas` {
  private static let page = "protocol/forms.md"

  // MARK: Functions

  struct Example: Sendable, CustomTestStringConvertible {
    let name: String
    let formula: String
    let gives: String
    var testDescription: String { formula }
  }

  private static let examples = FormFunctions.environment().listedFunctions.flatMap { function in
    function.examples.map { Example(name: function.name, formula: $0.key, gives: $0.value) }
  }

  @Test(arguments: examples) func `an example calls its function, and gives what stands beside it`(
    _ example: Example
  ) throws {
    var environment = FormFunctions.environment(texts: [("left", Text("{count} are left."))])
    environment.declare(variable: "form.locale", type: .string)
    environment.declare(variable: "values.country", type: .string)
    let program = try environment.compile(example.formula)
    #expect("\(program.evaluate(["form.locale": "en", "values.country": "Switzerland"]))" == example.gives)
    #expect(example.formula.contains("\(example.name.split(separator: ".").last ?? "")("))
  }

  @Test func `every function has a description and an example`() {
    let functions = FormFunctions.environment().listedFunctions
    let described = Set(functions.map(\.name))
    #expect(FormFunctions.summaries.map(\.name).filter { !described.contains($0) } == [])
    #expect(functions.filter(\.examples.isEmpty).map(\.usage) == [])
  }

  @Test func `the list of functions has all of them (FORMD_REWRITE=1 writes it)`() throws {
    let functions = FormFunctions.environment().listedFunctions.sorted {
      ($0.name, $0.usage) < ($1.name, $1.usage)
    }
    var list = ""
    for topic in Function.Topic.allCases {
      list += "\n**\(topic.rawValue)**\n\n| function | example | gives |\n|---|---|---|\n"
      for function in functions where function.topic == topic {
        for (formula, gives) in function.examples {
          list += "| `\(function.usage)` | `\(formula)` | `\(gives)` |\n".replacing("||", with: "\\|\\|")
        }
      }
    }
    #expect(try GeneratedPart("functions", of: Self.page, wanted: list + "\n").text == list + "\n")
  }

  // MARK: Cells

  /// A form that has cells of every kind.
  private static let everything = """
    {
      "form": "everything",
      "context": { "properties": { "role": { "type": "string", "maxLength": 9 } } },
      "schema": { "properties": {
        "name": { "type": "string", "maxLength": 9 },
        "orders": { "type": "array", "items": { "type": "object", "properties": {
          "lines": { "type": "array", "items": { "type": "object", "properties": { "count": { "type": "integer" } } } } } } } } },
      "steps": [{ "id": "first", "fields": ["name"] }],
      "checks": [{ "id": "a", "field": "name", "run": { "provider": { "name": "p" } }, "outcomes": [{ "valid": true }],
        "result": "response.body" }],
      "lookups": { "found": { "run": { "provider": { "name": "p" } } },
        "/orders/*/price": { "run": { "provider": { "name": "p" } } } },
      "actions": { "go": {} },
      "outputs": { "size": "1" }
    }
    """

  private static func cells(of definition: String) throws -> [FormulaCellGroup] {
    try #require(Form.compile(Array(definition.utf8)).form).formulaCells
  }

  /// The kind of cell of a name: `fields.NAME.isValid` for `fields.email.isValid` and `fields['/items/*'].isValid`.
  private static func kind(of name: String) -> String {
    let root = String(name.prefix { $0 != "." && $0 != "[" })
    guard root != name, !["form", "response"].contains(root) else { return name }
    let owner = ["steps": "ID"][root] ?? "NAME"
    let hasMembers = !["values", "context", "initial", "row", "above", "outer", "messages", "outputs"].contains(root)
    let member = hasMembers ? name.split(separator: ".").last.map { ".\($0)" } ?? "" : ""
    return root == "checks" ? "checks['ID']\(member)" : "\(root).\(owner)\(member)"
  }

  @Test func `the table of cells has every kind, with its type, and no other`() throws {
    let table = try PageTable(
      page: Self.page,
      section: "Cells",
      columns: ["cell", "type", "where", "says", "absent or hidden"]
    )
    let told = Dictionary(uniqueKeysWithValues: table.rows.map { ($0[0].withoutBackticks, $0[1].withoutBackticks) })
    var kinds: Set<String> = []
    for cell in try Self.cells(of: Self.everything).flatMap(\.cells) {
      let kind = Self.kind(of: cell.name)
      kinds.insert(kind)
      let type = try #require(told[kind], "the table has no \(kind)")
      #expect(type == cell.type || type == "by the schema", "\(cell.name)")
    }
    // Only rules and checks define `self`.
    #expect(Set(told.keys).subtracting(kinds) == ["self"])
  }

  @Test func `each place has the cells that only its formulas can name`() throws {
    let groups = try Self.cells(of: Self.everything)
    #expect(groups.map(\.scope) == [.form, .rows(of: "orders"), .rows(of: "/orders/*/lines"), .outcomes])
    func cells(_ group: Int, beginning start: String) -> [String] {
      groups[group].cells.filter { $0.name.hasPrefix(start) }.map { "\($0.name): \($0.type)" }
    }
    #expect(cells(0, beginning: "values") == ["values.name: string", "values.orders: list(object)"])
    #expect(cells(1, beginning: "row") == ["row: object", "row.lines: list(object)"])
    #expect(cells(1, beginning: "above") == ["above: object", "above.lines: list(object)"])
    #expect(cells(1, beginning: "outer") == [])
    #expect(cells(2, beginning: "row") == ["row: object", "row.count: int?"])
    #expect(cells(2, beginning: "outer") == ["outer: object", "outer.lines: list(object)"])
    #expect(cells(2, beginning: "values") == [])
    #expect(cells(2, beginning: "index") == ["index: int", "indexes: list(int)"])
    #expect(cells(0, beginning: "checks") == ["checks.a.result: dyn"])
    #expect(cells(1, beginning: "lookups").count == 3 && cells(2, beginning: "lookups").count == 3)
    #expect(cells(3, beginning: "response.status") == ["response.status: int"])
  }

  @Test func `a name that is listed is one that formulas can read`() throws {
    for group in try Self.cells(of: Self.everything) {
      let output =
        switch group.scope {
        case .form: "all"
        case .rows(let list): "/\(list.hasPrefix("/") ? String(list.dropFirst()) : list)/*/all"
        case .outcomes: ""
        }
      guard !output.isEmpty else { continue }
      for cell in group.cells where !cell.name.hasPrefix("outputs") {
        let definition = Self.everything.replacing("\"size\": \"1\"", with: "\"\(output)\": \"\(cell.name)\"")
        let compilation = Form.compile(Array(definition.utf8))
        #expect(compilation.form != nil, "\(compilation.diagnostics)")
      }
    }
  }

  @Test func `the table of a test file's expectations has each property of the document`() throws {
    let table = try PageTable(page: Self.page, section: "Testing a form", columns: ["of", "members"])
    func check<Property: PropertyList>(_ list: Property.Type, _ row: String) throws {
      let members = try #require(table.rows.first { $0[0].hasPrefix(row) })[1]
      for property in Property.inDocument {
        #expect(members.contains("`\(property.name)`"), "the row \"\(row)\" lacks \(property.name)")
      }
    }
    try check(FieldProperty.self, "a field")
    try check(ActionProperty.self, "an action")
    try check(LookupProperty.self, "a lookup")
    try check(StepProperty.self, "a step")
  }
}
