import CEL
import Forms
internal import Foundation
import JSON
import Randomness
internal import SourceTexts
import Testing

private func compile(_ text: [UInt8], cache: FormulaCache? = nil) -> FormCompilation {
  Form.compile(ScannedText(json: SourceText(text), limits: Form.jsonLimits), file: "t.form.json", cache: cache)
}

private func compile(_ text: String, cache: FormulaCache?) -> FormCompilation {
  compile(Array(text.utf8), cache: cache)
}

/// All results of a compilation about formulas, including the numbers of slots.
private func told(_ compilation: FormCompilation) -> [String] {
  var lines = compilation.diagnostics.map { "\($0)" }
  lines.append("\(compilation.outcome) \(compilation.errorCount) \(compilation.warningCount) \(compilation.workSpent)")
  guard let form = compilation.form else { return lines }
  lines += zip(form.slots.names, form.slots.locations).map { "\($0) \($1)" }
  func add(formulasIn part: Any) {
    guard let formula = part as? Formula else {
      for child in Mirror(reflecting: part).children { add(formulasIn: child.value) }
      return
    }
    let program = formula.program
    lines.append(
      "\(formula.pointer) \(formula.name) \(formula.reads) \(formula.readFields) \(formula.readsSecret) \(program.type)"
        + " \(program.cost.steps) \(program.dependencies) \(program.parsed.printed)"
    )
  }
  for part in [form.fields, form.rules, form.checks, form.steps, form.lookups, form.actions, form.outputs] as [Any] {
    add(formulasIn: part)
  }
  return lines
}

