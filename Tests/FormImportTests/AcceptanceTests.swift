internal import JSON
internal import SourceTexts
internal import Testing

@testable internal import FormImport

struct AcceptanceTests {
  @Test func `each refused part is left out, and no part beside it`() throws {
    var draft = FormDraft(name: "f")
    draft.schema = ["type": "object", "properties": ["a": ["type": "string"], "b": ["type": "integer"]]]
    draft.rules = [
      ["id": "one", "field": "a", "check": "values.x == values.y"],
      ["id": "two", "field": "a", "check": "values.z == 1"],
      ["id": "three", "field": "a", "check": "self != ''"],
      ["id": "four", "field": "b", "check": "self > 1"],
    ]
    draft.set("label", of: JSONPointer(tokens: ["a"]), to: "A")
    draft.set("visible", of: JSONPointer(tokens: ["a"]), to: "values.x == values.y")
    let input = ImportInput(Array("{}".utf8), file: "x.json")
    var losses = LossCollector(input, text: try input.scanned([], "a form"))
    var removed: [String] = []
    let definition = draft.accepted(&losses) { part in
      removed.append(part.description)
      return nil
    }
    #expect(definition["rules"]?.arrayValue?.compactMap { $0["id"]?.stringValue } == ["three", "four"])
    #expect(definition["fields"] == ["a": ["label": "A"]])
    #expect(removed.sorted() == ["/fields/a/visible", "/rules/0", "/rules/1"])
  }
}
