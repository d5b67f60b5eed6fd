internal import FormProtocol
internal import Forms
internal import JSON
internal import JSONRPC
internal import Sessions
internal import Texts

extension ClientConnection {
  // MARK: Names

  /// The session of that number; without one, the only session there is.
  func slot(_ number: Int64?) throws(RPCError) -> SessionSlot {
    guard let number else {
      if sessions.count == 1 { return sessions[0] }
      if sessions.isEmpty { throw RPCError(code: FormErrorCode.unknownSession, message: "Unknown session") }
      throw InvalidParams([
        .init(path: "/session", code: .required, expected: "a session: this connection has \(sessions.count)")
      ]).rpcError
    }
    for slot in sessions where slot.id == number { return slot }
    throw .unknownSession(number)
  }

  /// The address of the field of that name.
  func field(_ name: UnsafeBufferPointer<UInt8>, of slot: SessionSlot) throws(RPCError) -> Int {
    if let field = slot.session.form.field(utf8: name) { return field }
    throw slot.session.form.unknownField(String(decoding: name, as: UTF8.self))
  }

  /// A field's name or a JSON Pointer into its value.
  private func place(
    _ text: UnsafeBufferPointer<UInt8>,
    of slot: SessionSlot
  ) throws(RPCError) -> (field: Int, path: [String]) {
    guard text.first == UInt8(ascii: "/") else { return (try field(text, of: slot), []) }
    guard let pointer = JSONPointer(String(decoding: text, as: UTF8.self)), let name = pointer.tokens.first else {
      throw InvalidParams([.init(path: "/field", code: .value, expected: "a field's name or a JSON Pointer")]).rpcError
    }
    guard let field = slot.session.form.field(named: name) else { throw slot.session.form.unknownField(name) }
    return (field, Array(pointer.tokens.dropFirst()))
  }

  // MARK: Plain inputs

  /// The session that a plain input means; nil when that is an error.
  @inline(__always)
  func plainSlot(_ number: Int64?) -> SessionSlot? {
    guard let number else { return sessions.count == 1 ? sessions[0] : nil }
    for slot in sessions where slot.id == number { return slot }
    return nil
  }

  /// Does what a plain input says; false, with nothing done, when a name is not known.
  @inline(__always)
  func perform(_ input: PlainInput, in slot: SessionSlot) -> Bool {
    let form = slot.session.form
    if input.method == .actionTap {
      guard let action = form.action(utf8: input.name) else { return false }
      daemon.statistics.requests += 1
      tap(action, awaits: false, slot, rpc.accept(input.id))
      return true
    }
    // A name that begins with a slash is a pointer; what holds large values is counted.
    guard input.name.first != UInt8(ascii: "/"), slot.valueBytes.isEmpty, let field = form.field(utf8: input.name)
    else {
      return false
    }
    daemon.statistics.requests += 1
    let token = rpc.accept(input.id)
    switch input.method {
    case .fieldFocus: self.input(.focus(field: field), "field/focus", slot, token)
    case .fieldBlur: self.input(.blur(field: field), "field/blur", slot, token)
    default:
      let value = input.value.map { JSON.string(String(decoding: $0, as: UTF8.self)) }
      daemon.engine.change(field: field, to: value, in: slot.session, at: daemon.now)
      conclude("field/change", slot, token)
    }
    return true
  }

  // MARK: Inputs

