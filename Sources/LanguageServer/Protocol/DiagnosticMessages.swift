internal import FormProtocol
internal import JSON

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

  mutating func list(_ members: inout some MessageVisitor) {
    members.required("range", &range, "Where.")
    members.required("severity", &severity, "How bad it is.")
    members.required("code", &code, "What kind of fault it is.")
    members.required("source", &source, "Who says it.")
    members.required("message", &message, "What is wrong, and what to write instead.")
  }
}

/// A push: all that is wrong with a document.
struct PublishDiagnostics: Message, Sendable {
  var uri = ""
  var version: Int?
  var diagnostics: [WireDiagnostic] = []

  mutating func list(_ members: inout some MessageVisitor) {
    members.required("uri", &uri, "The document's URI.")
    members.optional("version", &version, "The version that was judged.")
    members.required("diagnostics", &diagnostics, "All that is wrong.")
  }
}

/// A request for all that is wrong with a document.
struct DocumentDiagnosticParams: EditorRequest {
  var document = DocumentName()
  var previousResult: Nullable<String>?

  mutating func list(_ members: inout some MessageVisitor) {
    members.required("textDocument", &document, "The document.")
    members.optional("previousResultId", &previousResult, "The result that the editor has.")
  }
}

/// The answer to a ``DocumentDiagnosticParams``.
struct DiagnosticReport: Message, Sendable {
  /// nil: the editor's previous result is still valid.
  var items: [WireDiagnostic]?
  var resultID = ""

  mutating func list(_ members: inout some MessageVisitor) {
    var kind = items == nil ? "unchanged" : "full"
    members.required("kind", &kind, "Whether the diagnostics are here, or those of the result that the editor has.")
    members.required("resultId", &resultID, "What the editor asks with the next time.")
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
    members.optional("previousResultIds", &previousResults, "The results that the editor has.")
    members.optional("workDoneToken", &workDoneToken, "Under which progress is told.")
    members.optional("partialResultToken", &partialResultToken, "Under which results are told as they come.")
  }
}

/// All that is wrong with a file of the folders.
struct WorkspaceDocumentReport: Message, Sendable {
  var uri = ""
  var version = Nullable<Int>(nil)
  var report = DiagnosticReport()

  mutating func list(_ members: inout some MessageVisitor) {
    members.required("uri", &uri, "The document's URI.")
    members.required("version", &version, "Its version; null of one that is not open.")
    report.list(&members)
  }
}

/// Reports about several files.
struct WorkspaceReport: Message, Sendable {
  var items: [WorkspaceDocumentReport] = []

  mutating func list(_ members: inout some MessageVisitor) {
    members.required("items", &items, "One for each file.")
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
    members.required("token", &token, "What it is about.")
    members.optional("value", &value, "What there is to say.")
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
    members.optional("title", &title, "What is done.")
    members.optional("message", &message, "What just now.")
    members.optional("percentage", &percentage, "How much of it.")
  }
}

/// A request for the possible fixes of findings.
struct CodeActionParams: EditorRequest {
  struct Context: Message, Sendable {
    var only: [String]?

    mutating func list(_ members: inout some MessageVisitor) {
      members.optional("only", &only, "The kinds that are wanted.")
    }
  }

  var document = DocumentName()
  var range = TextRange()
  var context = Context()

  mutating func list(_ members: inout some MessageVisitor) {
    members.required("textDocument", &document, "The document.")
    members.required("range", &range, "Where.")
    members.required("context", &context, "What is wanted.")
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
    members.required("title", &title, "What it does.")
    members.required("kind", &kind, "Of what kind it is.")
    members.required("diagnostics", &diagnostics, "What it mends.")
    members.required("isPreferred", &isPreferred, "Whether it is what the author meant.")
    members.required("edit", &edit, "What it changes.")
  }
}

/// A message that the editor shows to its user.
struct ShownMessage: Message, Sendable {
  enum Kind: Int, WireNumber {
    case error = 1
    case warning = 2
  }

  var kind = Kind.warning
  var text = ""

  mutating func list(_ members: inout some MessageVisitor) {
    members.required("type", &kind, "How bad it is.")
    members.required("message", &text, "What there is to say.")
  }
}
