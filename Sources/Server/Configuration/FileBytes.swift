#if canImport(Glibc)
  internal import Glibc
#endif

/// Reads small files whole.
enum FileBytes {
  /// The file's bytes; nil when it cannot be read or is larger than that, and `errno` says why.
  static func read(_ path: String, bytesMax: Int) -> [UInt8]? {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = chunk.withUnsafeMutableBytes { Glibc.read(file, $0.baseAddress, $0.count) }
      if count < 0 {
        if errno == EINTR { continue }
        return nil
      }
      if count == 0 { return bytes }
      guard bytes.count + count <= bytesMax else {
        errno = EFBIG
        return nil
      }
      bytes.append(contentsOf: chunk[..<count])
    }
  }

  /// What `errno` means, for people.
  static func lastErrorText() -> String { String(cString: strerror(errno)) }
}
