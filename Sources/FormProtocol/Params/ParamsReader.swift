internal import JSON
internal import JSONRPC

/// Reads params strictly: each member at most once (the JSON reader sees to that), of the right type, none unknown.
///
/// Nothing is copied that the method does not keep; a fault is noted and reading goes on, so that all are reported at once.
struct ParamsReader {
  private(set) var faults: [InvalidParams.Fault] = []

  /// Calls with every member; the closure says whether it knows the name.
  ///
  /// - Parameter names: the known ones, for people.
  mutating func forEachMember(
    of params: JSONNode?,
    names: @autoclosure () -> String,
    _ body: (UnsafeBufferPointer<UInt8>, JSONNode, inout ParamsReader) -> Bool
  ) {
    guard let params else { return }
    guard params.isObject else {
      note("", .type, "object")
      return
    }
    params.forEachMember { name, node in
      if !body(name, node, &self) {
        let known = names()
        note("/" + Self.token(name), .unknown, known.isEmpty ? "no members" : "one of: \(known)")
      }
    }
  }

  /// Notes a fault.
  mutating func note(_ path: String, _ code: InvalidParams.Fault.Code, _ expected: String) {
    faults.append(InvalidParams.Fault(path: path, code: code, expected: expected))
  }

  /// Throws what was noted.
  @inline(__always)
  func check() throws(InvalidParams) {
    if !faults.isEmpty { throw InvalidParams(faults) }
  }

  // MARK: Values

  mutating func utf8(_ node: JSONNode, _ name: StaticString) -> UnsafeBufferPointer<UInt8>? {
    if let text = node.utf8 { return text }
    note("/\(name)", .type, "string")
    return nil
  }

  mutating func string(_ node: JSONNode, _ name: StaticString) -> String? {
    utf8(node, name).map { String(decoding: $0, as: UTF8.self) }
  }

  mutating func bool(_ node: JSONNode, _ name: StaticString) -> Bool {
    if let flag = node.bool { return flag }
    note("/\(name)", .type, "boolean")
    return false
  }

  mutating func integer(_ node: JSONNode, _ name: StaticString) -> Int64? {
    if let number = node.integer { return number }
    note("/\(name)", .type, "integer")
    return nil
  }

  mutating func object(_ node: JSONNode, _ name: StaticString) -> JSONNode? {
    if node.isObject { return node }
    note("/\(name)", .type, "object")
    return nil
  }

  /// The member's name as a token of a JSON Pointer, cut where it is too long to be any name.
  static func token(_ name: UnsafeBufferPointer<UInt8>) -> String {
    JSONPointer.escape(String(String(decoding: name.prefix(256), as: UTF8.self).unicodeScalars.prefix(64)))
  }
}
