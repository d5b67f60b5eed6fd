import CEL
import Testing

@Suite struct FunctionSummaryTests {
  private let summaries = Environment().functionSummaries()

  @Test func `every function says what it gives, and nothing is said of others`() {
    #expect(summaries.filter(\.line.isEmpty).map(\.name) == [])
    #expect(Set(FunctionSummary.lines.keys).subtracting(summaries.map(\.name)).sorted() == [])
  }

  @Test func `a name stands once`() {
    let names = summaries.map(\.name)
    #expect(names.count == Set(names).count)
    #expect(names.count > 100)
  }

  @Test func `a signature is what expressions write, with types`() {
    func signatures(_ name: String) -> [String] { summaries.first { $0.name == name }?.signatures ?? [] }
    #expect(signatures("contains") == ["string.contains(string) -> bool", "bytes.contains(bytes) -> bool"])
    #expect(signatures("years") == ["years(string, string) -> int?"])
    #expect(signatures("math.sqrt").contains("math.sqrt(int) -> double"))
    #expect(signatures("all") == ["list.all(x, condition) -> bool", "list.all(i, x, condition) -> bool"])
  }

  @Test func `operators are no functions`() {
    #expect(summaries.allSatisfy { !$0.name.contains("_") && !$0.name.contains("@") })
  }
}
