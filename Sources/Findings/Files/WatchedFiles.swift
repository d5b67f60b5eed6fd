internal import JSON

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The files that a run depends on: those in and below the folders that are named, and in those of files that are.
package struct WatchedFiles {
  private let folders: Set<String>
  private let suffixes: [String]
  private var versions: [String: FileVersion]

  /// People notice no delay below this. Asking for the versions of some dozen files so often costs nothing that could be measured, and,
  /// unlike what the system tells by itself, it works for network mounts and for editors that put a new file in the old one's place.
  private static let intervalMicroseconds: UInt32 = 300_000

  /// The files as they are now.
  ///
  /// - Parameters:
  ///   - paths: files, folders, and patterns, of which the part before the first mark counts.
  ///   - suffixes: the ends of the names of the files.
  package init(around paths: [String], suffixes: [String]) {
    folders = Set(paths.map(Self.folder))
    self.suffixes = suffixes
    versions = Self.versions(in: folders, suffixes)
  }

  private static func folder(of path: String) -> String {
    if FolderContents.isFolder(path) { return path }
    let plain = path.prefix { !"*?[".contains($0) }
    return plain.lastIndex(of: "/").map { String(plain[...$0]) } ?? "."
  }

  private static func versions(in folders: Set<String>, _ suffixes: [String]) -> [String: FileVersion] {
    var contents = FolderContents(suffixes: suffixes, depthMax: FileSelection.depthMax)
    for folder in folders { contents.find(in: folder) }
    var versions: [String: FileVersion] = [:]
    for file in contents.files { versions[file] = FileVersion(path: file) }
    return versions
  }

  /// Returns when a file is another than at the last call, or is new, or gone.
  package mutating func waitForChange() {
    while true {
      usleep(Self.intervalMicroseconds)
      let now = Self.versions(in: folders, suffixes)
      defer { versions = now }
      if now != versions { return }
    }
  }
}
