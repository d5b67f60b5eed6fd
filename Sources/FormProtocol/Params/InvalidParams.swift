package import JSON
package import JSONRPC

/// Why params were refused: every fault, not only the first.
package struct InvalidParams: Error, Sendable {
  /// One fault.
  package struct Fault: Sendable, Hashable {
    /// What kind of fault it is; the raw value is its code on the wire.
    package enum Code: String, Sendable {
      /// The value has another type.
      case type
      /// The type is right, the value is not.
      case value
      /// A member is missing.
      case required
      /// No such member is known.
      case unknown
    }

    /// Where in the params, as a JSON Pointer.
    package var path: String
    /// What kind of fault it is.
    package var code: Code
    /// What was expected there.
    package var expected: String

    /// A fault of those parts.
    package init(path: String, code: Code, expected: String) {
      self.path = path
      self.code = code
      self.expected = expected
    }
  }

  /// The faults; at least one, at most ``faultsMax``.
  package var faults: [Fault]

  /// A stranger cannot make an answer arbitrarily long.
  package static let faultsMax = 20

  /// Those faults.
  package init(_ faults: [Fault]) {
    self.faults = Array(faults.prefix(Self.faultsMax))
  }

  /// As it goes over the wire: -32602 with `errors`.
  package var rpcError: RPCError {
    .invalidParams(
      faults.map { fault in
        ["path": .string(fault.path), "code": .string(fault.code.rawValue), "expected": .string(fault.expected)]
      }
    )
  }
}

extension RPCError {
  /// -32602 with those `errors`.
  package static func invalidParams(_ errors: [JSON]) -> RPCError {
    RPCError(code: RPCErrorCode.invalidParams, message: "Invalid params", data: ["errors": .array(errors)])
  }
}
