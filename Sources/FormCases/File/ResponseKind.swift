internal import FormProtocol
package import JSON
package import Sessions

/// How a request ends, as `response.kind` says it.
package struct ResponseKind: CheckedValue, Hashable, Sendable {
  /// As the engine has it.
  package let kind: EffectResponse.Kind

  /// That kind.
  package init(_ kind: EffectResponse.Kind) { self.kind = kind }

  /// The kind of that name; nil where there is none.
  package init?(_ name: String) {
    guard let kind = Self.all.first(where: { $0.rawValue == name }) else { return nil }
    self.kind = kind
  }

  /// An answer came.
  package static let ok = ResponseKind(.ok)
  /// Something else went wrong; of a query, its database says what.
  package static let error = ResponseKind(.error)

  /// Those that come with a status: of a body that cannot be read, too.
  package static let withStatus: [ResponseKind] = [.ok, ResponseKind(.badBody)]

  /// Its name.
  package var written: String { kind.rawValue }

  /// `fault` is said of a request that was never made.
  private static let all = EffectResponse.Kind.allCases.filter { $0 != .fault }

  package static var schema: JSONObject { ["type": "string", "enum": .array(all.map { .string($0.rawValue) })] }
  package static var expectation: String { "one of: " + all.map(\.rawValue).joined(separator: ", ") }
}
