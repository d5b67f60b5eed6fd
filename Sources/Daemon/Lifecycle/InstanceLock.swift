internal import Files
internal import JSON
package import Processes
internal import Texts

#if canImport(Glibc)
  internal import Glibc
#endif

/// Holds the lock that makes this the only daemon of its socket.
///
/// The system releases a flock lock when its process ends, however it ends. So a socket that exists while the lock is
/// free is stale, and there is no daemon to ask. The file names the process that holds it, and has a name of its own
/// that stays. The daemon never removes it, because another start may be waiting on it. (If another process removes it,
/// ``SocketPath/refuseListener()`` still protects the socket.)
package struct InstanceLock: ~Copyable {
  /// Open for the lifetime of this value.
  private let file: CInt
  /// Equal for all processes that have held this lock, and different from every other lock's: 32 hexadecimal digits.
  package let name: String

  /// Takes the lock.
  ///
  /// - Throws: ``StartError`` when another process has it, naming it.
  package init(path: String) throws(StartError) {
    let file = try Self.lock(path)
    let name = Self.name(file) ?? .randomHex(bits: 128)
    do throws(StartError) {
      try Self.writeHolder(into: file, name, path)
    } catch {
      close(file)
      throw error
    }
    self.file = file
    self.name = name
  }

  deinit {
    close(file)
  }

  /// Opens and locks the file. A file that was removed before it was locked would lock no process out: then the next
  /// file is tried.
  private static func lock(_ path: String) throws(StartError) -> CInt {
    while true {
      let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
      guard file >= 0 else {
        throw StartError("the lock file \(path) cannot be opened: \(SystemError.last)")
      }
      guard flock(file, LOCK_EX | LOCK_NB) == 0 else {
        let error = SystemError.last
        let holder = holder(file).map { "process \($0)" } ?? "another process"
        close(file)
        throw StartError(
          error.code == EWOULDBLOCK
            ? "formd already runs for this socket: \(holder) holds \(path). Use it, end it first, or choose another --socket."
            : "the lock file \(path) cannot be locked: \(error)"
        )
      }
      if FileIdentity(descriptor: file) == FileIdentity(path: path) { return file }
      close(file)
    }
  }

  private static func writeHolder(into file: CInt, _ name: String, _ path: String) throws(StartError) {
    let text = Array("\(getpid())\n\(name)\n".utf8)
    let isWritten =
      ftruncate(file, 0) == 0 && text.withUnsafeBytes { pwrite(file, $0.baseAddress, $0.count, 0) } == text.count
    guard isWritten else { throw StartError("the lock file \(path) cannot be written: \(SystemError.last)") }
  }

  private static func holder(_ file: CInt) -> Int? { lines(file).first.flatMap { Int($0) } }

  private static func name(_ file: CInt) -> String? {
    lines(file).dropFirst().first.flatMap { $0.utf8.count == 32 && $0.allSatisfy(\.isHexDigit) ? $0 : nil }
  }

  private static func lines(_ file: CInt) -> [String] {
    var text = [UInt8](repeating: 0, count: 64)
    let count = text.withUnsafeMutableBytes { pread(file, $0.baseAddress, $0.count, 0) }
    return String(decoding: text.prefix(max(count, 0)), as: UTF8.self).split(separator: "\n").map(String.init)
  }
}
