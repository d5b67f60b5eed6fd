/// A pattern of paths. A pattern without a slash matches a name in any folder.
///
/// - `*` matches any bytes in a name.
/// - `?` matches one byte of a name.
/// - `**` matches any folders.
/// - `{a,b}` matches either alternative.
struct Glob: Sendable, Hashable {
  /// The pattern as the user wrote it.
  let text: String
  /// The alternatives of the pattern, without braces.
  private let patterns: [[UInt8]]

  /// The largest number of alternatives that braces may result in.
  private static let alternativesMax = 64

  init(_ text: String) {
    self.text = text
    var patterns: [[UInt8]] = [[]]
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "{"), let end = rest.firstIndex(of: UInt8(ascii: "}")) {
        let choices = rest[..<end].split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
        rest = rest[(end + 1)...]
        patterns = Array(patterns.flatMap { pattern in choices.map { pattern + $0 } }.prefix(Self.alternativesMax))
      } else {
        for index in patterns.indices { patterns[index].append(byte) }
      }
    }
    self.patterns = patterns
  }

  /// Whether the pattern matches a path.
  ///
  /// - Parameter path: the path relative to the folder of the pattern, without a leading slash.
  func matches(_ path: String) -> Bool {
    let names = Array(path.utf8).split(separator: UInt8(ascii: "/"))
    return patterns.contains { pattern in
      let parts = pattern.split(separator: UInt8(ascii: "/"))
      if !pattern.contains(UInt8(ascii: "/")), let part = parts.first, let name = names.last {
        return Self.matches(part, name)
      }
      return Self.matches(parts, names, isMany: { $0.elementsEqual("**".utf8) }, Self.matches)
    }
  }

  /// One name.
  private static func matches(_ pattern: ArraySlice<UInt8>, _ name: ArraySlice<UInt8>) -> Bool {
    matches(Array(pattern), Array(name), isMany: { $0 == UInt8(ascii: "*") }, { $0 == UInt8(ascii: "?") || $0 == $1 })
  }

  /// Backtracks only to the last wildcard, so that the time is bounded by the product of the lengths.
  private static func matches<Part, Item>(
    _ pattern: [Part],
    _ items: [Item],
    isMany: (Part) -> Bool,
    _ fits: (Part, Item) -> Bool
  ) -> Bool {
    var (p, n) = (0, 0)
    var many: (pattern: Int, item: Int)?
    while n < items.count {
      if p < pattern.count, isMany(pattern[p]) {
        many = (p + 1, n)
        p += 1
      } else if p < pattern.count, fits(pattern[p], items[n]) {
        (p, n) = (p + 1, n + 1)
      } else if let last = many {
        (p, n) = (last.pattern, last.item + 1)
        many = (last.pattern, last.item + 1)
      } else {
        return false
      }
    }
    return pattern[p...].allSatisfy(isMany)
  }
}
