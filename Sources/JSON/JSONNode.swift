internal import CJansson

/// One value inside a ``JSONTree``: a view, valid only as long as that tree. Never store one.
public struct JSONNode {
  /// Borrowed from the tree.
  private let pointer: UnsafeMutablePointer<json_t>

  @inline(__always)
  init(pointer: UnsafeMutablePointer<json_t>) {
    self.pointer = pointer
  }

  /// The kinds of values.
  public enum Kind: Sendable {
    /// The six kinds of RFC 8259, with integers apart from reals.
    case null, bool, integer, real, string, array, object
  }

  /// The kind of the value.
  public var kind: Kind {
    switch pointer.pointee.type {
    case JSON_OBJECT: .object
    case JSON_ARRAY: .array
    case JSON_STRING: .string
    case JSON_INTEGER: .integer
    case JSON_REAL: .real
    case JSON_TRUE, JSON_FALSE: .bool
    default: .null
    }
  }

  /// Whether the value is `null`.
  @inline(__always)
  public var isNull: Bool { pointer.pointee.type == JSON_NULL }

  /// Whether the value is an object.
  @inline(__always)
  public var isObject: Bool { pointer.pointee.type == JSON_OBJECT }

  /// The Boolean, if it is one.
  public var bool: Bool? {
    switch pointer.pointee.type {
    case JSON_TRUE: true
    case JSON_FALSE: false
    default: nil
    }
  }

  /// The number, if it was written without fraction and exponent.
  public var integer: Int64? {
    pointer.pointee.type == JSON_INTEGER ? Int64(json_integer_value(pointer)) : nil
  }

  /// The UTF-8 of the text, if it is one.
  public var utf8: UnsafeBufferPointer<UInt8>? {
    guard pointer.pointee.type == JSON_STRING else { return nil }
    return UnsafeRawBufferPointer(start: json_string_value(pointer), count: json_string_length(pointer))
      .assumingMemoryBound(to: UInt8.self)
  }

  /// The text, if it is one.
  public var string: String? {
    utf8.map { String(decoding: $0, as: UTF8.self) }
  }

  /// The number of elements or members; 0 for other values.
  public var count: Int {
    switch pointer.pointee.type {
    case JSON_ARRAY: json_array_size(pointer)
    case JSON_OBJECT: json_object_size(pointer)
    default: 0
    }
  }

  /// The element of an array at that position, which must be below ``count``.
  public func element(_ index: Int) -> JSONNode {
    guard let element = json_array_get(pointer, index) else {
      preconditionFailure("element \(index) of \(count)")
    }
    return JSONNode(pointer: element)
  }

  /// The member of that name, if the value is an object that has one. The name is ASCII.
  public func member(_ name: StaticString) -> JSONNode? {
    name.utf8Start.withMemoryRebound(to: CChar.self, capacity: name.utf8CodeUnitCount) {
      json_object_getn(pointer, $0, name.utf8CodeUnitCount).map(JSONNode.init(pointer:))
    }
  }

  /// Calls with the name's UTF-8 and the value of each member, in the order written.
  public func forEachMember(_ body: (UnsafeBufferPointer<UInt8>, JSONNode) -> Void) {
    var iterator = json_object_iter(pointer)
    while let current = iterator {
      if let key = json_object_iter_key(current), let value = json_object_iter_value(current) {
        let name = UnsafeRawBufferPointer(start: key, count: json_object_iter_key_len(current))
        body(name.assumingMemoryBound(to: UInt8.self), JSONNode(pointer: value))
      }
      iterator = json_object_iter_next(pointer, current)
    }
  }

  /// The value, copied out of the tree.
  public func value() -> JSON {
    switch pointer.pointee.type {
    case JSON_OBJECT:
      var members: [JSONObject.Member] = []
      members.reserveCapacity(json_object_size(pointer))
      forEachMember { name, node in
        members.append(JSONObject.Member(name: String(decoding: name, as: UTF8.self), value: node.value()))
      }
      return .object(JSONObject(uncheckedMembers: members))
    case JSON_ARRAY: return .array((0..<count).map { element($0).value() })
    case JSON_STRING: return .string(string ?? "")
    case JSON_INTEGER: return .integer(Int64(json_integer_value(pointer)))
    case JSON_REAL: return .real(json_real_value(pointer))
    case JSON_TRUE: return .bool(true)
    case JSON_FALSE: return .bool(false)
    default: return .null
    }
  }
}
