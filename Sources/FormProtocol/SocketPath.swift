internal import Files
internal import JSON

#if canImport(Glibc)
  internal import Glibc
#endif

/// The path of the daemon's socket: the one answer that the daemon and its clients share.
public struct SocketPath: Hashable, Sendable {
  /// The source of a path. Messages about a socket that cannot be used name it.
  public enum Origin: Hashable, Sendable {
    /// It was named explicitly: by a flag, the variable `FORMD_SOCKET`, or the configuration.
    case named(by: String)
    /// `XDG_RUNTIME_DIR` gives the folder of the user's sockets (XDG Base Directory Specification).
    case runtimeVariable
    /// `XDG_RUNTIME_DIR` is not set, and the folder that the system makes for the user is there (pam_systemd(8)).
    case runtimeFolder(String)
    /// Neither exists: a private folder of the user in `/tmp`.
    case privateFolder(String)
  }

  /// The path that the daemon binds and clients connect to.
  public let path: String
  /// The source of the path.
  public let origin: Origin

  /// Bytes that `sockaddr_un` has for a path: 108, including the final NUL (unix(7)).
  public static let bytesMax = 107

  public init(_ path: String, namedBy source: String) {
    self.path = path
    origin = .named(by: source)
  }

  private init(folder: String, origin: Origin) {
    path = folder + "/formd.sock"
    self.origin = origin
  }

  /// The default path of the socket: `$XDG_RUNTIME_DIR/formd/formd.sock`, else `/run/user/UID/formd/formd.sock` if that
  /// folder exists and belongs to the user, else `/tmp/formd-UID/formd.sock`.
  public static var standard: SocketPath {
    standard(runtimeVariable: ProcessEnvironment["XDG_RUNTIME_DIR"], userID: geteuid()) { folder in
      var status = stat()
      return lstat(folder, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR && status.st_uid == geteuid()
    }
  }

  /// ``standard`` for that environment, user and file system.
  ///
  /// - Parameters:
  ///   - runtimeVariable: the value of `XDG_RUNTIME_DIR`.
  ///   - isOwnFolder: whether the path is a folder that belongs to the user.
  package static func standard(
    runtimeVariable: String?,
    userID: UInt32,
    isOwnFolder: (_ path: String) -> Bool
  ) -> SocketPath {
    if let runtimeVariable { return SocketPath(folder: runtimeVariable + "/formd", origin: .runtimeVariable) }
    let runtime = "/run/user/\(userID)"
    if isOwnFolder(runtime) { return SocketPath(folder: runtime + "/formd", origin: .runtimeFolder(runtime)) }
    let own = "/tmp/formd-\(userID)"
    return SocketPath(folder: own, origin: .privateFolder(own))
  }

  /// The path that a client connects to: the one named, else `$FORMD_SOCKET`, else ``standard``.
  ///
  /// - Parameters:
  ///   - named: a path that a flag names.
  ///   - flag: that flag, for people.
  public static func forClient(named: String? = nil, by flag: String = "--socket") -> SocketPath {
    if let named { return SocketPath(named, namedBy: flag) }
    if let path = ProcessEnvironment["FORMD_SOCKET"] { return SocketPath(path, namedBy: "FORMD_SOCKET") }
    return standard
  }

  /// The path of the lock file beside it, which the daemon of the socket holds (flock(2)).
  package var lockPath: String { path + ".lock" }

  /// Why a private folder in `/tmp`, which is writable for every user, cannot be used: it does not exist, belongs to
  /// another user, or is open to others. Nil when it belongs to the user alone, and for all other origins.
  ///
  /// The daemon asks before it listens there; a client asks before it connects, because it may send secrets.
  package var problem: String? {
    guard case .privateFolder(let folder) = origin else { return nil }
    var status = stat()
    // A link is not followed: any user may have made it.
    guard lstat(folder, &status) == 0 else { return "there is no folder \(folder)" }
    if status.st_mode & S_IFMT != S_IFDIR { return "\(folder) is not a folder" }
    if status.st_uid != geteuid() { return "the folder \(folder) belongs to the user \(status.st_uid)" }
    if status.st_mode & 0o077 != 0 { return "the folder \(folder) is open to other users" }
    return nil
  }
}

extension SocketPath.Origin: CustomStringConvertible {
  /// The origin of the path and the reason, for people: the words after "chosen by".
  public var description: String {
    switch self {
    case .named(let source): source
    case .runtimeVariable: "XDG_RUNTIME_DIR"
    case .runtimeFolder(let folder): "the default, because XDG_RUNTIME_DIR is not set and you own \(folder)"
    case .privateFolder: "the default, because XDG_RUNTIME_DIR is not set and you own no folder in /run/user"
    }
  }
}
