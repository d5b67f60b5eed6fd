internal import JSON

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
      documents[id.split(separator: "#", omittingEmptySubsequences: false).first.map(String.init) ?? id] = document
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
    var uri = "file://"
    for byte in String(cString: absolute).utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "-"), UInt8(ascii: "."),
        UInt8(ascii: "_"), UInt8(ascii: "~"):
        uri.unicodeScalars.append(Unicode.Scalar(byte))
      default:
        let digits = String(byte, radix: 16, uppercase: true)
        uri += "%" + (digits.utf8.count == 1 ? "0" : "") + digits
      }
    }
    return uri
  }

  /// The path in a URI of a file on this machine; nil for any other.
  static func path(ofFileURI uri: String) -> String? {
    guard uri.hasPrefix("file:///") else { return nil }
    var rest = Array(uri.utf8.dropFirst("file://".utf8.count))[...]
    var path: [UInt8] = []
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%") {
        guard let decoded = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16), decoded != 0 else {
          return nil
        }
        path.append(decoded)
        rest = rest.dropFirst(2)
      } else {
        path.append(byte)
      }
    }
    return String(decoding: path, as: UTF8.self)
  }
}
