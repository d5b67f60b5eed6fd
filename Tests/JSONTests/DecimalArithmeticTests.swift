import JSON
import Testing

@Suite struct `Arithmetic of decimals` {
  private func digits(_ text: String) throws -> DecimalDigits {
    try #require(DecimalDigits(try JSON(parsing: text, numbers: .exact)))
  }

  @Test(
    arguments: [
      ("1", "2", "3"), ("999", "1", "1e3"), ("0.1", "0.2", "3e-1"), ("1e30", "1", "1000000000000000000000000000001"),
      ("5", "-7", "-2"), ("-5", "7", "2"), ("5", "-5", "0"), ("0", "12", "12"), ("12", "0", "12"),
      ("-1e2", "-1", "-101"),
      ("1000", "-1", "999"), ("-0.5", "1e3", "9995e-1"),
    ]
  )
  func `adds exactly`(left: String, right: String, sum: String) throws {
    #expect(try digits(left).adding(digits(right), digitsMax: 100)?.description == sum)
    #expect(try digits(right).adding(digits(left), digitsMax: 100)?.description == sum)
  }

  @Test func `adds nothing that takes too many digits`() throws {
    #expect(try digits("1e50").adding(digits("1"), digitsMax: 51) == nil)
    #expect(try digits("1e50").adding(digits("1"), digitsMax: 52) != nil)
  }

  @Test func `multiplies and rounds`() throws {
    #expect(try digits("15e-1").multiplied(by: 1 << 30).description == "1610612736")
    #expect(try digits("-999999999999999999999").multiplied(by: 1 << 60).isNegative)
    #expect(try digits("0").multiplied(by: 7).description == "0")
    #expect(try digits("1.0000000001").roundedAwayFromZero(toExponent: -9).description == "1000000001e-9")
    #expect(try digits("-1e-12").roundedAwayFromZero(toExponent: -9).description == "-1e-9")
    #expect(try digits("0.9999999999").roundedAwayFromZero(toExponent: -9).description == "1")
    #expect(try digits("25e3").roundedAwayFromZero(toExponent: -9).description == "25e3")
    #expect(try digits("7").scaled(by: 3).negated.description == "-7e3")
  }
}
