internal import CEL
internal import FormProtocol
internal import Forms
internal import JSON
internal import JSONRPC
internal import Sessions

/// ``Method/formValidate``: judges values in a session that the client never sees.
enum FormValidateMethod: ServedMethod {
  static func serve(_ params: FormValidateParams, _ call: ServedCall) throws(RPCError) {
    try call.needAnswer()
    try call.checkLength(of: params.locale, at: "/locale")
    let zone = try call.zone(named: params.zone)
    if params.checks { try call.connection.checkRequestsInFlight() }
    let question = Question(
      locale: params.locale,
      zone: zone,
      values: params.values ?? [:],
      runsChecks: params.checks,
      hasOwnDefinition: params.source.isOwn
    )
    try call.withForm(params.source) { form throws(RPCError) in try judge(form, question, call) }
  }

  /// The values that a form is to judge.
  struct Question {
    var locale: String?
    var zone: Zone
    var values: JSONObject
    var appliesDefaults = true
    var runsChecks: Bool
    var hasOwnDefinition: Bool
    /// The text that holds the values; nil if they came as JSON.
    var text: ReadText?
  }

  /// Judges values, and answers when that is done.
  static func judge(_ form: Form, _ question: Question, _ call: ServedCall) throws(RPCError) {
    let connection = call.connection
    let (session, turn) = try connection.sessions.openValidation(
      form,
      OpenOptions(
        locale: question.locale,
        zone: question.zone,
        values: question.runsChecks ? nil : question.values,
        appliesDefaults: question.appliesDefaults,
        show: .always,
        runsChecks: question.runsChecks
      ),
      of: question.text,
      on: connection,
      hasOwnDefinition: question.hasOwnDefinition
    )
    session.carryOut(turn, cause: .sessionOpen)
    if question.runsChecks {
      do throws(RPCError) {
        try startChecks(of: question.values, session)
      } catch {
        session.end()
        throw error
      }
    }
    connection.waits.add(call.token, for: session, .validation)
    conclude(session)
  }

  /// Checks run for edited fields; so here the values are edits, each ended at once.
  private static func startChecks(of values: JSONObject, _ session: LiveSession) throws(RPCError) {
    let form = session.session.form
    let changes = values.map { member in
      let place = form.place(of: [member.name])
      return FieldChange(field: place.field ?? FieldChange.root, path: place.rest, value: member.value)
    }
    let input = Input.change(changes, origin: .user, isComposing: false, commit: true)
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
    } else {
      connection.answer(token, Verdict(isValid: session.session.isValid), documentOf: session)
    }
    session.end()
    connection.server.settleLater(connection)
  }
}
