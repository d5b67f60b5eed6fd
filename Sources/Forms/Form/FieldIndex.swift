internal import JSON
internal import Texts

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
