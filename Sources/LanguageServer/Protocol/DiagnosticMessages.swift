internal import FormProtocol
internal import JSON
internal import SourceTexts

/// A finding, in the editors' form.
struct WireDiagnostic: Message, Sendable {
  enum Severity: Int, WireNumber {
    case error = 1
    case warning = 2
  }

  var range = TextRange()
  var severity = Severity.error
  var code = ""
  var source = "formd"
  var message = ""
  var related: [RelatedInformation] = []

  mutating func list(_ members: inout some MessageVisitor) {
    members.required("range", &range, "The range in the document.")
    members.required("severity", &severity, "The severity.")
    members.required("code", &code, "The code of the problem.")
    members.required("source", &source, "The source of the diagnostic.")
    members.required("message", &message, "What is wrong, and what to write instead.")
    members.optional("relatedInformation", &related, "Further parts of the document that belong to the problem.")
  }
}

/// A part of a document that belongs to a problem.
struct RelatedInformation: Message, Sendable {
  var location = Location()
  var message = ""

  mutating func list(_ members: inout some MessageVisitor) {
    members.required("location", &location, "The part.")
    members.required("message", &message, "What it has to do with the problem.")
  }
}

/// A push: all that is wrong with a document.
struct PublishDiagnostics: Message, Sendable {
  var uri = ""
  var version: Int?
  var diagnostics: [WireDiagnostic] = []

  mutating func list(_ members: inout some MessageVisitor) {
    members.required("uri", &uri, "The document's URI.")
    members.optional("version", &version, "The version that was checked.")
    members.required("diagnostics", &diagnostics, "The diagnostics.")
  }
}

/// A request for all that is wrong with a document.
struct DocumentDiagnosticParams: EditorRequest {
  var document = DocumentName()
  var previousResult: Nullable<String>?

  mutating func list(_ members: inout some MessageVisitor) {
    members.required("textDocument", &document, "The document.")
    members.optional("previousResultId", &previousResult, "The result that the editor has already.")
  }
}

/// The answer to a ``DocumentDiagnosticParams``.
struct DiagnosticReport: Message, Sendable {
  /// nil: the editor's previous result is still valid.
  var items: [WireDiagnostic]?
  var resultID = ""

  mutating func list(_ members: inout some MessageVisitor) {
    var kind = items == nil ? "unchanged" : "full"
    members.required("kind", &kind, "Whether the report has diagnostics, or the previous result is still valid.")
    members.required("resultId", &resultID, "The id of this result, for the next request.")
    members.optional("items", &items, "The diagnostics.")
  }
}

/// A request for all that is wrong in the folders.
struct WorkspaceDiagnosticParams: Message, Sendable {
  struct PreviousResult: Message, Sendable {
    var uri = ""
    var value = ""

    mutating func list(_ members: inout some MessageVisitor) {
      members.required("uri", &uri, "The document's URI.")
      members.required("value", &value, "The result.")
    }
  }

  var previousResults: [PreviousResult] = []
  var workDoneToken: JSON?
  var partialResultToken: JSON?

  mutating func list(_ members: inout some MessageVisitor) {
    members.optional("previousResultIds", &previousResults, "The results that the editor has already.")
    members.optional("workDoneToken", &workDoneToken, "The token for reports of progress.")
    members.optional("partialResultToken", &partialResultToken, "The token for partial results.")
  }
}

/// All that is wrong with a file of the folders.
struct WorkspaceDocumentReport: Message, Sendable {
  var uri = ""
  var version = Nullable<Int>(nil)
  var report = DiagnosticReport()

  mutating func list(_ members: inout some MessageVisitor) {
    members.required("uri", &uri, "The document's URI.")
    members.required("version", &version, "Its version; null if the document is not open.")
    report.list(&members)
  }
}

/// Reports about several files.
struct WorkspaceReport: Message, Sendable {
  var items: [WorkspaceDocumentReport] = []

  mutating func list(_ members: inout some MessageVisitor) {
    members.required("items", &items, "A report for each file.")
  }
}

/// A notification about progress, or a partial result.
struct Progress<Value: MemberValue>: Message {
  var token: JSON = .null
  var value: Value?

  init() {}

  init(token: JSON, value: Value) {
    self.token = token
    self.value = value
  }

  mutating func list(_ members: inout some MessageVisitor) {
    members.required("token", &token, "The token of the request.")
    members.optional("value", &value, "The content.")
  }
}

/// The progress of a long request.
struct WorkProgress: Message, Sendable {
  var kind = "report"
  var title: String?
  var message: String?
  var percentage: Int?

  mutating func list(_ members: inout some MessageVisitor) {
    members.required("kind", &kind, "begin, report or end.")
    members.optional("title", &title, "The task.")
    members.optional("message", &message, "The current part of the task.")
    members.optional("percentage", &percentage, "The finished share of the task.")
  }
}

/// A request for the possible fixes of findings.
struct CodeActionParams: EditorRequest {
  struct Context: Message, Sendable {
    var only: [String]?

    mutating func list(_ members: inout some MessageVisitor) {
      members.optional("only", &only, "The requested kinds.")
    }
  }

  var document = DocumentName()
  var range = TextRange()
  var context = Context()

  mutating func list(_ members: inout some MessageVisitor) {
    members.required("textDocument", &document, "The document.")
    members.required("range", &range, "The range in the document.")
    members.required("context", &context, "The request's context.")
  }
}

/// A fix that the editor offers.
struct CodeAction: Message, Sendable {
  static let quickFix = "quickfix"

  var title = ""
  var kind = CodeAction.quickFix
  var diagnostics: [WireDiagnostic] = []
  var isPreferred = true
  var edit = WorkspaceEdit()

  mutating func list(_ members: inout some MessageVisitor) {
    members.required("title", &title, "The text for the user.")
    members.required("kind", &kind, "The kind.")
    members.required("diagnostics", &diagnostics, "The diagnostics that it fixes.")
    members.required("isPreferred", &isPreferred, "Whether this is the best fix.")
    members.required("edit", &edit, "The edits.")
  }
}

/// A message that the editor shows to its user.
struct ShownMessage: Message, Sendable {
  enum Kind: Int, WireNumber {
    case error = 1
    case warning = 2
    case info = 3
  }

  var kind = Kind.warning
  var text = ""

  mutating func list(_ members: inout some MessageVisitor) {
    members.required("type", &kind, "The severity.")
    members.required("message", &text, "The content.")
  }
}
