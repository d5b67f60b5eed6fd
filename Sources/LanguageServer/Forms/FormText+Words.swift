internal import Forms
internal import JSON
internal import JSONSchema
internal import SourceTexts

/// Words of a form that its definition and its tests write in texts: codes of errors, names in braces, locales.
extension FormText {
  /// The codes that errors of a field may have, each with its source: the rules and checks at the field, and keywords
  /// of its schema.
  ///
  /// - Parameter address: the field's address; empty: the form itself; nil: all of them.
  func codes(of address: String?) -> [(text: String, detail: String?)] {
    guard let form = usableForm else { return [] }
    let path = address.map { $0.isEmpty ? [] : AddressNames.path($0) }
    func isHere(_ field: Int?) -> Bool { path.map { field.map { form.fields[$0].path } ?? [] == $0 } ?? true }
    let rules = form.rules.filter { $0.errorFields.contains(where: isHere) }
      .map { (text: $0.id, detail: "rule" as String?) }
    let checks = (scanned.root.child("checks").map { Array($0.children) } ?? []).filter { check in
      check.child("field")?.value.stringValue.map { AddressNames.path($0) == path ?? AddressNames.path($0) } ?? false
    }.flatMap { check in
      ([check] + (check.child("outcomes").map { Array($0.children) } ?? [])).compactMap {
        ($0.child("code") ?? $0.child("id"))?.value.stringValue
      }.map { (text: $0, detail: "check" as String?) }
    }
    let guide = dataGuide(locale: nil)
    let parts = (path.map { [$0] } ?? form.fields.map(\.path) + [[]]).flatMap { guide?.parts(at: $0) ?? [] }
    let keywords = parts.flatMap(\.schema.names).filter { Keyword(rawValue: $0)?.parameterNames != nil }
    var known: Set<String> = []
    return (rules + checks + (keywords + ["required", "duplicate", "options", "fault"]).map { ($0, "schema") })
      .filter { known.insert($0.text).inserted }
  }

  /// Whether an answer of an action may bring errors of that code: the definition spells it in a formula.
  func mayServerSend(_ code: String) -> Bool {
    var waiting = [scanned.root.child("actions")].compactMap(\.self)
    while let node = waiting.popLast() {
      if node.kind == .string, node.value.stringValue?.contains(code) == true { return true }
      waiting += node.children
    }
    return false
  }

  /// The names that braces may name in the text at a location of the definition; nil if it is not such a text.
  func placeholders(at tokens: [String]) -> [(text: String, detail: String?)]? {
    let label = (text: "label", detail: "the label of the field" as String?)
    return switch tokens.first {
    case "messages" where tokens.count > 1: parameters(of: tokens[1], at: "") + [label]
    case "fields" where tokens.count > 3 && tokens[2] == "messages": parameters(of: tokens[3], at: tokens[1]) + [label]
    case "rules" where tokens.count > 2 && tokens[2] == "message":
      (scanned.node(at: JSONPointer(tokens: Array(tokens[..<2])))?.child("field")?.value.stringValue
        .map { rowParameters(at: $0) } ?? []) + [label]
    case "checks" where !tokens.filter { ["message", "failureMessage"].contains($0) }.isEmpty: [label]
    case "texts" where tokens.count > 1: namesGiven(to: tokens[1]).map { ($0, "given by a formula") }
    default:
      tokens.last == "path" && tokens.contains("http")
        ? (usableForm?.fields ?? []).filter { $0.template == 0 }.map {
          ($0.address, $0.label?.resolved(for: "", default: nil))
        } : nil
    }
  }

  /// The parameters of an error, by its code.
  private func parameters(of code: String, at address: String) -> [(text: String, detail: String?)] {
    if let names = Keyword(rawValue: code)?.parameterNames { return names.map { ($0, "of the error \(code)") } }
    return usableForm?.rules.contains { $0.id == code } == true ? rowParameters(at: address) : []
  }

  private func rowParameters(at address: String) -> [(text: String, detail: String?)] {
    AddressNames.path(address).contains("*")
      ? [("number", "the position of the row, from 1"), ("index", "the position of the row, from 0")] : []
  }

