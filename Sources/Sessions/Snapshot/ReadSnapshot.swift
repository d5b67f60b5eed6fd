internal import Forms
internal import JSON
internal import Texts

/// The content of a snapshot, by the names in the definition, because a changed form has other positions.
struct ReadSnapshot {
  /// The parts that belong to the session as a whole, unchanged.
  var opening = JSON.object([:])
  var head = JSON.object([:])
  var others = JSON.object([:])
  var serverErrors = JSON.object([:])
  var watched = JSON.object([:])
  var context = JSON.object([:])
  /// The edits of users, in any order.
  var edits: [JSON] = []
  /// By the action's name.
  var actions: [UTF8Key: JSON] = [:]
  /// The fields of the form, with its checks, lookups and lists.
  var form = ReadInstance()
  /// The rows by identity, each with its checks, lookups and lists.
  var rows: [Int: ReadInstance] = [:]

  /// Reads the parts.
  ///
  /// - Throws: ``SnapshotError`` when a part does not have an engine's format.
  init(_ snapshot: SessionSnapshot) throws(SnapshotError) {
    for (part, bytes) in snapshot.parts {
      guard let kind = part.kind else {
        if part.rawValue < 0 { continue }
        throw SnapshotError(description: "the snapshot has the unknown part \(part.rawValue)")
      }
      let value: JSON
      do throws(JSONReadError) {
        value = try JSON(parsing: bytes)
      } catch {
        throw SnapshotError(description: "the part \(part.rawValue) of the snapshot is not JSON")
      }
      add(value, kind, part)
    }
  }

  private mutating func add(_ value: JSON, _ kind: SnapshotPart.Kind, _ part: SnapshotPart) {
    switch kind {
    case .fields where part.row == 0:
      if part == .head { head = value }
      form.addFields(value)
    case .fields: rows[part.row, default: ReadInstance()].add(row: value)
    case .field: form.add(field: value["field"], value["state"])
    case .order: update(part.row) { $0.add(order: value) }
    case .beginning: update(part.row) { $0.add(beginning: value) }
    case .action: if let name = value["action"]?.stringValue { actions[UTF8Key(text: name)] = value }
    case .check: if let id = value["check"]?.stringValue { form.checks[UTF8Key(text: id)] = value }
    case .lookup: if let address = value["lookup"]?.stringValue { form.lookups[UTF8Key(text: address)] = value }
    case .edit: edits.append(value)
    case .session:
      switch SnapshotPart.SessionPart(rawValue: part.number) {
      case .opening?: opening = value
      case .others?: others = value
      case .serverErrors?: serverErrors = value
      case .watched?: watched = value
      case .context?: context = value
      case nil: break
      }
    }
  }

  private mutating func update(_ row: Int, _ change: (inout ReadInstance) -> Void) {
    if row == 0 { change(&form) } else { change(&rows[row, default: ReadInstance()]) }
  }

  /// A number that counts something. It is 0 if the member is missing or is not a number.
  func number(_ name: String) -> Int { Int(clamping: max(head[name]?.integerValue ?? 0, 0)) }
}

/// The snapshot's content for the form, or for a row, by the names and addresses in the definition.
struct ReadInstance {
  var fields: [UTF8Key: JSON] = [:]
  var checks: [UTF8Key: JSON] = [:]
  var lookups: [UTF8Key: JSON] = [:]
  var lists: [UTF8Key: ReadList] = [:]

  fileprivate mutating func addFields(_ part: JSON) {
    for member in part["fields"]?.objectValue ?? [:] { fields[UTF8Key(text: member.name)] = member.value }
  }

  fileprivate mutating func add(field address: JSON?, _ state: JSON?) {
    if let address = address?.stringValue { fields[UTF8Key(text: address)] = state }
  }

  fileprivate mutating func add(row: JSON) {
    addFields(row)
    for member in row["checks"]?.objectValue ?? [:] { checks[UTF8Key(text: member.name)] = member.value }
    for member in row["lookups"]?.objectValue ?? [:] { lookups[UTF8Key(text: member.name)] = member.value }
  }

  fileprivate mutating func add(order: JSON) {
    guard let address = order["list"]?.stringValue else { return }
    var rows: [Int] = []
    for range in order["rows"]?.arrayValue ?? [] {
      guard let bounds = range.arrayValue, bounds.count == 2, let first = bounds[0].integerValue,
        let count = bounds[1].integerValue, first > 0, (1...ReadList.rowsMax).contains(count),
        first <= ReadList.idMax - count, Int64(rows.count) + count <= ReadList.rowsMax
      else { continue }
      rows += Int(first)..<Int(first + count)
    }
    lists[UTF8Key(text: address), default: ReadList()].rows = rows
  }

  fileprivate mutating func add(beginning: JSON) {
    guard let address = beginning["list"]?.stringValue else { return }
    lists[UTF8Key(text: address), default: ReadList()].initial = (beginning["rows"]?.arrayValue ?? []).map {
      (Int(clamping: $0["id"]?.integerValue ?? 0), $0["value"] ?? .null)
    }
  }

  subscript(field: Field) -> JSON? { fields[UTF8Key(text: field.address)] }
}

/// The snapshot's content for a list with rows: the current rows, in order, and the initial rows.
struct ReadList {
  /// A larger number is damage, and would exhaust the memory of the process.
  fileprivate static let rowsMax: Int64 = 1 << 24
  fileprivate static let idMax: Int64 = 1 << 38

  var rows: [Int] = []
  var initial: [(id: Int, value: JSON)] = []
}
