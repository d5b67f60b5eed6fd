internal import Forms
internal import JSON

/// Something of a form that has a name.
enum FormSymbol: Hashable, Sendable {
  /// The field that those names lead to; `*` is each row.
  case field([String])
  /// The lookup with that address.
  case lookup(String)
  /// The output with that address.
  case output(String)
  /// The others, by id or name.
  case rule(String)
  case check(String)
  case step(String)
  case action(String)
  case text(String)

  /// The name alone, without what leads to it.
  var name: String {
    switch self {
    case .field(let path): path.last ?? ""
    case .lookup(let address), .output(let address):
      address.hasPrefix("/") ? JSONPointer(address)?.tokens.last ?? address : address
    case .rule(let name), .check(let name), .step(let name), .action(let name), .text(let name): name
    }
  }
}

/// A place in a document where a symbol is named.
struct Occurrence: Hashable, Sendable {
  /// The bytes of the name, without quotes.
  let range: Range<Int>
  let symbol: FormSymbol
  /// Whether the name is given its meaning here.
  var isDefinition = false
}
