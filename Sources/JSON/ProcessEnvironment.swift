#if canImport(Glibc)
  internal import Glibc
#endif

/// The variables that the process was started with.
package enum ProcessEnvironment {
  /// A variable's value; nil where it is not set, or empty.
  package static subscript(name: String) -> String? {
    guard let value = getenv(name), value.pointee != 0 else { return nil }
    return String(cString: value)
  }

  /// Takes variables out of it, so that no other part of the process, and no child of it, finds them.
  package static func remove(_ names: String...) {
    for name in names { unsetenv(name) }
  }
}
