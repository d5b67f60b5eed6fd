internal import FormCases
internal import JSON

/// The folders that are open in the editor, and the files in them.
struct FolderCatalog {
  /// So many files and folders are looked at, which takes well below a second. Who opens a whole disk finds what stands further out.
  static let entriesMax = 50_000

  /// The files of the folders.
  private struct Listing {
    /// Their paths, in order.
    var files: [String]
    /// Those of definitions.
    var definitions: [String]

    init(_ files: [String]) {
      self.files = files
      definitions = files.filter { $0.hasSuffix(DocumentKind.formSuffix) }
    }
  }

  /// Their paths, each once.
  private(set) var folders: [String]
  /// Changes with the files.
  private(set) var generation = 0
  /// Nil where somebody has to look.
  private var listing: Listing?
  /// What the user is to be told of the folders.
  private var warning: String?

  init(folders: [String]) {
    self.folders = []
    add(folders)
  }

  /// The files of the folders, in order, without what begins with a dot and what links to folders lead to; see `FolderContents`.
  mutating func files() -> [String] { list().files }

  /// The definitions among them.
  mutating func definitions() -> [String] { list().definitions }

  private mutating func list() -> Listing {
    if let listing { return listing }
    var contents = FolderContents(suffixes: [""], followsLinks: false, entriesMax: Self.entriesMax)
    for folder in folders { contents.find(in: folder) }
    if contents.isCutShort {
      warning =
        "The folders that are open have more than \(Self.entriesMax) files: forms and tests that stand deep in them may not be found. Open a smaller folder."
    }
    let listing = Listing(Set(contents.files).sorted())
    self.listing = listing
    return listing
  }

  /// What the user is to be told that was not told yet.
  mutating func takeWarning() -> String? {
    defer { warning = nil }
    return warning
  }

  /// Folders came.
  mutating func add(_ paths: [String]) {
    for path in paths where !folders.contains(path) { folders.append(path) }
    forget()
  }

  /// Folders went.
  mutating func remove(_ paths: [String]) {
    folders.removeAll(where: paths.contains)
    forget()
  }

  private mutating func forget() {
    listing = nil
    generation += 1
  }

  /// A file came, or a folder; or one was written that may be new.
  mutating func came(_ path: String) {
    guard let folder = folder(of: path), var files = listing?.files else { return }
    if FolderContents.isFolder(path) { return forget() }
    let names = path.dropFirst(folder.count).split(separator: "/")
    guard names.count <= FolderContents.depthMax, !names.contains(where: { $0.hasPrefix(".") }) else { return }
    let place = files.partitioningIndex { $0 >= path }
    if place < files.count, files[place] == path { return }
    files.insert(path, at: place)
    listing = Listing(files)
    generation += 1
  }

  /// A file went, or a folder with all that it held.
  mutating func went(_ path: String) {
    guard let files = listing?.files else { return }
    let rest = files.filter { $0 != path && !$0.hasPrefix(path + "/") }
    if rest.count == files.count { return }
    listing = Listing(rest)
    generation += 1
  }

  /// The folder that a file is in, the innermost; nil where that is none of these.
  func folder(of path: String) -> String? {
    folders.filter { path.hasPrefix($0.hasSuffix("/") ? $0 : $0 + "/") }.max { $0.utf8.count < $1.utf8.count }
  }
}

extension [String] {
  /// The first position from which on a condition holds; it holds nowhere before.
  fileprivate func partitioningIndex(where holds: (String) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if holds(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
