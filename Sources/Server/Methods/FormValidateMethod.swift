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
    try call.checkLength(of: params.locale, at: "/locale")
    let zone = try call.zone(named: params.zone)
    if params.checks { try call.connection.checkRequestsInFlight() }
    let subject = Subject(
      locale: params.locale,
      zone: zone,
      values: params.values ?? [:],
      context: params.context,
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
        values: subject.runsChecks ? nil : subject.values,
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
    session.carryOut(turn, cause: .sessionOpen)
    if subject.runsChecks {
      do throws(RPCError) {
        try startChecks(of: subject.values, session)
      } catch {
        session.end()
        throw error
      }
    }
    connection.waits.add(call.token, for: session, .validation)
    conclude(session)
  }

  /// Checks run for fields that the user has left; so here the values are changes of a program, which may change
  /// read-only fields, too, and each is ended at once.
  private static func startChecks(of values: JSONObject, _ session: LiveSession) throws(RPCError) {
    let form = session.session.form
    let changes = values.map { member in
      let target = form.resolve([member.name])
      return FieldChange(field: target.field ?? FieldChange.root, path: target.rest, value: member.value)
    }
    let input = Input.change(changes, origin: .program, isComposing: false, commit: true)
    try session.admit(input)
    session.apply(input, cause: .fieldChange)
    session.apply(.flush, cause: .fieldChange)
  }

  /// Answers a validation when nothing is under way any more.
  static func conclude(_ session: LiveSession) {
    guard !session.session.isBusy, let connection = session.connection,
      let token = connection.waits.take(validation: session)
    else { return }
    if let text = session.text {
      connection.answer(token, text.judgment(of: session))
      connection.server.letGo(text)
    } else {
      connection.answer(token, Verdict(isValid: session.session.isValid), documentOf: session)
    }
    session.end()
    connection.server.settleLater(connection)
  }
}
