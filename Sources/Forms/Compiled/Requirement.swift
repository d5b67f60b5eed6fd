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
  /// Where that is in the definition's text; nil when the definition came as a value.
  public var place: TextPlace?
}

extension Form {
  /// Warnings about the services, databases and providers that the form names and a configuration does not have: an action that
  /// needs one fails at its first tap.
  ///
  /// - Parameters:
  ///   - configured: what there is.
  ///   - file: the definition's file name, for the warnings.
  /// - Returns: a warning for each place that names one, in the order of the definition, with the closest name that there is; at
  ///   most 100, and then one of code `more` that says how many more there are.
  public func warnings(configured: FormCapabilities, file: String? = nil) -> [Diagnostic] {
    let missing = requirements.filter { requirement in
      configured.names(of: requirement.kind).map { !$0.contains(requirement.name) } ?? false
    }
    let told = missing.prefix(DiagnosticCollector.countMax).map { requirement in
      let names = configured.names(of: requirement.kind) ?? []
      let closest = closestName(to: requirement.name, among: names.sorted { $0.precedesInUTF8($1) })
      let advice = closest.map { "; did you mean \"\($0)\"?" } ?? ""
      return Diagnostic(
        file: file,
        pointer: requirement.pointer,
        place: requirement.place,
        code: "notConfigured",
        message: "no \(requirement.kind.rawValue) \"\(requirement.name)\" in the configuration\(advice)",
        severity: .warning
      )
    }
    let more = missing.count - DiagnosticCollector.countMax
    return told + (more > 0 ? [Diagnostic(more: more, .warning, file: file)] : [])
  }
}
