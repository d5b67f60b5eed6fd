internal import JSON
internal import TextFormats

#if canImport(Glibc)
  internal import Glibc
#endif

/// Where a schema's references to other documents lead: to files, named by their own `$id` or by where they lie. Nothing is fetched
/// from a network.
struct SchemaLibrary: Sendable {
  /// By `$id`, without its fragment.
  private var documents: [String: JSON] = [:]

  /// A library of those files.
  ///
  /// - Throws: ``CommandFailure`` when a file cannot be read or has no `$id`.
  init(files: [String]) throws(CommandFailure) {
    for file in files {
      let document = try Console.readJSON(file)
      guard let id = document["$id"]?.stringValue else {
        throw CommandFailure(
          message: "\(file): there is no $id to refer to; a file without one is found by its place, without --reference"
        )
      }
      documents[URIReference(id).withoutFragment] = document
    }
  }

  /// The document of a URI; nil when there is none, which the schema's compiler reports.
  func document(at uri: String) -> JSON? {
    if let known = documents[uri] { return known }
    guard let path = Self.path(ofFileURI: uri) else { return nil }
    do throws(CommandFailure) {
      return try Console.readJSON(path)
    } catch {
      Console.complain(error.message)
      return nil
    }
  }

  /// The URI of a file (RFC 8089); empty for standard input and for what is not there.
  static func uri(ofFile path: String) -> String {
    guard path != "-", let absolute = realpath(path, nil) else { return "" }
    defer { free(absolute) }
    return "file://" + PercentEncoding.encoded(String(cString: absolute)) { $0 == UInt8(ascii: "/") }
  }

  /// The path in a URI of a file on this machine; nil for any other.
  static func path(ofFileURI uri: String) -> String? {
    let reference = URIReference(uri)
    guard reference.scheme == "file", reference.authority == "", reference.path.hasPrefix("/"),
      let path = PercentEncoding.decoded(reference.path), !path.utf8.contains(0)
    else { return nil }
    return path
  }
}
