import CEL
import Testing

@Suite struct ExtensionLibraryTests {
  @Test(arguments: [
    "base64.encode(b'hello') == 'aGVsbG8=' && base64.decode('aGVsbG8') == b'hello' && base64.decode('') == b''",
    "base64.decode(base64.encode(b'\\x00\\xff\\x10')) == b'\\x00\\xff\\x10'",
    "regex.replace('hello world', 'o', '0') == 'hell0 w0rld' && regex.replace('banana', 'a', 'x', 2) == 'bxnxna'",
    "regex.replace('john doe', r'(\\w+) (\\w+)', r'\\2 \\1') == 'doe john'",
    "regex.replace('ab', 'b', r'\\\\\\0') == 'a\\\\b'",
    "regex.replace('abc', '', '-') == '-a-b-c-' && regex.replace('abc', 'x', 'y') == 'abc'",
    "regex.replace('a', 'a', 'b', 0) == 'a'",
    "regex.replace('ab', '(a)|b', r'<\\1>') == '<a><>'",
    "regex.extract('hello world', 'o w') == optional.of('o w') && regex.extract('a1', r'a(\\d)') == optional.of('1')",
    "regex.extract('abc', 'x') == optional.none() && regex.extract('b', '(a)|b') == optional.none()",
    "regex.extractAll('a1 b2', r'\\w\\d') == ['a1', 'b2']",
    "regex.extractAll('a1 b2', r'\\w(\\d)') == ['1', '2'] && regex.extractAll('a', 'b') == []",
    "regex.extractAll('baac', 'a*') == ['', 'aa', ''] && regex.extractAll('ab', 'x*') == ['', '', '']",
    "regex.extractAll('k=1 k= k=2', r'k=(\\d*)') == ['1', '2'] && regex.extractAll('ab', '(a)|b') == ['a']",
    "regex.extract('k=', r'k=(\\d*)') == optional.none() && regex.extract('b', 'a*') == optional.of('')",
    "optional.of(1).or(optional.of(2)) == optional.of(1) && optional.none().or(optional.of(2)).value() == 2",
    "optional.none().orValue(5) == 5 && optional.of(1).hasValue() && !optional.ofNonZeroValue({}).hasValue()",
    "optional.unwrap([optional.of(1), optional.none()]) == [1]",
    "[optional.none(), optional.of('a')].unwrapOpt() == ['a']",
    "[1][?0] == optional.of(1) && [1][?1] == optional.none() && {'a': 1}[?'b'] == optional.none()",
    "optional.of({'a': 1})[?'a'] == optional.of(1)",
    "optional.of([1, 2])[1] == optional.of(2)",
    "optional.of(1).orValue(1 / 0) == 1 && optional.of(1).or(optional.of(1 / 0)) == optional.of(1)",
    "!optional.ofNonZeroValue(0u).hasValue() && !optional.ofNonZeroValue(b'').hasValue()",
    "!optional.ofNonZeroValue(duration('0s')).hasValue()",
    "{'a': 1, 'b': 2}.transformMap(k, v, v * 2) == {'a': 2, 'b': 4}",
    "[1, 2].transformMapEntry(i, v, {v: i}) == {1: 0, 2: 1}",
    "string(ip('2001:DB8::0:1')) == '2001:db8::1' && ip('10.0.0.1').family() == 4 && !ip.isCanonical('2001:DB8::1')",
    "isIP('::1') && !isIP('1.2.3') && isCIDR('10.0.0.0/8') && !isCIDR('10.0.0.0')",
    "ip('::ffff:c0a8:1') == ip('192.168.0.1')",
    "cidr('10.1.2.3/8').masked() == cidr('10.0.0.0/8') && cidr('10.1.2.3/8').containsIP('10.9.9.9')",
    "cidr('10.0.0.0/8').isMask()",
    "cidr('10.0.0.0/8').containsCIDR(cidr('10.1.0.0/16')) && cidr('10.1.2.3/8').ip() == ip('10.1.2.3')",
    "cidr('::/0').prefixLength() == 0",
    "type(ip('::1')) == net.IP && type(cidr('::/0')) == net.CIDR && ip('fe80::1').isLinkLocalUnicast()",
    "ip('ff02::1').isLinkLocalMulticast()",
    "ip('::').isUnspecified() && ip('::1').isLoopback() && ip('2001:db8::1').isGlobalUnicast()",
    "!ip('ff00::1').isGlobalUnicast()",
    "b'abc'.contains(b'bc') && b'abc'.startsWith(b'ab') && !b'abc'.endsWith(b'ab')",
    "graphemes('👨‍👩‍👧é') == 2 && 'e\\u0301'.graphemes() == 1 && nfc('e\\u0301') == 'é' && 'abc'.nfc() == 'abc'",
    "timestamp('2009-02-13T23:31:30.123Z').getMilliseconds() == 123",
    "timestamp('2009-02-13T23:31:30Z').getDayOfYear() == 43",
    "timestamp('2009-02-13T23:31:30Z').getDayOfMonth() == 12",
    "timestamp('2009-02-13T23:31:30Z').getDate('+02:00') == 14",
    "duration('123.321456789s').getMilliseconds() == 321 && duration('3730s').getMinutes() == 62",
    "duration('-90m').getHours() == -1",
    "'abc'.matches('b') && !'abc'.matches('^b') && matches('AB', '(?i)ab') && !'a\\nb'.matches('a.b')",
  ])
  func `extensions do what their documents say`(source: String) {
    expectTrue(source)
  }

  @Test(arguments: [
    ("base64.decode('!')", EvaluationError.Kind.conversion), ("base64.decode('a')", .conversion),
    ("base64.decode('aGVsbG8==')", .conversion),
    ("base64.decode('aGVsbG9=')", .conversion), ("['('].exists(p, 'a'.matches(p))", .invalidPattern),
    ("[r'(a)\\1'].exists(p, 'a'.matches(p))", .invalidPattern),
    ("regex.replace('a', '(', 'b')", .invalidPattern), ("regex.replace('a', 'a', r'\\1')", .invalidArgument),
    ("regex.replace('a', 'a', r'\\x')", .invalidArgument), ("regex.extract('ab', '(a)(b)')", .invalidArgument),
    ("regex.extractAll('ab', '(a)(b)')", .invalidArgument), ("optional.none().value()", .emptyOptional),
    ("optional.none().orValue(1 / 0)", .divisionByZero), ("dyn(1).orValue(1)", .noSuchOverload),
    ("[1, 2].transformMapEntry(i, v, {'a': v})", .repeatedKey), ("{1: 2, 1u: 3}", .repeatedKey),
    ("ip('1.2.3')", .conversion),
    ("ip('fe80::1%en0')", .conversion), ("ip('::ffff:1.2.3.4')", .conversion), ("cidr('10.0.0.0/33')", .conversion),
    ("cidr('10.0.0.0/8').containsIP('x')", .conversion), ("timestamp(0).getHours('Nowhere/City')", .invalidArgument),
  ])
  func `extensions refuse what they cannot take`(source: String, kind: EvaluationError.Kind) {
    #expect(failureKind(source) == kind)
  }
}
