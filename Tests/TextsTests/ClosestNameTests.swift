import Randomness
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

/// The distance by its definition, every entry of the table.
private func distance(_ a: [Character], _ b: [Character]) -> Int {
  var table = [[Int]](repeating: [Int](repeating: 0, count: b.count + 1), count: a.count + 1)
  for i in 0...a.count {
    for j in 0...b.count {
      guard i > 0, j > 0 else {
        table[i][j] = max(i, j)
        continue
      }
      let cost = a[i - 1] == b[j - 1] ? 0 : 1
      table[i][j] = min(table[i - 1][j] + 1, table[i][j - 1] + 1, table[i - 1][j - 1] + cost)
      if i > 1, j > 1, a[i - 1] == b[j - 2], a[i - 2] == b[j - 1] {
        table[i][j] = min(table[i][j], table[i - 2][j - 2] + 1)
      }
    }
  }
  return table[a.count][b.count]
}

@Suite struct `The distance of names` {

  @Test func `is that of the whole table, though only a part is computed`() {
    var random = SeededGenerator(seed: 7)
    func name() -> String {
      String((0..<Int.random(in: 0...9, using: &random)).map { _ in "abc".randomElement(using: &random) ?? "a" })
    }
    for _ in 0..<3000 {
      let wanted = name()
      let candidates = (0..<4).map { _ in name() }
      let distances = candidates.map { distance(Array(wanted), Array($0)) }
      let smallest = distances.min() ?? 0
      let expected = smallest <= max(1, (wanted.count + 1) / 3) ? distances.firstIndex(of: smallest) : nil
      #expect(closestName(to: wanted, among: candidates) == expected.map { candidates[$0] }, "\(wanted) \(candidates)")
    }
  }
}
