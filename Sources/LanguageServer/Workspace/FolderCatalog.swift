internal import FormCases
internal import JSON

/// The folders that are open in the editor, and the files in them.
struct FolderCatalog {
  /// Their paths, each once.
  private(set) var folders: [String]
  /// The paths of their files, in order; nil where somebody has to look.
  private var listed: [String]?

  init(folders: [String]) {
    self.folders = []
    add(folders)
  }

  /// The files of the folders, without what begins with a dot; see `FolderContents`.
  mutating func files() -> [String] {
    if let listed { return listed }
    var contents = FolderContents(suffix: "")
    for folder in folders { contents.find(in: folder) }
    let files = Set(contents.files).sorted()
    listed = files
    return files
  }

  /// Folders came.
  mutating func add(_ paths: [String]) {
    for path in paths where !folders.contains(path) { folders.append(path) }
    listed = nil
  }

  /// Folders went.
  mutating func remove(_ paths: [String]) {
    folders.removeAll(where: paths.contains)
    listed = nil
  }

  /// Files came or went.
  mutating func filesChanged() { listed = nil }

  /// A file was written that may be new.
  mutating func saved(_ path: String) {
    guard let listed, !listed.contains(path), folder(of: path) != nil else { return }
    filesChanged()
  }

  /// The folder that a file is in, the innermost; nil where that is none of these.
  func folder(of path: String) -> String? {
    folders.filter { path.hasPrefix($0.hasSuffix("/") ? $0 : $0 + "/") }.max { $0.utf8.count < $1.utf8.count }
  }
}
