#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The files of one kind that folders and their subfolders hold. Names that begin with a dot are skipped.
package struct FolderContents {
  /// The ends of the names of the files: `.form.json`.
  private let suffixes: [String]
  /// Whether a link to a folder is followed. The folder that is searched may be one in any case.
  private let followsLinks: Bool
  /// The largest number of files and folders that are looked at.
  private let entriesMax: Int
  private var entries = 0
  /// Their paths, in no order.
  package private(set) var files: [String] = []
  /// Folders that could not be read to their end.
  package private(set) var unread: [(path: String, error: SystemError)] = []
  /// Folders that were not looked into, because they are too many folders deep.
  package private(set) var tooDeep: [String] = []

  /// How many folders deep the search goes by default, the first one included: enough for any sensible tree.
  package static let depthMax = 8

  private let depthMax: Int

  /// No folder yet.
  ///
  /// - Parameters:
  ///   - suffixes: the ends of the names of the files that are wanted.
  ///   - followsLinks: whether a link to a folder is followed.
  ///   - depthMax: how many folders deep the search goes, the first one included.
  ///   - entriesMax: how many files and folders are looked at, in all folders together.
  package init(
    suffixes: [String],
    followsLinks: Bool = true,
    depthMax: Int = Self.depthMax,
    entriesMax: Int = .max
  ) {
    self.suffixes = suffixes
    self.followsLinks = followsLinks
    self.depthMax = depthMax
    self.entriesMax = entriesMax
  }

  /// Whether there is more than was looked at.
  package var isCutShort: Bool { entries > entriesMax }

  /// A folder that is to be read.
  private struct Folder {
    let path: String
    /// The folders around it.
    let outer: [FileIdentity]
  }

  /// Adds the content of that folder: outer files come first. A link that leads back to a folder around it is not
  /// followed.
  package mutating func find(in folder: String) {
    var waiting = [Folder(path: folder, outer: [])]
    var next = 0
    while next < waiting.count, !isCutShort {
      waiting += read(waiting[next])
      next += 1
    }
  }

  /// Adds the files in a folder. Returns its folders.
  private mutating func read(_ folder: Folder) -> [Folder] {
    guard let directory = opendir(folder.path) else {
      if folder.outer.count < depthMax { unread.append((folder.path, .last)) } else { tooDeep.append(folder.path) }
      return []
    }
    defer { closedir(directory) }
    guard let identity = FileIdentity(descriptor: dirfd(directory)), !folder.outer.contains(identity) else { return [] }
    guard folder.outer.count < depthMax else {
      tooDeep.append(folder.path)
      return []
    }
    var folders: [Folder] = []
    while true {
      // Only this value distinguishes the end from a failure.
      errno = 0
      guard let entry = readdir(directory) else { break }
      let name = withUnsafePointer(to: entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      guard !name.hasPrefix(".") else { continue }
      entries += 1
      if isCutShort { return folders }
      let path = folder.path.hasSuffix("/") ? folder.path + name : folder.path + "/" + name
      let type = entry.pointee.d_type
      // Most file systems tell the type of an entry; asking for each would take most of the time.
      let isPlain = type == UInt8(DT_REG)
      if !isPlain, type == UInt8(DT_DIR) || Self.isFolder(path) {
        if followsLinks || !Self.isLink(path) { folders.append(Folder(path: path, outer: folder.outer + [identity])) }
      } else if suffixes.contains(where: name.hasSuffix) {
        files.append(path)
      }
    }
    if errno != 0 { unread.append((folder.path, .last)) }
    return folders
  }

  private static func isLink(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
  }

  /// Whether a path leads to a pipe, a socket or a device. Reading one of them can take forever.
  package static func isPipeOrDevice(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && ![S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT)
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

  /// The identity of the file at that path now; nil if there is none.
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
