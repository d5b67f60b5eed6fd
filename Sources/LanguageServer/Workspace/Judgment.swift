/// What was found in a document, and all that it follows from.
struct Judgment {
  let findings: [Finding]
  /// By key of each document that was read: the stamp of its text.
  let texts: [String: Int]
  /// What besides texts decided; nil where nothing did.
  let surroundings: Surroundings?

  /// What decides which form data is for, and how it is judged.
  struct Surroundings: Equatable {
    let settings: Settings
    /// Which files the folders have.
    let files: Int
    /// Which documents are open.
    let open: Int

    /// As it is now.
    init(of workspace: Workspace) {
      settings = workspace.settings
      files = workspace.catalog.generation
      open = workspace.texts.openGeneration
    }
  }

  /// Whether the document would be judged alike now.
  func holds(in workspace: inout Workspace) -> Bool {
    if let surroundings, surroundings != Surroundings(of: workspace) { return false }
    return texts.allSatisfy { workspace.texts.stamp(of: $0.key) == $0.value }
  }
}
