internal import FormProtocol
internal import Forms
internal import JSONRPC
internal import Texts

extension FormServer {
  /// The form of that name.
  ///
  /// - Throws: ``FormErrorCode/unknownForm`` with the closest name.
  func form(named name: String) throws(RPCError) -> Form {
    if let form = catalog.form(named: name) { return form }
    throw .unknownForm(name, closest: closestName(to: name, among: catalog.forms.map(\.name)))
  }
}
