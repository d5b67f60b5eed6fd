internal import Files
internal import JSON

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// A pattern of paths, as in shells (fnmatch(3)).
///
/// - `*`, `?` and `[…]` match within a name.
/// - `**` matches any number of folders.
/// - Only a dot matches a dot at the start of a name.
struct PathPattern {
  private let start: String
  private let parts: [Substring]

  /// Whether a path contains a wildcard.
  static func isPattern(_ path: String) -> Bool {
    path.utf8.contains { $0 == UInt8(ascii: "*") || $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "[") }
  }

  init(_ text: String) {
    start = text.hasPrefix("/") ? "/" : ""
    parts = text.split(separator: "/")
  }

  /// The files that match, in no order.
  ///
  /// - Parameter suffixes: the suffixes of the file names to include, if the pattern ends with `**`.
  func matches(suffixes: [String]) -> Set<String> {
    var found: Set<String> = []
    find(in: start, parts[...], suffixes, into: &found)
    return found
  }

  private func find(
    in folder: String,
    _ parts: ArraySlice<Substring>,
    _ suffixes: [String],
    into found: inout Set<String>
  ) {
    guard let part = parts.first else { return }
    let rest = parts.dropFirst()
    if part == "**" {
      if rest.isEmpty {
        var contents = FolderContents(suffixes: suffixes, depthMax: FileSelection.depthMax)
        contents.find(in: folder.isEmpty ? "." : folder)
        found.formUnion(contents.files.map { folder.isEmpty ? String($0.dropFirst(2)) : $0 })
        return
      }
      // `**` matches no folder or one more. A link to a folder is not followed, since it may lead to a cycle.
      find(in: folder, rest, suffixes, into: &found)
      for name in Self.names(in: folder) where !name.hasPrefix(".") {
        let path = folder + name
        if Self.isFolderItself(path) { find(in: path + "/", parts, suffixes, into: &found) }
      }
      return
    }
    guard Self.isPattern(String(part)) else { return go(to: folder + part, rest, suffixes, into: &found) }
    for name in Self.names(in: folder) where fnmatch(String(part), name, FNM_PERIOD) == 0 {
      go(to: folder + name, rest, suffixes, into: &found)
    }
  }

  private func go(
    to path: String,
    _ rest: ArraySlice<Substring>,
    _ suffixes: [String],
    into found: inout Set<String>
  ) {
    if !rest.isEmpty { return find(in: path + "/", rest, suffixes, into: &found) }
    if FileVersion(path: path) != nil, !FolderContents.isFolder(path) { found.insert(path) }
  }

  private static func isFolderItself(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  /// The names in a folder; none if it cannot be read, or if it is not a folder.
  private static func names(in folder: String) -> [String] {
    guard let directory = opendir(folder.isEmpty ? "." : folder) else { return [] }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafePointer(to: entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names
  }
}
