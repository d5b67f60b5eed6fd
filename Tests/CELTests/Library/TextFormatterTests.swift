import CEL
import Testing

@Suite struct TextFormatterTests {
  @Test(arguments: [
    ("'no clause'.format([])", "no clause"), ("'%%%s%%'.format(['x'])", "%x%"), ("'%s'.format([1.0])", "1"),
    ("'%s %s'.format([null, true])", "null true"), ("'%s'.format([b'xyz'])", "xyz"), ("'%s'.format([type(1)])", "int"),
    ("'%s'.format([timestamp(0)])", "1970-01-01T00:00:00Z"), ("'%s'.format([duration('1h45m47s')])", "6347s"),
    ("'%s'.format([['a', 1, [2.5], {}]])", "[a, 1, [2.5], {}]"),
    ("'%s'.format([{'b': 1, 10: 2u, true: null}])", "{10: 2, b: 1, true: null}"),
    ("'%d %d %d'.format([1, 2u, 3.0])", "1 2 3"), ("'%d'.format([double('-inf')])", "-Infinity"),
    ("'%d'.format([1e22])", "10000000000000000000000"),
    ("'%f'.format([2.5])", "2.500000"), ("'%.0f %.0f'.format([1.5, 2.5])", "2 2"), ("'%.3f'.format([1.2345])", "1.234"),
    ("'%f %f'.format([2, 3u])", "2.000000 3.000000"), ("'%f'.format(['NaN'])", "NaN"),
    ("'%.1f'.format([-0.0])", "-0.0"),
    ("'%e'.format([1052.032911275])", "1.052033e+03"), ("'%.0e'.format([1e100])", "1e+100"),
    ("'%b %b %b'.format([5, -5, true])", "101 -101 1"), ("'%o %o'.format([11, 8u])", "13 10"),
    ("'%x %X %x'.format([30, 30u, -30])", "1e 1E -1e"), ("'%x %X'.format(['Hi', b'\\xff'])", "4869 FF"),
    ("'%s'.format([1, 2])", "1"), ("'é%s😀'.format(['ü'])", "éü😀"),
    ("'%.1100f'.format([0.5]).size()", "1102"),
  ])
  func `clauses print their arguments`(source: String, text: String) {
    #expect(evaluated("string(\(source))") == .string(text))
  }

  @Test(arguments: [
    "'%a'.format([1])", "'%'.format([1])", "'%.f'.format([1.0])", "'%.'.format([1.0])", "'%.1101f'.format([1.0])",
    "'%.99999999999f'.format([1.0])", "'%5d'.format([1])", "'%s'.format([])", "'%s %s'.format([1])",
    "'%d'.format(['x'])",
    "'%d'.format([null])", "'%f'.format(['x'])", "'%e'.format([true])", "'%b'.format([1.5])", "'%b'.format(['x'])",
    "'%o'.format([true])", "'%x'.format([1.5])", "'%x'.format([true])", "'%x'.format([[1]])",
    "'%s'.format([optional.of(1)])",
    "'%s'.format([[optional.none()]])", "'%s'.format([{'a': optional.none()}])",
  ])
  func `a clause that cannot be printed is an error`(source: String) {
    #expect(failureKind(source) == .invalidArgument)
  }
}
