internal import FormProtocol
internal import Forms
internal import JSON
internal import JSONRPC
internal import Texts

extension Form {
  /// The address of the field of that name.
  ///
  /// - Throws: 1004 with the closest name.
  func address(ofField name: String) throws(RPCError) -> Int {
    if let field = field(named: name) { return field }
    throw .unknownField(name, closest: closestName(to: name, among: fields.map(\.name)))
  }

  /// The address of the action of that name.
  ///
  /// - Throws: 1005 with the closest name.
  func address(ofAction name: String) throws(RPCError) -> Int {
    var name = name
    if let action = name.withUTF8({ action(utf8: $0) }) { return action }
    throw .unknownAction(name, closest: closestName(to: name, among: actions.map(\.name)))
  }

  /// Whole values have no other names than the form's fields.
  ///
  /// - Throws: 1004 for the first other name.
  func checkNames(_ values: JSONObject) throws(RPCError) {
    for member in values { _ = try address(ofField: member.name) }
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
