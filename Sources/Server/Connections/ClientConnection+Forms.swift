internal import FormProtocol
internal import Forms
internal import JSON
internal import JSONRPC
internal import Sessions

extension ClientConnection {
  func listForms(_ request: RPCRequest, _ token: RequestToken) throws(RPCError) {
    _ = try read(NoParams.init, request)
    let list = daemon.catalog.forms.map { form -> JSON in
      var entry: JSONObject = ["form": .string(form.name)]
      if let locale = form.locale { entry["locale"] = .string(locale) }
      entry["fields"] = .array(form.fields.map { .string($0.name) })
      entry["actions"] = .array(form.actions.map { .string($0.name) })
      return .object(entry)
    }
    answer(token, ["forms": .array(list)])
  }

  func describeForm(_ request: RPCRequest, _ token: RequestToken) throws(RPCError) {
    let params = try read(FormDescribeParams.init, request)
    answer(token, try form(.form(params.form)).description(locale: params.locale))
  }

  /// Judges values in a session that the client never sees.
  func validateForm(_ request: RPCRequest, _ token: RequestToken) throws(RPCError) {
    let params = try read(FormValidateParams.init, request)
    guard token.wantsAnswer else { throw .invalidRequest(reason: "idNeeded") }
    try checkSessionQuota()
    if params.checks { try checkRequestsInFlight() }
    let form = try form(params.source)
    let values = try values(params.values, of: form)
    var options = OpenOptions(locale: params.locale, show: .always, runsChecks: params.checks)
    if !params.checks { options.values = values }
    let (slot, opening) = open(form, options, hasOwnDefinition: params.source.isOwn, isHidden: true)
    if let values, request.textBytes > Self.smallBytes {
      do throws(RPCError) {
        try hold(values, in: slot)
      } catch {
        end(slot)
        throw error
      }
    }
    waits.append(Wait(token: token, outcome: .validation(slot)))
    guard params.checks else { return route(opening, of: slot, cause: "form/validate") }
    route(opening, of: slot, cause: "form/validate", concludes: false)
    // Checks run for what was edited; so here the values are edits, each ended at once.
    let changes = (values ?? [:]).compactMap { member in
      form.field(named: member.name).map { FieldChange(field: $0, value: member.value) }
    }
    let edits = Input.change(changes, commit: true)
    let edited = daemon.engine.apply(edits, to: slot.session, at: daemon.now)
    route(edited, of: slot, cause: "form/validate", concludes: false)
    let flushed = daemon.engine.apply(.flush, to: slot.session, at: daemon.now)
    route(flushed, of: slot, cause: "form/validate")
  }

  /// Answers a validation when nothing is under way any more.
  func concludeValidation(_ slot: SessionSlot) {
    guard !slot.session.isBusy else { return }
    let position = waits.firstIndex { wait in
      if case .validation(let other) = wait.outcome { other === slot } else { false }
    }
    guard let position else { return }
    let wait = waits.remove(at: position)
    let result = rpc.beginResult(wait.token)
    result.append(#"{"isValid":"#)
    result.write(slot.session.document["isValid"]?.boolValue ?? false)
    result.append(#","document":"#)
    daemon.engine.writeDocument(of: slot.session, into: result)
    result.append(byte: UInt8(ascii: "}"))
    rpc.endResult(wait.token)
    end(slot)
  }
}
