internal import JSON

#if canImport(Glibc)
  internal import Glibc
#endif

/// Why the daemon cannot start, and what to do about it.
package struct StartError: Error, Hashable, Sendable, CustomStringConvertible {
  /// One sentence or two, for people.
  package var description: String

  package init(_ description: String) {
    self.description = description
  }
}

/// Where the socket is.
package struct SocketPath: Hashable, Sendable {
  /// The path, as it is bound.
  package let path: String

  /// `sun_path` holds 108 bytes, the last of which is NUL (unix(7)).
  static let pathBytesMax = 107

  /// The path of the lock file beside it.
  package var lockPath: String { path + ".lock" }

  /// That path, or the default one.
  ///
  /// - Throws: ``StartError`` when it is too long for the system, or when there is no default.
  package init(_ wanted: String?) throws(StartError) {
    if let wanted {
      path = wanted
    } else if let runtime = getenv("XDG_RUNTIME_DIR"), runtime.pointee != 0 {
      path = String(cString: runtime) + "/formd/formd.sock"
    } else {
      throw StartError(
        "XDG_RUNTIME_DIR is not set, so there is no default place for the socket; name one: --socket /tmp/formd-\(geteuid())/formd.sock"
      )
    }
    guard !path.isEmpty, !path.utf8.contains(0) else {
      throw StartError("the socket's path is empty or holds a NUL; name one: --socket PATH")
    }
    guard path.utf8.count <= Self.pathBytesMax else {
      throw StartError(
        "the socket's path has \(path.utf8.count) bytes and the system allows \(Self.pathBytesMax): \(path)\n"
          + "Choose a shorter one with --socket, in a folder of your own under /run or /tmp, or start the daemon in that "
          + "folder with a relative path."
      )
    }
  }

  /// Nothing but a socket is ever replaced: a mistyped path must not cost a file.
  func refuseWhatIsNoSocket() throws(StartError) {
    var status = stat()
    guard lstat(path, &status) == 0, status.st_mode & S_IFMT != S_IFSOCK else { return }
    throw StartError("\(path) is there and is not a socket, so it stays; name another path with --socket")
  }

  /// Makes the socket's folder if it is missing, readable by its owner only.
  func makeFolder() throws(StartError) {
    guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return }
    let folder = String(path[..<slash])
    var status = stat()
    if stat(folder, &status) == 0 {
      guard status.st_mode & S_IFMT == S_IFDIR else {
        throw StartError("\(folder) is not a folder; the socket cannot be made in it")
      }
      return
    }
    // Only the last folder is ours to make private; those above it are made as usual.
    var position = folder.startIndex
    while let next = folder[position...].dropFirst().firstIndex(of: "/") {
      _ = mkdir(String(folder[..<next]), 0o700)
      position = next
    }
    guard mkdir(folder, 0o700) == 0 || errno == EEXIST else {
      throw StartError("the folder \(folder) cannot be made: \(SystemError.last)")
    }
  }
}
