internal import Forms
internal import JSON
internal import TextFormats

/// How much a session holds for its client, before and after an input.
extension Session {
  /// All bytes that the session keeps on behalf of its client: ``valueBytes`` and ``computedBytes``.
  @inlinable @inline(__always)
  public var keptBytes: Int { valueBytes &+ computedBytes }

  /// The most that ``valueBytes`` can be after an input. A caller that bounds its clients' memory asks before it applies the input.
  ///
  /// The answer is exact for changes of fields without throttle or debounce. A field with one may keep its value and hold the new
  /// one back, so both count. An input without a value never needs more than ``valueBytes`` as it is. The work
  /// grows with the values of the changed fields, not with the session; that of a `reset` grows with the session.
  public func valueBytes(after input: Input, at now: Instant) -> Int {
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
      // Changes that are held back take effect first; then each value becomes the initial one, too.
      return 2 * (valueBytes - initialBytes)
    case .reset(keepValues: false):
      let others = extras?.others.initial.map { JSON.object($0) }.bytes ?? 0
      return initialBytes + others + form.fields.indices.reduce(0) { $0 + initialValue(of: $1).bytes }
    case .focus, .blur, .show, .setLocale, .tap, .flush, .timer, .effect:
      return valueBytes
    }
  }

  /// A bound on how much an input can add to ``valueBytes``: many times what most inputs add, but found without a look at what the
  /// session holds. Who bounds memory asks ``valueBytes(after:at:)`` only where there may be no room for so much.
  ///
  /// - Returns: nil where there is no such bound.
  @inline(__always)
  public static func growthBound(of input: Input) -> Int? {
    switch input {
    case .set(_, let value): value.bytes &* normalizedGrowthMax
    case .change(let changes, _, _, _): changes.reduce(0) { $0 + bytesAsGiven(of: $1) * normalizedGrowthMax }
    case .focus, .blur, .show, .setLocale, .tap, .flush, .timer, .effect: 0
    case .reset: nil
    }
  }

  /// How many times longer a text may become by ``Field/normalized(_:budget:)``: three steps change letters, and none makes more than three
  /// bytes of UTF-8 out of one (Unicode Standard Annex #15, "expansion factors"; SpecialCasing.txt).
  private static let normalizedGrowthMax = 27

  /// The bytes that a change brings along: its value, and what its path may have to create.
  private static func bytesAsGiven(of change: FieldChange) -> Int {
    // Each name of the path may need a new object (64 bytes) with a member (32 bytes and the name).
    change.path.reduce(change.value.bytes) { $0 + 96 + $1.utf8.count }
  }

  /// The bytes of the initial values that the session was given.
  private var initialBytes: Int {
    guard let extras else { return 0 }
    return extras.initialValues.values.reduce(extras.others.initial.map { JSON.object($0) }.bytes) { $0 + $1.bytes }
  }

  private func valueBytes(after changes: [FieldChange], origin: Origin, at now: Instant) -> Int {
    var held = 0
    var forecast = ValueForecast(self, countsHeld: false)
    for change in changes {
      guard change.field != FieldChange.root, tables.pointee.fields[change.field].hasTiming else {
        _ = forecast.apply(change)
        continue
      }
      held += heldBytes(of: change)
      // The user's whole value takes the place of those before it, unless one of them takes effect first.
      let isDue = deadline.map { $0 <= now } ?? false
      if changes.count == 1, change.path.isEmpty, origin == .user, !isDue {
        held -= extras?.delays[change.field]?.held?.bytes ?? 0
      }
    }
    return valueBytes + held + forecast.growth
  }

  /// The bytes of a change that is held back. Never fewer than it adds to its field when it takes effect.
  func heldBytes(of change: FieldChange) -> Int {
    guard change.path.isEmpty else { return Self.bytesAsGiven(of: change) }
    let bytes = change.value.bytes
    return form.fields[change.field].mayLengthen(change.value) ? bytes * Self.normalizedGrowthMax : bytes
  }
}

extension JSON? {
  /// The bytes of the value; 0 without one.
  @inline(__always)
  var bytes: Int { self?.approximateBytes ?? 0 }
}
