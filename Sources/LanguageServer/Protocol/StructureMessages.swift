internal import FormProtocol
internal import JSON
internal import SourceTexts

/// A request for the occurrences of the name at a position, in the same document.
struct DocumentHighlightParams: EditorRequest {
  var target = DocumentPosition()

  mutating func list(_ members: inout some MessageVisitor) { target.list(&members) }
}

/// A range that an editor marks.
struct DocumentHighlight: Message, Sendable {
  enum Kind: Int, WireNumber {
    case read = 2
    case write = 3
  }

  var range = TextRange()
  var kind = Kind.read

  mutating func list(_ members: inout some MessageVisitor) {
    members.required("range", &range, "The range.")
    members.required("kind", &kind, "Whether the name is defined or used there.")
  }
}

/// A request for the parts of a document that can be folded.
struct FoldingRangeParams: EditorRequest {
  var document = DocumentName()

  mutating func list(_ members: inout some MessageVisitor) {
    members.required("textDocument", &document, "The document.")
  }
}

/// Lines that can be folded.
struct FoldingRange: Message, Sendable {
  var startLine = 0
  var endLine = 0
  var kind: String?

  mutating func list(_ members: inout some MessageVisitor) {
    members.required("startLine", &startLine, "The first line, which stays.")
    members.required("endLine", &endLine, "The last line.")
    members.optional("kind", &kind, "The kind, if the lines are a comment.")
  }
}

/// A request for the ranges around positions, from the inside outwards.
struct SelectionRangeParams: EditorRequest {
  var document = DocumentName()
  var positions: [TextPosition] = []

  mutating func list(_ members: inout some MessageVisitor) {
    members.required("textDocument", &document, "The document.")
    members.optional("positions", &positions, "The positions.")
  }
}

/// A request for the references of a document to files.
struct DocumentLinkParams: EditorRequest {
  var document = DocumentName()

  mutating func list(_ members: inout some MessageVisitor) {
    members.required("textDocument", &document, "The document.")
  }
}

/// A reference to a file.
struct DocumentLink: Message, Sendable {
  var range = TextRange()
  var target = ""

  mutating func list(_ members: inout some MessageVisitor) {
    members.required("range", &range, "The range of the reference.")
    members.required("target", &target, "The URI of the file.")
  }
}

/// A request for the ways to call the function at a position.
struct SignatureHelpParams: EditorRequest {
  var target = DocumentPosition()

  mutating func list(_ members: inout some MessageVisitor) { target.list(&members) }
}

/// The ways to call a function.
struct SignatureHelp: Message, Sendable {
  struct Signature: Message, Sendable {
    struct Parameter: Message, Sendable {
      var label = ""

      mutating func list(_ members: inout some MessageVisitor) {
        members.required("label", &label, "The parameter, as the signature has it.")
      }
    }

    var label = ""
    var documentation: MarkupContent?
    var parameters: [Parameter] = []

    mutating func list(_ members: inout some MessageVisitor) {
      members.required("label", &label, "The signature.")
      members.optional("documentation", &documentation, "What the function gives.")
      members.optional("parameters", &parameters, "The parameters.")
    }
  }

  var signatures: [Signature] = []
  var activeSignature = 0
  var activeParameter = 0

  mutating func list(_ members: inout some MessageVisitor) {
    members.optional("signatures", &signatures, "The signatures.")
    members.required("activeSignature", &activeSignature, "The signature that fits.")
    members.required("activeParameter", &activeParameter, "The parameter at the position.")
  }
}

/// A request for the kinds of the words in formulas.
struct SemanticTokensParams: EditorRequest {
  var document = DocumentName()

  mutating func list(_ members: inout some MessageVisitor) {
    members.required("textDocument", &document, "The document.")
  }
}

/// The kinds of words, five numbers each (3.17, "Semantic Tokens").
struct SemanticTokens: Message, Sendable {
  var data: [Int] = []

  mutating func list(_ members: inout some MessageVisitor) {
    var numbers = JSON.array(data.map { .integer(Int64($0)) })
    members.required("data", &numbers, "The numbers.")
  }
}

/// A request for the layout of a document.
struct FormattingParams: EditorRequest {
  struct Options: Message, Sendable {
    var tabSize = 2
    var insertsSpaces = true

    mutating func list(_ members: inout some MessageVisitor) {
      members.required("tabSize", &tabSize, "The spaces of an indentation.")
      members.required("insertSpaces", &insertsSpaces, "Whether spaces indent, and not tabs.")
    }
  }

  var document = DocumentName()
  var options = Options()

  mutating func list(_ members: inout some MessageVisitor) {
    members.required("textDocument", &document, "The document.")
    members.required("options", &options, "The layout.")
  }
}

/// A request for the commands above lines of a document.
struct CodeLensParams: EditorRequest {
  var document = DocumentName()

  mutating func list(_ members: inout some MessageVisitor) {
    members.required("textDocument", &document, "The document.")
  }
}

/// A command above a line.
struct CodeLens: Message, Sendable {
  struct Command: Message, Sendable {
    var title = ""
    var command = ""
    var arguments: JSON = []

    mutating func list(_ members: inout some MessageVisitor) {
      members.required("title", &title, "The text for the user.")
      members.required("command", &command, "The command.")
      members.required("arguments", &arguments, "Its arguments.")
    }
  }

  var range = TextRange()
  var command = Command()

  mutating func list(_ members: inout some MessageVisitor) {
    members.required("range", &range, "The range that it is about.")
    members.required("command", &command, "The command.")
  }
}

/// A request to carry out a command.
struct ExecuteCommandParams: EditorRequest {
  var command = ""
  var arguments: JSON?

  mutating func list(_ members: inout some MessageVisitor) {
    members.required("command", &command, "The command.")
    members.optional("arguments", &arguments, "Its arguments.")
  }
}

/// A request for remarks within the lines of a document.
struct InlayHintParams: EditorRequest {
  var document = DocumentName()
  var range = TextRange()

  mutating func list(_ members: inout some MessageVisitor) {
    members.required("textDocument", &document, "The document.")
    members.required("range", &range, "The part that the editor shows.")
  }
}

/// A remark within a line.
struct InlayHint: Message, Sendable {
  var position = TextPosition()
  var label = ""
  var tooltip: String?
  var hasPaddingBefore = true

  mutating func list(_ members: inout some MessageVisitor) {
    members.required("position", &position, "The position in front of which it is shown.")
    members.required("label", &label, "The remark.")
    members.optional("tooltip", &tooltip, "Where it comes from.")
    members.required("paddingLeft", &hasPaddingBefore, "Whether a blank precedes it.")
  }
}
