internal import FormProtocol
internal import Forms
internal import JSONRPC
internal import Texts

extension Form {
  /// The place at an address: a field, or a place inside of a field's value.
  ///
  /// - Throws: 1004 with the closest address of a field; -32602 for what begins with a slash and is no JSON Pointer.
  func place(ofField address: String) throws(RPCError) -> FieldPlace {
    do throws(AddressFault) {
      return try place(at: address)
    } catch {
      switch error {
      case .notAPointer: throw .invalidField
      case .unknown: throw unknownField(address)
      }
    }
  }

  /// The field at an address, or the one that holds the place there.
  ///
  /// - Throws: as ``place(ofField:)``.
  func field(ofField address: String) throws(RPCError) -> Int {
    if let field = try place(ofField: address).field { return field }
    throw unknownField(address)
  }

  private func unknownField(_ address: String) -> RPCError {
    .unknownField(address, closest: closestAddress(to: address))
  }

  /// The position of the step of that id.
  ///
  /// - Throws: 1008 with the closest id.
  func position(ofStep id: String) throws(RPCError) -> Int {
    if let step = step(named: id) { return step }
    throw .unknownStep(id, closest: closestName(to: id, among: steps.map(\.id)))
  }

  /// The address of the action of that name.
  ///
  /// - Throws: 1005 with the closest name.
  func address(ofAction name: String) throws(RPCError) -> Int {
    var name = name
    if let action = name.withUTF8({ action(utf8: $0) }) { return action }
    throw .unknownAction(name, closest: closestName(to: name, among: actions.map(\.name)))
  }
}

extension FormServer {
  /// The form of that name.
  ///
  /// - Throws: 1003 with the closest name.
  func form(named name: String) throws(RPCError) -> Form {
    if let form = catalog.form(named: name) { return form }
    throw .unknownForm(name, closest: closestName(to: name, among: catalog.forms.map(\.name)))
  }
}
