import CEL
import Testing

/// What an expression with Kubernetes' libraries results in; a refusal fails the test.
private func evaluated(_ source: String) -> Value {
  do {
    return try Environment.kubernetes.compile(source).evaluate()
  } catch {
    Issue.record("\(source) is refused: \(error)")
    return .null
  }
}

private func expectTrue(_ source: String) {
  let value = evaluated(source)
  #expect(value == true, "\(source) is \(value)")
}

private func failure(_ source: String) -> EvaluationError.Kind? {
  if case .error(let error) = evaluated(source) { error.kind } else { nil }
}

@Suite struct `Kubernetes' quantities` {
  @Test(
    arguments: [
      "isQuantity('20') && isQuantity('20M') && isQuantity('20Mi') && isQuantity('1.5Gi') && isQuantity('-1e3')",
      "isQuantity('500m') && isQuantity('1E') && isQuantity('1E3') && isQuantity('+.5') && isQuantity('5.')",
      "!isQuantity('20Mo') && !isQuantity('10Mm') && !isQuantity('200K') && !isQuantity('Mi') && !isQuantity('')",
      "!isQuantity('1,3G') && !isQuantity('Three') && !isQuantity(' 1') && !isQuantity('1e') && !isQuantity('1 Gi')",
      "quantity('200M') == quantity('0.2G') && quantity('2000k') == quantity('2M') && quantity('1Ki') == quantity('1024')",
      "quantity('1') != quantity('2') && quantity('0') == quantity('0Gi') && quantity('1e3') == quantity('1k')",
      "quantity('50M').isLessThan(quantity('50Mi')) && quantity('50Mi').isGreaterThan(quantity('50M'))",
      "quantity('200M').compareTo(quantity('0.2G')) == 0 && quantity('-1').compareTo(quantity('1m')) == -1",
      "quantity('1P').compareTo(quantity('999T')) == 1 && !quantity('1').isLessThan(quantity('1'))",
      "quantity('50k').add(quantity('20')) == quantity('50.02k') && quantity('50k').add(20) == quantity('50020')",
      "quantity('50k').sub(quantity('20')) == quantity('49.98k') && quantity('50k').sub(20) == quantity('49980')",
      "quantity('50k').add(20).sub(quantity('100k')).sub(-50000).asInteger() == 20",
      "quantity('9223372036854775807').add(1) == quantity('9223372036854775808')",
      "quantity('1n').add(quantity('1E')).sub(quantity('1E')) == quantity('1n')",
      "quantity('50k').asInteger() == 50000 && quantity('1Gi').asInteger() == 1073741824",
      // Kept as a fraction, or as a decimal: no integer there, either.
      "!quantity('2000m').isInteger() && !quantity('1.5Gi').isInteger() && quantity('1.5k').isInteger()",
      "!quantity('9999999999999999999999999999999999999G').isInteger() && !quantity('0.5').isInteger()",
      "quantity('50.703k').asApproximateFloat() == 50703.0 && quantity('1e400').asApproximateFloat() > 1e308",
      "quantity('-3').sign() == -1 && sign(quantity('0')) == 0 && sign(quantity('1m')) == 1",
      // Nothing is smaller than a thousand millionth, and no binary amount greater than 64 bits.
      "quantity('0.1n') == quantity('1n') && quantity('-0.1n') == quantity('-1n')",
      "quantity('100Ei') == quantity('9223372036854775807') && quantity('-100Ei') == quantity('-9223372036854775807')",
      "[quantity('1k'), quantity('1000')].distinct().size() == 1 && quantity('1k') in [quantity('1000')]",
      "type(quantity('1')) == kubernetes.Quantity",
    ]
  )
  func `are read, compared and added`(_ source: String) { expectTrue(source) }

