internal import FormProtocol
internal import Texts

/// The methods of the Language Server Protocol (3.17) that the server supports. All others are unknown.
enum EditorMethod: WireName {
  /// The life of the server.
  case initialize, initialized, shutdown, exit, cancelRequest, setTrace
  /// The documents that the editor holds.
  case didOpen, didChange, didSave, didClose
  /// The files, folders and settings around the documents.
  case didChangeWatchedFiles, didChangeWorkspaceFolders, didChangeConfiguration
  /// Diagnostics and fixes.
  case documentDiagnostic, workspaceDiagnostic, codeAction
  /// Help at a position of a document.
  case completion, hover, definition, references, prepareRename, rename
  case signatureHelp, documentHighlight
  /// Lists of symbols.
  case documentSymbol, workspaceSymbol
  /// The structure and the layout of a document.
  case foldingRange, selectionRange, documentLink, formatting, semanticTokens
  /// Cases of tests, and values of formulas.
  case codeLens, executeCommand, inlayHint

  var wireName: StaticString {
    switch self {
    case .initialize: Method.initialize.wireName
    case .initialized: Method.initialized.wireName
    case .shutdown: Method.shutdown.wireName
    case .exit: Method.exit.wireName
    case .cancelRequest: Method.cancelRequest.wireName
    case .setTrace: "$/setTrace"
    case .didOpen: "textDocument/didOpen"
    case .didChange: "textDocument/didChange"
    case .didSave: "textDocument/didSave"
    case .didClose: "textDocument/didClose"
    case .didChangeWatchedFiles: "workspace/didChangeWatchedFiles"
    case .didChangeWorkspaceFolders: "workspace/didChangeWorkspaceFolders"
    case .didChangeConfiguration: "workspace/didChangeConfiguration"
    case .documentDiagnostic: "textDocument/diagnostic"
    case .workspaceDiagnostic: "workspace/diagnostic"
    case .codeAction: "textDocument/codeAction"
    case .completion: "textDocument/completion"
    case .hover: "textDocument/hover"
    case .definition: "textDocument/definition"
    case .references: "textDocument/references"
    case .prepareRename: "textDocument/prepareRename"
    case .rename: "textDocument/rename"
    case .documentSymbol: "textDocument/documentSymbol"
    case .workspaceSymbol: "workspace/symbol"
    case .signatureHelp: "textDocument/signatureHelp"
    case .documentHighlight: "textDocument/documentHighlight"
    case .foldingRange: "textDocument/foldingRange"
    case .selectionRange: "textDocument/selectionRange"
    case .documentLink: "textDocument/documentLink"
    case .formatting: "textDocument/formatting"
    case .semanticTokens: "textDocument/semanticTokens/full"
    case .codeLens: "textDocument/codeLens"
    case .executeCommand: "workspace/executeCommand"
    case .inlayHint: "textDocument/inlayHint"
    }
  }

  /// The method with that name; nil if there is none.
  init?(utf8 name: UnsafeBufferPointer<UInt8>) {
    guard let found = Self.allCases.first(where: { name.hasSameBytes(as: $0.wireName) }) else { return nil }
    self = found
  }

  /// The type of the method's params, which also handles the call. nil for methods of the server's life cycle, which
  /// ``LanguageServer`` handles itself.
  var call: (any EditorCall.Type)? {
    switch self {
    case .initialize, .initialized, .shutdown, .exit, .cancelRequest, .setTrace: nil
    case .workspaceDiagnostic: nil
    case .didOpen: DidOpenParams.self
    case .didChange: DidChangeParams.self
    case .didSave: DidSaveParams.self
    case .didClose: DidCloseParams.self
    case .didChangeWatchedFiles: DidChangeWatchedFilesParams.self
    case .didChangeWorkspaceFolders: DidChangeWorkspaceFoldersParams.self
    case .didChangeConfiguration: DidChangeConfigurationParams.self
    case .documentDiagnostic: DocumentDiagnosticParams.self
    case .codeAction: CodeActionParams.self
    case .completion: CompletionParams.self
    case .hover: HoverParams.self
    case .definition: DefinitionParams.self
    case .references: ReferenceParams.self
    case .prepareRename: PrepareRenameParams.self
    case .rename: RenameParams.self
    case .documentSymbol: DocumentSymbolParams.self
    case .workspaceSymbol: WorkspaceSymbolParams.self
    case .signatureHelp: SignatureHelpParams.self
    case .documentHighlight: DocumentHighlightParams.self
    case .foldingRange: FoldingRangeParams.self
    case .selectionRange: SelectionRangeParams.self
    case .documentLink: DocumentLinkParams.self
    case .formatting: FormattingParams.self
    case .semanticTokens: SemanticTokensParams.self
    case .codeLens: CodeLensParams.self
    case .executeCommand: ExecuteCommandParams.self
    case .inlayHint: InlayHintParams.self
    }
  }
}

/// The methods that the server calls.
enum ServerMethod: WireName {
  case publishDiagnostics, progress, registerCapability, configuration, refreshDiagnostics, showMessage
  case showMessageRequest, applyEdit

  var wireName: StaticString {
    switch self {
    case .publishDiagnostics: "textDocument/publishDiagnostics"
    case .progress: "$/progress"
    case .registerCapability: "client/registerCapability"
    case .configuration: "workspace/configuration"
    case .refreshDiagnostics: "workspace/diagnostic/refresh"
    case .showMessage: "window/showMessage"
    case .showMessageRequest: "window/showMessageRequest"
    case .applyEdit: "workspace/applyEdit"
    }
  }
}
