#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Which file a path names: two paths, or one path at two times, name the same file when these are equal. A file that
/// is open, or bound as a socket, keeps its identity for itself even when its name is gone.
package struct FileIdentity: Hashable, Sendable {
  private let device: UInt64
  private let inode: UInt64

  /// The file at that path, which is not followed if it is a link; nil when there is none.
  package init?(path: String) {
    var status = stat()
    guard lstat(path, &status) == 0 else { return nil }
    self.init(status)
  }

  /// The open file; nil when it is not open.
  package init?(descriptor: CInt) {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return nil }
    self.init(status)
  }

  /// The path of a file or folder without links and dots (realpath(3)).
  ///
  /// - Throws: ``SystemError`` as the system says.
  package static func realPath(of path: String) throws(SystemError) -> String {
    guard let real = realpath(path, nil) else { throw .last }
    defer { free(real) }
    return String(cString: real)
  }

  private init(_ status: stat) {
    device = UInt64(status.st_dev)
    inode = UInt64(status.st_ino)
  }
}
