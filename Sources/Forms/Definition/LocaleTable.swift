internal import Texts

/// The locales of texts, to be looked up by the locale that a user wants.
///
/// The lookup is RFC 4647, section 3.4: without regard to case, the wanted locale loses subtags from its end until one
/// of the locales is equal. If none is, the first locale that begins with the longest part of the wanted locale is
/// taken: `en-US` for `en`. An underscore counts as a hyphen.
struct LocaleTable: Sendable {
  /// The subtags of a locale that are compared one by one. A definition may have locales of any length, and the work
  /// stays in proportion to it.
  private static let subtagsMax = 8

  /// By locale, as written and in lowercase: the position of the first that is equal.
  private var positions: [UTF8Key: Int] = [:]
  /// By the first subtags of a locale, in lowercase: the position of the first that begins so.
  private var positionsByBeginning: [UTF8Key: Int] = [:]

  /// A table of those locales. An empty one is never found.
  init(_ locales: some Sequence<String>) {
    for (position, locale) in locales.enumerated() {
      let ranges = Self.ranges(of: locale)
      guard let whole = ranges.first else { continue }
      let written = UTF8Key(text: locale)
      if positions[written] == nil { positions[written] = position }
      if positions[whole] == nil { positions[whole] = position }
      for range in ranges.dropFirst() where positionsByBeginning[range] == nil {
        positionsByBeginning[range] = position
      }
    }
  }

  /// The position of the locale that fits best; nil if none has the wanted language.
  func position(for wanted: String) -> Int? {
    if let position = positions[UTF8Key(text: wanted)] { return position }
    let ranges = Self.ranges(of: wanted)
    return ranges.lazy.compactMap { positions[$0] }.first ?? ranges.lazy.compactMap { positionsByBeginning[$0] }.first
  }

  /// The locale in lowercase, and then its beginnings, the longest first. None of these ends with a subtag of one
  /// character, because such a subtag introduces the next (RFC 4647, section 3.4).
  private static func ranges(of locale: String) -> [UTF8Key] {
    // By bytes: comparing characters composes them, and the time for that is quadratic in the number of marks on one.
    let bytes = locale.utf8.map { byte in
      switch byte {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte | 0x20
      case UInt8(ascii: "_"): UInt8(ascii: "-")
      default: byte
      }
    }
    guard bytes.contains(UInt8(ascii: "-")) else {
      return bytes.isEmpty ? [] : [UTF8Key(text: String(decoding: bytes, as: UTF8.self))]
    }
    let subtags = bytes.split(separator: UInt8(ascii: "-"))
    guard !subtags.isEmpty else { return [] }
    let lengths = subtags.indices.dropFirst().prefix(subtagsMax).reversed()
      .filter { $0 == 1 || subtags[$0 - 1].count > 1 }
    let beginnings = lengths.map { Array(subtags[..<$0].joined(separator: [UInt8(ascii: "-")])) }
    return ([bytes] + beginnings).map { UTF8Key(text: String(decoding: $0, as: UTF8.self)) }
  }
}