  @Test(
    arguments: [
      ("quantity('10Mo')", .conversion), ("quantity('10Mm')", .conversion), ("quantity('')", .conversion),
      ("quantity('1.5').asInteger()", .conversion),
      ("quantity('1e1000000').add(quantity('1n'))", .tooLarge),
      ("dyn('1').asInteger()", .noSuchOverload),
    ] as [(String, EvaluationError.Kind)]
  )
  func `that are none are errors`(source: String, kind: EvaluationError.Kind) { #expect(failure(source) == kind) }

  @Test func `are written so that they can be read again`() {
    #expect(evaluated("quantity('1.50Gi')").description == #"quantity("1.50Gi")"#)
    let sum = evaluated("quantity('1k').add(quantity('1m'))")
    #expect(evaluated(sum.description) == sum, "\(sum)")
  }
}

@Suite struct `Kubernetes' versions` {
  @Test(
    arguments: [
      "isSemver('1.0.0') && isSemver('0.1.0-alpha.1') && isSemver('1.2.3-rc.1+build.5') && !isSemver('hello')",
      "!isSemver('v1.0') && !isSemver('1.0') && !isSemver('01.0.0') && !isSemver('1.0.0-01') && !isSemver('1.0.0-')",
      "!isSemver('1.0.0+') && !isSemver('1.0.0-ä') && !isSemver('1.2.3.4') && !isSemver('') && !isSemver('1.-1.0')",
      "isSemver('v1.0', true) && isSemver('01.01.01', true) && isSemver('1', true) && !isSemver('1-rc', true)",
      "semver('v1.0', true) == semver('1.0.0') && semver('01.02.03-a', true) == semver('1.2.3-a')",
      "semver('1.2.3').major() == 1 && semver('1.2.3').minor() == 2 && semver('1.2.3').patch() == 3",
      "semver('1.2.3').compareTo(semver('1.2.3')) == 0 && semver('1.2.3').compareTo(semver('2.0.0')) == -1",
      "semver('1.10.0').isGreaterThan(semver('1.9.0')) && semver('1.0.0-rc.1').isLessThan(semver('1.0.0'))",
      "semver('1.0.0-2').isLessThan(semver('1.0.0-10')) && semver('1.0.0-10').isLessThan(semver('1.0.0-a'))",
      "semver('1.0.0-a').isLessThan(semver('1.0.0-a.1')) && semver('1.0.0+a') == semver('1.0.0+b')",
    ]
  )
  func `are read and compared`(_ source: String) { expectTrue(source) }

  @Test func `that are none are errors`() {
    #expect(failure("semver('1.0')") == .conversion)
    #expect(failure("semver('Three', true)") == .conversion)
  }
}

@Suite struct `Kubernetes' URLs` {
  @Test(
    arguments: [
      "isURL('https://user:pass@example.com:80/path?query=val#fragment') && isURL('/absolute-path') && isURL('a:b')",
      "!isURL('https://a:b:c/') && !isURL('../relative-path') && !isURL('') && !isURL('https://[::1') && !isURL(':a')",
      "!isURL('https://example.com/%zz') && !isURL('https://exa mple.com/') && !isURL('https://example.com/\\n')",
      "url('/path').getScheme() == '' && url('HTTPS://example.com/').getScheme() == 'https'",
      "url('https://example.com:80/').getHost() == 'example.com:80' && url('/path').getHost() == ''",
      "url('https://[::1]:80/').getHost() == '[::1]:80' && url('https://[::1]:80/').getHostname() == '::1'",
      "url('https://user@127.0.0.1:80/').getHostname() == '127.0.0.1' && url('/path').getHostname() == ''",
      "url('https://example.com:80/').getPort() == '80' && url('https://example.com/').getPort() == ''",
      "url('https://example.com/path').getEscapedPath() == '/path' && url('https://example.com').getEscapedPath() == ''",
      "url('https://example.com/path with spaces/').getEscapedPath() == '/path%20with%20spaces/'",
      "url('https://example.com/a%2Fb#frag').getEscapedPath() == '/a%2Fb' && url('mailto:a@b').getEscapedPath() == ''",
      "url('https://example.com/path?k1=a&k2=b&k2=c').getQuery() == {'k1': ['a'], 'k2': ['b', 'c']}",
      "url('https://example.com/path?key with spaces=value+and%20more#x').getQuery() == {'key with spaces': ['value and more']}",
      "url('https://example.com/path?').getQuery() == {} && url('https://example.com/?a;b=1&%zz=1&c').getQuery() == {'c': ['']}",
    ]
  )
  func `are read by their parts`(_ source: String) { expectTrue(source) }

  @Test func `that are none are errors`() { #expect(failure("url('../a').getHost()") == .conversion) }
}

@Suite struct `Kubernetes' named formats` {
  @Test(
    arguments: [
      "format.named('nope') == optional.none() && format.named('uuid').hasValue()",
      "!format.dns1123Label().validate('my-label-name').hasValue() && !format.dns1123Label().validate('0a').hasValue()",
      "['a.b', 'A', '-a', 'a-', '', 'ä'].all(x, format.dns1123Label().validate(x).value().size() == 1)",
      "!format.dns1123Subdomain().validate('apiextensions.k8s.io').hasValue()",
      "['a..b', '.a', 'a_b'].all(x, format.dns1123Subdomain().validate(x).hasValue())",
      "!format.dns1035Label().validate('my-label').hasValue() && format.dns1035Label().validate('0a').hasValue()",
      "!format.qualifiedName().validate('example.com/My_Name.1').hasValue() && !format.qualifiedName().validate('n').hasValue()",
      "['/n', 'a/b/c', 'example.com/', 'A/b', '-n'].all(x, format.qualifiedName().validate(x).hasValue())",
      "!format.dns1123LabelPrefix().validate('my-label-').hasValue() && format.dns1123LabelPrefix().validate('-').hasValue()",
      "!format.dns1123SubdomainPrefix().validate('my.prefix-').hasValue()",
      "!format.dns1035LabelPrefix().validate('my-').hasValue() && format.dns1035LabelPrefix().validate('0-').hasValue()",
      "!format.labelValue().validate('').hasValue() && format.labelValue().validate('-a').hasValue()",
      "!format.uri().validate('http://example.com').hasValue() && format.uri().validate('a b').hasValue()",
      "!format.uuid().validate('123e4567-e89b-12d3-a456-426614174000').hasValue() && format.uuid().validate('1').hasValue()",
      "!format.byte().validate('aGVsbG8=').hasValue() && format.byte().validate('a').hasValue()",
      "!format.date().validate('2021-01-01').hasValue() && format.date().validate('2021-02-30').hasValue()",
      "!format.datetime().validate('2021-01-01T00:00:00Z').hasValue() && format.datetime().validate('2021-01-01').hasValue()",
      "format.named('dns1123Label').value() == format.dns1123Label()",
    ]
  )
  func `say what is wrong with a text`(_ source: String) { expectTrue(source) }

