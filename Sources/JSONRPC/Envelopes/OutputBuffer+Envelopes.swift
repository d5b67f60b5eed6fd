public import JSON

extension OutputBuffer {
  /// Writes a response up to its result; ``endEnvelope()`` follows the result.
  package func beginResult(_ id: RequestID) {
    append(#"{"jsonrpc":"2.0","id":"#)
    write(id)
    append(#","result":"#)
  }

  /// Writes a response with an integer id up to its result.
  @inlinable @inline(__always)
  package func beginResult(_ id: Int64) {
    let (start, end): (StaticString, StaticString) = (#"{"jsonrpc":"2.0","id":"#, #","result":"#)
    append(upTo: start.utf8CodeUnitCount &+ Self.numberBytesMax &+ end.utf8CodeUnitCount) {
      $0.writing(start).writing(decimal: id).writing(end)
    }
  }

  /// Writes a notification up to its params.
  package func beginNotification(_ method: StaticString) {
    append(#"{"jsonrpc":"2.0","method":""#)
    append(method)
    append(#"","params":"#)
  }

  /// Writes a request of ours up to its params.
  package func beginRequest(_ id: RequestID, _ method: StaticString) {
    append(#"{"jsonrpc":"2.0","id":"#)
    write(id)
    append(#","method":""#)
    append(method)
    append(#"","params":"#)
  }

  /// Writes a request of ours with any method name up to its params.
  package func beginRequest(_ id: RequestID, named method: String) {
    append(#"{"jsonrpc":"2.0","id":"#)
    write(id)
    append(#","method":"#)
    write(method)
    append(#","params":"#)
  }

  /// Ends a response, notification or request that another method began.
  @inlinable @inline(__always)
  package func endEnvelope() {
    append(byte: UInt8(ascii: "}"))
  }

  /// Writes a whole error response.
  package func writeError(_ id: RequestID?, _ error: RPCError) {
    append(#"{"jsonrpc":"2.0","id":"#)
    write(id)
    append(#","error":"#)
    write(error)
    append(byte: UInt8(ascii: "}"))
  }

  /// Writes an error object.
  package func write(_ error: RPCError) {
    append(#"{"code":"#)
    write(error.code)
    append(#","message":"#)
    write(error.message)
    if let data = error.data {
      append(#","data":"#)
      write(data)
    }
    append(byte: UInt8(ascii: "}"))
  }
}
