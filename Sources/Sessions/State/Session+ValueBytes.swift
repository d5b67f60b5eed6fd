internal import Budgets
internal import Formats
internal import Forms
internal import JSON
public import Times

/// The bytes that a session holds for its client, before and after an input.
extension Session {
  /// All bytes that the session keeps on behalf of its client: ``valueBytes`` and ``computedBytes``.
  @inlinable @inline(__always)
  public var contentBytes: Int { valueBytes &+ computedBytes }

  /// The most that ``valueBytes`` can be after an input. A caller that bounds its clients' memory asks before it
  /// applies the input.
  ///
  /// The answer is exact for changes of fields without throttle or debounce. A field with one may keep its value and
  /// hold the new one back, so both count. An input without a value never needs more than the current ``valueBytes``.
  /// The work grows with the values of the changed fields, not with the session. Only the work of a `reset` grows with
  /// the session.
  public func valueBytes(after input: Input, at now: Instant) -> Int {
    valueBytesWithoutTriggers(after: input, at: now) &+ (tables.pointee.resetsFields ? bytesOfTriggers : 0)
  }

  /// The most that the values grow if the user's input changes all triggers.
  private var bytesOfTriggers: Int {
    var bytes = 0
    forEachInstance { instance in
      for field in instance.ownFields {
        if !form.fields[field].trigger.isEmpty { bytes += bytesOfReset(field, in: instance) }
        guard form.fields[field].clearsWhenHidden else { continue }
        bytes += form.fields[field].ownInitial.bytes
        guard instance.isList(field) else { continue }
        for row in form.fields[field].initial?.arrayValue ?? [] { bytes += bytesMax(ofRow: row, in: field) }
      }
    }
    return bytes
  }

  /// The most that the values grow if a field goes back to its beginning.
  private func bytesOfReset(_ field: Int, in instance: Instance) -> Int {
    var bytes = 0
    instance.forEachField(from: field) { live in
      bytes += live.instance.initialValue(of: live.field).bytes
      guard live.instance.isList(live.field) else { return }
      // Its rows come back, and the list keeps its initial value once more.
      for row in live.instance.list(of: live.field).initial { bytes += 2 * bytesMax(ofRow: row.value, in: live.field) }
    }
    return bytes
  }

  private func valueBytesWithoutTriggers(after input: Input, at now: Instant) -> Int {
    switch input {
    case .set(let field, let value):
      guard tables.pointee.fields[field].isPlain else {
        return valueBytes(after: [FieldChange(field: field, value: value)], origin: .user, at: now)
      }
      var budget = WorkBudget(units: Engine.turnBudget)
      return valueBytes &+ normalized(value, for: field, budget: &budget).bytes &- fields[field].value.bytes
    case .change(let changes, let origin, _, _):
      return valueBytes(after: changes, origin: origin, at: now)
    case .reset(keepValues: true):
      // Delayed changes take effect first. Then each value becomes the initial value, too.
      return 2 * (valueBytes - initialBytes - contextBytes) + wholeRowBytes + contextBytes
    case .reset(keepValues: false):
      let others = extras?.others.initial.map { JSON.object($0) }.bytes ?? 0
      var bytes = initialBytes + others + contextBytes
      forEachInstance { instance in
        for field in instance.ownFields { bytes += instance.initialValue(of: field).bytes }
        for list in instance.lists where !list.hasInitialRows {
          for row in list.initial { bytes += bytesMax(ofRow: row.value, in: list.field) }
        }
      }
      return bytes
    case .insert(let list, _, _, let values):
      return values.reduce(valueBytes) { $0 + bytesMax(ofRow: $1, in: list) }
    case .resetField(let field, let row):
      return valueBytes + (instance(of: row).map { bytesOfReset(field, in: $0) } ?? 0)
    case .undo: return valueBytes + bytesOfTakingBack(.undo)
    case .redo: return valueBytes + bytesOfTakingBack(.redo)
    case .setLocale:
      return valueBytes + bytesMaxOfReadAgain
    case .setContext(let context): return valueBytes - contextBytes + JSON.object(context).approximateBytes
    case .focus, .blur, .leave, .remove, .move, .fail, .show, .tap, .cancel, .flush, .timer, .effect:
      return valueBytes
    }
  }

