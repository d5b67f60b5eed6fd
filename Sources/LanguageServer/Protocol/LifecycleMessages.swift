internal import FormProtocol
internal import JSON
internal import SourceTexts

/// `initialize`: the first request.
struct InitializeParams: Message, Sendable {
  var rootURI: Nullable<String>?
  var folders: Nullable<[WorkspaceFolder]>?
  var capabilities: JSON?
  var options: JSON?

  mutating func list(_ members: inout some MessageVisitor) {
    members.optional("rootUri", &rootURI, "The folder, from editors that support only one.")
    members.optional("workspaceFolders", &folders, "The open folders.")
    members.optional("capabilities", &capabilities, "The editor's capabilities.")
    members.optional("initializationOptions", &options, "The settings.")
  }
}

/// A folder that is open in the editor.
struct WorkspaceFolder: Message, Sendable {
  var uri = ""

  mutating func list(_ members: inout some MessageVisitor) {
    members.required("uri", &uri, "The folder's URI.")
  }
}

/// ``EditorMethod/cancelRequest``: the editor does not want the answer to a request any more.
struct CancelParams: Message, Sendable {
  var id: JSON = .null

  mutating func list(_ members: inout some MessageVisitor) {
    members.required("id", &id, "The request.")
  }
}

/// The capabilities of an editor that the server uses. A capability of an unexpected shape counts as missing.
struct ClientCapabilities: Sendable {
  /// In the order of the editor's preference.
  var encodings: [PositionEncoding] = []
  /// Whether the editor requests diagnostics; else the server pushes them.
  var pullsDiagnostics = false
  /// Whether the server can ask the editor to request diagnostics again.
  var refreshesDiagnostics = false
  /// Whether the editor can be asked to watch files.
  var registersWatchers = false
  /// Whether the editor can be asked for settings.
  var givesConfiguration = false
  /// Whether a completed object may say where the caret goes.
  var takesSnippets = false
  /// Whether symbols may contain symbols.
  var nestsSymbols = false
  /// Whether diagnostics may name further parts of documents.
  var showsRelated = false
  /// Whether the server can ask the editor to make edits.
  var appliesEdits = false
  /// The commands that the editor itself carries out.
  var commands: Set<String> = []

  init() {}

  init(_ json: JSON) {
    func has(_ path: String...) -> Bool {
      let value = json.value(at: path[...])
      return value?.boolValue ?? (value?.objectValue != nil)
    }
    encodings = (json.value(at: ["general", "positionEncodings"])?.arrayValue ?? []).compactMap {
      $0.stringValue.flatMap(PositionEncoding.init(rawValue:))
    }
    pullsDiagnostics = has("textDocument", "diagnostic")
    refreshesDiagnostics = has("workspace", "diagnostics", "refreshSupport")
    registersWatchers = has("workspace", "didChangeWatchedFiles", "dynamicRegistration")
    givesConfiguration = has("workspace", "configuration")
    takesSnippets = has("textDocument", "completion", "completionItem", "snippetSupport")
    showsRelated = has("textDocument", "publishDiagnostics", "relatedInformation")
    appliesEdits = has("workspace", "applyEdit")
    commands = Set(
      (json.value(at: ["experimental", "commands", "commands"])?.arrayValue ?? []).compactMap(\.stringValue)
    )
    nestsSymbols = has("textDocument", "documentSymbol", "hierarchicalDocumentSymbolSupport")
  }
}

/// The capabilities of the server.
enum ServerCapabilities {
  /// The answer to `initialize`.
  static func answer(encoding: PositionEncoding) -> JSON {
    [
      "capabilities": [
        "positionEncoding": .string(encoding.rawValue),
        "textDocumentSync": ["openClose": true, "change": 2, "save": true],
        "diagnosticProvider": [
          "identifier": "formd", "interFileDependencies": true, "workspaceDiagnostics": true, "workDoneProgress": true,
        ],
        "completionProvider": ["triggerCharacters": ["\"", ".", "'", "/", "{", ":"]],
        "hoverProvider": true,
        "definitionProvider": true,
        "referencesProvider": true,
        "renameProvider": ["prepareProvider": true],
        "signatureHelpProvider": ["triggerCharacters": ["(", ","]],
        "documentHighlightProvider": true,
        "documentSymbolProvider": true,
        "workspaceSymbolProvider": true,
        "foldingRangeProvider": true,
        "selectionRangeProvider": true,
        "documentLinkProvider": ["resolveProvider": false],
        "documentFormattingProvider": true,
        "semanticTokensProvider": [
          "legend": [
            "tokenTypes": .array(FormulaTokenKind.allCases.map { .string($0.wireName) }), "tokenModifiers": [],
          ],
          "full": true,
        ],
        "codeLensProvider": ["resolveProvider": false],
        "executeCommandProvider": ["commands": [.string(LensCommand.runCase.rawValue)]],
        "inlayHintProvider": true,
        "codeActionProvider": ["codeActionKinds": [.string(CodeAction.quickFix)]],
        "workspace": ["workspaceFolders": ["supported": true, "changeNotifications": true]],
      ],
      "serverInfo": ["name": "formctl lsp"],
    ]
  }

  /// The files whose changes the editor is asked to report.
  static let watchers: JSON = [
    "registrations": [
      [
        "id": "files", "method": .string(EditorMethod.didChangeWatchedFiles.wireName.description),
        "registerOptions": [
          "watchers": [["globPattern": "**/*.{json,jsonc,yaml,yml,env}"], ["globPattern": "**/.env"]]
        ],
      ]
    ]
  ]
}
