#if canImport(Glibc)
  internal import Glibc
#endif

/// Standard input, output and error.
package enum StandardDescriptors {
  /// Opens `/dev/null` for each of the three that the caller closed. Otherwise the next opened file would get such a
  /// number, and messages for people would go into that file. To be called first.
  package static func openMissing() {
    var descriptor: CInt
    repeat {
      descriptor = open("/dev/null", O_RDWR | O_CLOEXEC)
    } while (STDIN_FILENO...STDERR_FILENO).contains(descriptor)
    close(descriptor)
  }
}
