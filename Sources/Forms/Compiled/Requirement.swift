public import JSON
internal import Texts

/// A service, database or provider that a form names.
public struct Requirement: Sendable, Hashable {
  /// What stands behind the name.
  public enum Kind: String, Sendable {
    /// An HTTP service, an SQL database, or a client that answers.
    case service, database, provider
  }

  /// What stands behind the name.
  public var kind: Kind
  /// The name that the daemon's configuration, or a provider when it registers, gives it.
  public var name: String
  /// Where the definition names it.
  public var pointer: JSONPointer
  /// What stretch of the definition's text that is; nil when the definition came as a value.
  public var span: TextSpan?
  /// Of a database: what it is asked there.
  public var query: Query?

  /// A query in a definition.
  public struct Query: Sendable, Hashable {
    /// One SQL statement.
    public var text: String
    /// Where the definition has it.
    public var pointer: JSONPointer
    /// What stretch of the definition's text that is; nil when the definition came as a value.
    public var span: TextSpan?
  }
}

extension Form {
  /// Warnings about what the form names and a configuration does not have, and about queries that a database does not understand: an
  /// action that needs them fails at its first tap.
  ///
  /// - Parameters:
  ///   - configured: what there is.
  ///   - file: the definition's file name, for the warnings.
  ///   - preparing: what is wrong with a query of a database that there is, as a sentence; nil: nothing.
  /// - Returns: a warning for each place, in the order of the definition, with the closest name that there is; at most 100, and then one
  ///   of code `more` that says how many more there are.
  public func warnings(
    configured: FormCapabilities,
    file: String? = nil,
    preparing: (_ query: String, _ database: String) -> String? = { _, _ in nil }
  ) -> [Diagnostic] {
    let all = requirements.compactMap { requirement -> Diagnostic? in
      guard let names = configured.names(of: requirement.kind), !names.contains(requirement.name) else {
        return requirement.query.flatMap { query in
          preparing(query.text, requirement.name).map { fault in
            Diagnostic(
              file: file,
              pointer: query.pointer,
              span: query.span,
              code: "sql",
              message: fault,
              severity: .warning
            )
          }
        }
      }
      let closest = closestName(to: requirement.name, among: names.sorted { $0.precedesInUTF8($1) })
      let advice = closest.map { "; did you mean \"\($0)\"?" } ?? ""
      return Diagnostic(
        file: file,
        pointer: requirement.pointer,
        span: requirement.span,
        code: "notConfigured",
        message: "no \(requirement.kind.rawValue) \"\(requirement.name)\" in the configuration\(advice)",
        severity: .warning
      )
    }
    let more = all.count - DiagnosticCollector.countMax
    return all.prefix(DiagnosticCollector.countMax) + (more > 0 ? [Diagnostic(more: more, .warning, file: file)] : [])
  }
}
