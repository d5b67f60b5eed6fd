internal import FormProtocol
internal import JSON
internal import SourceTexts

/// A document, by its name.
struct DocumentName: Message, Sendable {
  var uri = ""

  mutating func list(_ members: inout some MessageVisitor) {
    members.required("uri", &uri, "The document's URI.")
  }
}

/// A position in a document, which is part of the params of many requests.
struct DocumentPosition: Sendable {
  var document = DocumentName()
  var position = TextPosition()

  mutating func list(_ members: inout some MessageVisitor) {
    members.required("textDocument", &document, "The document.")
    members.required("position", &position, "The position in the document.")
  }
}

/// A part of a document.
struct Location: Message, Sendable {
  var uri = ""
  var range = TextRange()

  mutating func list(_ members: inout some MessageVisitor) {
    members.required("uri", &uri, "The document's URI.")
    members.required("range", &range, "The range in the document.")
  }
}

/// A replacement of a part of a document.
struct TextEdit: Message, Sendable {
  var range = TextRange()
  var newText = ""

  mutating func list(_ members: inout some MessageVisitor) {
    members.required("range", &range, "The range to replace.")
    members.required("newText", &newText, "The new text.")
  }
}

/// Edits of several documents.
struct WorkspaceEdit: Message, Sendable {
  /// By URI.
  var changes: [(uri: String, edits: [TextEdit])] = []

  mutating func list(_ members: inout some MessageVisitor) {
    var object = JSONObject(changes.map { ($0.uri, $0.edits.json) })
    members.required("changes", &object, "The edits, by the documents' URIs.")
  }
}

/// A text that an editor draws.
struct MarkupContent: Message, Sendable {
  var kind = "markdown"
  var value = ""

  mutating func list(_ members: inout some MessageVisitor) {
    members.required("kind", &kind, "The format of the text.")
    members.required("value", &value, "The text.")
  }
}
