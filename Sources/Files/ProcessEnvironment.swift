#if canImport(Glibc)
  internal import Glibc
#endif

/// The variables that the process was started with.
package enum ProcessEnvironment {
  /// A variable's value; nil if it is not set, or empty.
  package static subscript(name: String) -> String? {
    guard let value = getenv(name), value.pointee != 0 else { return nil }
    return String(cString: value)
  }

  /// Takes variables out of it, so that no other part of the process, and no child of it, finds them.
  package static func remove(_ names: String...) {
    for name in names { unsetenv(name) }
  }

  /// A folder of the user's (XDG Base Directory Specification): the variable's value if that is an absolute path, else
  /// the folder of that name in the home folder; nil if neither exists.
  package static func userFolder(_ name: String, else fallback: String) -> String? {
    if let folder = self[name], folder.hasPrefix("/") { return folder }
    return self["HOME"].flatMap { $0.hasPrefix("/") ? $0 + "/" + fallback : nil }
  }
}
