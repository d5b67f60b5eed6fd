/// How often a service, a database or a provider was asked, how long its answers took, and which of them were failures.
public struct TargetStatistics: Message, Sendable {
  /// How many failures there were of a kind.
  public struct Failures: Message, Sendable {
    /// The kind, as `response.kind` of formulas names it.
    public var kind = ""
    /// Their number.
    public var count = 0

    package init() {}

    /// So many failures of a kind.
    package init(kind: String, count: Int) {
      self.kind = kind
      self.count = count
    }

    package static let schemaName: StaticString? = "TargetFailures"
    package static let summary: StaticString = "Failures of one kind."

    package mutating func list(_ members: inout some MessageVisitor) {
      members.required("kind", &kind, "The kind, as `response.kind` of formulas names it.")
      members.required("count", &count, "How many there were.")
    }
  }

  /// `service`, `database` or `provider`.
  public var part = ""
  /// The name in the forms and in the configuration.
  public var name = ""
  /// How long the answers took, failures included.
  public var answerTime = TimeHistogram()
  /// The failures by kind.
  public var failures: [Failures] = []

  package init() {}

  package static let schemaName: StaticString? = "TargetStatistics"
  package static let summary: StaticString = "How a service, a database or a provider has answered."

  package mutating func list(_ members: inout some MessageVisitor) {
    members.required("part", &part, "`service`, `database` or `provider`.")
    members.required("name", &name, "The name in the forms and in the configuration.")
    members.required("answerTime", &answerTime, "How long the answers took, failures included.")
    members.optional("failures", &failures, "The failures by kind.")
  }
}

/// How often an error code was an answer.
public struct ErrorStatistics: Message, Sendable {
  /// The code, such as 1003.
  public var code = 0
  /// How many requests had it as their answer.
  public var count = 0

  package init() {}

  package static let schemaName: StaticString? = "ErrorStatistics"
  package static let summary: StaticString = "How often an error code was an answer."

  package mutating func list(_ members: inout some MessageVisitor) {
    members.required("code", &code, "The code.")
    members.required("count", &count, "How many requests had it as their answer.")
  }
}

/// What the sessions of a form have done.
public struct FormStatistics: Message, Sendable {
  /// The form's name; empty for all forms that clients brought along.
  public var form = ""
  /// Turns of its sessions.
  public var turns = 0
  /// Pieces of work for it that took so long that they were logged.
  public var slowTurns = 0
  /// Run-time errors of its formulas.
  public var faults = 0

  package init() {}

  package static let schemaName: StaticString? = "FormStatistics"
  package static let summary: StaticString = "What the sessions of a form have done."

  package mutating func list(_ members: inout some MessageVisitor) {
    members.required("form", &form, "The form's name; empty for all forms that clients brought along.")
    members.required("turns", &turns, "Turns of its sessions.")
    members.required("slowTurns", &slowTurns, "Pieces of work for this form that took so long that they were logged.")
    members.required("faults", &faults, "Run-time errors of its formulas.")
  }
}
