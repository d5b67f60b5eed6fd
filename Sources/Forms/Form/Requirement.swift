public import JSON
public import SourceTexts
internal import Texts

/// A service, database or provider that a form names.
public struct Requirement: Sendable, Hashable {
  /// The kinds of things that a name can refer to.
  public enum Kind: String, Sendable {
    /// An HTTP service, an SQL database, or a client that answers.
    case service, database, provider
  }

  /// The kind of thing that the name refers to.
  public var kind: Kind
  /// The name in the daemon's configuration, or the name that a provider registers.
  public var name: String
  /// The location in the definition that names it.
  public var pointer: JSONPointer
  /// The range of that location in the definition's text; nil if the definition came as a value.
  public var span: TextSpan?
  /// Of a database: the query that the form sends to it.
  public var query: Query?

  /// A query in a definition.
  public struct Query: Sendable, Hashable {
    /// One SQL statement.
    public var text: String
    /// The location of the query in the definition.
    public var pointer: JSONPointer
    /// The range of that location in the definition's text; nil if the definition came as a value.
    public var span: TextSpan?
  }
}

extension Form {
  /// Warnings about names that a configuration does not have, and about queries that a database does not understand. An
  /// action that needs them fails at its first tap.
  ///
  /// - Parameters:
  ///   - configured: the names that the configuration has.
  ///   - file: the definition's file name for the warnings.
  ///   - preparing: returns what is wrong with a query of a configured database, as a sentence; nil: nothing.
  /// - Returns: a warning for each location, in the order of the definition, with the closest configured name. After
  ///   100 warnings, one of code `more` gives the number of the remaining ones.
  public func warnings(
    configured: FormCapabilities,
    file: String? = nil,
    preparing: (_ query: String, _ database: String) -> String? = { _, _ in nil }
  ) -> [Diagnostic] {
    let all = requirements.compactMap { requirement -> Diagnostic? in
      guard let names = configured.names(of: requirement.kind), !names.contains(requirement.name) else {
        return requirement.query.flatMap { query in
          preparing(query.text, requirement.name).map { problem in
            Diagnostic(
              file: file,
              pointer: query.pointer,
              span: query.span,
              code: "sql",
              message: problem,
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
