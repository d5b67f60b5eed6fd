internal import DataLanguages
internal import JSON
internal import SourceTexts

/// The members and values that a schema allows in a document.
struct MemberSuggestions {
  let scanned: ScannedText
  let caret: Caret
  /// The notation of names and values.
  var language = DataLanguage.json

  /// The members that the object at the caret lacks.
  ///
  /// - Parameter members: the members that the object may have.
  func members(_ members: [(name: String, parts: [SchemaGuide.Part])]) -> [Suggestion] {
    guard case .name(let written) = caret.spot else { return [] }
    let object = caret.container
    let present = (object.map { Array($0.children) } ?? [])
      .filter { $0 != written && $0.keyRange?.overlaps(caret.range) != true }.compactMap(\.key)
    return members.filter { !present.contains($0.name) }.map { name, parts in
      suggestion(
        name,
        kind: .property,
        detail: SchemaGuide.types(of: parts).joined(separator: " or "),
        documentation: SchemaGuide.description(of: parts) ?? SchemaGuide.title(of: parts),
        text: language.written(name: name)
          + (hasSeparator(written) ? "" : separator + draft(of: parts) + comma(behind: object))
      )
    }
  }

  /// The values that the schemas name.
  func values(_ parts: [SchemaGuide.Part]) -> [Suggestion] {
    guard case .value = caret.spot else { return [] }
    return SchemaGuide.values(of: parts).map { value, meaning in
      suggestion(
        value.stringValue ?? value.description,
        kind: .value,
        detail: meaning,
        documentation: nil,
        text: self.written(value)
      )
    }
  }

  /// Suggestions of texts, each with its type.
  func texts(_ texts: [(text: String, detail: String?)], kind: CompletionItem.Kind) -> [Suggestion] {
    switch caret.spot {
    case .name(let written):
      let present = (caret.container?.children).map { $0.filter { $0 != written }.compactMap(\.key) } ?? []
      return texts.filter { !present.contains($0.text) }.map { text, detail in
        let rest = hasSeparator(written) ? "" : separator + Suggestion.caret
        return suggestion(
          text,
          kind: kind,
          detail: detail,
          documentation: nil,
          text: language.written(name: text) + rest
        )
      }
    case .value:
      return texts.map { text, detail in
        suggestion(text, kind: kind, detail: detail, documentation: nil, text: written(.string(text)))
      }
    case .nothing: return []
    }
  }

  private func suggestion(
    _ label: String,
    kind: CompletionItem.Kind,
    detail: String?,
    documentation: String?,
    text: String
  ) -> Suggestion {
    Suggestion(
      label: label,
      kind: kind,
      detail: detail?.isEmpty == true ? nil : detail,
      documentation: documentation,
      range: caret.range,
      text: text
    )
  }

  /// A value as the language writes it.
  private func written(_ value: JSON) -> String {
    value.stringValue.map(language.written(text:)) ?? value.description
  }

  /// The text between a name and its value.
  private var separator: String { language == .env ? "=" : ": " }

  /// A skeleton of a value, with the caret in it.
  private func draft(of parts: [SchemaGuide.Part]) -> String {
    guard language == .json || language == .jsonc else { return Suggestion.caret }
    return switch SchemaGuide.types(of: parts).first {
    case "object": "{\(Suggestion.caret)}"
    case "array": "[\(Suggestion.caret)]"
    case "string": "\"\(Suggestion.caret)\""
    default: Suggestion.caret
    }
  }

  /// Whether a separator already follows the name.
  private func hasSeparator(_ member: ScannedNode?) -> Bool {
    let end = max(member?.keyRange?.upperBound ?? 0, caret.range.upperBound)
    guard member != nil || scanned.syntax == .lines else { return false }
    let next = scanned.source.bytes[end...].first { $0 != UInt8(ascii: " ") && (scanned.syntax == .lines || $0 > 0x20) }
    return next == separator.utf8.first
  }

  /// The comma that a new member needs in front of the members behind it.
  private func comma(behind object: ScannedNode?) -> String {
    guard let object, scanned.syntax != .lines else { return "" }
    let follows = object.children.contains {
      ($0.keyRange?.lowerBound ?? $0.range.lowerBound) >= caret.range.upperBound
    }
    let next = scanned.source.bytes[caret.range.upperBound...].first { $0 > 0x20 }
    return follows && next != UInt8(ascii: ",") ? "," : ""
  }
}