  /// The names that formulas give to a text: `count` of `text('left', {'count': 3})`.
  private func namesGiven(to text: String) -> [String] {
    var found: [String] = []
    var waiting = [scanned.root]
    while let node = waiting.popLast() {
      waiting += node.children
      guard node.kind == .string, let formula = node.value.stringValue,
        let call = formula.firstRange(of: "text('\(text)', {") ?? formula.firstRange(of: "text(\"\(text)\", {")
      else { continue }
      // The keys of the map: texts in quotes before a colon.
      let map = formula[call.upperBound...].prefix { $0 != "}" }
      for quote in ["'", "\""] {
        let pieces = map.split(separator: quote, omittingEmptySubsequences: false)
        for (index, piece) in pieces.enumerated() where index % 2 == 1 && index + 1 < pieces.count {
          guard pieces[index + 1].drop(while: { $0 == " " }).first == ":" else { continue }
          if !found.contains(String(piece)) { found.append(String(piece)) }
        }
      }
    }
    return found
  }

  /// The locales that the texts of the form have, and the locales of the built-in texts.
  var locales: [(text: String, detail: String?)] {
    (usableForm?.locales ?? []).filter { !$0.isEmpty }.map { ($0, "locale") }
  }
}

/// The name in braces at a caret: `{li` of `At most {li`.
struct PlaceholderCaret {
  /// The name as far as it is written.
  let written: String
  /// The bytes of the document that a completion replaces.
  let range: Range<Int>
  /// Whether the closing brace is there.
  let isClosed: Bool

  /// - Returns: nil if the caret is not within braces.
  init?(in text: QuotedText, at offset: Int) {
    guard offset >= text.range.lowerBound, offset <= text.range.upperBound else { return nil }
    let before = text.content(before: offset)
    guard let open = before.lastIndex(of: UInt8(ascii: "{")), !before[open...].contains(UInt8(ascii: "}")),
      !before[open...].contains(UInt8(ascii: " "))
    else { return nil }
    let rest = text.content[before.count...]
    let end = rest.firstIndex { !Self.isPart($0) } ?? rest.endIndex
    written = String(decoding: before[(open + 1)...], as: UTF8.self)
    range = text.range(of: (open + 1)..<end)
    isClosed = end < rest.endIndex && rest[end] == UInt8(ascii: "}")
  }

  private static func isPart(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "_") || byte == UInt8(ascii: "/") || byte == UInt8(ascii: "*") || (48...57).contains(byte)
      || (65...90).contains(byte & 0xdf) || byte >= 0x80
  }
}

/// The parameters of a SQL query: `:name`.
enum SQLParameters {
  /// The names in a query, each once. `::` is a conversion, and text in quotes has no parameters.
  static func names(in query: String) -> [String] {
    let bytes = Array(query.utf8)
    var found: [String] = []
    var index = 0
    var quote: UInt8?
    while index < bytes.count {
      let byte = bytes[index]
      if let open = quote {
        if byte == open { quote = nil }
      } else if byte == UInt8(ascii: "'") || byte == UInt8(ascii: "\"") {
        quote = byte
      } else if byte == UInt8(ascii: ":") {
        let isConversion = index + 1 < bytes.count && bytes[index + 1] == byte
        let end = bytes[(index + 1)...].firstIndex { !isPart($0) } ?? bytes.endIndex
        if !isConversion, end > index + 1 {
          let name = String(decoding: bytes[(index + 1)..<end], as: UTF8.self)
          if !found.contains(name) { found.append(name) }
        }
        index = isConversion ? index + 2 : max(end, index + 1)
        continue
      }
      index += 1
    }
    return found
  }

  fileprivate static func isPart(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "_") || (48...57).contains(byte) || (65...90).contains(byte & 0xdf)
  }

  /// The bytes of the name that is written behind a colon at the end of a text; nil if there is none.
  static func name(atEndOf before: [UInt8]) -> Range<Int>? {
    let start = before.lastIndex { !isPart($0) } ?? -1
    guard start >= 0, before[start] == UInt8(ascii: ":"), start == 0 || before[start - 1] != UInt8(ascii: ":") else {
      return nil
    }
    return start + 1..<before.count
  }
}
