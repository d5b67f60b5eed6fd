internal import FormProtocol
package import Forms
internal import JSON
package import JSONRPC
package import Sessions
internal import Texts

extension Session {
  /// The field of that name at the top.
  @inline(__always)
  func field(named address: SentAddress) -> Int? {
    switch address {
    case .text(let text): text.withCodeUnits(field(named:))
    case .inPlace(let bytes): field(named: bytes)
    }
  }

  @inline(__always)
  private func field(named name: UnsafeBufferPointer<UInt8>) -> Int? {
    // An address that begins with a slash is a pointer.
    name.first == UInt8(ascii: "/") ? nil : field(utf8: name.span)
  }

  /// Resolves an address: to a field, or to a value inside a field's value.
  ///
  /// - Throws: `unknownField` with the closest address of a field, or with the reason why a row does not exist.
  ///   `invalidParams` for an address that begins with a slash but is not a JSON Pointer, and for a position that a
  ///   list does not have.
  ///
  /// - Parameter path: the location of the address in the params.
  package func resolve(field address: String, at path: String = "/field") throws(RPCError) -> ResolvedAddress {
    do throws(AddressError) {
      return try resolve(address)
    } catch {
      switch error {
      case .notAPointer: throw .invalidField
      case .noPosition:
        throw .unsuitableTarget(
          path,
          "existing rows, by position from 0 or by identity (`#7`); `-` only at the end: insert the row first"
        )
      case .removed: throw .goneRow(address, .removed)
      case .moved: throw .goneRow(address, .moved)
      case .unknown: throw .unknownField(address, closest: closestAddress(to: address))
      }
    }
  }

  /// The field at an address, or the field that contains the value there, and its innermost row (0 if it is in none).
  ///
  /// - Throws: the errors of ``resolve(field:at:)``, and `invalidParams` for the position behind the last row, because
  ///   it has no field yet.
  func fieldAndRow(at address: String) throws(RPCError) -> (row: Int, field: Int) {
    let target = try resolve(field: address)
    if let field = target.field {
      guard target.rest.isEmpty || !isList(ResolvedAddress(row: target.row, field: field, rest: [])) else {
        throw .unsuitableTarget("/field", "an existing row")
      }
      return (target.row, field)
    }
    throw .unknownField(address, closest: closestAddress(to: address))
  }

  /// The session's address that is closest to an unknown address, in the same rows.
  private func closestAddress(to address: String) -> String? {
    let path = FieldAddress.path(meantBy: address, in: form)
    let rows = path.map { Self.maySayRow($0) ? $0 : nil }
    let asDefined = JSONPointer(tokens: path.map { Self.maySayRow($0) ? "*" : $0 }).address
    guard let closest = form.closestAddress(to: path.isEmpty ? address : asDefined) else { return nil }
    var tokens = JSONPointer(address: closest)?.tokens ?? []
    while let star = tokens.firstIndex(of: "*") {
      let list = Array(tokens[..<star])
      guard star < rows.count, let row = rows[star], (try? resolve(JSONPointer(tokens: list + [row]).address)) != nil
      else { return JSONPointer(tokens: list).address }
      tokens[star] = row
    }
    return JSONPointer(tokens: tokens).address
  }

  /// Whether a name in an address has the form of a row: `#7`, `0`, or `*` as in a definition.
  private static func maySayRow(_ token: String) -> Bool {
    token == "*" || token.utf8.first == UInt8(ascii: "#") || JSONPointer.arrayIndex(token) != nil
  }
}

extension Form {
  /// The number of the step of that id.
  ///
  /// - Throws: `unknownStep` with the closest id.
  func number(ofStep id: String) throws(RPCError) -> Int {
    if let step = step(named: id) { return step }
    throw .unknownStep(id, closest: closestName(to: id, among: steps.map(\.id)))
  }

  /// The number of the action of that name.
  ///
  /// - Throws: `unknownAction` with the closest name.
  func number(ofAction name: String) throws(RPCError) -> Int {
    var name = name
    if let action = name.withUTF8({ action(utf8: $0.span) }) { return action }
    throw .unknownAction(name, closest: closestName(to: name, among: actions.map(\.name)))
  }
}
