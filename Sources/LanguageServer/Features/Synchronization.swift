internal import JSON

extension DidOpenParams {
  func apply(to workspace: inout Workspace) {
    workspace.texts.opened(document)
    workspace.wantChecks(of: DocumentURI.key(of: document.uri))
    workspace.invalidateDiagnostics()
  }
}

extension DidChangeParams {
  func apply(to workspace: inout Workspace) {
    workspace.texts.changed(self, workspace.encoding)
    workspace.invalidateDiagnostics()
  }
}

extension DidSaveParams {
  func apply(to workspace: inout Workspace) {
    let key = DocumentURI.key(of: document.uri)
    workspace.catalog.came(key)
    workspace.wantChecks(of: key)
    workspace.invalidateDiagnostics()
  }
}

extension DidCloseParams {
  func apply(to workspace: inout Workspace) { workspace.closed(document.uri) }
}

extension DidChangeWatchedFilesParams {
  func apply(to workspace: inout Workspace) {
    for change in changes {
      guard let path = DocumentURI.path(of: change.uri) else { continue }
      switch change.kind {
      case .created: workspace.catalog.came(path)
      case .deleted: workspace.catalog.went(path)
      case .changed: break
      }
    }
    workspace.invalidateDiagnostics()
  }
}

extension DidChangeWorkspaceFoldersParams {
  func apply(to workspace: inout Workspace) {
    workspace.catalog.remove(event.removed.compactMap { DocumentURI.path(of: $0.uri) })
    workspace.catalog.add(event.added.compactMap { DocumentURI.path(of: $0.uri) })
    workspace.invalidateDiagnostics()
  }
}

extension DidChangeConfigurationParams {
  func apply(to workspace: inout Workspace) {
    // Editors that answer `workspace/configuration` send no settings in this notification.
    guard let settings, settings.objectValue != nil else { return }
    workspace.settingsChanged(Settings(settings))
  }
}
