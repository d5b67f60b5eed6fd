import Forms
import Foundation
import JSON
import Randomness
internal import SourceTexts
import Testing

/// A definition may come from a stranger. Every definition compiles, or is refused with a diagnostic.
@Suite struct `Hostile definitions` {
  private static func example(_ name: String) throws -> JSON {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    return try JSON(
      parsing: Array(try Data(contentsOf: root.appending(path: "protocol/examples/\(name)/\(name).form.json")))
    )
  }

  private static let junk: [JSON] = [
    .null, true, 0, -1, 1.5, "", "x", "values.email", "self", "1 +", "{", "/{nix}", [], [1], [:], ["x": 1], "999h",
    "\u{0}", "$ref",
    ["$ref": "#"], ["type": "array", "items": ["$ref": "#"]], 9_223_372_036_854_775_807, "actions.login.result",
    "outputs.o",
  ]

  /// The value with one part, chosen by chance, changed, removed or doubled.
  private static func mutated(_ value: JSON, _ random: inout SeededGenerator) -> JSON {
    switch value {
    case .object(var members) where !members.isEmpty && Int.random(in: 0..<8, using: &random) > 0:
      let member = members[Int.random(in: 0..<members.count, using: &random)]
      switch Int.random(in: 0..<12, using: &random) {
      case 0: members[member.name] = nil
      case 1: members[member.name + "x"] = member.value
      case 2: members["\(Int.random(in: 0..<3, using: &random))"] = member.value
      default: members[member.name] = mutated(member.value, &random)
      }
      return .object(members)
    case .array(var elements) where !elements.isEmpty && Int.random(in: 0..<8, using: &random) > 0:
      let index = Int.random(in: 0..<elements.count, using: &random)
      switch Int.random(in: 0..<6, using: &random) {
      case 0: elements.remove(at: index)
      case 1: elements.append(elements[index])
      default: elements[index] = mutated(elements[index], &random)
      }
      return .array(elements)
    case .string(let text) where !text.isEmpty && Bool.random(using: &random):
      var bytes = Array(text.utf8)
      bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 32..<127, using: &random)
      return .string(String(decoding: bytes, as: UTF8.self))
    default: return junk.randomElement(using: &random) ?? .null
    }
  }

  @Test(arguments: ["name", "value", "element"])
  func `a run of combining marks that no writing needs is refused with its place`(_ kind: String) {
    // So long that a single comparison by canonical equivalence would take minutes.
    let text = "e" + String(repeating: "\u{301}\u{323}", count: 1_000_000)
    let field: JSON =
      switch kind {
      case "name": .object([text: true])
      case "value": ["format": .string(text)]
      default: ["enum": ["a", .string(text)]]
      }
    let compilation = Form.compile(["schema": ["type": "object", "properties": ["a": field]]])
    #expect(compilation.diagnostics.map(\.code) == ["notStreamSafe"])
    let pointer = compilation.diagnostics.first?.pointer.description
    let tail = kind == "name" ? "" : kind == "value" ? "/format" : "/enum/1"
    #expect(pointer == "/schema/properties/a" + tail)
  }

  @Test(arguments: ["login", "join", "nickname", "search", "feedback", "login-sql"])
  func `a definition changed by chance compiles or is refused with a diagnostic`(_ name: String) throws {
    let original = try Self.example(name)
    var random = SeededGenerator(seed: UInt64(name.utf8.reduce(7) { $0 &* 31 &+ Int($1) }))
    var refused = 0
    for _ in 0..<120 {
      var value = original
      for _ in 0..<Int.random(in: 1..<4, using: &random) { value = Self.mutated(value, &random) }
      let compilation = Form.compile(Array(value.description.utf8), fallbackName: "x")
      let hasErrors = compilation.diagnostics.contains { $0.severity == .error }
      if (compilation.form == nil) != hasErrors { Issue.record("\(value)\n\(compilation.diagnostics)") }
      if hasErrors { refused += 1 }
    }
    #expect(refused > 20 && refused < 120)
  }

  @Test(arguments: ["", " ", "{", "nul", "[]", "7", "\"x\"", "{\"form\":", "{}", "{\"a\":1,\"a\":2}", "\u{feff}{}"])
  func `what is no definition is refused`(_ text: String) {
    let compilation = Form.compile(Array(text.utf8))
    #expect(compilation.form == nil && !compilation.diagnostics.isEmpty)
  }

  @Test func `bytes that are no text are refused`() {
    let compilation = Form.compile([0x7b, 0xff, 0xfe, 0x7d])
    #expect(compilation.form == nil && compilation.diagnostics.map(\.code) == ["unexpected"])
  }
}
