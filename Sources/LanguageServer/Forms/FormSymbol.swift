internal import Forms
internal import JSON

/// Something of a form that has a name.
enum FormSymbol: Hashable, Sendable {
  /// The field at the end of that path; `*` is each row.
  case field([String])
  /// The lookup with that address.
  case lookup(String)
  /// The output with that address.
  case output(String)
  /// A rule by its id. An id or a name identifies the following kinds of symbols, too.
  case rule(String)
  case check(String)
  case step(String)
  case action(String)
  case text(String)
  /// A named formula.
  case function(String)

  /// The name alone, without what leads to it.
  var name: String {
    switch self {
    case .field(let path): path.last ?? ""
    case .lookup(let address), .output(let address):
      address.hasPrefix("/") ? JSONPointer(address)?.tokens.last ?? address : address
    case .rule(let name), .check(let name), .step(let name), .action(let name), .text(let name),
      .function(let name):
      name
    }
  }

  /// The rule or the check that an error's code names: rules and checks share one set of ids.
  static func code(_ code: String) -> [(range: Range<Int>, symbol: FormSymbol)] {
    [(0..<code.utf8.count, .rule(code)), (0..<code.utf8.count, .check(code))]
  }
}

/// A range of a document where a symbol is named.
struct Occurrence: Hashable, Sendable {
  /// The bytes of the name, without quotes.
  let range: Range<Int>
  let symbol: FormSymbol
  /// Whether the name is defined here.
  var isDefinition = false
}

/// A part of a document that may name a field without spelling its name.
struct NameDoubt: Hashable, Sendable {
  /// The fields that may be named.
  enum Subject: Hashable, Sendable {
    /// A member with that name, of a value whose type is unknown.
    case member(String)
    /// Members of that object, whose names are computed or iterated.
    case members([String])
  }

  /// The first byte of the part in the document.
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
