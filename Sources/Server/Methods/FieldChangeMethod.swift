internal import FormProtocol
internal import Forms
internal import JSON
internal import JSONRPC
internal import Sessions

/// ``Method/fieldChange``
enum FieldChangeMethod: ServedMethod {
  static func serve(_ params: FieldChangeParams, _ call: ServedCall) throws(RPCError) {
    let session = try call.session(params.session)
    let input = try input(params, session)
    try call.connection.sessions.admit(input, to: session)
    let turn = session.apply(input, cause: .fieldChange)
    call.answer(InputAnswer(revision: turn.revision))
  }

  private static func input(_ params: FieldChangeParams, _ session: LiveSession) throws(RPCError) -> Input {
    let changes: [FieldChange]
    if let values = params.values {
      var places: [FieldChange] = []
      for member in values { places.append(try change(member.name, member.value, session, at: path(of: member.name))) }
      changes = places
      if let position = session.session.firstUnacceptable(in: changes) {
        throw noSuchPlace(path(of: values[position].name))
      }
    } else {
      let change = try change(params.field ?? "", params.value ?? .null, session, at: "/field")
      if session.session.firstUnacceptable(in: [change]) != nil { throw noSuchPlace("/field") }
      let isPlain =
        change.row == 0 && change.path.isEmpty && params.origin == .user && !params.isComposing && !params.commit
      if isPlain { return .set(field: change.field, to: change.value) }
      changes = [change]
    }
    return .change(
      changes,
      origin: params.origin.sessionOrigin,
      isComposing: params.isComposing,
      commit: params.commit
    )
  }

  /// The change of what stands at an address.
  private static func change(
    _ address: String,
    _ value: JSON,
    _ session: LiveSession,
    at path: String
  ) throws(RPCError) -> FieldChange {
    let place = try session.session.place(ofField: address, at: path)
    if session.session.isComputed(place) { throw .computedField(path) }
    return FieldChange(row: place.row, field: place.field ?? FieldChange.root, path: place.rest, value: value)
  }

  /// Where one of several addresses stands in the params.
  private static func path(of address: String) -> String {
    "/values/" + JSONPointer.escape(String(address.unicodeScalars.prefix(256)))
  }

  /// A JSON Pointer that leads nowhere in the field's value: nothing is changed, and nothing is lost silently.
  private static func noSuchPlace(_ path: String) -> RPCError {
    RPCError.invalidParams([
      .init(
        path: path,
        code: .value,
        expected: "a place that the field's value has, or the one behind its last element"
      )
    ])
  }
}
