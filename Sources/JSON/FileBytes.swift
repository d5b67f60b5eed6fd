#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Reads files whole.
package enum FileBytes {
  /// All bytes of a file.
  ///
  /// - Parameters:
  ///   - path: the file; `-` is a file of that name here.
  ///   - bytesMax: a larger file is an error.
  /// - Throws: ``SystemError`` as the system says.
  package static func read(_ path: String, bytesMax: Int = .max) throws(SystemError) -> [UInt8] {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { throw .last }
    defer { close(file) }
    return try read(descriptor: file, bytesMax: bytesMax)
  }

  /// Everything that can be read from standard input until its end.
  ///
  /// - Throws: ``SystemError`` as the system says.
  package static func readStandardInput() throws(SystemError) -> [UInt8] {
    try read(descriptor: STDIN_FILENO, bytesMax: .max)
  }

  private static func read(descriptor: CInt, bytesMax: Int) throws(SystemError) -> [UInt8] {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = chunk.withUnsafeMutableBytes { systemRead(descriptor, $0.baseAddress, $0.count) }
      if count < 0 {
        let error = SystemError.last
        if error.code == EINTR { continue }
        throw error
      }
      if count == 0 { return bytes }
      guard count <= bytesMax - bytes.count else { throw SystemError(code: EFBIG) }
      bytes.append(contentsOf: chunk[..<count])
    }
  }
}

/// `read` of the system, which the functions above hide.
private func systemRead(_ descriptor: CInt, _ buffer: UnsafeMutableRawPointer?, _ count: Int) -> Int {
  read(descriptor, buffer, count)
}

/// Why a call of the system failed.
package struct SystemError: Error, Hashable, Sendable, CustomStringConvertible {
  /// `errno` (errno(3)).
  package let code: CInt

  /// The error of that code.
  package init(code: CInt) { self.code = code }

  /// What `errno` says now: to be asked before any other call.
  package static var last: SystemError { SystemError(code: errno) }

  /// What it means, as `strerror` says it.
  package var description: String { String(cString: strerror(code)) }
}
