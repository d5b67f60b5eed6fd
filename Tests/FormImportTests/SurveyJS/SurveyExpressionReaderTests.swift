internal import Testing

@testable internal import FormImport

struct SurveyExpressionReaderTests {
  @Test(
    arguments: [
      (
        "{a} = 1 and {b} contains 'x'",
        .all([.binary(.equal, .value("a"), .number(1)), .binary(.contains, .value("b"), .text("x"))])
      ),
      ("{a} or {b} && {c}", .any([.value("a"), .all([.value("b"), .value("c")])])),
      ("({a} or {b}) AND {c}", .all([.any([.value("a"), .value("b")]), .value("c")])),
      ("{ a.b[0].c } notempty", .not(.isEmpty(.value("a.b[0].c")))),
      ("{a} empty", .isEmpty(.value("a"))),
      ("{a} anyof ['x', \"y\", 3]", .binary(.anyOf, .value("a"), .list([.text("x"), .text("y"), .number(3)]))),
      ("{a} <> yes", .binary(.notEqual, .value("a"), .text("yes"))),
      ("{a} *= 'it\\'s'", .binary(.contains, .value("a"), .text("it's"))),
      (
        "1 + 2 * 3 ^ 2",
        .binary(.plus, .number(1), .binary(.times, .number(2), .binary(.power, .number(3), .number(2))))
      ),
      ("-{a} - -1.5e-3", .binary(.minus, .minus(.value("a")), .number(-0.0015))),
      ("!{a} = true", .binary(.equal, .not(.value("a")), .bool(true))),
      ("negate {a}", .not(.value("a"))),
      ("iif({a} > 0x10, null, [])", .call("iif", [.binary(.greater, .value("a"), .number(16)), .null, .list([])])),
      ("today()", .call("today", [])),
      ("{Größe} lessorequal 5", .binary(.lessOrEqual, .value("Größe"), .number(5))),
    ] as [(String, SurveyExpression)]
  )
  func `an expression is read as SurveyJS reads it`(text: String, expected: SurveyExpression) throws {
    #expect(try SurveyExpressionReader.read(text) == expected)
  }

  @Test(arguments: [
    ("", 0), ("{a} =", 5), ("{a} = and", 6), ("{a", 0), ("'x", 0), ("({a}", 4), ("{a} {b}", 4), ("f({a},", 6),
    ("[1", 2),
    ("{a} ' = 1", 4), ("= 1", 0), ("{a} ; {b}", 4),
  ])
  func `a text that is no expression fails at its place`(text: String, offset: Int) {
    #expect(throws: SurveyExpressionReader.Failure.unexpected(offset: offset)) { try SurveyExpressionReader.read(text) }
  }

  @Test(arguments: [
    String(repeating: "(", count: 10_000), String(repeating: "!", count: 10_000) + "1",
    "1" + String(repeating: "+1", count: 10_000), "2" + String(repeating: "^2", count: 500),
    String(repeating: "f(", count: 500), "{a}" + String(repeating: " = 1", count: 200),
  ])
  func `an expression that is too deep or too long fails`(text: String) {
    #expect(throws: SurveyExpressionReader.Failure.tooLarge) { try SurveyExpressionReader.read(text) }
  }
}
