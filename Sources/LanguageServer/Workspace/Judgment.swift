/// The findings in a document, and everything that they depend on.
struct Judgment {
  let findings: [Finding]
  /// The stamp of each document that was read, by its key.
  let texts: [String: Int]
  /// The dependencies that are not texts; nil if there are none.
  let surroundings: Surroundings?

  /// The state that decides which form data is for, and how the form judges the data.
  struct Surroundings: Equatable {
    let settings: Settings
    /// The generation of the folders' files.
    let files: Int
    /// The generation of the open documents.
    let open: Int

    /// The current state.
    init(of workspace: Workspace) {
      settings = workspace.settings
      files = workspace.catalog.generation
      open = workspace.texts.openGeneration
    }
  }

  /// Whether the findings are still valid.
  func holds(in workspace: inout Workspace) -> Bool {
    if let surroundings, surroundings != Surroundings(of: workspace) { return false }
    return texts.allSatisfy { workspace.texts.stamp(of: $0.key) == $0.value }
  }
}
