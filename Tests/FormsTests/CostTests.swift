import Budgets
import Forms
import JSON
internal import SourceTexts
import Testing

@Suite("The cost of formulas") struct FormulaCostTests {
  /// A form with one output.
  private func compile(_ properties: JSON, _ formula: String) -> FormCompilation {
    let definition: JSON = [
      "form": "t", "schema": ["type": "object", "properties": properties], "outputs": ["o": .string(formula)],
    ]
    return Form.compile(Array(definition.description.utf8))
  }

  private static let texts: JSON = ["type": "array", "maxItems": 3, "items": ["type": "string", "maxLength": 10]]
  private static let items: JSON = [
    "type": "array", "maxItems": 1000,
    "items": ["type": "object", "properties": ["q": ["type": "integer"], "s": ["type": "string", "maxLength": 40]]],
  ]

  @Test(
    arguments: [
      ("t", texts, "'x' + values.t.join(',')"), ("t", texts, "values.t.map(t, t + t).join().size() > 2"),
      ("t", texts, "'%s: %s'.format([values.t, values.t.join(' ')])"),
      ("items", items, "values.items.map(i, i.q).sum()"),
      ("items", items, "values.items.filter(i, i.q > 1).map(i, '%s: %d'.format([i.s, i.q])).join(', ')"),
      ("items", items, "values.items.map(i, i.s).sort().distinct().join()"),
      ("items", items, "values.items.exists(i, i.s.split(' ').exists(w, w == 'x'))"),
    ] as [(String, JSON, String)]
  )
  func `what a schema bounds is not taken for more`(name: String, schema: JSON, formula: String) {
    let compilation = compile([name: schema], formula)
    #expect(compilation.form != nil, "\(compilation.diagnostics)")
  }

  @Test(
    arguments: [
      ["type": "array"], ["type": "array", "items": ["type": "string"]], [:],
      ["type": "array", "items": ["maxLength": 1_000_000]],
      ["type": "array", "items": ["type": "array", "items": ["type": "object", "properties": ["b": [:]]]]],
    ] as [JSON]
  )
  func `nothing is refused because a schema bounds nothing`(schema: JSON) {
    let compilation = compile(
      ["a": schema, "s": ["type": "string"]],
      "values.a.all(x, values.a.exists(y, values.a.all(z, x == y && y == z && '%s'.format([z]).contains(values.s))))"
    )
    #expect(compilation.form != nil, "\(compilation.diagnostics)")
  }

  /// A formula that is refused, with the bounds of what it reads.
  private static let refused: [(properties: JSON, formula: String)] = [
    (["items": items], "values.items.all(a, values.items.all(b, values.items.all(c, a.q + b.q + c.q != 7)))"),
    (
      ["a": ["type": "array", "maxItems": 100_000, "items": ["type": "integer"]], "b": texts],
      "values.a.all(x, values.b.all(t, t != '' && x > 1 && values.a.size() > 0 && values.b.size() > 0))"
    ),
    (
      ["t": ["type": "string", "maxLength": 1_000_000], "p": ["type": "string", "maxLength": 90_000]],
      "values.t.matches(values.p)"
    ),
    (
      ["t": ["type": "array", "maxItems": 50, "items": ["type": "string", "maxLength": 1_000_000]]],
      "values.t.join(', ').upperAscii()"
    ),
    (
      [
        "a": ["type": "array", "maxItems": 2_000_000, "items": ["type": "integer"]],
        "b": ["type": "array", "maxItems": 2_000_000, "items": ["type": "integer"]],
      ], "values.a.size() > 0 && values.b.all(x, x > 1) && values.a.all(x, x > 1)"
    ),
    (
      [
        "o": [
          "type": "array", "maxItems": 900,
          "items": [
            "type": "object",
            "properties": [
              "lines": [
                "type": "array", "maxItems": 900,
                "items": ["type": "object", "properties": ["n": ["type": "integer"]]],
              ]
            ],
          ],
        ]
      ], "values.o.all(o, o.lines.all(l, values.o.exists(p, p.lines.exists(m, m.n == l.n))))"
    ),
  ]

