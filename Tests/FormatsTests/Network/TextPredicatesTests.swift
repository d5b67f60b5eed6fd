import Formats
import Testing

struct TextPredicatesTests {
  @Test(arguments: [
    "example.com:80", "example.com.:0", "a:65535", "127.0.0.1:1", "[::1]:80", "[::1%eth0]:80", "0.0.0.0:0",
  ])
  func `host and port`(text: String) {
    #expect(TextPredicates.isHostAndPort(text, isPortRequired: true))
    #expect(TextPredicates.isHostAndPort(text, isPortRequired: false))
  }

  @Test(arguments: ["example.com", "127.0.0.1", "[::1]", "[2001:db8::1%a]", "a."])
  func `a host alone will do where no port is required`(text: String) {
    #expect(!TextPredicates.isHostAndPort(text, isPortRequired: true))
    #expect(TextPredicates.isHostAndPort(text, isPortRequired: false))
  }

  @Test(arguments: [
    "", ":", ":80", "a:", "a:65536", "a:080", "a:+80", "a:-1", "a: 80", "a:8a", "a:0x50", "::1", "::1:80", "[::1]80",
    "[::1]:",
    "[::1", "::1]", "[]:80", "[127.0.0.1]:80", "[a]:80", "a:80:90", "256.0.0.1:80", "a_b:80", " a:80", "a:80 ", "a:80/",
    "[::1]]:80",
    "[::1%]:80", "ü:80", "a:99999999999999999999",
  ])
  func `what is no host and port`(text: String) {
    #expect(!TextPredicates.isHostAndPort(text, isPortRequired: true))
    #expect(!TextPredicates.isHostAndPort(text, isPortRequired: false))
  }

  @Test(arguments: [
    "", "./", "//example.com", "/a/b", "a", "?q", "#f", "//[::1%25en0]/", "http://a", "./a:b", "//u@h:1/p?q#f", "//",
    "a//b",
  ])
  func `a URI reference`(text: String) {
    #expect(TextPredicates.isURIReference(text))
    #expect(TextPredicates.isURI(text) == text.hasPrefix("http:"))
  }

  @Test(arguments: [" ", "1a:b", ":a", "//a b", "/%", "//[::1%en0]", "//foo%c3x%96", "##", "\\", "/ü", "^"])
  func `what is no URI reference`(text: String) {
    #expect(!TextPredicates.isURIReference(text))
  }

  @Test func `a version of IP that does not exist has no address`() {
    #expect(!TextPredicates.isIP("::1", version: 5))
    #expect(!TextPredicates.isIPPrefix("1.2.3.4/8", version: 7))
    #expect(!TextPredicates.isIP("::1%\0"))
  }
}
