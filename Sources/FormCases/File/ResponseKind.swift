internal import FormProtocol
package import JSON
package import Sessions

/// The end of a request, as `response.kind` names it.
package struct ResponseKind: CheckedValue, Hashable, Sendable {
  /// The engine's kind.
  package let kind: EffectResponse.Kind

  /// Wraps a kind of the engine.
  package init(_ kind: EffectResponse.Kind) { self.kind = kind }

  /// The kind with that name; nil if the name is unknown.
  package init?(_ name: String) {
    guard let kind = Self.all.first(where: { $0.rawValue == name }) else { return nil }
    self.kind = kind
  }

  /// An answer arrived.
  package static let ok = ResponseKind(.ok)
  /// Another error. For a query, the database reports which.
  package static let error = ResponseKind(.error)

  /// The kinds that come with a status. They include a response whose body cannot be read.
  package static let withStatus: [ResponseKind] = [.ok, ResponseKind(.badBody)]

  /// The name of the kind.
  package var written: String { kind.rawValue }

  /// `fault` is left out, because it is the kind of a request that was never made.
  private static let all = EffectResponse.Kind.allCases.filter { $0 != .fault }

  package static var schema: JSONObject { ["type": "string", "enum": .array(all.map { .string($0.rawValue) })] }
  package static var expectation: String { "one of: " + all.map(\.rawValue).joined(separator: ", ") }
}
