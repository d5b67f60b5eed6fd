internal import FormProtocol
internal import Forms
internal import JSONRPC
internal import Sessions

/// ``Method/fieldRemove``
enum FieldRemoveMethod: ServedMethod {
  static func serve(_ params: FieldRemoveParams, _ call: ServedCall) throws(RPCError) {
    let session = try call.session(params.session)
    let place = try session.session.place(ofField: params.field)
    let input: Input
    if session.session.isRow(place) {
      input = .remove(row: place.row)
    } else {
      if session.session.isComputed(place) { throw .computedField("/field") }
      let change = FieldChange(row: place.row, field: place.field ?? FieldChange.root, path: place.rest, value: nil)
      guard session.session.firstUnacceptable(in: [change]) == nil else {
        throw .noRow("/field", "a row, or a member that is there")
      }
      input = .change([change], commit: true)
    }
    call.answer(InputAnswer(revision: session.apply(input, cause: .fieldRemove).revision))
  }
}

extension Session {
  /// The row at an address, and the list that it is in.
  ///
  /// - Throws: as ``place(ofField:)``; -32602 for what is no row.
  func row(ofField address: String) throws(RPCError) -> (row: Int, list: FieldPlace) {
    let place = try place(ofField: address)
    guard isRow(place), let list = list(of: place.row) else { throw .noRow("/field", "the address of a row") }
    return (place.row, list)
  }
}
