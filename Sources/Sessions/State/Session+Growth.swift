internal import Budgets
internal import Formats
public import Forms
public import JSON
public import Times

/// By how much a session grows. A negative number says by how much it shrinks.
public struct Growth: Sendable, Equatable {
  /// The bytes of values: see ``Session/valueBytes``.
  public internal(set) var bytes = 0
  /// The rows in all lists.
  public internal(set) var rows = 0

  static func += (sum: inout Growth, other: Growth) {
    sum.bytes += other.bytes
    sum.rows += other.rows
  }
}

/// The bytes that a session holds for its client, and by how much an input makes it larger.
extension Session {
  /// Whether ``growthBound(of:)`` holds: no input makes rows, or resets fields that it does not name.
  public var hasGrowthBound: Bool { !tables.pointee.hasRows && !tables.pointee.resetsFields }

  /// All bytes that the session keeps on behalf of its client: ``valueBytes`` and ``computedBytes``.
  @inlinable @inline(__always)
  public var contentBytes: Int { valueBytes &+ computedBytes }

  /// By how much an input makes the session larger, at most. A caller that bounds its clients' memory asks before it
  /// applies the input.
  ///
  /// The bytes of changes are exact, except for rows, for triggers, and for fields with throttle or debounce. Such a
  /// field may keep its value and hold the new one back, so both count. The work grows with the values of the changed
  /// fields. The work of a `reset`, of another locale, and of inputs to a form with triggers grows with the session.
  public func growth(of input: Input, at now: Instant) -> Growth {
    var growth = growthWithoutTriggers(of: input, at: now)
    guard tables.pointee.resetsFields else { return growth }
    let more = growthOfTriggers
    growth.bytes += more.bytes
    // A reset brings back no further rows.
    switch input {
    case .reset, .resetField: break
    default: growth.rows += more.rows
    }
    return growth
  }

  private func growthWithoutTriggers(of input: Input, at now: Instant) -> Growth {
    switch input {
    case .set(let field, let value):
      guard tables.pointee.fields[field].isPlain else {
        return growthWithoutTriggers(of: .change([FieldChange(field: field, value: value)]), at: now)
      }
      var budget = WorkBudget(units: Engine.turnBudget)
      return Growth(bytes: normalized(value, for: field, budget: &budget).bytes &- fields[field].value.bytes)
    case .change(let changes, let origin, let isComposing, let commit):
      let prepared = PreparedChanges(changes, origin: origin, isComposing: isComposing, commit: commit, for: self)
      return growthWithoutTriggers(of: .prepared(prepared), at: now)
    case .prepared(let prepared):
      var growth = prepared.growth
      growth.bytes -= replacedBytes(of: prepared, at: now)
      return growth
    case .reset(keepValues: true):
      // Delayed changes take effect first. Then each value replaces the initial value, too: the session has the values
      // twice, and the initial values, which count among them, no longer.
      return Growth(bytes: valueBytes - 2 * initialBytes - contextBytes + wholeRowBytes)
    case .reset(keepValues: false):
      let others = extras?.otherMembers.initial.map { JSON.object($0) }.bytes ?? 0
      var growth = Growth(bytes: initialBytes + others + contextBytes - valueBytes, rows: -rowCount)
      for list in lists { growth.rows += initialRowCount(of: list) }
      forEachInstance { instance in
        for field in instance.ownFields { growth.bytes += instance.initialValue(of: field).bytes }
        for list in instance.lists where !list.hasInitialRows {
          for row in list.initial { growth.bytes += bytesMax(ofRow: row.value, in: list.field) }
        }
      }
      return growth
    case .insert(let list, _, _, let values):
      return values.reduce(into: Growth()) { $0 += growthMax(ofRow: $1, in: list) }
    case .resetField(let field, let row):
      return instance(of: row).map { growthOfReset(field, in: $0) } ?? Growth()
    case .undo: return growthOfTakingBack(.undo)
    case .redo: return growthOfTakingBack(.redo)
    case .setLocale: return Growth(bytes: bytesMaxOfReadAgain)
    case .setContext(let context): return Growth(bytes: JSON.object(context).approximateBytes - contextBytes)
    case .focus, .blur, .detach, .remove, .move, .fail, .show, .tap, .cancel, .flush, .timer, .effect: return Growth()
    }
  }

