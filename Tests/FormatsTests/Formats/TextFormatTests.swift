import Formats
import Testing

struct TextFormatTests {
  static let accepted: [(TextFormat, [String])] = [
    (
      .time,
      [
        "08:30:06Z", "08:30:06.283185z", "23:59:60Z", "15:59:60-08:00", "01:29:60+01:30", "23:29:60+23:30",
        "00:29:60-23:30", "00:00:00+23:59",
      ]
    ),
    (.date, ["2020-02-29", "2000-02-29", "0000-01-01", "9999-12-31"]),
    (.dateTime, ["2024-02-29T00:00:00Z", "1990-12-31t23:59:60z"]),
    (.localTime, ["00:00", "23:59", "14:30:15", "14:30:15.25"]),
    (.localDateTime, ["2024-02-29T00:00", "2026-11-28T14:30:15", "2026-11-28T14:30:15.123456789012"]),
    (
      .duration,
      ["P4DT12H30M5S", "P4Y", "PT0S", "P0D", "P1M", "PT1M", "PT36H", "P1DT12H", "P2W", "P1Y2M3D", "PT1H2M3S"]
    ),
    (
      .ipv6,
      [
        "::1", "::", "::abef", "::42:ff:1", "d6::", "1:d6::42", "1::d6:192.168.0.1", "1:2::192.168.0.1",
        "::ffff:192.168.0.1", "1:2:3:4:5:6:7:8", "1:2:3:4:5:6:7::", "::2:3:4:5:6:7:8",
        "1000:1000:1000:1000:1000:1000:255.255.255.255",
      ]
    ),
    (.ipv4, ["0.0.0.0", "255.255.255.255"]),
    (.uuid, ["2EB8AA08-AA98-11EA-B4AA-73B441D16380", "00000000-0000-0000-0000-000000000000"]),
    (
      .uriReference,
      ["", "//foo.bar/?baz=qux#quux", "/abc", "abc", "#fragment", "?q", "a/b:c", "./a:b", "http://a", "../.."]
    ),
    (.iriReference, ["", "//ƒøø.ßår/?∂éœ=πîx#πîüx", "âππ", "#ƒrägmênt", "http://ƒøø.com/"]),
    (.relativeJSONPointer, ["1", "0/foo/bar", "2/0/baz/1/zip", "0#", "120/foo/bar", "1+2/a", "0-1#", "0/~0~1"]),
    (
      .idnEmail,
      [
        "실례@실례.테스트", "joe.bloggs@example.com", "\"조 블로그\"@example.com", "δοκιμή@[127.0.0.1]", "kim@xn--caf-dma.example",
        "kim@caf\u{e9}.example",
      ]
    ),
    (.email, ["a@b", "a+b@xn--n3h.example", "x@[IPv6:2001:db8::1]"]),
    (.uri, ["urn:a:b", "http://[v1.x]/", "http://[::1]:80", "a:", "http://h:/", "http://%41/"]),
    (.uriTemplate, ["{+a,b*}", "{?x:3,y}", "", "{a_b.c%20}"]),
    (.hostname, ["a", "xn--4gbwdl.xn--wgbh1c", "3com.example", "a-1.b"]),
    (.idnHostname, ["실례.테스트", "xn--9n2bp8q.example", "a.b", "ß.de", "مثال.إختبار"]),
    (.whatwgURL, ["http://a", "HTTPS:a", "data:,x"]),
  ]