  @Test(arguments: refused.indices)
  func `what is too costly within the bounds is refused, and what the remedy says suffices`(index: Int) throws {
    var (properties, formula) = Self.refused[index]
    let refusal = try #require(compile(properties, formula).diagnostics.first)
    #expect(refusal.code == "cost" && refusal.message.hasSuffix("1000000 are allowed"))
    let remedy = try #require(refusal.remedy)
    let bounds = remedy.matches(of: /"([^"]+)" a "([a-zA-Z]+)" of ([0-9]+) or less/)
    #expect(!bounds.isEmpty && remedy.hasPrefix("give "), "\(remedy)")
    for bound in bounds {
      let path = String(bound.1).split(separator: "/").map(String.init)
      #expect(narrow(&properties, path[...], String(bound.2), Int64(bound.3)!), "\(remedy)")
    }
    let compilation = compile(properties, formula)
    #expect(compilation.form != nil, "\(remedy): \(compilation.diagnostics)")
  }

  // MARK: Advice

  /// The diagnostics of a form with rows in `rows`, with one rule.
  private func diagnostics(_ rule: JSON, maxItems: Int64 = 1000) throws -> [Diagnostic] {
    let row: JSON = [
      "type": "object",
      "properties": [
        "a": ["type": "string", "maxLength": 40, "minLength": 3], "b": ["type": "string", "maxLength": 2000],
        "inner": [
          "type": "array", "maxItems": .integer(maxItems),
          "items": ["type": "object", "properties": ["c": ["type": "integer"]]],
        ],
      ],
    ]
    let definition: JSON = [
      "form": "t",
      "schema": [
        "type": "object",
        "properties": [
          "rows": ["type": "array", "maxItems": .integer(maxItems), "items": row],
          "tags": ["type": "array", "maxItems": .integer(maxItems), "items": ["type": "string", "maxLength": 20]],
        ],
      ],
      "rules": [rule],
    ]
    return Form.compile(Array(definition.description.utf8)).diagnostics
  }

  private static let once: [(field: String?, check: String, unique: String)] = [
    ("/rows/*/a", "values.rows.filter(r, r.a == row.a).size() == 1", "/rows/*/a"),
    ("/rows/*/a", "values.rows.filter(r, r.a == self).size() < 2", "/rows/*/a"),
    ("/rows/*/b", "!values.rows.exists_one(r, self == r.b) ? false : true", "/rows/*/b"),
    (
      "/rows/*",
      "values.rows.map(r, r.a).filter(x, x != '').size() > 0 && values.rows.filter(r, r.a == row.a).size() == 1",
      "/rows/*/a"
    ),
    ("/tags/*", "values.tags.filter(t, t == self).size() == 1", "/tags/*"),
    ("rows", "values.rows.all(r, values.rows.filter(q, q.a == r.a).size() == 1)", "/rows/*/a"),
    (nil, "values.tags.all(t, values.tags.exists_one(u, u == t))", "/tags/*"),
  ]

  @Test(arguments: once.indices)
  func `a formula that compares each row with all rows is told of unique`(index: Int) throws {
    let (field, check, unique) = Self.once[index]
    var rule: JSON = ["id": "r", "check": .string(check)]
    if let field { rule = ["id": "r", "check": .string(check), "field": .string(field)] }
    let diagnostic = try #require(try diagnostics(rule).first)
    #expect(diagnostic.code == "cost" && diagnostic.pointer.description == "/rules/0/check")
    #expect(diagnostic.remedy?.contains("\"unique\": true at \"\(unique)\"") == true, "\(diagnostic)")
    let isOfRows = field?.contains("*") ?? false
    #expect(diagnostic.severity == (isOfRows ? .warning : .error))
    if isOfRows {
      let bound = " steps in each of 1000 rows, and \(WorkBudget.unitsOfTurn) are allowed"
      #expect(diagnostic.message.contains(bound), "\(diagnostic)")
    }
    #expect(try diagnostics(rule, maxItems: 20).isEmpty)
  }

  @Test func `a costly formula of rows is told of the bound that suffices, and a cheap one of nothing`() throws {
    let rule: JSON = ["id": "r", "field": "/rows/*/a", "check": "values.rows.map(r, size(r.a)).sum() > size(self)"]
    let diagnostic = try #require(try diagnostics(rule).first)
    #expect(diagnostic.severity == .warning)
    let bound = try #require(diagnostic.remedy?.firstMatch(of: /give "rows" a "maxItems" of ([0-9]+) or less/))
    #expect(try diagnostics(rule, maxItems: Int64(bound.1)!).isEmpty)
    #expect(try !diagnostics(rule, maxItems: Int64(bound.1)! + 1).isEmpty)
    // A row that does not read its list is evaluated alone.
    let own: JSON = ["id": "r", "field": "/rows/*/a", "check": "row.inner.map(i, i.c).sum() > size(self)"]
    #expect(try diagnostics(own).isEmpty)
  }

  @Test func `no bound is advised that admits hardly any value`() throws {
    let check: JSON = "values.rows.all(r, values.rows.all(q, q.b.contains(r.a)))"
    let diagnostic = try #require(try diagnostics(["id": "r", "check": check]).first)
    #expect(diagnostic.remedy?.hasPrefix("give \"rows\" a \"maxItems\" of ") == true, "\(diagnostic)")
    // Below its minimum there is no bound.
    let list: JSON = ["type": "array", "minItems": 200, "maxItems": 300, "items": ["type": "integer"]]
    let loops = "values.a.all(x, values.a.all(y, values.a.all(z, x + y + z > 0)))"
    #expect(compile(["a": list], loops).diagnostics.first?.remedy?.hasPrefix("use fewer loops within loops") == true)
    let text: JSON = ["type": "string", "minLength": 4_000, "maxLength": 5_000]
    let many: JSON = ["type": "array", "maxItems": 5_000, "items": text]
    let remedy = compile(["a": many], "values.a.all(x, x.contains(values.a.join()))").diagnostics.first?.remedy ?? ""
    #expect(remedy.hasPrefix("give \"a\" a \"maxItems\" of "), "\(remedy)")
  }

  /// Gives the schema at an address another bound; false if there is no such schema or bound.
  private func narrow(_ properties: inout JSON, _ path: ArraySlice<String>, _ keyword: String, _ bound: Int64) -> Bool {
    guard let name = path.first, var members = properties.objectValue, var schema = members[name]?.objectValue else {
      return false
    }
    let rest = path.dropFirst()
    var isDone = false
    if rest.isEmpty {
      isDone = schema[keyword]?.integerValue.map { $0 > bound } ?? false
      schema[keyword] = .integer(bound)
    } else if rest.first == "*" {
      var items: JSON = ["*": schema["items"] ?? .null]
      isDone = narrow(&items, rest, keyword, bound)
      schema["items"] = items["*"]
    } else {
      var inner = schema["properties"] ?? .null
      isDone = narrow(&inner, rest, keyword, bound)
      schema["properties"] = inner
    }
    members[name] = .object(schema)
    properties = .object(members)
    return isDone
  }
}