  /// The bytes of the delayed changes that the user's whole value replaces. If a timer is due, one of them may take
  /// effect first.
  private func replacedBytes(of prepared: PreparedChanges, at now: Instant) -> Int {
    let accepted = prepared.all.filter { $0.assignment != nil }
    guard accepted.count == 1, case (let change, .later?) = accepted[0], change.path.isEmpty, prepared.origin == .user,
      !isDue(at: now)
    else { return 0 }
    return instance(of: change.row)?.instanceExtras?.delays[change.field]?.held?.bytes ?? 0
  }

  /// The most that the session grows if the user's input changes all triggers.
  private var growthOfTriggers: Growth {
    var growth = Growth()
    forEachInstance { instance in
      for field in instance.ownFields {
        if !form.fields[field].trigger.isEmpty { growth += growthOfReset(field, in: instance) }
        guard form.fields[field].clearsWhenHidden else { continue }
        growth.bytes += form.fields[field].ownInitial.bytes
        growth.rows += form.rowCount(in: form.fields[field].initial, of: field)
        guard instance.isList(field) else { continue }
        for row in form.fields[field].initial?.arrayValue ?? [] { growth.bytes += bytesMax(ofRow: row, in: field) }
      }
    }
    return growth
  }

  /// The most that the session grows if a field goes back to its beginning.
  private func growthOfReset(_ field: Int, in instance: Instance) -> Growth {
    var growth = Growth()
    instance.forEachField(from: field) { live in
      growth.bytes += live.instance.initialValue(of: live.field).bytes
      guard live.instance.isList(live.field) else { return }
      let list = live.instance.list(of: live.field)
      growth.rows += initialRowCount(of: list)
      // Its rows come back, and the list keeps its initial value once more.
      for row in list.initial { growth.bytes += 2 * bytesMax(ofRow: row.value, in: live.field) }
    }
    return growth
  }

  /// A bound on how much an input can add to ``valueBytes`` of a session with ``hasGrowthBound``. It is many times more
  /// than most inputs add, but it is found without reading the session's content. A caller that bounds memory asks
  /// ``growth(of:at:)`` only if there may not be room for so much.
  ///
  /// - Returns: nil if such a bound does not exist.
  @inline(__always)
  public func growthBound(of input: Input) -> Int? {
    let growthMax = tables.pointee.growthMax
    return switch input {
    case .set(_, let value): value.bytes &* growthMax
    case .change(let changes, _, _, _): Self.bytesAsGiven(changes) * growthMax
    case .prepared(let prepared): Self.bytesAsGiven(prepared.changes) * growthMax
    case .setContext(let context): JSON.object(context).approximateBytes
    case .focus, .blur, .detach, .remove, .move, .fail, .show, .tap, .cancel, .flush, .timer, .effect: 0
    case .reset, .resetField, .undo, .redo, .insert, .setLocale: nil
    }
  }

  /// The bytes of changes: their values, and the objects that their paths may create.
  private static func bytesAsGiven(_ changes: [FieldChange]) -> Int {
    // Each name of a path may need a new object (64 bytes) with a member (32 bytes and the name).
    changes.reduce(0) { $1.path.reduce($0 + $1.value.bytes) { $0 + 96 + $1.utf8.count } }
  }

  /// An upper bound on the bytes of all rows, each with its delayed values. A row inside another row counts in both.
  private var wholeRowBytes: Int {
    var bytes = 0
    forEachInstance { instance in
      guard let row = instance.row else { return }
      bytes += row.list.owner.value(of: row, .given).approximateBytes
      for (field, delay) in row.instanceExtras?.delays ?? [:] {
        // Each object around the field may be created with it.
        let around = form.fields[field].path.reduce(0) { $0 + 96 + $1.utf8.count }
        bytes += form.templates[row.template].depth * ((delay.held?.bytes ?? 0) + around)
      }
    }
    return bytes
  }

