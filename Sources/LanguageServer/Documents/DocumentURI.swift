internal import Formats

/// The names of documents: URIs for editors, paths for the system.
enum DocumentURI {
  private static let scheme = "file:"

  /// The key of a document in this server: the path of a file, or the URI itself for any other document.
  static func key(of uri: String) -> String { path(of: uri) ?? uri }

  /// The path that a URI of the scheme `file` means (RFC 8089); nil for others.
  static func path(of uri: String) -> String? {
    guard uri.lowercased().hasPrefix(scheme) else { return nil }
    var rest = uri.dropFirst(scheme.count)
    if rest.hasPrefix("//") {
      rest = rest.dropFirst(2)
      guard let slash = rest.firstIndex(of: "/") else { return nil }
      rest = rest[slash...]
    }
    guard rest.hasPrefix("/"), let decoded = PercentEncoding.decoded(String(rest)), !decoded.utf8.contains(0) else {
      return nil
    }
    var path = decoded
    while path.count > 1, path.hasSuffix("/") { path.removeLast() }
    return path
  }

  /// The URI of a path.
  static func uri(ofPath path: String) -> String {
    "file://" + PercentEncoding.encoded(path, keeping: { $0 == UInt8(ascii: "/") })
  }

  /// Whether a key is the path of a file.
  static func isPath(_ key: String) -> Bool { key.hasPrefix("/") }

  /// The path without its last name; `/` has itself.
  static func folder(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/"), slash > path.startIndex else { return "/" }
    return String(path[..<slash])
  }

  /// The last name of a path.
  static func name(of path: String) -> String {
    path.lastIndex(of: "/").map { String(path[path.index(after: $0)...]) } ?? path
  }

  /// A path as seen from a folder: `login.form.json`, `../forms/login.form.json`.
  static func relative(_ path: String, to folder: String) -> String {
    let target = path.split(separator: "/")
    let base = folder.split(separator: "/")
    let shared = zip(target, base).prefix { $0 == $1 }.count
    return (Array(repeating: "..", count: base.count - shared) + target.dropFirst(shared).map(String.init))
      .joined(separator: "/")
  }

  /// Resolves `.` and `..` in a path. A path that does not begin at the root is relative to the folder.
  static func resolved(_ path: String, in folder: String) -> String {
    var names: [Substring] = []
    for name in (path.hasPrefix("/") ? path : folder + "/" + path).split(separator: "/") where name != "." {
      if name == ".." { _ = names.popLast() } else { names.append(name) }
    }
    return "/" + names.joined(separator: "/")
  }
}
