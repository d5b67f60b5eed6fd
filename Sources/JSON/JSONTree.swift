internal import CJansson

#if canImport(Glibc)
  internal import Glibc
#endif

/// A JSON text as libjansson read it; freed with this value.
///
/// This and ``JSONNode`` are the only types that hold jansson's pointers. Requests are decoded from the nodes directly,
/// so that a message costs no tree of our own; ``JSONNode/value()`` makes a ``JSON`` of the parts that are kept.
public struct JSONTree: ~Copyable {
  /// Owned: one reference, released in `deinit`.
  private let pointer: UnsafeMutablePointer<json_t>
  /// The upper bound of the tree's memory in bytes, estimated from the text.
  public let memoryBytes: Int

  /// The bytes that libjansson allocates for a small object, the costliest value by its text: the object, its table of
  /// eight buckets, its entry in an array.
  private static let bytesPerNode = 256

  /// Reads one JSON text, any value at its top (RFC 8259).
  ///
  /// A text beyond the limits is refused before any of its values is built, even if it has other errors further on.
  ///
  /// - Parameters:
  ///   - bytes: UTF-8 without a byte order mark.
  ///   - limits: how deep and large the value may be.
  /// - Throws: ``JSONReadError`` with the position of the error.
  public init(parsing bytes: UnsafeBufferPointer<UInt8>, limits: JSONLimits = .file) throws(JSONReadError) {
    guard let start = bytes.baseAddress, !bytes.isEmpty else {
      throw JSONReadError(reason: .truncated, offset: 0, position: LineColumn(line: 1, column: 1))
    }
    // jansson 2.14 swallows one raw NUL behind some tokens, so it never gets to see one.
    if let nul = memchr(start, 0, bytes.count) {
      let offset = UnsafeRawPointer(nul) - UnsafeRawPointer(start)
      throw Self.failure(.nul, at: offset, in: bytes)
    }
    let nodes = try JSONLimitScanner.check(bytes, against: limits)
    let flags = Int(JSON_DECODE_ANY) | Int(JSON_ALLOW_NUL) | Int(JSON_REJECT_DUPLICATES)
    var error = json_error_t()
    let tree = start.withMemoryRebound(to: CChar.self, capacity: bytes.count) {
      json_loadb($0, bytes.count, flags, &error)
    }
    guard let tree else {
      throw Self.failure(of: error, in: bytes)
    }
    pointer = tree
    memoryBytes = bytes.count + nodes * Self.bytesPerNode
  }

  /// The same value, without a text in between: names that no JSON text may have are kept, too. A decimal becomes the
  /// nearest double.
  ///
  /// - Parameter value: nested no deeper than the limit for texts.
  public init(_ value: JSON) {
    pointer = Self.node(of: value)
    memoryBytes = value.approximateBytes
  }

  /// A new reference. If libjansson returns no value, memory ran out.
  private static func node(of value: JSON) -> UnsafeMutablePointer<json_t> {
    let node: UnsafeMutablePointer<json_t>? =
      switch value {
      case .null: json_null()
      case .bool(let isTrue): isTrue ? json_true() : json_false()
      case .integer(let number): json_integer(json_int_t(number))
      case .real(let number): number.isFinite ? json_real(number) : json_null()
      case .decimal(let number): Self.node(of: .real(number.doubleValue))
      case .string(let text): withCharacters(of: text) { json_stringn_nocheck($0, $1) }
      case .array: json_array()
      case .object: json_object()
      }
    guard let node else { preconditionFailure("out of memory") }
    var isComplete = true
    for element in value.arrayValue ?? [] where json_array_append_new(node, Self.node(of: element)) != 0 {
      isComplete = false
    }
    for member in value.objectValue ?? [:] {
      let child = Self.node(of: member.value)
      let result = withCharacters(of: member.name) { json_object_setn_new_nocheck(node, $0, $1, child) }
      if result != 0 { isComplete = false }
    }
    precondition(isComplete, "out of memory")
    return node
  }

  private static func withCharacters<Result>(of text: String, _ body: (UnsafePointer<CChar>, Int) -> Result) -> Result {
    var text = text
    return text.withUTF8 { bytes in
      // An empty text may have no address in memory, and libjansson wants one.
      guard let start = bytes.baseAddress else { return body("", 0) }
      return start.withMemoryRebound(to: CChar.self, capacity: bytes.count) { body($0, bytes.count) }
    }
  }

  deinit {
    json_decref(pointer)
  }

  /// The value at the top. It and every node under it are valid as long as this tree is.
  @inline(__always)
  public var root: JSONNode { JSONNode(pointer: pointer) }

  // MARK: Errors

  private static func failure(of error: json_error_t, in bytes: UnsafeBufferPointer<UInt8>) -> JSONReadError {
    let reason: JSONReadError.Reason =
      withUnsafePointer(to: error) { pointer in
        switch json_error_code(pointer) {
        case json_error_invalid_utf8: .utf8
        case json_error_premature_end_of_input: .truncated
        case json_error_end_of_input_expected: .trailing
        case json_error_duplicate_key: .duplicateKey
        case json_error_stack_overflow: .depth
        case json_error_null_byte_in_key: .nulInKey
        case json_error_out_of_memory: .memory
        case json_error_numeric_overflow:
          // jansson has one code for both; the text of the error distinguishes them ("too big integer", "real number
          // overflow").
          withUnsafeBytes(of: pointer.pointee.text) { $0.starts(with: "too big".utf8) } ? .integerRange : .realRange
        case json_error_invalid_syntax:
          // Of an escape that is no code point at all, jansson says "invalid Unicode escape".
          withUnsafeBytes(of: pointer.pointee.text) { $0.starts(with: "invalid Unicode '".utf8) } ? .surrogate : .syntax
        default: .syntax
        }
      }
    let end = min(max(Int(error.position), 0), bytes.count)
    return failure(reason, at: end - lengthOfToken(named: error, endingAt: end, in: bytes), in: bytes)
  }

  /// jansson's position is behind the token that it objects to, and its text ends with that token (`... near 'oops'`)
  /// if it is short. The position of the error is the beginning of the token.
  private static func lengthOfToken(
    named error: json_error_t,
    endingAt end: Int,
    in bytes: UnsafeBufferPointer<UInt8>
  ) -> Int {
    let text = withUnsafeBytes(of: error.text) { Array($0.prefix { $0 != 0 }) }
    guard text.last == UInt8(ascii: "'"), let near = text.firstRange(of: Array("near '".utf8)) else { return 0 }
    let token = text[near.upperBound...].dropLast()
    guard token.count <= end, bytes[(end - token.count)..<end].elementsEqual(token) else { return 0 }
    return token.count
  }

  private static func failure(
    _ reason: JSONReadError.Reason,
    at offset: Int,
    in bytes: UnsafeBufferPointer<UInt8>
  ) -> JSONReadError {
    JSONReadError(reason: reason, offset: offset, position: LineColumn(offset: offset, in: bytes))
  }
}