  @Test func `bound the length`() {
    let longest = String(repeating: "a", count: 63)
    expectTrue("!format.dns1123Label().validate('\(longest)').hasValue()")
    expectTrue("format.dns1123Label().validate('\(longest)a').value().size() == 1")
    expectTrue("format.labelValue().validate('\(longest)a').hasValue()")
    expectTrue("format.dns1123Subdomain().validate('\(String(repeating: "a.", count: 126))aa').hasValue()")
  }
}

@Suite struct `Kubernetes' lists and patterns` {
  @Test(
    arguments: [
      "[1, 2, 2].isSorted() && !['b', 'a'].isSorted() && [].isSorted() && [duration('1s'), duration('1m')].isSorted()",
      "[1, 3].sum() == 4 && [1.5, 1.0].sum() == 2.5 && [].sum() == 0 && [1u, 2u].sum() == 3u",
      "[duration('1m'), duration('1s')].sum() == duration('61s')",
      "[3, 1, 2].min() == 1 && [3, 1, 2].max() == 3 && ['a', 'b'].max() == 'b'",
      "[1, 2, 2, 3].indexOf(2) == 1 && ['a', 'b', 'b'].lastIndexOf('b') == 2 && [1.0].indexOf(1.1) == -1",
      "[].indexOf('x') == -1 && 'hello'.indexOf('l') == 2",
      "'abc 123'.find('[0-9]+') == '123' && 'abc 123'.find('xyz') == ''",
      "'123 abc 456'.findAll('[0-9]+') == ['123', '456'] && '123 abc 456'.findAll('xyz') == []",
      "'123 abc 456'.findAll('[0-9]+', 1) == ['123'] && '123'.findAll('[0-9]', 0) == [] && 'aa'.findAll('a', -1).size() == 2",
      // What Kubernetes has of the language's own libraries.
      "'a-b'.split('-').size() == 2 && [1, 2].slice(0, 1) == [1] && sets.contains([1, 2], [1]) && 'A'.lowerAscii() == 'a'",
      "ip('10.0.0.1').family() == 4 && cidr('10.0.0.0/8').containsIP('10.1.1.1') && {'a': 1}.all(k, v, v == 1)",
    ]
  )
  func `have what rules need`(_ source: String) { expectTrue(source) }

  @Test(
    arguments: [
      ("[].min()", .invalidArgument), ("dyn([]).max()", .invalidArgument), ("'a'.find('(')", .invalidPattern),
      ("[9223372036854775807, 1].sum()", .overflow), ("[dyn(1), dyn('a')].isSorted()", .noSuchOverload),
    ] as [(String, EvaluationError.Kind)]
  )
  func `have errors`(source: String, kind: EvaluationError.Kind) { #expect(failure(source) == kind) }
}

@Suite struct `The environment of Kubernetes` {
  @Test(
    arguments: [
      "graphemes('a') == 1", "math.abs(-1) == 1", "base64.encode(b'a') == ''", "'a'.isEmail()", "round(1.0, 0) == 1.0",
      "'ab'.reverse() == 'ba'", "regex.replace('a', 'a', 'b') == 'b'", "[1, 'a'].size() == 2",
      "{'a': 1, 'b': 'c'}.size() == 2",
      "quantity(1) == quantity('1')", "isURL('/a', true)", "'x'.find(1) == ''", "semver('1.0.0') == quantity('1')",
    ]
  )
  func `has nothing else`(_ source: String) {
    #expect(throws: ExpressionError.self, "\(source)") { try Environment.kubernetes.compile(source) }
  }

  @Test(
    arguments: [
      "quantity('1') == quantity('1')", "isQuantity('1')", "semver('1.0.0') == semver('1.0.0')", "isSemver('1.0.0')",
      "url('/a').getHost() == ''", "isURL('/a')", "format.named('uuid').hasValue()", "[1].isSorted()",
      "[1].indexOf(1) == 0",
      "'a'.find('a') == 'a'", "'a'.findAll('a') == ['a']",
    ]
  )
  func `is the only one that has these functions`(_ source: String) throws {
    _ = try Environment.kubernetes.compile(source)
    #expect(throws: ExpressionError.self, "\(source)") { try Environment().compile(source) }
  }
}
