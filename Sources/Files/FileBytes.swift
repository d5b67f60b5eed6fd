#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Reads files whole. A byte order mark at the start is left out: it says nothing in UTF-8.
package enum FileBytes {
  /// The bytes of a file that are read if the caller has no lower limit. Values that people and test suites write are
  /// smaller. The limit keeps a device without an end, or a file with a hole, from filling the memory.
  package static let bytesMax = 256 << 20

  /// All bytes of a file.
  ///
  /// - Parameters:
  ///   - path: the file; `-` is a file of that name here.
  ///   - bytesMax: a larger file is an error.
  ///   - mayWait: whether the file may be a pipe, a terminal or a device. Opening and reading them can take forever.
  ///     The caller sets this for a file that the user names and waits for. It does not set this for a file that is
  ///     found in a folder or referred to.
  /// - Throws: ``SystemError`` as the system says, or ``SystemError/notRegular``.
  package static func read(
    _ path: String,
    bytesMax: Int = Self.bytesMax,
    mayWait: Bool = false
  ) throws(SystemError) -> [UInt8] {
    // Without O_NONBLOCK a pipe that nobody writes to would be waited for here, before anybody can see that it is one.
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | (mayWait ? 0 : O_NONBLOCK))
    guard file >= 0 else { throw .last }
    defer { close(file) }
    if !mayWait { try refuseWhatIsNotRegular(file) }
    return try read(descriptor: file, bytesMax: bytesMax)
  }

  private static func refuseWhatIsNotRegular(_ file: CInt) throws(SystemError) {
    var status = stat()
    guard fstat(file, &status) == 0 else { throw .last }
    switch status.st_mode & S_IFMT {
    case S_IFREG: return
    case S_IFDIR: throw SystemError(code: EISDIR)
    default: throw .notRegular
    }
  }

  /// How many bytes a file seems to have; 0 for anything that is not a regular file.
  private static func size(ofFile file: CInt) -> Int {
    var status = stat()
    guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return 0 }
    return max(0, Int(status.st_size))
  }

  /// All bytes of standard input until its end.
  ///
  /// - Parameter bytesMax: more is an error.
  /// - Throws: ``SystemError`` as the system says.
  package static func readStandardInput(bytesMax: Int = Self.bytesMax) throws(SystemError) -> [UInt8] {
    try read(descriptor: STDIN_FILENO, bytesMax: bytesMax)
  }

  /// The bytes of a large file that one call of the system reads.
  private static let chunkBytes = 1 << 16

  private static func read(descriptor: CInt, bytesMax: Int) throws(SystemError) -> [UInt8] {
    let size = size(ofFile: descriptor)
    guard size <= bytesMax else { throw .tooLarge(bytesMax: bytesMax) }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(size)
    // One byte more than the file seems to have: the next call finds its end.
    var chunk = [UInt8](repeating: 0, count: size == 0 ? chunkBytes : min(size + 1, chunkBytes))
    while true {
      let count = chunk.withUnsafeMutableBytes { systemRead(descriptor, $0.baseAddress, $0.count) }
      if count < 0 {
        let error = SystemError.last
        if error.code == EINTR { continue }
        throw error
      }
      if count == 0 { break }
      guard count <= bytesMax - bytes.count else { throw .tooLarge(bytesMax: bytesMax) }
      bytes.append(contentsOf: chunk[..<count])
    }
    if bytes.starts(with: [0xef, 0xbb, 0xbf]) { bytes.removeFirst(3) }
    return bytes
  }
}

/// `read` of the system, which the functions above this one hide.
private func systemRead(_ descriptor: CInt, _ buffer: UnsafeMutableRawPointer?, _ count: Int) -> Int {
  read(descriptor, buffer, count)
}

/// Why a call of the system failed.
package struct SystemError: Error, Hashable, Sendable, CustomStringConvertible {
  /// `errno` (errno(3)), or the code of ``notRegular``.
  package let code: CInt
  /// The limit that a file exceeds, if this error says so.
  private var bytesMax: Int?

  /// The error of that code.
  package init(code: CInt) { self.code = code }

  /// The current value of `errno`: read it before any other call.
  package static var last: SystemError { SystemError(code: errno) }

  /// The path names a pipe, a socket or a device, but a file with bytes is needed. This is not a code of the system's.
  package static let notRegular = SystemError(code: -1)

  /// A file has more bytes than its reader takes.
  package static func tooLarge(bytesMax: Int) -> SystemError {
    var error = SystemError(code: EFBIG)
    error.bytesMax = bytesMax
    return error
  }

  /// The path names no file.
  package var isMissing: Bool { code == ENOENT || code == ENOTDIR }

  /// A file is larger than it may be.
  package var isTooLarge: Bool { code == EFBIG }

  /// The meaning of the code: for a system's code the text of `strerror`.
  package var description: String {
    if self == .notRegular { return "It is not a regular file" }
    guard let bytesMax else { return String(cString: strerror(code)) }
    let limit = bytesMax >= 1 << 20 ? "\(bytesMax >> 20) MiB" : "\(bytesMax) bytes"
    return "It has more than \(limit); use a smaller file"
  }
}
