import Formats
import Testing

@Suite struct `A URI reference` {
  /// The examples of RFC 3986, sections 5.4.1 and 5.4.2.
  @Test(arguments: [
    ("g:h", "g:h"), ("g", "http://a/b/c/g"), ("./g", "http://a/b/c/g"), ("g/", "http://a/b/c/g/"), ("/g", "http://a/g"),
    ("//g", "http://g"), ("?y", "http://a/b/c/d;p?y"), ("g?y", "http://a/b/c/g?y"), ("#s", "http://a/b/c/d;p?q"),
    ("g#s", "http://a/b/c/g"), ("g?y#s", "http://a/b/c/g?y"), (";x", "http://a/b/c/;x"), ("g;x", "http://a/b/c/g;x"),
    ("", "http://a/b/c/d;p?q"), (".", "http://a/b/c/"), ("./", "http://a/b/c/"), ("..", "http://a/b/"),
    ("../", "http://a/b/"), ("../g", "http://a/b/g"), ("../..", "http://a/"), ("../../g", "http://a/g"),
    ("../../../g", "http://a/g"), ("/./g", "http://a/g"), ("/../g", "http://a/g"), ("g.", "http://a/b/c/g."),
    ("..g", "http://a/b/c/..g"), ("./../g", "http://a/b/g"), ("g/./h", "http://a/b/c/g/h"),
    ("g/../h", "http://a/b/c/h"), ("g;x=1/../y", "http://a/b/c/y"), ("g?y/../x", "http://a/b/c/g?y/../x"),
  ])
  func `is resolved against its base`(_ reference: String, _ expected: String) {
    let base = URIReference("http://a/b/c/d;p?q")
    #expect(base.resolving(URIReference(reference)).withoutFragment == expected)
  }

  @Test func `has five parts`() {
    let reference = URIReference("foo://example.com:8042/over/there?name=ferret#nose?#")
    #expect(reference.scheme == "foo")
    #expect(reference.authority == "example.com:8042")
    #expect(reference.path == "/over/there")
    #expect(reference.query == "name=ferret")
    #expect(reference.fragment == "nose?#")
    let relative = URIReference("1a:b//c")
    #expect(relative.scheme == nil)
    #expect(relative.authority == nil)
    #expect(relative.path == "1a:b//c")
    #expect(URIReference("urn:example:a").path == "example:a")
    #expect(URIReference("file:///a").authority == "")
  }
}

@Suite struct `Percent-encoding` {
  @Test(arguments: ["", "plain", "a b", "100%", "é/님", "~._-", "\u{0}"])
  func `is undone to the same text`(_ text: String) {
    #expect(PercentEncoding.decoded(PercentEncoding.encoded(text)) == text)
  }

  @Test func `leaves the unreserved and what is kept`() {
    #expect(PercentEncoding.encoded("a/b c~é") == "a%2Fb%20c~%C3%A9")
    #expect(PercentEncoding.encoded("a/b c") { $0 == UInt8(ascii: "/") } == "a/b%20c")
  }

  @Test(arguments: ["%", "%4", "%zz", "a%4gb", "%ff", "%C3"])
  func `that is broken or hides what is not UTF-8 is refused`(_ text: String) {
    #expect(PercentEncoding.decoded(text) == nil)
  }
}
