import CEL
import PageCode
import Testing

@Suite struct FunctionSummaryTests {
  private let summaries = Environment().functionSummaries

  @Test func `every function says what it gives`() {
    #expect(summaries.filter(\.line.isEmpty).map(\.name) == [])
  }

  @Test func `a name that two libraries share has both lines and all signatures`() throws {
    let reverse = try #require(summaries.first { $0.name == "reverse" })
    #expect(reverse.line == "the text in reverse order; or the list in reverse order")
    #expect(reverse.signatures == ["string.reverse() -> string", "list(A).reverse() -> list(A)"])
  }

  @Test func `the article Functions has every function of the libraries (FORMD_REWRITE=1 writes it)`() throws {
    let rows = Library.all.flatMap { library in
      library.functions.map { "| \(library.name) | `\($0.usage)` | \($0.summary) |\n" }
    }
    let table = "| library | function | gives |\n|---|---|---|\n" + rows.joined()
    let page = "Sources/CEL/CEL.docc/Functions.md"
    #expect(try GeneratedPart("functions", of: page, wanted: table).text == table)
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