  func changeField(_ request: RPCRequest, _ token: RequestToken) throws(RPCError) {
    let params = try read(FieldChangeParams.init, request)
    let slot = try slot(params.session)
    switch params.target {
    case .field(let name, let node):
      let place = try place(name, of: slot)
      let change = FieldChange(field: place.field, path: place.path, value: node.value())
      if !place.path.isEmpty, slot.session.firstUnacceptable(in: [change]) != nil { throw Self.noSuchPlace("/field") }
      if request.textBytes > Self.smallBytes || !slot.valueBytes.isEmpty || !place.path.isEmpty {
        try hold([change], in: slot)
      }
      if place.path.isEmpty, params.origin == .user, !params.isComposing, !params.commit {
        daemon.engine.change(field: place.field, to: change.value, in: slot.session, at: daemon.now)
        conclude("field/change", slot, token)
        return
      }
      input(
        .change(
          [change],
          origin: params.origin.sessionOrigin,
          isComposing: params.isComposing,
          commit: params.commit
        ),
        "field/change",
        slot,
        token
      )
    case .values(let node):
      var changes: [FieldChange] = []
      var names: [UnsafeBufferPointer<UInt8>] = []
      var hasPaths = false
      var fault: RPCError?
      node.forEachMember { name, value in
        guard fault == nil else { return }
        do throws(RPCError) {
          let place = try self.place(name, of: slot)
          names.append(name)
          if !place.path.isEmpty { hasPaths = true }
          changes.append(FieldChange(field: place.field, path: place.path, value: value.value()))
        } catch {
          fault = error
        }
      }
      if let fault { throw fault }
      if hasPaths, let position = slot.session.firstUnacceptable(in: changes) {
        let name = String(decoding: names[position].prefix(256), as: UTF8.self)
        throw Self.noSuchPlace("/values/" + JSONPointer.escape(name))
      }
      if request.textBytes > Self.smallBytes || !slot.valueBytes.isEmpty || hasPaths { try hold(changes, in: slot) }
      input(
        .change(
          changes,
          origin: params.origin.sessionOrigin,
          isComposing: params.isComposing,
          commit: params.commit
        ),
        "field/change",
        slot,
        token
      )
    }
  }

  /// A JSON Pointer that leads nowhere in the field's value: nothing is changed, and nothing is lost silently.
  private static func noSuchPlace(_ path: String) -> RPCError {
    InvalidParams([
      .init(
        path: path,
        code: .value,
        expected: "a place that the field's value has, or the one behind its last element"
      )
    ]).rpcError
  }

  func tap(_ request: RPCRequest, _ token: RequestToken) throws(RPCError) {
    let params = try read(ActionTapParams.init, request)
    let slot = try slot(params.session)
    guard let action = slot.session.form.action(utf8: params.action) else {
      throw slot.session.form.unknownAction(String(decoding: params.action, as: UTF8.self))
    }
    if params.awaits && token.wantsAnswer { try checkRequestsInFlight() }
    tap(action, awaits: params.awaits, slot, token)
  }

  private func tap(_ action: Int, awaits: Bool, _ slot: SessionSlot, _ token: RequestToken) {
    daemon.engine.apply(.tap(action: action), to: slot.session, at: daemon.now)
    let tap = daemon.engine.turn.tap
    if awaits && token.wantsAnswer, let tap {
      // The turn may have the tap's event already; then this answers at once.
      waits.append(Wait(token: token, outcome: .tap(slot, tap.token)))
      route(slot, cause: "action/tap")
      return
    }
    let revision = daemon.engine.turn.revision
    route(slot, cause: "action/tap")
    guard token.wantsAnswer else { return }
    let result = rpc.beginResult(token)
    result.append(#"{"revision":"#)
    result.write(revision)
    if let tap {
      result.append(#","outcome":""#)
      result.append(tap.outcome.literal)
      result.append(byte: UInt8(ascii: "\""))
      if let run = tap.run {
        result.append(#","run":"#)
        result.write(run)
      }
      if !tap.blockers.isEmpty {
        result.append(#","blockers":"#)
        result.write(tap.blockers)
      }
    }
    result.append(byte: UInt8(ascii: "}"))
    rpc.endResult(token)
  }

  /// Applies an input, writes its update, then its answer.
  func input(_ input: Input, _ cause: StaticString, _ slot: SessionSlot, _ token: RequestToken) {
    daemon.engine.apply(input, to: slot.session, at: daemon.now)
    conclude(cause, slot, token)
  }

  @inline(__always)
  private func conclude(_ cause: StaticString, _ slot: SessionSlot, _ token: RequestToken) {
    let revision = daemon.engine.turn.revision
    route(slot, cause: cause)
    guard token.wantsAnswer else { return }
    let result = rpc.beginResult(token)
    result.append(#"{"revision":"#)
    result.write(revision)
    result.append(byte: UInt8(ascii: "}"))
    rpc.endResult(token)
  }
}

extension FieldChangeParams.Origin {
  /// As the engine calls it.
  var sessionOrigin: Origin {
    switch self {
    case .user: .user
    case .autofill: .autofill
    case .restore: .restore
    case .program: .program
    }
  }
}

extension Form {
  /// 1004 for that name.
  func unknownField(_ name: String) -> RPCError {
    .unknownField(name, closest: closestName(to: name, among: fields.map(\.name)))
  }

  /// 1005 for that name.
  func unknownAction(_ name: String) -> RPCError {
    .unknownAction(name, closest: closestName(to: name, among: actions.map(\.name)))
  }
}
