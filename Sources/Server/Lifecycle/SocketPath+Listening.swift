package import FormProtocol
internal import JSON

#if canImport(Glibc)
  internal import Glibc
#endif

/// What the daemon does with the path of its socket before it listens there.
extension SocketPath {
  /// The path of the lock file beside it.
  package var lockPath: String { path + ".lock" }

  /// That path, or the default one.
  ///
  /// - Throws: ``StartError`` when no socket can have that path.
  package init(_ wanted: String?) throws(StartError) {
    self = wanted.map { SocketPath($0, namedBy: "--socket, FORMD_SOCKET or the configuration") } ?? .standard
    guard !path.isEmpty, !path.utf8.contains(0) else {
      throw StartError("the socket's path is empty or holds a NUL; name one: --socket PATH")
    }
    guard path.utf8.count <= Self.bytesMax else {
      throw StartError(
        "the socket's path has \(path.utf8.count) bytes and the system allows \(Self.bytesMax): \(path)\n"
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
  ///
  /// - Throws: ``StartError`` when it cannot be made, or is a private folder in `/tmp` that is not the user's alone.
  package func makeFolder() throws(StartError) {
    guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return }
    let folder = String(path[..<slash])
    if case .privateFolder = origin {
      // Made first and looked at then: nobody can put a folder of theirs in its place between.
      _ = mkdir(folder, 0o700)
      if let fault { throw StartError("\(fault), so the socket is not made there; name another path: --socket PATH") }
    }
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
