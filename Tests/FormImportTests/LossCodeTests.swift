import FormImport
import Testing

struct LossCodeTests {
  @Test func `each code is a word that programs can compare`() {
    for code in LossCode.allCases { #expect(code.rawValue.allSatisfy { $0.isLetter }) }
  }
}
