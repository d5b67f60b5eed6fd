internal import CEL
internal import JSON
internal import Texts

/// The position of a field among the form's fields.
struct FieldPosition {
  let name: String
  let path: [String]
  let parent: Int?
  let end: Int
  let list: Int?
  let element: Int?
  let template: Int
  let owner: Int
  let property: Int?
  let unit: Int?

  /// The field around it: see ``Field/around``.
  var around: Int? { parent ?? list }

  /// The field's address: see ``Field/address``.
  var address: String { JSONPointer(tokens: path).address }
}

/// The names that formulas use for fields.
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

/// An address after its resolution: a field, and the path inside its value beyond the fields.
public struct ResolvedAddress: Sendable, Hashable {
  /// The identity of the innermost row on the way; 0 if there is none.
  public let row: Int
  /// The deepest field on the way; nil for a member of the root that is not a field.
  public let field: Int?
  /// The names and positions that lead further, from that field's value; empty for the field itself.
  public let rest: [String]

  package init(row: Int = 0, field: Int?, rest: [String]) {
    self.row = row
    self.field = field
    self.rest = rest
  }
}

/// Why an address leads nowhere.
public enum AddressError: Error, Sendable, Hashable {
  /// It begins with a slash, and is not a valid JSON Pointer.
  case notAPointer
  /// It names a member that an object does not have, or a row that has never been there.
  case unknown
  /// It names a position of a list that has no row there, or `-` before its end.
  case noPosition
  /// It names a row that was removed.
  case removed
  /// It names a row that is in another list.
  case moved
}

/// Finds the fields of a form by their addresses.
struct FieldIndex: Sendable {
  /// By canonical address.
  private let fields: [UTF8Key: Int]
  /// The number of names of the longest path to a field.
  private let depthMax: Int

  init(addresses: [String]) {
    depthMax =
      addresses.lazy.map { $0.utf8.first == UInt8(ascii: "/") ? $0.utf8.count { $0 == UInt8(ascii: "/") } : 1 }
      .max() ?? 0
    fields = Dictionary(
      addresses.enumerated().map { (UTF8Key(text: $0.element), $0.offset) },
      uniquingKeysWith: { first, _ in first }
    )
  }

  /// The field of an address, which may be written as a name or as a pointer.
  func field(at address: String) -> Int? {
    if let field = fields[UTF8Key(text: address)] { return field }
    return JSONPointer(address: address).flatMap { field(on: $0.tokens) }
  }

  /// The field that those names lead to.
  func field(on path: [String]) -> Int? { fields[UTF8Key(text: JSONPointer(tokens: path).address)] }

  /// The most similar address to one that leads to no field; nil if none is close.
  ///
  /// - Parameter addresses: the addresses of all fields.
  func closest(to address: String, among addresses: [String]) -> String? {
    let spelled = FieldAddress.path(spelledBy: address).map { FieldAddress.isRow($0) ? "*" : $0 }
    if let field = field(on: spelled) { return addresses[field] }
    guard let path = JSONPointer(address: address)?.tokens else { return closestName(to: address, among: addresses) }
    // An empty name means nothing, and each name of one letter is close to it.
    guard path.contains(where: { !$0.isEmpty }) else { return nil }
    // In a long path, the first name that is wrong shows which field was meant.
    let wrong = path.prefix((deepest(on: path)?.count ?? 0) + 1)
    guard let meant = closestName(to: JSONPointer(tokens: Array(wrong)).address, among: addresses) else {
      return closestName(to: JSONPointer(tokens: path).address, among: addresses)
    }
    // With that name corrected, the rest of the path may be correct, too.
    let rest = path.dropFirst(wrong.count).map { FieldAddress.isRow($0) ? "*" : $0 }
    return field(on: (JSONPointer(address: meant)?.tokens ?? []) + rest).map { addresses[$0] } ?? meant
  }

  /// The deepest field on the path, and how many of the names lead to it.
  func deepest(on path: [String]) -> (field: Int, count: Int)? {
    for count in stride(from: min(path.count, depthMax), to: 0, by: -1) {
      if let field = field(on: Array(path[..<count])) { return (field, count) }
    }
    return nil
  }
}
