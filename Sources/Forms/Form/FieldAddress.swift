internal import CEL
internal import JSON

/// The names in addresses, and the names that formulas use for fields.
package enum FieldAddress {
  /// The name of a field in formulas: among the values (`values.address.city`), or its status (`fields.email`,
  /// `fields['/address/city']`).
  package static func spelling(of path: [String], among group: String) -> String {
    Printer.print(chain: names(of: path, among: group))
  }

  /// The parts of that name. Formulas name a value inside a row from the row: `row.quantity`.
  static func names(of path: [String], among group: String) -> [String] {
    guard group == "values" else { return [group, JSONPointer(tokens: path).address] }
    if let element = path.lastIndex(of: "*") { return ["row"] + path[(element + 1)...] }
    return [group] + path
  }

  /// The names in an address, which may be spelled as programs do: `items[0].sku`, `items.0.sku`.
  static func path(spelledBy address: String) -> [String] {
    if address.utf8.first == UInt8(ascii: "/") { return JSONPointer(address)?.tokens ?? [] }
    return address.split { ".[]".contains($0) }.map(String.init)
  }

  /// The names in an address of a session of a form: by the rules of JSON Pointer, or in the spelling of programs if
  /// that leads to a field.
  package static func path(meantBy address: String, in form: Form) -> [String] {
    let spelled = path(spelledBy: address)
    let asDefined = JSONPointer(tokens: spelled.map { isRow($0) ? "*" : $0 }).address
    return form.field(at: asDefined) == nil ? JSONPointer(address: address)?.tokens ?? [] : spelled
  }

  /// The name of a step in formulas: `steps.account`, `steps['last-page']`.
  package static func spelling(ofStep id: String) -> String {
    Printer.print(chain: ["steps", id])
  }
}
