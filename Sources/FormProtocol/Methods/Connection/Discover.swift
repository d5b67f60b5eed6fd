package import JSON

package struct DiscoverParams: Call {
  package init() {}

  package mutating func list(_ members: inout some MessageVisitor) {}

  package static let method = Method.discover
  package static let name: StaticString = "rpc.discover"
  package static let role: Role? = nil
  package static let isIdempotent = true
  package static let title = "This document"
  package static let details = "The protocol as an OpenRPC document, the same as protocol/openrpc.json."
  package static var example: (params: Self, answer: JSONObject) { (Self(), ["openrpc": "1.3.2"]) }
}
