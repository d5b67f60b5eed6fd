#if canImport(Glibc)
  internal import Glibc
#endif

/// Standard input, output and error.
package enum StandardDescriptors {
  /// Opens those of the three that the caller closed, for nothing. Otherwise the next file that is opened would get the number of one, and
  /// what is meant for people would go there. To be called first.
  package static func openMissing() {
    var descriptor: CInt
    repeat {
      descriptor = open("/dev/null", O_RDWR | O_CLOEXEC)
    } while (STDIN_FILENO...STDERR_FILENO).contains(descriptor)
    close(descriptor)
  }
}
