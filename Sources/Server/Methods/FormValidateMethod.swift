internal import CEL
internal import FormProtocol
internal import Forms
internal import JSON
internal import JSONRPC
internal import SessionCalls
internal import Sessions
internal import Times

/// ``Method/formValidate``: judges values in a session that the client never sees.
enum FormValidateMethod: ServedMethod {
  static func serve(_ params: FormValidateParams, _ call: ServedCall) throws(RPCError) {
    try call.needAnswer()
    try InvalidParams.checkLength(of: params.locale, at: "/locale")
    let zone = try call.zone(named: params.zone)
    if params.checks { try call.connection.checkRequestsInFlight() }
    let subject = Subject(
      locale: params.locale,
      zone: zone,
      values: params.values ?? [:],
      context: params.context,
      only: params.only,
      runsChecks: params.checks,
      hasOwnDefinition: params.source.isOwn
    )
    try call.withForm(params.source) { form throws(RPCError) in try judge(form, subject, call) }
  }

  /// The values that a form is to judge.
  struct Subject {
    var locale: String?
    var zone: Zone
    var values: JSONObject
    var context: JSONObject?
    var appliesDefaults = true
    /// The addresses that are judged; nil: all.
    var only: [String]?
    var runsChecks: Bool
    var hasOwnDefinition: Bool
    /// The text that holds the values; nil if they came as JSON.
    var text: ReadText?
  }

  /// Judges values, and answers when that is done.
  static func judge(_ form: Form, _ subject: Subject, _ call: ServedCall) throws(RPCError) {
    let connection = call.connection
    let (session, turn) = try connection.sessions.openValidation(
      form,
      OpenOptions(
        locale: subject.locale,
        zone: subject.zone,
        values: subject.values,
        context: try form.admitted(context: subject.context),
        appliesDefaults: subject.appliesDefaults,
        show: .always,
        runsChecks: subject.runsChecks,
        trustsInitial: false
      ),
      of: subject.text,
      on: connection,
      hasOwnDefinition: subject.hasOwnDefinition
    )
    session.carryOut(turn, cause: .sessionOpen, call.server)
    let only: Set<JSONPointer>?
    do throws(RPCError) {
      only = try start(subject, session)
    } catch {
      session.end()
      throw error
    }
    connection.waits.add(call.token, for: session, .validation(only: only))
    conclude(session)
  }

  /// Starts the checks.
  ///
  /// - Returns: the locations that are judged; nil: all.
  private static func start(_ subject: Subject, _ session: LiveSession) throws(RPCError) -> Set<JSONPointer>? {
    var locations: Set<JSONPointer>?
    if let only = subject.only {
      let targets = try targets(of: only, in: session.engineSession)
      session.engineSession.limitChecks(to: targets)
      locations = Set(targets.compactMap(session.engineSession.location(of:)))
    }
    if subject.runsChecks { session.apply(.flush, cause: .sessionOpen, from: nil, session.server) }
    return locations
  }

  private static func targets(of addresses: [String], in session: Session) throws(RPCError) -> [ResolvedAddress] {
    var targets: [ResolvedAddress] = []
    for (index, address) in addresses.enumerated() {
      let target = try session.resolve(field: address, at: "/only/\(index)")
      targets.append(target)
    }
    return targets
  }

  /// Answers a validation when nothing is under way any more.
  static func conclude(_ session: LiveSession) {
    guard !session.engineSession.isBusy, let connection = session.connection,
      let wait = connection.waits.take(validation: session)
    else { return }
    if let text = session.text {
      connection.answer(wait.token, text.judgment(of: session))
      connection.server.letGo(text)
    } else if case .validation(let only) = wait.outcome {
      connection.answer(wait.token, verdict(of: session.engineSession, only), documentOf: session)
    }
    session.end()
    connection.server.closeLaterIfDone(connection)
  }

  /// The verdict on all values, or on the values at those locations.
  private static func verdict(of session: Session, _ only: Set<JSONPointer>?) -> FormVerdict {
    let errors = session.errors().errors.filter { error in
      guard !error.isWarning, let only else { return !error.isWarning }
      let path = error.pointer.tokens
      return (0...path.count).contains { only.contains(JSONPointer(tokens: Array(path.prefix($0)))) }
    }
    return FormVerdict(
      isValid: only == nil ? session.isValid : errors.isEmpty,
      values: session.shownValues(),
      errors: errors.map { InvalidValue(path: $0.pointer.description, code: $0.code, message: $0.message) }
    )
  }
}