  static let refused: [(TextFormat, [String])] = [
    (
      .localTime,
      [
        "", "14", "14:", "14:3", "24:00", "14:60", "14:30:60", "14:30:1", "14:30:15.", "14:30:15.x", "14:30Z", "4:30",
        "14.30", "14:30:",
      ]
    ),
    (
      .localDateTime,
      [
        "2026-11-28", "2026-11-28T", "2026-11-28 14:30", "2026-11-28t14:30", "2026-02-29T14:30", "2026-11-28T14:30Z",
        "2026-11-28T14:30+01:00", "2026-11-28T14:30:15-08:00", "T14:30",
      ]
    ),
    (
      .time,
      [
        "08:30:06", "8:3:6Z", "24:00:00Z", "00:60:00Z", "00:00:61Z", "22:59:60Z", "23:59:60+01:00", "01:02:03+24:00",
        "01:02:03+00:60", "01:02:03Z+00:30", "01:02:03+00:300", "12:00:00.Z", "12:00:00.52", "08:30:06 PST",
        "08:30:06#00:20",
        "1২:00:00Z", "ab:cd:ef", "", "12:00:00Z\n", "12:00:00+0100", "120000Z", "12:00Z",
      ]
    ),
    (
      .date,
      [
        "2021-02-29", "1900-02-29", "2020-00-01", "2020-13-01", "2020-04-31", "2020-01-00", "20-01-01", "2020-1-01",
        "2020-01-01Z", "20200101", "2020-W01", "২020-01-01", "",
      ]
    ),
    (.dateTime, ["2024-01-01", "2024-01-01 00:00:00Z", "2024-01-01T00:00:00", "2024-01-01T", "T00:00:00Z"]),
    (
      .duration,
      [
        "PT1D", "P", "PT", "P1YT", "P2D1Y", "P1D2H", "P2S", "P1Y2W", "P1", "4DT12H30M5S", "P২Y", "P1Y2D", "PT1H2S",
        "P1.5Y", "P-1Y", "PT1H1H", "p1Y", "", "P1W1D", "P1YT1H2S", "PTS", "P1DT",
      ]
    ),
    (
      .ipv6,
      [
        "12345::", "1:1:1:1:1:1:1:1:1:1:1:1:1:1:1:1", "::laptop", "1::d6::42", ":2:3:4:5:6:7:8", "1:2:3:4:5:6:7:",
        "1::2:192.168.256.1", "1::2:192.168.ff.1", "1:2:3:4:5:::8", "1:2:3:4:5:6:7", "1", "127.0.0.1", "1:2:3:4:1.2.3",
        " ::1",
        "::1 ", "fe80::/64", "fe80::a%eth1", "100:100:100:100:100:100:100:255.255.255.255", ":", "",
        "1:2:3:4:5:6:7:8::",
        "::1.2.3.4.5", "::01.2.3.4", "1.2.3.4::", "[::1]",
      ]
    ),
    (.ipv4, ["1.2.3", "1.2.3.4.5", "256.0.0.1", "01.2.3.4", "1.2.3.4 ", "0x7f.0.0.1", "2130706433", "1২7.0.0.1", ""]),
    (
      .uuid,
      [
        "2eb8aa08-aa98-11ea-b4aa-73b441d1638", "2eb8aa08-aa98-11ea-73b441d16380",
        "2eb8-aa08-aa98-11ea-b4aa73b44-1d16380",
        "2eb8aa08aa9811eab4aa73b441d16380", "2eb8aa08-aa98-11ea-b4ga-73b441d16380", "",
      ]
    ),
    (.uriReference, ["\\\\WINDOWS\\fileshare", "#frag\\ment", "/foobar®.txt", "1a:b", "http://a b", "%"]),
    (.iriReference, ["\\\\WINDOWS\\filëßåré", "#ƒräg\\mênt", "a\u{E000}", "http://a\u{FFFE}"]),
    (
      .relativeJSONPointer,
      ["/foo/bar", "-1/foo/bar", "+1/foo/bar", "0##", "01/a", "01#", "", "1a", "1২", "0/~2", "0+", "0-01"]
    ),
    (
      .idnEmail,
      [
        "2962", "실례@", "@실례", "실례 @실례.테스트", "실례@실례..테스트", "실례@-실례",
        // Labels that are not in NFC, also as A-labels (RFC 5890, section 2.3.2.1), and others that mean no label.
        "kim@cafe\u{301}.example", "kim@xn--cafe-yvc.example", "실례@xn--cafe-yvc.example", "kim@ab--c.example",
      ]
    ),
    (
      .email,
      [
        "실례@example.com", "a@b.", "a@[1.2.3]", "a@[IPv6:1::2:3:4:5:6:7:8]", "a@[tag:x]", "a b@c",
        String(repeating: "a", count: 65) + "@b.example",
      ]
    ),
    (.uri, ["", "a", ":a", "http://[v1]/", "http://[::1", "http://a:b", "http://[::1%25en0]/", "http://ü/", "a:[b]"]),
    (.uriTemplate, ["{", "}", "{+}", "{a:12345}", "{a**}", "{=a}", "%4"]),
    (.hostname, ["-a", "a-", "a..b", "a_b", "ab--c.de", String(repeating: "a.", count: 127) + "a", "ü.de"]),
    (.idnHostname, ["", ".", "a..b", "☃.net", "a_b", "\u{0}", "ab--ü", "http://a"]),
    (.whatwgURL, ["", "a", "//a", "http://", "http://a b/"]),
  ]

  @Test(arguments: accepted.indices)
  func `a format accepts what its RFC allows`(index: Int) {
    let (format, texts) = Self.accepted[index]
    let wrong = texts.filter { !format.accepts($0) }
    #expect(wrong.isEmpty, "\(format.rawValue)")
  }

  @Test(arguments: refused.indices)
  func `a format refuses what its RFC does not allow`(index: Int) {
    let (format, texts) = Self.refused[index]
    let wrong = texts.filter { format.accepts($0) }
    #expect(wrong.isEmpty, "\(format.rawValue)")
  }

  @Test func `every format is found by its name and survives any text`() {
    let texts = [
      "", "\0", "%", "@", ":", "[", "{", "::", "P", "xn--", "\u{10FFFF}", "a\u{301}",
      String(repeating: "[", count: 9_999),
    ]
    for format in TextFormat.allCases {
      #expect(TextFormat(rawValue: format.rawValue) == format)
      for text in texts {
        for cut in [
          text, "a" + text, text + text, "http://" + text, text + "@a", "a@" + text, "xn--" + text, "[" + text + "]",
        ] {
          _ = format.accepts(cut)
        }
      }
    }
    #expect(TextFormat(rawValue: "Email") == nil)
  }

  @Test func `text is brought to normalization form C`() {
    #expect(Array(nfc("e\u{301}").unicodeScalars) == ["é"])
    #expect(Array(nfc("\u{1103}\u{1161}").unicodeScalars) == ["다"])
    #expect(nfc("plain") == "plain")
    #expect(graphemeCount("👨‍👩‍👧‍👦e\u{301}") == 2)
  }
}
