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

  /// The rule or the check that an error's code names: they have one set of ids.
  static func code(_ code: String) -> [(range: Range<Int>, symbol: FormSymbol)] {
    [(0..<code.utf8.count, .rule(code)), (0..<code.utf8.count, .check(code))]
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

/// A place in a document where a field may be named without its being seen.
struct NameDoubt: Hashable, Sendable {
  /// What may be named.
  enum Subject: Hashable, Sendable {
    /// A member of that name, of a value that may be any.
    case member(String)
    /// Members of that object, whose names are computed or gone through.
    case members([String])
  }

  /// The byte where it stands.
  let offset: Int
  let subject: Subject

  /// Whether that field may be meant.
  func concerns(_ field: [String]) -> Bool {
    switch subject {
    case .member(let name): field.last == name
    case .members(let path): field.count > path.count && field.starts(with: path) && field[path.count] != "*"
    }
  }
}
