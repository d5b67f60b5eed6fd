import Formats
import Testing

struct WebURLTests {
  @Test(arguments: [
    ("http://☕.example/", "http://xn--53h.example/"),
    ("http://ＧＯ.com", "http://go.com/"),
    ("http://ⅣⅢ.example", "http://iviii.example/"),
    ("http://日本語。ＪＰ", "http://xn--wgv71a119e.jp/"),
    ("http://xn--n3h.net", "http://xn--n3h.net/"),
    ("http://a--b.ü--x", "http://a--b.xn----x-goa/"),
    ("HTTP://EX%41MPLE.com:080/%7Efoo", "http://example.com/%7Efoo"),
    ("http://0300.0250.1", "http://192.168.0.1/"),
    ("http://[::ffff:1.2.3.4]/", "http://[::ffff:102:304]/"),
    ("http://א.ב./", "http://xn--4db.xn--5db./"),
    ("mailto:someone@example.com", "mailto:someone@example.com"),
  ])
  func `a URL is parsed and written in its normal form`(text: String, expected: String) {
    #expect(WebURL(parsing: text)?.href == expected)
  }

  @Test(arguments: [
    "http://a\u{200D}b/", "http://1.2.3.4.5/", "http://0x1ffffffff/", "http://a.0x/..", "http://\u{2FF0}.com",
    "http://xn--a/", "http://[1::2::3]/", "http://a:65536/", "http://a b/", "//example.com", "",
  ])
  func `what the standard cannot parse is no URL`(text: String) {
    let url = WebURL(parsing: text)
    #expect(url == nil, "\(url?.href ?? "")")
  }
}
