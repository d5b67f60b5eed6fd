internal import Files
internal import FormCases
internal import Forms
internal import JSON

/// The folders that are open in the editor, and the files in them.
struct FolderCatalog {
  /// At most this many files and folders are listed, which takes well below a second. If the editor opens a whole disk,
  /// deeper files are not found.
  static let entriesMax = 50_000

  /// The files of the folders.
  private struct Listing {
    /// Their paths, in order.
    var files: [String]
    /// The paths of the definitions.
    var definitions: [String]

    init(_ files: [String]) {
      self.files = files
      definitions = files.filter { AuthoredFile.form.stem(of: $0) != nil }
    }
  }

  /// Their paths, each once.
  private(set) var folders: [String]
  /// A counter that changes with the files.
  private(set) var generation = 0
  /// nil if the folders must be listed again.
  private var listing: Listing?
  /// A warning to the user about the folders.
  private var warning: String?

  init(folders: [String]) {
    self.folders = []
    add(folders)
  }

  /// The files of the folders, in order. Names that begin with a dot and links to folders are left out; see
  /// `FolderContents`.
  mutating func files() -> [String] { list().files }

  /// The definitions among the files.
  mutating func definitions() -> [String] { list().definitions }

  private mutating func list() -> Listing {
    if let listing { return listing }
    var contents = FolderContents(suffixes: [""], followsLinks: false, entriesMax: Self.entriesMax)
    for folder in folders { contents.find(in: folder) }
    if contents.isCutShort {
      warning =
        "The open folders have more than \(Self.entriesMax) files, so forms and tests in deep folders may be missing. "
        + "Open a smaller folder."
    }
    let listing = Listing(Set(contents.files).sorted())
    self.listing = listing
    return listing
  }

  /// Takes the warning for the user, if it was not taken before.
  mutating func takeWarning() -> String? {
    defer { warning = nil }
    return warning
  }

  /// Adds folders.
  mutating func add(_ paths: [String]) {
    for path in paths where !folders.contains(path) { folders.append(path) }
    forget()
  }

  /// Removes folders.
  mutating func remove(_ paths: [String]) {
    folders.removeAll(where: paths.contains)
    forget()
  }

  private mutating func forget() {
    listing = nil
    generation += 1
  }

  /// Notes a new file or folder, or a write to a file that may be new.
  mutating func came(_ path: String) {
    guard let folder = folder(of: path), var files = listing?.files else { return }
    if FolderContents.isFolder(path) { return forget() }
    let names = path.dropFirst(folder.count).split(separator: "/")
    guard names.count <= FolderContents.depthMax, !names.contains(where: { $0.hasPrefix(".") }) else { return }
    let index = files.partitioningIndex { $0 >= path }
    if index < files.count, files[index] == path { return }
    files.insert(path, at: index)
    listing = Listing(files)
    generation += 1
  }

  /// Notes the removal of a file, or of a folder with all its files.
  mutating func went(_ path: String) {
    guard let files = listing?.files else { return }
    let rest = files.filter { $0 != path && !$0.hasPrefix(path + "/") }
    if rest.count == files.count { return }
    listing = Listing(rest)
    generation += 1
  }

  /// The innermost folder that contains a file; nil if none of the folders does.
  func folder(of path: String) -> String? {
    folders.filter { path.hasPrefix($0.hasSuffix("/") ? $0 : $0 + "/") }.max { $0.utf8.count < $1.utf8.count }
  }
}

extension [String] {
  /// The first position at which a condition holds. It must hold at all positions behind, and at none before.
  fileprivate func partitioningIndex(where holds: (String) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if holds(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
