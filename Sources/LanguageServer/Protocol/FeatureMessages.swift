internal import FormProtocol
internal import JSON
internal import SourceTexts

/// A request for completions at a position.
struct CompletionParams: EditorRequest {
  var target = DocumentPosition()

  mutating func list(_ members: inout some MessageVisitor) { target.list(&members) }
}

/// The completions.
struct CompletionList: Message, Sendable {
  var isIncomplete = false
  var items: [CompletionItem] = []

  mutating func list(_ members: inout some MessageVisitor) {
    members.required("isIncomplete", &isIncomplete, "Whether more typing gives other completions.")
    members.required("items", &items, "The completions.")
  }
}

/// One completion.
struct CompletionItem: Message, Sendable {
  enum Kind: Int, WireNumber {
    case method = 2
    case function = 3
    case field = 5
    case variable = 6
    case property = 10
    case value = 12
  }

  var label = ""
  var kind = Kind.property
  var detail: String?
  var documentation: MarkupContent?
  var sortText: String?
  var filterText: String?
  /// 2: the text is a snippet.
  var textFormat: Int?
  var edit = TextEdit()

  mutating func list(_ members: inout some MessageVisitor) {
    members.required("label", &label, "The text that the editor shows.")
    members.required("kind", &kind, "The kind.")
    members.optional("detail", &detail, "Its type.")
    members.optional("documentation", &documentation, "The documentation.")
    members.optional("sortText", &sortText, "The text that decides the order.")
    members.optional("filterText", &filterText, "The text that is compared with the typed text.")
    members.optional("insertTextFormat", &textFormat, "The format of the text.")
    members.required("textEdit", &edit, "The edit.")
  }
}

/// A request for the hover text at a position.
struct HoverParams: EditorRequest {
  var target = DocumentPosition()

  mutating func list(_ members: inout some MessageVisitor) { target.list(&members) }
}

/// The hover text at a position.
struct Hover: Message, Sendable {
  var contents = MarkupContent()
  var range: TextRange?

  mutating func list(_ members: inout some MessageVisitor) {
    members.required("contents", &contents, "The content.")
    members.optional("range", &range, "The range in the document.")
  }
}

/// A request for the definition of the name at a position.
struct DefinitionParams: EditorRequest {
  var target = DocumentPosition()

  mutating func list(_ members: inout some MessageVisitor) { target.list(&members) }
}

/// A request for all occurrences of the name at a position.
struct ReferenceParams: EditorRequest {
  struct Context: Message, Sendable {
    var includesDeclaration = true

    mutating func list(_ members: inout some MessageVisitor) {
      members.optional("includeDeclaration", &includesDeclaration, default: true, "Whether the definition is included.")
    }
  }

  var target = DocumentPosition()
  var context = Context()

  mutating func list(_ members: inout some MessageVisitor) {
    target.list(&members)
    members.required("context", &context, "The request's context.")
  }
}

/// A request for whether the name at a position can be changed.
struct PrepareRenameParams: EditorRequest {
  var target = DocumentPosition()

  mutating func list(_ members: inout some MessageVisitor) { target.list(&members) }
}

/// A name that can be changed.
struct RenameSubject: Message, Sendable {
  var range = TextRange()
  var placeholder = ""

  mutating func list(_ members: inout some MessageVisitor) {
    members.required("range", &range, "The position of the name.")
    members.required("placeholder", &placeholder, "The name.")
  }
}

/// A request to change a name everywhere.
struct RenameParams: EditorRequest {
  var target = DocumentPosition()
  var newName = ""

  mutating func list(_ members: inout some MessageVisitor) {
    target.list(&members)
    members.required("newName", &newName, "The new name.")
  }
}

/// A request for the symbols of a document.
struct DocumentSymbolParams: EditorRequest {
  var document = DocumentName()

  mutating func list(_ members: inout some MessageVisitor) {
    members.required("textDocument", &document, "The document.")
  }
}

/// The kind of a symbol.
enum SymbolKind: Int, WireNumber {
  case module = 2
  case namespace = 3
  case method = 6
  case field = 8
  case function = 12
  case variable = 13
  case boolean = 17
  case
    array = 18
  case object = 19
  case event = 24
}

/// A symbol of a document, with the symbols inside it.
struct DocumentSymbol: Message, Sendable {
  var name = ""
  var detail: String?
  var kind = SymbolKind.field
  var range = TextRange()
  var selectionRange = TextRange()
  var children: [DocumentSymbol] = []

  mutating func list(_ members: inout some MessageVisitor) {
    members.required("name", &name, "Its name.")
    members.optional("detail", &detail, "The label for people.")
    members.required("kind", &kind, "The kind.")
    members.required("range", &range, "The range of the whole symbol.")
    members.required("selectionRange", &selectionRange, "Its name.")
    members.optional("children", &children, "The symbols inside it.")
  }
}

/// A symbol of a document, without the symbols inside it.
struct SymbolInformation: Message, Sendable {
  var name = ""
  var kind = SymbolKind.field
  var location = Location()
  var container: String?

  mutating func list(_ members: inout some MessageVisitor) {
    members.required("name", &name, "Its name.")
    members.required("kind", &kind, "The kind.")
    members.required("location", &location, "The position of the name.")
    members.optional("containerName", &container, "The symbol that contains it.")
  }
}

/// A request for the symbols of the forms in the folders.
struct WorkspaceSymbolParams: EditorRequest {
  var query = ""

  mutating func list(_ members: inout some MessageVisitor) {
    members.required("query", &query, "The characters that the name must contain, in this order.")
  }
}
