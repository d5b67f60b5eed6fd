package import JSON
internal import Texts

extension RPCReader.Event {
  /// Reads the envelope of a message (JSON-RPC 2.0, sections 4 and 5): the whole text, or one member of a batch. Copies
  /// nothing but a string id. The event is a request, a response, or a refusal with -32600, with the id if it could be
  /// read.
  package init(envelope node: JSONNode) {
    guard node.isObject else {
      self = .invalid(nil, .notAnObject)
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
      case 2: if name.hasSameBytes(as: "id") { identifier = value }
      case 5: if name.hasSameBytes(as: "error") { error = value }
      case 6:
        if name.hasSameBytes(as: "method") {
          method = value
        } else if name.hasSameBytes(as: "params") {
          params = value
        } else if name.hasSameBytes(as: "result") {
          result = value
        }
      case 7: if name.hasSameBytes(as: "jsonrpc") { version = value }
      default: break
      }
    }
    let id = identifier.flatMap { RequestID($0) }
    guard version?.utf8?.hasSameBytes(as: "2.0") == true else {
      self = .invalid(id, .version)
      return
    }
    guard let method else {
      if identifier != nil, (result == nil) != (error == nil) {
        self = .response(id: id, result: result, error: error)
      } else {
        self = .invalid(id, .method)
      }
      return
    }
    guard identifier == nil || id != nil else {
      self = .invalid(nil, .id)
      return
    }
    guard let name = method.utf8 else {
      self = .invalid(id, .method)
      return
    }
    switch params?.kind {
    case .null: params = nil
    // PHP and Lua write an empty map so.
    case .array where params?.count == 0: params = nil
    case nil, .object, .array: break
    default:
      // Params are a structure or absent (JSON-RPC 2.0, section 4).
      self = .invalid(id, .params)
      return
    }
    self = .request(RPCRequest(id: id, method: name, params: params))
  }

  private static func invalid(_ id: RequestID?, _ reason: InvalidEnvelope) -> Self {
    .refused(id: id, .invalidRequest(reason: reason.rawValue))
  }
}

/// The reason why JSON is not an envelope, or not a batch of envelopes; the raw value is the reason on the wire
/// (-32600).
package enum InvalidEnvelope: String, CaseIterable, Sendable {
  /// Neither an object nor an array.
  case notAnObject = "notAnObject"
  /// An array without members.
  case emptyBatch = "emptyBatch"
  /// Another `jsonrpc` than `"2.0"`, or none.
  case version = "version"
  /// An id that is neither a string nor an integer.
  case id = "id"
  /// No method, or a method that is not a string.
  case method = "method"
  /// Params that are not a structure.
  case params = "params"
}
