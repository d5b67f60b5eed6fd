import CEL
import Testing

@Suite struct ConversionTests {
  @Test(arguments: [
    "int(42u) == 42", "int(-1.9) == -1", "int('-0') == 0", "int('+5') == 5",
    "int(timestamp('1969-12-31T23:59:59.5Z')) == -1",
    "int(duration('1us')) == 1000", "uint(1.9) == 1u", "uint('18446744073709551615') == 18446744073709551615u",
    "double('10.2') == 10.2", "double('.5') == 0.5", "double('5.') == 5.0", "double('1E3') == 1000.0",
    "double(10u) == 10.0",
    "double('-inf') < 0.0", "string(double('nan')) == 'NaN'", "string(1.0/0.0) == 'Infinity'",
    "string(1.0) == '1'", "string(-4.5e-3) == '-0.0045'", "string(0.00001) == '1e-05'", "string(123456.0) == '123456'",
    "string(1234567.0) == '1.234567e+06'", "string(1e100) == '1e+100'", "string(-0.0) == '-0'", "string(0.1) == '0.1'",
    "string(true) == 'true'", "string(b'\\303\\277') == 'ÿ'", "bytes('ÿ') == b'\\xc3\\xbf'",
    "string(timestamp('2020-01-01T01:00:00+01:00')) == '2020-01-01T00:00:00Z'", "string(duration('90m')) == '5400s'",
    "bool('t') && bool('1') && bool('TRUE') && !bool('False')", "timestamp(0) == timestamp('1970-01-01T00:00:00Z')",
    "duration(1000) == duration('1us')", "type(1) == int && type(type(1)) == type", "type(null) == null_type",
    "type(optional.none()) == optional_type", "type(duration('1s')) == google.protobuf.Duration", "dyn([1]) == [1.0]",
  ])
  func `values are converted`(source: String) {
    expectTrue(source)
  }

  @Test(arguments: [
    ("int(9223372036854775808u)", EvaluationError.Kind.range), ("int(9223372036854775807.0)", .range),
    ("int(-9223372036854775808.0)", .range), ("int(0.0/0.0)", .range), ("int('')", .conversion),
    ("int('1.0')", .conversion),
    ("int('9223372036854775808')", .conversion), ("int('٣')", .conversion), ("uint(-1)", .range),
    ("uint(-0.5)", .range),
    ("uint('-1')", .conversion), ("uint('+1')", .conversion), ("uint(18446744073709551616.0)", .range),
    ("double('')", .conversion), ("double('1e')", .conversion), ("double(' 1')", .conversion),
    ("double('0x10')", .conversion),
    ("double('1e400')", .conversion), ("string(b'\\xff')", .conversion), ("bool('yes')", .conversion),
    ("bool('TrUe')", .conversion), ("timestamp('x')", .conversion), ("timestamp(253402300800)", .range),
    ("duration('1d')", .conversion), ("int(dyn(null))", .noSuchOverload), ("string(dyn([1]))", .noSuchOverload),
  ])
  func `what the new type cannot hold is an error`(source: String, kind: EvaluationError.Kind) {
    #expect(failureKind(source) == kind)
  }

  @Test(arguments: [
    ("9223372036854775807 + 1", EvaluationError.Kind.overflow), ("-9223372036854775808 - 1", .overflow),
    ("5000000000 * 5000000000", .overflow), ("-9223372036854775808 / -1", .overflow),
    ("-9223372036854775808 % -1", .overflow), ("-(-9223372036854775808)", .overflow), ("0u - 1u", .overflow),
    ("18446744073709551615u + 1u", .overflow), ("1 / 0", .divisionByZero), ("1u / 0u", .divisionByZero),
    ("1 % 0", .modulusByZero), ("1u % 0u", .modulusByZero),
    ("duration('9223372036s') + duration('1s')", .range),
    ("timestamp('9999-12-31T23:59:59Z') + duration('1s')", .range),
    ("timestamp('9999-12-31T23:59:59Z') - timestamp('0001-01-01T00:00:00Z')", .range),
    ("dyn(1.5) % dyn(1.0)", .noSuchOverload), ("dyn(1) + 1.0", .noSuchOverload), ("-dyn(1u)", .noSuchOverload),
  ])
  func `arithmetic that has no result is an error`(source: String, kind: EvaluationError.Kind) {
    #expect(failureKind(source) == kind)
  }

  @Test func `doubles follow IEEE 754`() {
    expectTrue("1.0 / 0.0 == double('inf') && -1.0 / 0.0 == double('-inf')")
    expectTrue("0.0 / 0.0 != 0.0 / 0.0")
  }
}
