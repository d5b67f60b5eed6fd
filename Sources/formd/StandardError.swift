#if canImport(Glibc)
  internal import Glibc
#endif

/// Says something to the user that is no result.
func complain(_ text: String) {
  let line = Array((text + "\n").utf8)
  _ = line.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
}
