import FormCases
import JSON
import Testing

struct PartialComparisonTests {
  @Test(
    arguments: [
      (#"{"a": 1}"#, #"{"a": 1, "b": 2}"#, []), (#"{"a": 1}"#, #"{"a": 1.0}"#, []), (#"{"a": null}"#, #"{"b": 2}"#, []),
      (#"{"a": null}"#, #"{"a": 1}"#, ["/a: null, 1"]), (#"{"a": 1}"#, "{}", ["/a: 1, -"]),
      (#"{"a": {"b": 1}}"#, #"{"a": {"b": 2, "c": 3}}"#, ["/a/b: 1, 2"]),
      ("[1, 2]", "[1, 2]", []), ("[1]", "[1, 2]", [": [1], [1,2]"]), ("[]", "[1]", [": [], [1]"]),
      (#"[{"a": 1}]"#, #"[{"a": 1, "b": 2}]"#, []), (#"[{"a": 1}]"#, #"[{"a": 2}]"#, ["/0/a: 1, 2"]),
      (#"{"a": 1}"#, "7", [#": {"a":1}, 7"#]), ("{}", "{}", []), (#""1""#, "1", [#": "1", 1"#]),
    ] as [(String, String, [String])]
  )
  func `an object may have more, a list may not, and null is nothing`(
    _ expected: String,
    _ got: String,
    _ told: [String]
  ) throws {
    let differences = PartialComparison.differences(expected: try JSON(parsing: expected), got: try JSON(parsing: got))
    #expect(differences.map { "\($0.pointer): \($0.expected), \($0.got.map(\.description) ?? "-")" } == told)
  }

  @Test
  func `nothing is nothing and an empty object is something`() {
    #expect(
      PartialComparison.agrees(expected: .null, got: nil) && PartialComparison.agrees(expected: .null, got: .null)
    )
    #expect(!PartialComparison.agrees(expected: [:], got: nil))
  }
}
