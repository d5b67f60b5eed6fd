package import JSON

/// A request or a notification, as far as JSON-RPC goes. Its views are valid only while its text is.
package struct RPCRequest {
  /// nil for a notification.
  package var id: RequestID?
  /// The method's name in UTF-8.
  package var method: UnsafeBufferPointer<UInt8>
  /// nil when absent or `null`.
  package var params: JSONNode?
  /// The size of the text it came in; that of the whole batch for a member of one.
  package var textBytes: Int
}

/// What one JSON value of the top level, or one member of a batch, is.
enum Envelope {
  case request(RPCRequest)
  /// An answer to one of our requests: exactly one of the two nodes is there.
  case response(id: RequestID?, result: JSONNode?, error: JSONNode?)
  /// -32600, with the id where one could be read.
  case invalid(id: RequestID?, reason: String)

  /// Reads an envelope (JSON-RPC 2.0, sections 4 and 5) without copying anything but a string id.
  init(_ node: JSONNode, textBytes: Int) {
    guard node.isObject else {
      self = .invalid(id: nil, reason: "notAnObject")
      return
    }
    var version: JSONNode?
    var method: JSONNode?
    var identifier: JSONNode?
    var params: JSONNode?
    var result: JSONNode?
    var error: JSONNode?
    node.forEachMember { name, value in
      switch name.count {
      case 2: if name.equals("id") { identifier = value }
      case 5: if name.equals("error") { error = value }
      case 6:
        if name.equals("method") {
          method = value
        } else if name.equals("params") {
          params = value
        } else if name.equals("result") {
          result = value
        }
      case 7: if name.equals("jsonrpc") { version = value }
      default: break
      }
    }
    let id = identifier.flatMap { RequestID($0) }
    guard version?.utf8?.equals("2.0") == true else {
      self = .invalid(id: id, reason: "version")
      return
    }
    guard let method else {
      if identifier != nil, (result == nil) != (error == nil) {
        self = .response(id: id, result: result, error: error)
      } else {
        self = .invalid(id: id, reason: "method")
      }
      return
    }
    guard identifier == nil || id != nil else {
      self = .invalid(id: nil, reason: "id")
      return
    }
    guard let name = method.utf8 else {
      self = .invalid(id: id, reason: "method")
      return
    }
    switch params?.kind {
    case .null: params = nil
    case nil, .object, .array: break
    default:
      // Params are a structure or absent (JSON-RPC 2.0, section 4).
      self = .invalid(id: id, reason: "params")
      return
    }
    self = .request(RPCRequest(id: id, method: name, params: params, textBytes: textBytes))
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// Whether these are the bytes of that literal.
  @inline(__always)
  package func equals(_ literal: StaticString) -> Bool {
    guard count == literal.utf8CodeUnitCount else { return false }
    var index = 0
    while index < count {
      if self[index] != literal.utf8Start[index] { return false }
      index &+= 1
    }
    return true
  }
}
