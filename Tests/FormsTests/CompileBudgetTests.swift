internal import Budgets
import DocumentProperties
import Foundation
import JSON
import JSONSchema
internal import SourceTexts
import Testing

@testable import Forms

/// Definitions that have many of one thing, by what they have. Each is as long as its count.
private struct Shape: Sendable, CustomTestStringConvertible {
  let testDescription: String
  /// The definition's members next to `form`, by a count.
  let members: @Sendable (Int) -> String

  func text(_ count: Int) -> [UInt8] { Array("{\"form\": \"t\", \(members(count))}".utf8) }

  static func list(_ count: Int, _ element: (Int) -> String) -> String {
    (0..<count).map(element).joined(separator: ", ")
  }

  static func schema(_ count: Int, with more: String = "") -> String {
    let properties = list(count) { #""field_\#($0)": {"type": "string", "maxLength": 100}"# }
    return #""schema": {"type": "object", "properties": {\#(properties)}\#(more.isEmpty ? "" : ", " + more)}"#
  }

  static let valid: [Shape] = [
    Shape(testDescription: "fields") { schema($0) },
    Shape(testDescription: "outputs of fields") {
      let outputs = list($0) { #""o\#($0)": "values.field_\#($0) != ''""# }
      return schema($0) + #", "outputs": {\#(outputs)}"#
    },
    Shape(testDescription: "outputs of outputs") {
      let outputs = list($0) { $0 == 0 ? #""o0": "1""# : #""o\#($0)": "outputs.o\#($0 - 1)""# }
      return schema(1) + #", "outputs": {\#(outputs)}"#
    },
    Shape(testDescription: "rules of a field each") {
      let rules = list($0) { #"{"id": "r\#($0)", "field": "field_\#($0)", "check": "self != 'x'", "message": "no"}"# }
      return schema($0) + #", "rules": [\#(rules)]"#
    },
    Shape(testDescription: "rules of one field, with texts of that field") {
      let rules = list($0) { #"{"id": "r\#($0)", "field": "field_0", "check": "self != 'x'"}"# }
      let messages = list($0) { #""r\#($0)": "no""# }
      return schema(1) + #", "rules": [\#(rules)], "fields": {"field_0": {"messages": {\#(messages)}}}"#
    },
    Shape(testDescription: "checks with providers") {
      let checks = list($0) {
        #"""
        {"id": "c\#($0)", "field": "field_\#($0)", "outcomes": [{"message": "no"}],
         "run": {"provider": {"name": "p", "arguments": {"x": "self"}}}}
        """#
      }
      return schema($0) + #", "checks": [\#(checks)]"#
    },
    Shape(testDescription: "actions") {
      schema(1) + #", "actions": {\#(list($0) { #""a\#($0)": {"enabled": "fields.field_0.isValid"}"# })}"#
    },
    Shape(testDescription: "arguments of one action") {
      let arguments = list($0) { #""x\#($0)": "values.field_\#($0)""# }
      return schema($0) + #", "actions": {"a": {"run": {"provider": {"name": "p", "arguments": {\#(arguments)}}}}}"#
    },
    Shape(testDescription: "references to definitions") {
      let definitions = list($0) { #""d\#($0)": {"type": "string"}"# }
      let properties = list($0) { ##""field_\##($0)": {"$ref": "#/$defs/d\##($0)"}"## }
      return #""schema": {"$defs": {\#(definitions)}, "properties": {\#(properties)}}"#
    },
    Shape(testDescription: "a chain of references") {
      let definitions = list($0) { ##""d\##($0)": {"$ref": "#/$defs/d\##($0 + 1)"}"## }
      let last = #""d\#($0)": {"type": "string"}"#
      return ##""schema": {"$defs": {\##(definitions), \##(last)}, "properties": {"a": {"$ref": "#/$defs/d0"}}}"##
    },
    Shape(testDescription: "dynamic anchors in resources of their own") {
      let definitions = list($0) { ##""d\##($0)": {"$id": "/\##($0)", "$dynamicAnchor": "a\##($0)"}"## }
      let properties = list($0) { ##""field_\##($0)": {"$dynamicRef": "/\##($0)#a\##($0)"}"## }
      return #""schema": {"$defs": {\#(definitions)}, "properties": {\#(properties)}}"#
    },
    Shape(testDescription: "conditions of the schema") { count in
      let conditions = list(count) {
        #"""
        {"if": {"properties": {"field_\#($0)": {"const": "a"}}}, "then": {"required": ["field_\#(($0 + 1) % count)"]}}
        """#
      }
      return schema(count, with: #""allOf": [\#(conditions)]"#)
    },
    Shape(testDescription: "a closed schema") { schema($0, with: #""additionalProperties": false"#) },
    Shape(testDescription: "choices with titles") {
      let choices = list($0) { #""c\#($0)""# }
      let titles = list($0) { #""c\#($0)": "C""# }
      return #""schema": {"properties": {"a": {"enum": [\#(choices)]}}}, "fields": {"a": {"options": {\#(titles)}}}"#
    },
    Shape(testDescription: "locales of one text") {
      schema(1) + #", "title": {\#(list($0) { #""l\#($0)": "x""# })}"#
    },
    Shape(testDescription: "fields of one large type") {
      let members = list(100) { #""m\#($0)": {"type": "string"}"# }
      let properties = list($0) { ##""field_\##($0)": {"$ref": "#/$defs/d"}"## }
      return #""schema": {"$defs": {"d": {"properties": {\#(members)}}}, "properties": {\#(properties)}}"#
    },
  ]

  static let wrong: [Shape] = [
    Shape(testDescription: "unknown names in formulas") {
      schema($0) + #", "outputs": {\#(list($0) { #""o\#($0)": "values.feld_\#($0)x""# })}"#
    },
    Shape(testDescription: "unknown functions in formulas") {
      schema(1) + #", "outputs": {\#(list($0) { #""o\#($0)": "siz\#($0)(1)""# })}"#
    },
    Shape(testDescription: "unknown fields") {
      schema($0) + #", "fields": {\#(list($0) { #""feld_\#($0)x": {}"# })}"#
    },
    Shape(testDescription: "unknown members") { schema(1) + ", " + list($0) { #""feld_\#($0)x": {}"# } },
    Shape(testDescription: "unknown members that are required") { count in
      schema(count, with: #""required": [\#(list(count) { #""feld_\#($0)x""# })]"#)
    },
  ]
}

@Suite struct `Compiling a large definition` {
  @Test(arguments: Shape.valid)
  fileprivate func `takes work and memory in proportion to its length`(_ shape: Shape) throws {
    let small = Form.compile(shape.text(300))
    let large = Form.compile(shape.text(600))
    let (smallForm, largeForm) = (try #require(small.form), try #require(large.form))
    #expect(large.workSpent <= small.workSpent * 2 + 100)
    #expect(largeForm.tableElementCount <= smallForm.tableElementCount * 2 + 100)
  }

  @Test(arguments: Shape.wrong)
  fileprivate func `tells a hundred errors and counts the others`(_ shape: Shape) throws {
    let compilation = Form.compile(shape.text(1234))
    #expect(compilation.outcome == .refused)
    #expect(compilation.errorCount == 1234)
    #expect(compilation.diagnostics.count == 101)
    let last = try #require(compilation.diagnostics.last)
    #expect(last.code == "more" && last.message == "and 1,134 more errors")
  }

  @Test func `of 10,000 fields with 10,000 outputs takes two thirds of the budget at most`() {
    let outputs = Shape.list(10_000) { #""o\#($0)": "values.field_\#($0) != ''""# }
    let compilation = Form.compile(
      Array(#"{"form": "t", \#(Shape.schema(10_000)), "outputs": {\#(outputs)}}"#.utf8)
    )
    #expect(compilation.outcome == .compiled)
    #expect(compilation.workSpent * 3 <= CompileLimits.workMaxDefault * 2)
  }

  /// A name that many members of the schema share: the form has it once for each of them and each of its cells.
  private static func sharingName(_ letter: String = "n", of length: Int, members: Int) -> [UInt8] {
    let name = String(repeating: letter, count: length)
    let members = Shape.list(members) { ##""a\##($0)": {"$ref": "#/$defs/b"}"## }
    let schema = ##"{"$defs": {"b": {"properties": {"\##(name)": {"type": "string"}}}}, "properties": {\##(members)}}"##
    return Array(#"{"form": "t", "schema": \#(schema)}"#.utf8)
  }

  @Test func `a long name counts as the memory that it takes`() throws {
    let form = try #require(Form.compile(Self.sharingName(of: 20_000, members: 20)).form)
    #expect(form.memoryBytes >= 20 * 20_000 * FieldProperty.cellCount)
  }

  @Test func `a long name that JSON escapes counts as the memory that it takes so`() throws {
    let form = try #require(Form.compile(Self.sharingName(#"\u0001"#, of: 3_000, members: 20)).form)
    #expect(form.memoryBytes >= 20 * 3_000 * 6 * FieldProperty.cellCount)
  }

  /// Objects in each other, each with a long name; a hundred fields are in the innermost.
  private static func deepSchema(nameLength: Int) -> JSON {
    let names = (0..<10).map { "\($0)" + String(repeating: "n", count: nameLength) }
    let leaves = JSONObject((0..<100).map { ("leaf\($0)", ["type": "string"]) })
    return names.reduce(["properties": .object(leaves)]) { ["properties": .object(JSONObject([($1, $0)]))] }
  }

  @Test func `long addresses count as often as the form has them`() throws {
    let definition: JSON = ["form": "t", "schema": Self.deepSchema(nameLength: 1_000)]
    let form = try #require(Form.compile(Array("\(definition)".utf8)).form)
    let address = try #require(form.fields.last?.address)
    #expect(form.fields.count == 110 && address.utf8.count > 10_000)
    #expect(form.memoryBytes >= 100 * 4 * 10_000)
  }

  @Test func `no field is made of a schema whose fields take more than the budget`() throws {
    let tree = try #require(try Schema.compile(Self.deepSchema(nameLength: 1_000)).objectTree(budget: CompileBudget()))
    let budget = CompileBudget(workMax: 10_000)
    #expect(FieldTable(of: tree, [:], mayLackFields: false, budget: budget).shapes.isEmpty)
    #expect(budget.end == .exhausted)
    #expect(FieldTable(of: tree, [:], mayLackFields: false, budget: CompileBudget()).shapes.count == 110)
  }

  @Test func `a long name that many members share is too costly`() {
    #expect(Form.compile(Self.sharingName(of: 100_000, members: 200)).outcome == .tooCostly)
  }

  @Test func `that is costlier than its length says so`() throws {
    // Two thousand parts of the schema that each read two thousand fields.
    let parts = Shape.list(2000) { _ in #"{"minProperties": 1}"# }
    let text = #"{"form": "t", \#(Shape.schema(2000, with: #""allOf": [\#(parts)]"#))}"#
    let compilation = Form.compile(Array(text.utf8), file: "t.form.json")
    #expect(compilation.outcome == .tooCostly)
    #expect(compilation.form == nil)
    #expect(compilation.diagnostics.map(\.code) == ["tooCostly"])
    let diagnostic = try #require(compilation.diagnostics.first)
    #expect(diagnostic.message.contains("more than \(CompileLimits.workMaxDefault) units of work"))
  }

  @Test(arguments: [
    // A list of names that many branches refer to.
    ##"""
    "schema": {"$defs": {"d": {"required": [NAMES]}}, "properties": {"field_0": {}}, "allOf": [REFERENCES]}
    """##,
    // A type that many branches refer to.
    ##"""
    "schema": {"$defs": {"d": {"properties": {PROPERTIES}}}, "properties": {"field_0": {}}, "allOf": [REFERENCES]}
    """##,
    // Choices that many fields refer to.
    ##"""
    "schema": {"$defs": {"d": {"enum": [NAMES]}}, "properties": {PROPERTIES}}
    """##,
    // Rules and checks of one field.
    ##"""
    "schema": {"properties": {"field_0": {}}}, "rules": [RULES], "checks": [CHECKS]
    """##,
    // Texts in many locales for many fields.
    ##"""
    "schema": {"properties": {PROPERTIES}}, "title": {LOCALES}
    """##,
  ])
  func `whose references multiply is refused`(_ members: String) {
    let count = 1500
    var text = "{\"form\": \"t\", \(members)}"
    for (name, element) in [
      ("NAMES", { "\"field_\($0)\"" }), ("REFERENCES", { _ in ##"{"$ref": "#/$defs/d"}"## }),
      ("PROPERTIES", { #""field_\#($0)": \#(members.contains("enum") ? ##"{"$ref": "#/$defs/d"}"## : "{}")"# }),
      ("RULES", { #"{"id": "r\#($0)", "field": "field_0", "check": "true"}"# }),
      (
        "CHECKS",
        {
          #"""
          {"id": "c\#($0)", "field": "field_0", "outcomes": [{}], "run": {"provider": {"name": "p"}}}
          """#
        }
      ),
      ("LOCALES", { #""l\#($0)": "x""# }),
    ] as [(String, (Int) -> String)] {
      if let range = text.range(of: name) { text.replaceSubrange(range, with: Shape.list(count, element)) }
    }
    #expect(Form.compile(Array(text.utf8)).outcome == .tooCostly)
  }

  @Test(arguments: [(25, true), (50, false)])
  func `with more choices in all than a client can be told at once is refused`(_ fields: Int, _ isAccepted: Bool) {
    let properties = Shape.list(fields) { ##""f\##($0)": {"$ref": "#/$defs/d"}"## }
    let choices = Shape.list(700) { #""c\#($0)""# }
    let schema = ##"{"$defs": {"d": {"enum": [\##(choices)]}}, "properties": {\##(properties)}}"##
    let text = #"{"form": "t", "schema": \#(schema)}"#
    #expect((Form.compile(Array(text.utf8)).outcome == .tooCostly) != isAccepted)
  }

  @Test(arguments: [#""description": "\#(longText)""#, #""default": "\#(longText)""#, #""x-note": ["\#(longText)"]"#])
  func `with more text in all than a client can be told at once is refused`(_ member: String) {
    for (fields, isAccepted) in [(20, true), (200, false)] {
      let properties = Shape.list(fields) { ##""f\##($0)": {"$ref": "#/$defs/d"}"## }
      let schema = ##"{"$defs": {"d": {"type": "string", \##(member)}}, "properties": {\##(properties)}}"##
      let text = #"{"form": "t", "schema": \#(schema)}"#
      #expect((Form.compile(Array(text.utf8)).outcome == .tooCostly) != isAccepted)
    }
  }

  private static let longText = String(repeating: "x", count: 100_000)

  @Test func `ends when the caller wants no result`() {
    let compilation = Form.compile(Shape.valid[1].text(300), limits: CompileLimits(isCancelled: { true }))
    #expect(compilation.outcome == .cancelled)
    #expect(compilation.form == nil && compilation.diagnostics.isEmpty)
    #expect(compilation.workSpent <= 1)
  }

  @Test func `asks each 1,000 units or so whether to end`() {
    let checks = Counter()
    let compilation = Form.compile(
      Shape.valid[1].text(3000),
      limits: CompileLimits(isCancelled: { checks.next() == 20 })
    )
    #expect(compilation.outcome == .cancelled)
    #expect((19_000...25_000).contains(compilation.workSpent))
  }

  @Test func `lists some names where none is close`() throws {
    let text = #"{"form": "t", \#(Shape.schema(500)), "fields": {"zzzzzzzzzzzzzzz": {}}}"#
    let remedy = try #require(Form.compile(Array(text.utf8)).diagnostics.first?.remedy)
    #expect(remedy.hasSuffix("field_18, field_19, ..."))
  }

  @Test func `names some cells of a long circle`() throws {
    let outputs = Shape.list(500) { #""o\#($0)": "outputs.o\#(($0 + 1) % 500)""# }
    let text = #"{"form": "t", \#(Shape.schema(1)), "outputs": {\#(outputs)}}"#
    let diagnostic = try #require(Form.compile(Array(text.utf8)).diagnostics.first)
    #expect(diagnostic.code == "cycle")
    #expect(diagnostic.message.hasSuffix("outputs.o11 -> (488 more) -> outputs.o0"))
  }

  @Test func `shows what stands around a problem in a long line`() throws {
    let long = (0..<400).map { "\($0), " }.joined()
    let text = #"{"form": "t", \#(Shape.schema(1)), "outputs": {"o": "[\#(long)nix, \#(long)1]"}}"#
    let remedy = try #require(Form.compile(Array(text.utf8)).diagnostics.first?.remedy)
    let lines = remedy.split(separator: "\n")
    #expect(lines[0].count == 160)
    // The caret's line is indented by four.
    #expect(lines[0].dropFirst(lines[1].count - 5).hasPrefix("nix"))
  }
}

/// Counts on the calling thread.
private final class Counter: @unchecked Sendable {
  // Only the thread that compiles asks, and the test reads nothing.
  private var count = 0
  func next() -> Int {
    count += 1
    return count
  }
}

extension Form {
  /// The number of elements that the form keeps by node, edge, cell and text.
  fileprivate var tableElementCount: Int {
    let edges = graph.readers.targets.count + objectKeywords.reduce(0) { $0 + $1.fields.count }
    let texts = errors.reduce(0) { $0 + $1.message.variants.count }
    return graph.nodes.count + edges + slots.count + layout.count + errors.count * locales.count + texts
  }
}
