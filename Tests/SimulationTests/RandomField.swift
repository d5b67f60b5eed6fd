import Forms
import JSON
import Randomness
import Sessions

/// A field of a form; for a list's field also the numbers of its rows. A number may mean another row after each turn,
/// so a history still makes sense if steps are left out.
struct RandomField: CustomStringConvertible {
  let field: Int
  /// A number for each row that the field is in, from the outside in.
  let picks: [Int]

  init(_ field: Int, of form: RandomForm, random: inout SeededGenerator) {
    self.field = field
    picks = (0..<form.fields[field].depth).map { _ in random.below(100) }
  }

  /// The field in a session; nil if the session does not have such rows.
  func resolve(in session: Session) -> ResolvedAddress? {
    var row = 0
    for (list, pick) in zip(Self.lists(around: field, session), picks) {
      let rows = session.rows(of: ResolvedAddress(row: row, field: list, rest: []))
      if rows.isEmpty { return nil }
      row = rows[pick % rows.count]
    }
    return ResolvedAddress(row: row, field: field, rest: [])
  }

  /// The lists whose rows a field is in, outmost first.
  private static func lists(around field: Int, _ session: Session) -> [Int] {
    var lists: [Int] = []
    var next: Int? = field
    while let field = next {
      if let list = session.form.fields[field].list { lists.append(list) }
      next = session.form.fields[field].around
    }
    return lists.reversed()
  }

  var description: String {
    picks.isEmpty ? "\(field)" : "\(field) in \(picks.map(\.description).joined(separator: "."))"
  }
}

extension Session {
  /// All fields, for rows in each row. Each field follows the field that contains it.
  var targets: [ResolvedAddress] {
    var targets: [ResolvedAddress] = []
    func add(_ row: Int, _ fields: Range<Int>) {
      for field in fields {
        let target = ResolvedAddress(row: row, field: field, rest: [])
        targets.append(target)
        guard let element = form.fields[field].element else { continue }
        for row in rows(of: target) { add(row, form.templates[form.fields[element].template].fields) }
      }
    }
    add(0, form.templates[0].fields)
    return targets
  }

  /// The names and identities that lead to a field.
  func way(to target: ResolvedAddress) -> [String] { JSONPointer(address: address(of: target))?.tokens ?? [] }
}

extension JSON {
  /// A document's state of a field. The state of a row's field omits its defaults.
  func state(at way: [String]) -> JSON? {
    way.reduce(self) { state, name in
      name.utf8.first == UInt8(ascii: "#") ? state?["rows"]?[String(name.dropFirst())] : state?["fields"]?[name]
    }
  }
}
