internal import Forms
internal import JSON

/// The state with which a run was started: the values that were sent, and the identities of the rows. An answer counts
/// the rows of that time.
struct SentValues {
  /// As the schema saw them: without hidden fields and ignored rows, with required lists and objects that are empty.
  let root: JSON
  /// The identities of a list's rows in the order sent, by the address of the list with positions.
  private let rows: [String: [Int]]

  init(of session: Session) {
    root = .object(session.rootValue(.judged))
    var rows: [String: [Int]] = [:]
    Self.collect(session, [], &rows)
    self.rows = rows
  }

  private static func collect(_ instance: Instance, _ path: [String], _ rows: inout [String: [Int]]) {
    for list in instance.lists {
      let own = instance.form.fields[list.field].path
      let element = instance.row.map { instance.form.fields[$0.element].path.count } ?? 0
      let path = path + own.dropFirst(element)
      let sent = list.countedRows
      rows[JSONPointer(tokens: path).description] = sent.map(\.id)
      for (position, row) in sent.enumerated() { collect(row, path + [String(position)], &rows) }
    }
  }

  /// About the bytes that it takes.
  var bytes: Int { rows.reduce(root.approximateBytes) { $0 + 64 + $1.key.utf8.count + 8 * $1.value.count } }

  /// The current target of an address in an answer.
  enum Target {
    /// That field, with the rest of the path inside its value.
    case field(LiveField, rest: [String])
    /// The row is gone, or the value has changed since: an error for it is out of date.
    case outdated
    /// The address did not exist.
    case nowhere
  }

  /// Finds the target of an address that an answer names: a field's name, a JSON Pointer, `items.1.description` or
  /// `items[1].description`.
  func target(of text: String, in session: Session) -> Target {
    let path = Self.path(of: text, in: session.form)
    var live: LiveField?
    var instance: Instance = session
    var passed: [String] = []
    var rest = path[...]
    while let token = rest.first {
      if let list = live?.field, instance.isList(list) {
        guard let ids = rows[JSONPointer(tokens: passed).description], let position = JSONPointer.arrayIndex(token),
          position < ids.count
        else { return .nowhere }
        guard let row = session.extras?.rows[ids[position]] else { return .outdated }
        instance = row
        live = LiveField(row.element, in: row)
      } else if let next = session.form.field(named: token, in: live?.field) {
        live = LiveField(next, in: instance)
      } else {
        break
      }
      passed.append(token)
      rest.removeFirst()
    }
    guard let live, rest.isEmpty || live.state.pointee.value?.value(at: rest) != nil else { return .nowhere }
    let sent = root.value(at: passed[...])
    return sent == live.instance.value(of: live.field, .judged) ? .field(live, rest: Array(rest)) : .outdated
  }

  /// The names and positions of an address, however it is written.
  private static func path(of text: String, in form: Form) -> [String] {
    if let pointer = JSONPointer(address: text), text.utf8.first == UInt8(ascii: "/") { return pointer.tokens }
    if form.field(named: text, in: nil) != nil { return [text] }
    return text.split(separator: ".", omittingEmptySubsequences: false).flatMap { part in
      var names = part.split(separator: "[", omittingEmptySubsequences: false).map(String.init)
      for index in names.indices.dropFirst() where names[index].hasSuffix("]") { names[index].removeLast() }
      if names.count > 1, names[0].isEmpty { names.removeFirst() }
      return names
    }
  }
}

extension JSON {
  /// The value at the end of a path, or nil if there is none.
  fileprivate func value(at path: ArraySlice<String>) -> JSON? {
    guard let token = path.first else { return self }
    let next: JSON? =
      switch self {
      case .object(let members): members[token]
      case .array(let elements):
        JSONPointer.arrayIndex(token).flatMap { $0 < elements.count ? elements[$0] : nil }
      default: nil
      }
    return next?.value(at: path.dropFirst())
  }
}
