internal import JSON

#if canImport(Glibc)
  internal import Glibc
#endif

/// Holds the lock that makes this the only daemon of its socket.
///
/// A lock held with flock ends with its process, however it ends; so a socket that is there while the lock is free is stale,
/// and nobody has to be probed. The file says who holds it. It is never removed: another start may be waiting on it.
package struct InstanceLock: ~Copyable {
  /// Open for as long as this value lives.
  private let file: CInt

  /// Takes the lock.
  ///
  /// - Throws: ``StartError`` when another process has it, naming it.
  package init(path: String) throws(StartError) {
    file = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard file >= 0 else {
      throw StartError("the lock file \(path) cannot be opened: \(SystemError.last)")
    }
    guard flock(file, LOCK_EX | LOCK_NB) == 0 else {
      let reason = errno
      guard reason == EWOULDBLOCK else {
        throw StartError("the lock file \(path) cannot be locked: \(SystemError.last)")
      }
      let holder = Self.holder(file).map { "process \($0)" } ?? "another process"
      throw StartError(
        "formd already runs for this socket: \(holder) holds \(path). Use it, end it first, or choose another --socket."
      )
    }
    let text = Array("\(getpid())\n".utf8)
    let isWritten =
      ftruncate(file, 0) == 0 && text.withUnsafeBytes { pwrite(file, $0.baseAddress, $0.count, 0) } == text.count
    guard isWritten else {
      throw StartError("the lock file \(path) cannot be written: \(SystemError.last)")
    }
  }

  deinit {
    if file >= 0 { close(file) }
  }

  private static func holder(_ file: CInt) -> Int? {
    var text = [UInt8](repeating: 0, count: 32)
    let count = text.withUnsafeMutableBytes { pread(file, $0.baseAddress, $0.count, 0) }
    guard count > 0 else { return nil }
    return Int(String(decoding: text[..<count].prefix { $0 >= 48 && $0 <= 57 }, as: UTF8.self))
  }
}
