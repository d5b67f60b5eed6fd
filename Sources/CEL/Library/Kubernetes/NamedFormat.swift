internal import TextFormats

/// A kind of text that Kubernetes has a name for ("Names", "Labels and Selectors").
enum NamedFormat: String, CaseIterable {
  case dns1123Label
  case dns1123Subdomain
  case dns1035Label
  case qualifiedName
  case dns1123LabelPrefix
  case dns1123SubdomainPrefix
  case dns1035LabelPrefix
  case labelValue
  case uri
  case uuid
  case byte
  case date
  case datetime

  /// What is wrong with a text of that kind; empty where nothing is.
  func faults(of text: String) -> [String] {
    let bytes = Array(text.utf8)
    return switch self {
    case .dns1123Label: Self.label(bytes)
    case .dns1123LabelPrefix: Self.label(Self.completed(bytes))
    case .dns1035Label: Self.label(bytes, beginsWithLetter: true)
    case .dns1035LabelPrefix: Self.label(Self.completed(bytes), beginsWithLetter: true)
    case .dns1123Subdomain: Self.subdomain(bytes)
    case .dns1123SubdomainPrefix: Self.subdomain(Self.completed(bytes))
    case .qualifiedName: Self.qualifiedName(bytes)
    case .labelValue: bytes.isEmpty ? [] : Self.name(bytes, "a label's value")
    case .uri: Self.uri(text)
    case .uuid: Self.isUUID(bytes) ? [] : ["it is no UUID, such as 123e4567-e89b-12d3-a456-426614174000"]
    case .byte: !bytes.isEmpty && Base64.decode(text) != nil && bytes.count % 4 == 0 ? [] : ["it is no base64"]
    case .date: TextFormat.date.accepts(text) ? [] : ["it is no date, such as 2026-11-23"]
    case .datetime: TextFormat.dateTime.accepts(text) ? [] : ["it is no date with a time, such as 2026-11-23T17:00:00Z"]
    }
  }

  private static let labelLengthMax = 63
  private static let subdomainLengthMax = 253

  /// A beginning that ends with a minus sign, with something behind it.
  private static func completed(_ text: [UInt8]) -> [UInt8] {
    text.count > 1 && text.last == UInt8(ascii: "-") ? text.dropLast() + [UInt8(ascii: "a")] : text
  }

  private static func lengthFault(_ text: [UInt8], max: Int) -> [String] {
    text.count > max ? ["it must have at most \(max) bytes"] : []
  }

  private static func isLabel(_ text: ArraySlice<UInt8>, beginsWithLetter: Bool = false) -> Bool {
    guard let first = text.first, let last = text.last, isLower(first) || !beginsWithLetter && isDigit(first) else {
      return false
    }
    return isLower(last) || isDigit(last)
      ? text.allSatisfy { isLower($0) || isDigit($0) || $0 == UInt8(ascii: "-") } : false
  }

  private static func label(_ text: [UInt8], beginsWithLetter: Bool = false) -> [String] {
    let faults = lengthFault(text, max: labelLengthMax)
    if isLabel(text[...], beginsWithLetter: beginsWithLetter) { return faults }
    let first = beginsWithLetter ? "it begins with a letter" : "it begins with a letter or a digit"
    return faults + [
      "it must consist of lower case letters, digits and '-'; \(first), and ends with a letter or a digit"
    ]
  }

  private static func subdomain(_ text: [UInt8]) -> [String] {
    let faults = lengthFault(text, max: subdomainLengthMax)
    let labels = text.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    if labels.allSatisfy({ isLabel($0) }) { return faults }
    return faults + [
      "it must consist of lower case letters, digits, '-' and '.', with a letter or a digit at both ends of each part"
    ]
  }

  /// A name, with a subdomain and a slash before it or without.
  private static func qualifiedName(_ text: [UInt8]) -> [String] {
    let parts = text.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    switch parts.count {
    case 1: return name(text, "the name")
    case 2:
      let prefix = parts[0].isEmpty ? ["the part before the slash must not be empty"] : subdomain(Array(parts[0]))
      return prefix.map { "before the slash: \($0)" } + name(Array(parts[1]), "the name behind the slash")
    default: return ["there is at most one slash: example.com/name"]
    }
  }

  private static func name(_ text: [UInt8], _ subject: String) -> [String] {
    if text.isEmpty { return ["\(subject) must not be empty"] }
    var faults = text.count > labelLengthMax ? ["\(subject) must have at most \(labelLengthMax) bytes"] : []
    let isName =
      text.allSatisfy { isAlphanumeric($0) || "-_.".utf8.contains($0) } && isAlphanumeric(text[0])
      && isAlphanumeric(text[text.count - 1])
    if !isName {
      faults.append(
        "\(subject) must consist of letters, digits, '-', '_' and '.', with a letter or a digit at both ends"
      )
    }
    return faults
  }

  private static func uri(_ text: String) -> [String] {
    do throws(RequestURL.ParsingError) {
      _ = try RequestURL(parsing: text)
      return []
    } catch {
      return ["it is no URI: \(error.message)"]
    }
  }

  /// With minus signs or without.
  private static func isUUID(_ text: [UInt8]) -> Bool {
    var rest = text[...]
    for (position, length) in [8, 4, 4, 4, 12].enumerated() {
      if position > 0, rest.first == UInt8(ascii: "-") { rest.removeFirst() }
      let digits = rest.prefix(length)
      guard digits.count == length, digits.allSatisfy({ isDigit($0) || (0x61...0x66).contains($0 | 0x20) }) else {
        return false
      }
      rest.removeFirst(length)
    }
    return rest.isEmpty
  }

  private static func isLower(_ byte: UInt8) -> Bool { (0x61...0x7a).contains(byte) }
  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
  private static func isAlphanumeric(_ byte: UInt8) -> Bool { isLower(byte | 0x20) || isDigit(byte) }
}

extension NamedFormat: AbstractContent {
  static let type = TypeValue("kubernetes.NamedFormat")
  static let constructor = "format.named"
  var text: String { rawValue }
}
