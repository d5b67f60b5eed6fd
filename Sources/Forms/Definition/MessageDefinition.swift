internal import JSON
internal import SourceTexts
internal import Texts

/// Texts of errors, by code: a `messages` of the definition.
struct MessageDefinitions {
  private(set) var texts: [UTF8Key: Text] = [:]
  /// In the order written.
  private(set) var codes: [String] = []
  /// Its location in the definition.
  var pointer = JSONPointer.root

  var isEmpty: Bool { codes.isEmpty }

  /// The text for a code.
  subscript(code: String) -> Text? { texts[UTF8Key(text: code)] }

  /// All texts, in the order written.
  var all: [Text] { codes.compactMap { self[$0] } }

  mutating func add(_ text: Text, for code: String) {
    if texts.updateValue(text, forKey: UTF8Key(text: code)) == nil { codes.append(code) }
  }
}

/// Whether an error blocks.
public enum Severity: String, Sendable {
  /// An error blocks; a warning is only shown.
  case error, warning
}

/// A message: a text, or a formula that makes one.
struct MessageDefinition {
  var text: Text?
  var formula: FormulaDefinition?
}

extension MessageDefinitions {
  /// The `messages` of a part of the definition; empty if it has none.
  init(
    _ members: JSONObject,
    at pointer: JSONPointer,
    _ what: String,
    _ reader: inout DefinitionReader
  ) {
    self.pointer = pointer.appending("messages")
    for (code, text) in reader.texts(members, "messages", by: "error code", at: pointer, what) {
      add(text, for: code)
    }
  }
}

extension DefinitionReader {
  mutating func severity(_ members: JSONObject, at pointer: JSONPointer, what: String) -> Severity {
    choice(members, "severity", at: pointer, what: what, among: ["error", "warning"]) == "warning" ? .warning : .error
  }

  /// The texts of a member that is an object from some name to text.
  mutating func texts(
    _ members: JSONObject,
    _ key: String,
    by nameKind: String,
    at pointer: JSONPointer,
    _ what: String
  ) -> [(name: String, text: Text)] {
    guard let block = members[key] else { return [] }
    let inner = pointer.appending(key)
    guard case .object(let entries) = block else {
      wrongType(
        block,
        at: inner,
        expected: "an object from \(nameKind) to text",
        what: "\"\(key)\" of \(what)"
      )
      return []
    }
    return entries.compactMap { entry in
      let text = text(entry.value, at: inner.appending(entry.name), what: "the text for \"\(entry.name)\"")
      return text.map { (entry.name, $0) }
    }
  }
}
