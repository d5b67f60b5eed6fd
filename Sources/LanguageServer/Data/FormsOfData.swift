package import JSON
internal import SourceTexts
internal import Times

/// The forms that files of data name, found as the language server finds them: by `$form`, by a comment
/// `formd: NAME`, by `$schema`, or by the file `.formd-files.json` of the folder.
package struct FormsOfData {
  /// The form of a file.
  package enum Named: Sendable, Hashable {
    /// The path of its definition.
    case form(String)
    /// A name or path that leads to no form, and where the file has it.
    case unknown(name: String, position: LineColumn)
    /// The file names none, or cannot be read.
    case none
  }

  private var workspace: Workspace

  /// The forms in a folder and below it.
  ///
  /// - Parameter folder: an absolute path.
  package init(folder: String) {
    workspace = Workspace(clock: FormClock(now: { .epoch }, zone: .utc))
    workspace.catalog = FolderCatalog(folders: [folder])
  }

  /// The form of the file at an absolute path.
  package mutating func form(of path: String) -> Named {
    if let form = workspace.formKey(ofData: path) { return .form(form) }
    guard let text = workspace.texts.snapshot(of: path)?.text else { return .none }
    if case .form(let name, let range)? = workspace.data(at: path)?.reference {
      return .unknown(name: name, position: text.position(of: range.lowerBound))
    }
    return workspace.listedForm(of: path).map { .unknown(name: $0, position: text.position(of: 0)) } ?? .none
  }
}
