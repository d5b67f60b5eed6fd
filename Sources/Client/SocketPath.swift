#if canImport(Glibc)
  internal import Glibc
#endif

/// Where the daemon listens when nothing else is said.
package enum SocketPath {
  /// Bytes that `sockaddr_un` has for a path, without the NUL at its end (unix(7)).
  package static let bytesMax = 107

  /// `$FORMD_SOCKET`, else `$XDG_RUNTIME_DIR/formd/formd.sock`, else `/run/user/UID/formd/formd.sock`.
  package static var standard: String {
    if let path = environment("FORMD_SOCKET") { return path }
    let runtime = environment("XDG_RUNTIME_DIR") ?? "/run/user/\(getuid())"
    return runtime + "/formd/formd.sock"
  }

  /// The variable's text; nil when it is not set or empty.
  private static func environment(_ name: String) -> String? {
    guard let value = getenv(name), value.pointee != 0 else { return nil }
    return String(cString: value)
  }
}
