internal import FormProtocol
internal import JSON
internal import SourceTexts

/// A document that the editor opened: from now on the editor's text counts.
struct DidOpenParams: EditorNotice {
  var document = OpenedDocument()

  mutating func list(_ members: inout some MessageVisitor) {
    members.required("textDocument", &document, "The document.")
  }
}

/// A document, whole.
struct OpenedDocument: Message, Sendable {
  var uri = ""
  var language: String?
  var version: Int?
  var text = ""

  mutating func list(_ members: inout some MessageVisitor) {
    members.required("uri", &uri, "The document's URI.")
    members.optional("languageId", &language, "The language that the editor detected.")
    members.optional("version", &version, "Its version.")
    members.required("text", &text, "Its text.")
  }
}

/// A text that changed.
struct DidChangeParams: EditorNotice {
  var document = VersionedDocument()
  var changes: [ContentChange] = []

  mutating func list(_ members: inout some MessageVisitor) {
    members.required("textDocument", &document, "The document.")
    members.required("contentChanges", &changes, "The changes, each relative to the text after the previous change.")
  }
}

/// A document in one of its versions.
struct VersionedDocument: Message, Sendable {
  var uri = ""
  var version: Nullable<Int>?

  mutating func list(_ members: inout some MessageVisitor) {
    members.required("uri", &uri, "The document's URI.")
    members.optional("version", &version, "The version after the changes.")
  }
}

/// One change of a text.
struct ContentChange: Message, Sendable {
  /// nil: the whole text.
  var range: TextRange?
  var text = ""

  mutating func list(_ members: inout some MessageVisitor) {
    members.optional("range", &range, "The range to replace; without it, the whole text.")
    members.required("text", &text, "The new text.")
  }
}

/// A document that was written to its file.
struct DidSaveParams: EditorNotice {
  var document = DocumentName()

  mutating func list(_ members: inout some MessageVisitor) {
    members.required("textDocument", &document, "The document.")
  }
}

/// A document that the editor closed: from now on the file's text counts.
struct DidCloseParams: EditorNotice {
  var document = DocumentName()

  mutating func list(_ members: inout some MessageVisitor) {
    members.required("textDocument", &document, "The document.")
  }
}

/// Files that changed on disk.
struct DidChangeWatchedFilesParams: EditorNotice {
  struct FileEvent: Message, Sendable {
    enum Kind: Int, WireNumber {
      case created = 1
      case changed = 2
      case deleted = 3
    }

    var uri = ""
    var kind = Kind.changed

    mutating func list(_ members: inout some MessageVisitor) {
      members.required("uri", &uri, "The file's URI.")
      members.required("type", &kind, "The kind of the change.")
    }
  }

  var changes: [FileEvent] = []

  mutating func list(_ members: inout some MessageVisitor) {
    members.required("changes", &changes, "The files.")
  }
}

/// Folders that were added or removed.
struct DidChangeWorkspaceFoldersParams: EditorNotice {
  struct Event: Message, Sendable {
    var added: [WorkspaceFolder] = []
    var removed: [WorkspaceFolder] = []

    mutating func list(_ members: inout some MessageVisitor) {
      members.required("added", &added, "The added folders.")
      members.required("removed", &removed, "The removed folders.")
    }
  }

  var event = Event()

  mutating func list(_ members: inout some MessageVisitor) {
    members.required("event", &event, "The added and removed folders.")
  }
}

/// Settings that changed.
struct DidChangeConfigurationParams: EditorNotice {
  var settings: JSON?

  mutating func list(_ members: inout some MessageVisitor) {
    members.optional("settings", &settings, "The settings; null if the server must request them.")
  }
}