@Suite struct `Formulas that are cache` {
  /// A form in which formulas depend on all kinds of values: records, rows, texts, and answers of a check.
  private static let definition = #"""
    {
      "form": "t", "locale": "en",
      "schema": {"type": "object", "properties": {
        "name": {"type": "string", "maxLength": 40},
        "home": {"type": "object", "properties": {"city": {"type": "string", "maxLength": 30}, "zip": {"type": "integer"}}},
        "items": {"type": "array", "maxItems": 9, "items": {"type": "object", "properties": {
          "sku": {"type": "string", "maxLength": 9}, "price": {"type": "number"}}}}}},
      "fields": {"name": {"label": "Name", "visible": "values.home.city != ''"}, "/items/*/price": {"visible": "row.sku != ''"}},
      "rules": [
        {"id": "a", "field": "name", "check": "self.size() < 30", "messageExpression": "text('long', {'name': self})"},
        {"id": "b", "field": "/items/*/sku", "check": "row.price > 0.0 || index > 0", "message": "No."},
        {"id": "c", "check": "values.items.all(r, r.sku != values.name)", "message": "No."},
        {"id": "d", "field": "home", "check": "self.city == '' || self.zip > 0", "message": "No."}
      ],
      "checks": [{"id": "free", "field": "name", "run": {"http": {"service": "names", "path": "/free"}},
        "outcomes": [{"when": "response.status == 200", "valid": true}], "result": "response.body"}],
      "texts": {"long": {"en": "{name} is long.", "ko": "{name}"}},
      "actions": {"send": {"enabled": "form.isValid && fields.name.isValid"}},
      "outputs": {"total": "outputs['/items/*/twice'].sum()", "/items/*/twice": "row.price * 2.0", "free": "checks.free.result",
        "home": "values.home", "text": "text('long', {'name': values.home.city})"}
    }
    """#

  private static let definitions: [(name: String, text: String)] = {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../protocol/examples").standardizedFileURL
    do {
      let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
      let examples = try names.filter { $0.hasSuffix(".form.json") }.sorted().map { name in
        (name, try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8))
      }
      // One refers to a file next to it, which is not read here.
      return [("all that there is", definition)] + examples.filter { compile($0.1, cache: nil).form != nil }
    } catch {
      // Without its file a test would have no case, and pass.
      fatalError("the examples in \(folder.path) cannot be read: \(error)")
    }
  }()

  /// The ranges of the text's words.
  private static func words(in text: [UInt8]) -> [Range<Int>] {
    var words: [Range<Int>] = []
    for (offset, byte) in text.enumerated() {
      let isLetter = byte | 0x20 >= UInt8(ascii: "a") && byte | 0x20 <= UInt8(ascii: "z")
      guard isLetter || byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9") else { continue }
      if let last = words.last, last.upperBound == offset {
        words[words.count - 1] = last.lowerBound..<offset + 1
      } else {
        words.append(offset..<offset + 1)
      }
    }
    return words
  }

  @Test(arguments: definitions.map(\.name))
  func `come to what they come to anew, whatever is written around them`(_ name: String) throws {
    let original = Array(try #require(Self.definitions.first { $0.name == name }).text.utf8)
    #expect(compile(original).diagnostics == [])
    var generator = SeededGenerator(seed: 20_261_123)
    let cache = FormulaCache()
    var text = original
    for round in 0..<24 {
      // Each fourth time all is undone; of two that differ in one word, both are right more often.
      if round % 4 == 0 { text = original }
      let words = Self.words(in: text)
      let (word, other) = (generator.pick(words), generator.pick(words))
      switch generator.below(4) {
      case 0: text.removeSubrange(word)
      case 1: text.insert(contentsOf: "a".utf8, at: word.lowerBound)
      default: text.replaceSubrange(word, with: text[other])
      }
      let (again, anew) = (told(compile(text, cache: cache)), told(compile(text)))
      #expect(again == anew, "\(String(decoding: text, as: UTF8.self))")
    }
  }

  /// The text that replaces a part of the definition, and whether an output is compiled again. `home` is an object, and
  /// `text` calls for a text with a member of it.
  @Test(
    arguments: [
      ("\"label\": \"Name\"", "\"label\": \"Nom\"", "text", false),
      ("self.size() < 30", "self.size() < 20", "text", false),
      ("\"maxItems\": 9", "\"maxItems\": 8", "text", false), ("\"maxLength\": 30", "\"maxLength\": 31", "text", true),
      ("{name} is long.", "{name} is too long.", "text", true),
      ("\"locale\": \"en\"", "\"locale\": \"ko\"", "text", true),
      ("{name} is long.", "{name} is too long.", "home", false),
      ("\"zip\": {\"type\": \"integer\"}", "\"zip\": {}", "home", true),
      ("\"maxLength\": 30", "\"maxLength\": 31", "home", true),
      ("\"zip\": {\"type\": \"integer\"}", "\"zip\": {}", "text", false),
    ]
  )
  func `are compiled anew where something is different that they depend on`(
    _ part: String,
    _ other: String,
    _ output: String,
    _ isAnew: Bool
  ) throws {
    let cache = FormulaCache()
    func program(_ text: String) throws -> Program {
      let form = try #require(compile(text, cache: cache).form)
      return try #require(form.outputs.first { $0.address == output }).formula.program
    }
    let changed = Self.definition.replacing(part, with: other)
    #expect(changed != Self.definition)
    let before = try program(Self.definition)
    #expect(try program(Self.definition) === before)
    #expect(try (program(changed) !== before) == isAnew)
  }

  @Test func `are those of the last definition only`() throws {
    let cache = FormulaCache()
    let before = try #require(compile(Self.definition, cache: cache).form)
    _ = compile(#"{"form": "t", "schema": {"properties": {"a": {}}}}"#, cache: cache)
    let after = try #require(compile(Self.definition, cache: cache).form)
    #expect(zip(before.outputs, after.outputs).allSatisfy { $0.formula.program !== $1.formula.program })
  }

  @Test func `a schema is read again if only the order of its members is different`() throws {
    func text(_ first: String, _ second: String) -> String {
      #"{"form": "t", "schema": {"properties": {"\#(first)": {"type": "string"}, "\#(second)": {"type": "string"}}}}"#
    }
    let cache = FormulaCache()
    for names in [["a", "b"], ["b", "a"], ["b", "a"]] {
      let form = try #require(compile(text(names[0], names[1]), cache: cache).form)
      #expect(form.fields.map(\.address) == names)
    }
  }

  @Test func `outlive a text that cannot be read far enough to have formulas`() throws {
    let cache = FormulaCache()
    let before = try #require(compile(Self.definition, cache: cache).form)
    #expect(compile(#"{"form": "t"}"#, cache: cache).form == nil)
    let after = try #require(compile(Self.definition, cache: cache).form)
    #expect(zip(before.outputs, after.outputs).allSatisfy { $0.formula.program === $1.formula.program })
  }
}