  /// A bound on how much an input can add to ``valueBytes`` of a session with ``hasGrowthBound``. It is many times more
  /// than most inputs add, but it is found without reading the session's content. A caller that bounds memory asks
  /// ``valueBytes(after:at:)`` only if there may not be room for so much.
  ///
  /// - Returns: nil if such a bound does not exist.
  @inline(__always)
  public func growthBound(of input: Input) -> Int? {
    let growthMax = tables.pointee.growthMax
    return switch input {
    case .set(_, let value): value.bytes &* growthMax
    case .change(let changes, _, _, _): changes.reduce(0) { $0 + Self.bytesAsGiven(of: $1) * growthMax }
    case .setContext(let context): JSON.object(context).approximateBytes
    case .focus, .blur, .leave, .remove, .move, .fail, .show, .tap, .cancel, .flush, .timer, .effect: 0
    case .reset, .resetField, .undo, .redo, .insert, .setLocale: nil
    }
  }

  /// The bytes of a change: its value, and the objects that its path may create.
  private static func bytesAsGiven(of change: FieldChange) -> Int {
    // Each name of the path may need a new object (64 bytes) with a member (32 bytes and the name).
    change.path.reduce(change.value.bytes) { $0 + 96 + $1.utf8.count }
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
    var bytes = (extras?.others.initial).map { JSON.object($0) }.bytes
    forEachInstance { instance in
      bytes += instance.initialValueBytes
      for list in instance.lists { bytes += list.initialBytes }
    }
    return bytes
  }

  /// The bytes of the context.
  private var contextBytes: Int { context.map { JSON.object($0) }.bytes }

  private func valueBytes(after changes: [FieldChange], origin: Origin, at now: Instant) -> Int {
    var held = 0
    var forecast = ValueForecast(self, countsHeld: false, changesReadOnly: origin.mayChangeReadOnly)
    for change in changes {
      guard change.field != FieldChange.root, tables.pointee.fields[change.field].hasTiming,
        let instance = instance(of: change.row)
      else {
        _ = forecast.apply(change)
        continue
      }
      held += heldBytes(of: change)
      forecast.keepInitialValue(of: change.field, instance)
      // The user's whole value replaces the values before it, unless one of them takes effect first.
      let isDue = deadline.map { $0 <= now } ?? false
      if changes.count == 1, change.path.isEmpty, origin == .user, !isDue {
        held -= instance.instanceExtras?.delays[change.field]?.held?.bytes ?? 0
      }
    }
    return valueBytes + held + forecast.growth
  }

  /// A bound on how much a new row of a list adds to ``valueBytes`` and ``computedBytes``: its value and its cells. A
  /// list inside the row keeps its initial value, and so does each list inside that list.
  func bytesMax(ofRow value: JSON?, in list: Int) -> Int {
    let element = form.fields[list].element ?? list
    let template = form.templates[form.fields[element].template]
    let growthMax = form.fields[template.fields].reduce(1) { max($0, $1.growthMax) }
    let cells = tables.pointee.templates[form.fields[element].template].rowBytes
    let copies = form.templates.reduce(1) { max($0, $1.depth) }
    // Its defaults, if nothing is given, are in the form's own text.
    let defaults = form.fields[template.fields].reduce(0) { $0 + $1.initial.bytes }
    var bytes = cells + copies * (value.bytes * growthMax + defaults + 96)
    // Rows inside the row.
    for field in template.fields where form.fields[field].element != nil {
      let count = value.map { $0.nodeCount } ?? 0
      bytes += (count + 1) * bytesMax(ofRow: nil, in: field)
    }
    return bytes
  }

  /// The bytes of a delayed change. They are at least the bytes that it adds to its field when it takes effect.
  func heldBytes(of change: FieldChange) -> Int {
    guard change.path.isEmpty else { return Self.bytesAsGiven(of: change) }
    let bytes = change.value.bytes
    let field = form.fields[change.field]
    return field.mayLengthen(change.value) ? bytes * field.growthMax : bytes
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
