import Testing

/// Our additions to protovalidate's predicates. The conformance runner runs protovalidate's own cases.
@Suite struct FormatPredicateTests {
  @Test(arguments: [
    "'a@b.c'.isEmail() && !'a@b c'.isEmail() && 'example.com'.isHostname() && !'-a'.isHostname()",
    "'1.2.3.4'.isIp() && '::1'.isIp(6) && !'::1'.isIp(4) && !'1.2.3.4'.isIp(5)",
    "'10.0.0.0/8'.isIpPrefix() && !'10.0.0.1/8'.isIpPrefix(true) && '10.0.0.1/8'.isIpPrefix(4)",
    "'::/0'.isIpPrefix(6, true)",
    "'https://example.com/a?b#c'.isUri() && !'a b'.isUri() && './a?b'.isUriRef() && !'a b'.isUriRef()",
    "'example.com:80'.isHostAndPort(true) && 'example.com'.isHostAndPort(false)",
    "!'example.com'.isHostAndPort(true)",
    "'[::1]:80'.isHostAndPort(true) && !'example.com:65536'.isHostAndPort(true)",
  ])
  func `predicates take the arguments that protovalidate gives them`(source: String) {
    expectTrue(source)
  }
}
