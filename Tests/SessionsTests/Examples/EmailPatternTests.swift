import Forms
import JSON
import Sessions
import Testing

/// The forms' pattern of an email address, found anywhere in the text:
/// `[A-Z0-9a-z._%+-]+@[A-Za-z0-9.-]+\.[A-Za-z]{2,64}`.
@Suite struct `the email pattern` {
  static let addresses = [
    "kim@example.com", "a@b.co", "KIM@EXAMPLE.COM", "kim.lee@example.com", "kim+tag@example.co.kr",
    "kim_lee@example.com",
    "kim%lee@example.com", "kim-lee@example.com", "1@2.io", "kim@sub.sub.example.org", "kim@ex-ample.com", ".@a.bc",
    "kim@-.com", "kim@example.museum", "Kim <kim@example.com>", "mailto:kim@example.com", "김kim@example.com",
    "kim@example.com, and more", "kim@@example.com kim@example.com", "kim@example.c0m.kr", "a..b@example.com",
    "kim@example..com", "kim@example.comm0n",
  ]

  static let others = [
    "@.", "a.b@c", "kim@x.y", "kim@example.c0m", "kim", "kim@", "@example.com", "kim@example", "kim.example.com",
    "kim@example.", "kim@.c", "kim@example.1a", "kim @example.com", "kim@ example.com", "kim@example .com",
    "kim@example. com", "김@example.com", "kim@예시.한국", "kim@example,com", "kim#example.com", "kim@example.김치", "a@b@c",
    "kim@[192.168.0.1]", "!@#.com",
  ]

  /// Whether feedback has no error, and whether join says that the text is valid.
  private func verdicts(on text: String) throws -> [Bool] {
    let feedback = SessionDriver(try example("feedback"))
    feedback.change("email", .string(text))
    return try [feedback.codes("email").isEmpty]
      + ["join", "join-sql"].map { name in
        let join = SessionDriver(try example(name))
        join.change("email", .string(text))
        return join["/outputs/isTextValid"] == true
      }
  }

  @Test(arguments: addresses)
  func `it is in these`(_ text: String) throws { #expect(try verdicts(on: text) == [true, true, true]) }

  @Test(arguments: others)
  func `it is not in these`(_ text: String) throws { #expect(try verdicts(on: text) == [false, false, false]) }
}
