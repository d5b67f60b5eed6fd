import Formats
import Testing

/// Numbers with check digits. The valid numbers are examples of their standards, of registries and of makers of cards.
@Suite struct `Check digits` {
  @Test(arguments: [
    ("4111 1111 1111 1111", true), ("79927398713", true), ("5500-0000-0000-0004", true), ("00", true),
    ("79927398710", false), ("4111111111111112", false), ("", false), ("0", false), ("4111a", false), ("١٢", false),
  ])
  func `of payment cards`(text: String, isValid: Bool) { #expect(CheckDigits.isLuhn(text) == isValid) }

  @Test(arguments: [
    ("GB82 WEST 1234 5698 7654 32", true), ("DE89370400440532013000", true), ("NO93 8601 1117 947", true),
    ("MT84MALT011000012345MTLCAST001S", true), ("gb82 west 1234 5698 7654 32", true),
    ("GB82 WEST 1234 5698 7654 33", false), ("DE88370400440532013000", false), ("", false), ("DE89", false),
    ("1289370400440532013000", false), ("DEXX370400440532013000", false), ("DE8937040044053201300!", false),
    ("DE89370400440532013000DE89370400440532013000", false),
  ])
  func `of bank accounts`(text: String, isValid: Bool) { #expect(CheckDigits.isIBAN(text) == isValid) }

  @Test(arguments: [
    ("0-306-40615-2", true), ("978-0-306-40615-7", true), ("0-8044-2957-X", true), ("0-8044-2957-x", true),
    ("979-10-90636-07-1", true), ("0-306-40615-3", false), ("978-0-306-40615-8", false), ("4006381333931", false),
    ("X-306-40615-2", false), ("", false),
  ])
  func `of books`(text: String, isValid: Bool) { #expect(CheckDigits.isISBN(text) == isValid) }

  @Test(arguments: [
    ("4006381333931", true), ("73513537", true), ("036000291452", true), ("10012345678902", true),
    ("4006381333932", false), ("400638133393", false), ("", false), ("4006381333931a", false),
  ])
  func `of articles`(text: String, isValid: Bool) { #expect(CheckDigits.isEAN(text) == isValid) }
}