  /// The bytes of the initial values that the session was given.
  private var initialBytes: Int {
    var bytes = (extras?.otherMembers.initial).map { JSON.object($0) }.bytes
    forEachInstance { instance in
      bytes += instance.initialValueBytes
      for list in instance.lists { bytes += list.initialBytes }
    }
    return bytes
  }

  private var contextBytes: Int { context.map { JSON.object($0) }.bytes }

  private func initialRowCount(of list: RowList) -> Int {
    form.rowCount(in: .array(list.initial.map(\.value)), of: list.field)
  }

  /// A bound on how much a new row of a list adds.
  func growthMax(ofRow value: JSON?, in list: Int) -> Growth {
    Growth(bytes: bytesMax(ofRow: value, in: list), rows: 1 + form.rowCount(in: value, ofElement: list))
  }

  /// A bound on how much a new row of a list adds to ``valueBytes`` and ``computedBytes``: its value and its memory. A
  /// list inside the row keeps its initial value, and so does each list inside that list.
  func bytesMax(ofRow value: JSON?, in list: Int) -> Int {
    let element = form.fields[list].element ?? list
    let template = form.templates[form.fields[element].template]
    let growthMax = form.fields[template.fields].reduce(1) { max($0, $1.growthMax) }
    let rowBytes = tables.pointee.templates[form.fields[element].template].rowBytes
    let copies = form.templates.reduce(1) { max($0, $1.depth) }
    // Its defaults, if nothing is given, are in the form's own text.
    let defaults = form.fields[template.fields].reduce(0) { $0 + $1.initial.bytes }
    // An object of its own (64 bytes), and its place in the list (32).
    var bytes = rowBytes + copies * (value.bytes * growthMax + defaults + 96)
    // Rows inside the row.
    for field in template.fields where form.fields[field].element != nil {
      let count = value.map { $0.nodeCount } ?? 0
      bytes += (count + 1) * bytesMax(ofRow: nil, in: field)
    }
    return bytes
  }

  /// The bytes of a delayed change. They are at least the bytes that it adds to its field when it takes effect.
  func heldBytes(of change: FieldChange) -> Int {
    guard change.path.isEmpty else { return Self.bytesAsGiven([change]) }
    let bytes = change.value.bytes
    let field = form.fields[change.field]
    return field.mayLengthen(change.value) ? bytes * field.growthMax : bytes
  }
}

extension Form {
  /// The number of rows of a session that is opened with those values, or with the schema's defaults.
  public func rowCount(in values: JSONObject?) -> Int {
    children(of: nil).reduce(0) { $0 + rowCount(in: values?[fields[$1].name] ?? fields[$1].initial, of: $1) }
  }

  /// The number of rows of a field with that value, including the rows inside its rows.
  func rowCount(in value: JSON?, of field: Int) -> Int {
    if fields[field].element != nil {
      return (value?.arrayValue ?? []).reduce(0) { $0 + 1 + rowCount(in: $1, ofElement: field) }
    }
    guard fields[field].unit != nil else { return 0 }
    return children(of: field).reduce(0) {
      $0 + rowCount(in: value?.objectValue?[fields[$1].name] ?? fields[$1].initial, of: $1)
    }
  }

  /// The number of rows inside one row of a list.
  func rowCount(in value: JSON?, ofElement list: Int) -> Int {
    fields[list].element.map { rowCount(in: value ?? fields[$0].initial, of: $0) } ?? 0
  }
}

extension JSON? {
  /// The bytes of the value, or 0 without one.
  @inline(__always)
  var bytes: Int { self?.approximateBytes ?? 0 }
}

extension JSON {
  /// The number of values inside it.
  fileprivate var nodeCount: Int {
    switch self {
    case .array(let elements): elements.reduce(1) { $0 + $1.nodeCount }
    case .object(let members): members.reduce(1) { $0 + $1.value.nodeCount }
    case .null, .bool, .integer, .real, .decimal, .string: 1
    }
  }
}
