internal import Texts

/// A version by Semantic Versioning 2.0.0 (semver.org). What stands behind a plus sign does not count.
struct SemanticVersion: Sendable {
  let major: UInt64
  let minor: UInt64
  let patch: UInt64
  /// The identifiers behind the first minus sign.
  private let preRelease: [Identifier]
  let text: String

  enum Identifier: Sendable {
    case number(UInt64)
    case name(String)
  }

  /// Reads a text as a whole; nil where it is no version.
  init?(_ text: String) {
    self.text = text
    let behind = text.split(separator: "+", maxSplits: 1, omittingEmptySubsequences: false)
    if behind.count == 2 {
      let build = behind[1].split(separator: ".", omittingEmptySubsequences: false)
      guard build.allSatisfy(Self.isIdentifier) else { return nil }
    }
    let parts = behind[0].split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
    let numbers = parts[0].split(separator: ".", omittingEmptySubsequences: false).map(Self.number)
    guard numbers.count == 3, let major = numbers[0], let minor = numbers[1], let patch = numbers[2] else { return nil }
    (self.major, self.minor, self.patch) = (major, minor, patch)
    var preRelease: [Identifier] = []
    if parts.count == 2 {
      for identifier in parts[1].split(separator: ".", omittingEmptySubsequences: false) {
        guard Self.isIdentifier(identifier) else { return nil }
        if identifier.utf8.allSatisfy(Self.isDigit) {
          guard let number = Self.number(identifier) else { return nil }
          preRelease.append(.number(number))
        } else {
          preRelease.append(.name(String(identifier)))
        }
      }
    }
    self.preRelease = preRelease
  }

  /// Reads a text that may begin with `v`, lack minor and patch, and have zeros before its numbers.
  init?(tolerant text: String) {
    let text = text.hasPrefix("v") ? text.dropFirst() : text[...]
    var parts = text.split(separator: ".", maxSplits: 2, omittingEmptySubsequences: false).map(Self.withoutZeros)
    if parts.count < 3, parts[parts.count - 1].contains(where: { $0 == "+" || $0 == "-" }) { return nil }
    while parts.count < 3 { parts.append("0") }
    self.init(parts.joined(separator: "."))
  }

  private static func withoutZeros(_ part: Substring) -> String {
    guard part.utf8.count > 1 else { return String(part) }
    let rest = part.drop { $0 == "0" }
    return rest.utf8.first.map(isDigit) == true ? String(rest) : "0" + rest
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

  private static func isIdentifier(_ text: Substring) -> Bool {
    !text.isEmpty
      && text.utf8.allSatisfy { byte in
        isDigit(byte) || (0x61...0x7a).contains(byte | 0x20) || byte == UInt8(ascii: "-")
      }
  }

  /// A number without zeros before it; nil where the text is none.
  private static func number(_ text: Substring) -> UInt64? {
    guard !text.isEmpty, text.utf8.allSatisfy(isDigit), text.utf8.count == 1 || text.utf8.first != UInt8(ascii: "0")
    else {
      return nil
    }
    return UInt64(text)
  }
}

extension SemanticVersion: Comparable {
  /// The order of the standard (section 11).
  static func < (left: SemanticVersion, right: SemanticVersion) -> Bool {
    let (own, other) = ([left.major, left.minor, left.patch], [right.major, right.minor, right.patch])
    if own != other { return own.lexicographicallyPrecedes(other) }
    // A version comes behind all that come before it.
    if left.preRelease.isEmpty || right.preRelease.isEmpty {
      return !left.preRelease.isEmpty && right.preRelease.isEmpty
    }
    return left.preRelease.lexicographicallyPrecedes(right.preRelease)
  }

  static func == (left: SemanticVersion, right: SemanticVersion) -> Bool { !(left < right) && !(right < left) }
}

extension SemanticVersion: Hashable {
  func hash(into hasher: inout Hasher) {
    hasher.combine(major)
    hasher.combine(minor)
    hasher.combine(patch)
    hasher.combine(preRelease.count)
  }
}

extension SemanticVersion.Identifier: Comparable {
  static func < (left: Self, right: Self) -> Bool {
    switch (left, right) {
    case (.number(let left), .number(let right)): left < right
    case (.number, .name): true
    case (.name, .number): false
    case (.name(let left), .name(let right)): left.precedesInUTF8(right)
    }
  }
}

extension SemanticVersion: AbstractContent {
  static let type = TypeValue("kubernetes.Semver")
  static let constructor = "semver"
}
