#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The files of one kind that folders and their subfolders hold. What begins with a dot is passed over.
package struct FolderContents {
  /// The end of the names of the files: `.form.json`.
  package let suffix: String
  /// Their paths, in no order.
  package private(set) var files: [String] = []
  /// Folders that could not be read to their end.
  package private(set) var unread: [(path: String, error: SystemError)] = []
  /// Folders that were not looked into, because they are as many folders deep as ``depthMax`` says.
  package private(set) var tooDeep: [String] = []

  /// How many folders deep the search goes, the first one included: enough for any sensible tree.
  package static let depthMax = 8

  /// No folder yet.
  package init(suffix: String) { self.suffix = suffix }

  /// Adds what that folder holds. A link to a folder is followed, but not one that leads back to a folder that it stands in.
  package mutating func find(in folder: String) { find(in: folder, inside: []) }

  /// - Parameter outer: the folders that this one stands in.
  private mutating func find(in folder: String, inside outer: [FileIdentity]) {
    guard let directory = opendir(folder) else {
      if outer.count < Self.depthMax { unread.append((folder, .last)) } else { tooDeep.append(folder) }
      return
    }
    defer { closedir(directory) }
    guard let identity = FileIdentity(descriptor: dirfd(directory)), !outer.contains(identity) else { return }
    guard outer.count < Self.depthMax else {
      tooDeep.append(folder)
      return
    }
    while true {
      // The end and a failure look alike, but for this.
      errno = 0
      guard let entry = readdir(directory) else { break }
      let name = withUnsafePointer(to: entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      guard !name.hasPrefix(".") else { continue }
      let path = folder.hasSuffix("/") ? folder + name : folder + "/" + name
      if Self.isFolder(path) {
        find(in: path, inside: outer + [identity])
      } else if name.hasSuffix(suffix) {
        files.append(path)
      }
    }
    if errno != 0 { unread.append((folder, .last)) }
  }

  /// Whether a path leads to a folder.
  package static func isFolder(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }
}

/// The content that a path had at one time, without reading it: two are equal when nothing was written in between.
package struct FileVersion: Hashable, Sendable {
  private let inode: UInt64
  private let bytes: Int64
  private let seconds: Int64
  private let nanoseconds: Int64

  /// What stands at that path now; nil when nothing does.
  package init?(path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    inode = UInt64(status.st_ino)
    bytes = Int64(status.st_size)
    #if canImport(Darwin)
      let modified = status.st_mtimespec
    #else
      let modified = status.st_mtim
    #endif
    seconds = Int64(modified.tv_sec)
    nanoseconds = Int64(modified.tv_nsec)
  }
}
