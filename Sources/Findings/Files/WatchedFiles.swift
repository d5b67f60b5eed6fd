internal import Files
internal import JSON

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The files that a run depends on: files in and below the named folders, and in and below the folders of named files.
package struct WatchedFiles {
  private let folders: Set<String>
  private let suffixes: [String]
  private var versions: [String: FileVersion]

  /// The interval between checks, too short for people to notice a delay. Reading the versions of some dozen files this
  /// often has no measurable cost. Unlike events of the system, it works for network mounts, and for editors that
  /// replace a file.
  private static let intervalMicroseconds: UInt32 = 300_000

  /// Records the current files.
  ///
  /// - Parameters:
  ///   - paths: files, folders, and patterns. Of a pattern, the part before the first wildcard counts.
  ///   - suffixes: the suffixes of the file names to include.
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

  /// Returns when a file has changed since the last call, or is new, or was removed.
  package mutating func waitForChange() {
    while true {
      usleep(Self.intervalMicroseconds)
      let now = Self.versions(in: folders, suffixes)
      defer { versions = now }
      if now != versions { return }
    }
  }
}
