import CEL
import Testing

@Suite struct DecimalsLibraryTests {
  @Test(arguments: [
    "round(2.675, 2) == 2.68 && round(1.005, 2) == 1.01 && round(3.7962000000000002, 2) == 3.8 && round(0.1 + 0.2, 2) == 0.3",
    "round(-2.675, 2) == -2.68 && round(2.5) == 3.0 && round(-2.5) == -3.0 && round(0.5) == 1.0 && round(0.49) == 0.0",
    "round(9.995, 2) == 10.0 && round(99.95, 1) == 100.0 && round(0.05, 1) == 0.1 && round(0.04, 1) == 0.0 && round(-0.04, 1) == 0.0",
    "round(1.1, 2) == 1.1 && round(1e21, 2) == 1e21 && round(1.5e-7, 7) == 2e-7 && round(5e-324, 300) == 0.0 && round(5e-324, 324) == 5e-324",
    "round(1234.5, -2) == 1200.0 && round(1250.0, -2) == 1300.0 && round(50.0, -2) == 100.0 && round(49.0, -2) == 0.0 && round(5.0, -3) == 0.0",
    "round(1.7976931348623157e308, -400) == 0.0 && round(1.5, 9223372036854775807) == 1.5 && round(1.5, -9223372036854775807) == 0.0",
    "round(7, 2) == 7 && round(1250, -2) == 1300 && round(-1250, -2) == -1300 && round(1249, -2) == 1200 && round(5, -1) == 10 && round(4, -1) == 0",
    "round(9223372036854775807, -20) == 0 && round(4999999999999999999, -19) == 0 && type(round(7)) == int && type(round(7.2)) == double",
    "math.isNaN(round(0.0 / 0.0, 2)) && math.isInf(round(1.0 / 0.0, 2)) && string(round(-0.3)) == '0' && round(0.0, 2) == 0.0",
  ])
  func `a number is rounded as it is written`(source: String) {
    expectTrue(source)
  }

  @Test(arguments: [
    "round(-9223372036854775807, -19)", "round(9223372036854775807, -1)",
  ])
  func `a whole number that does not fit is an error`(source: String) {
    #expect(failureKind(source) == .overflow)
  }
}
