import Testing
import Texts

@Suite struct `The closest name` {
  @Test(arguments: [
    ("lable", "label"), ("labl", "label"), ("vizible", "visible"), ("debonuce", "debounce"), ("Label", "label"),
    ("", nil), ("xyz", nil),
    ("completelyelse", nil), ("x", nil),
  ])
  func `is one that a slip could have meant`(_ name: String, _ expected: String?) {
    #expect(closestName(to: name, among: ["label", "visible", "debounce", "show"]) == expected)
  }

  @Test func `of a very long one goes by its beginning`() {
    let long = String(repeating: "a", count: 100_000)
    #expect(closestName(to: long, among: [long + "b", "c"]) == long + "b")
  }
}
