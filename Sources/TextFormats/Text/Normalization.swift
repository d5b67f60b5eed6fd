internal import Foundation

/// Normalization Form C (UAX #15): what people type in several ways in the one composed way. Text that is all ASCII is
/// returned as it is.
public func nfc(_ text: String) -> String {
  text.utf8.span.isASCII ? text : text.precomposedStringWithCanonicalMapping
}

/// The number of extended grapheme clusters (UAX #29): what people call characters. A family emoji is one.
public func graphemeCount(_ text: String) -> Int { text.count }

/// Normalization Form KC, for names of hosts only: it loses distinctions that a text may need.
func nfkc(_ text: String) -> String {
  text.utf8.span.isASCII ? text : text.precomposedStringWithCompatibilityMapping
}
