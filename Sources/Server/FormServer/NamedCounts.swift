internal import FormProtocol
internal import Sessions
internal import Times

/// The counts that metrics show by name: requests to services, databases and providers by target, errors by code, turns
/// by form.
struct NamedCounts {
  /// Targets that are told apart. Definitions of clients can name any target; the targets beyond this number share the
  /// name ``otherName``.
  static let targetsMax = 256
  static let otherName = "(other)"

  /// What the sessions of one form have done. All sessions of the form count here.
  final class Form {
    fileprivate(set) var statistics = FormStatistics()

    fileprivate init(_ name: String) { statistics.form = name }

    @inline(__always)
    func countTurn() { statistics.turns &+= 1 }

    func countFaults(_ count: Int) { statistics.faults += count }
  }

  private struct Target {
    var times = AnswerTimes.ofTarget
    var failures: [EffectResponse.Kind: Int] = [:]
  }

  private var targets: [EffectTarget: Target] = [:]
  private var errors: [Int: Int] = [:]
  private var forms: [String: Form] = [:]

  /// A service, a database or a provider has answered after so long.
  mutating func answered(_ target: EffectTarget, _ kind: EffectResponse.Kind, after time: Duration) {
    var key = target
    if targets[key] == nil, targets.count >= Self.targetsMax { key.name = Self.otherName }
    targets[key, default: Target()].times.add(time)
    if kind != .ok { targets[key, default: Target()].failures[kind, default: 0] += 1 }
  }

  /// A request was answered with an error.
  mutating func failed(code: Int) { errors[code, default: 0] += 1 }

  /// The counts of a form.
  ///
  /// - Parameter name: empty for all forms that clients bring along.
  mutating func form(_ name: String) -> Form {
    if let form = forms[name] { return form }
    let form = Form(name)
    forms[name] = form
    return form
  }

  /// A turn of a form was slow. A form that is not known by this name was brought along.
  mutating func turnWasSlow(ofForm name: String) {
    (forms[name] ?? form("")).statistics.slowTurns += 1
  }

  /// Adds all counts, in the order of their names.
  func add(to statistics: inout ServerStatistics) {
    statistics.targets = targets.map { target, counts in
      var result = TargetStatistics()
      (result.part, result.name) = (target.part, target.name)
      result.answerTime = counts.times.histogram
      let failures = counts.failures.map { TargetStatistics.Failures(kind: $0.key.rawValue, count: $0.value) }
      result.failures = failures.sorted { $0.kind < $1.kind }
      return result
    }.sorted { ($0.part, $0.name) < ($1.part, $1.name) }
    statistics.errorCodes = errors.sorted { $0.key > $1.key }.map { code, count in
      var result = ErrorStatistics()
      (result.code, result.count) = (code, count)
      return result
    }
    statistics.forms = forms.values.map(\.statistics).sorted { $0.form < $1.form }
  }
}
