internal import Forms
internal import JSON

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
      if tables.pointee.fields[field].hasTiming {
        return valueBytes(after: [FieldChange(field: field, value: value)], origin: .user, at: now)
      }
      return valueBytes &+ normalized(value, for: field).bytes &- fields[field].value.bytes
    case .change(let changes, let origin, _, _):
      return valueBytes(after: changes, origin: origin, at: now)
    case .reset(keepValues: true):
      // Changes that are held back take effect first; then each value becomes the initial one, too.
      return 2 * (valueBytes - initialBytes)
    case .reset(keepValues: false):
      return initialBytes + form.fields.indices.reduce(0) { $0 + initialValue(of: $1).bytes }
    case .focus, .blur, .tap, .flush, .timer, .effect:
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
    case .focus, .blur, .tap, .flush, .timer, .effect: 0
    case .reset: nil
    }
  }

  /// How many times longer a text may become by ``Field/normalized(_:)``: three steps change letters, and none makes more than three
  /// bytes of UTF-8 out of one (Unicode Standard Annex #15, "expansion factors"; SpecialCasing.txt).
  private static let normalizedGrowthMax = 27

  /// The bytes that a change brings along: its value, and what its path may have to create.
  private static func bytesAsGiven(of change: FieldChange) -> Int {
    // Each name of the path may need a new object (64 bytes) with a member (32 bytes and the name).
    change.path.reduce(change.value.bytes) { $0 + 96 + $1.utf8.count }
  }

  /// The bytes of the initial values that the session was given.
  private var initialBytes: Int { extras?.initialValues.values.reduce(0) { $0 + $1.bytes } ?? 0 }

  private func valueBytes(after changes: [FieldChange], origin: Origin, at now: Instant) -> Int {
    var bytes = valueBytes
    var values: [Int: JSON?] = [:]
    for change in changes {
      if tables.pointee.fields[change.field].hasTiming {
        bytes += heldBytes(of: change)
        // The user's whole value takes the place of those before it, unless one of them takes effect first.
        let isDue = deadline.map { $0 <= now } ?? false
        if changes.count == 1, change.path.isEmpty, origin == .user, !isDue {
          bytes -= extras?.timings[change.field]?.heldBytes ?? 0
        }
        continue
      }
      let old = values[change.field] ?? fields[change.field].value
      guard let new = value(after: change, from: old) else { continue }
      bytes += new.bytes - old.bytes
      if changes.count > 1 { values[change.field] = .some(new) }
    }
    return bytes
  }

  /// The field's value after a change, normalized. `.some(nil)` means that the field is empty then, nil that the change cannot be
  /// applied.
  private func value(after change: FieldChange, from old: JSON?) -> JSON?? {
    guard !change.path.isEmpty else { return .some(normalized(change.value, for: change.field)) }
    guard !change.isTooDeep, var whole = whole(of: change.field, from: old),
      whole.set(change.value, at: change.path[...])
    else { return nil }
    return .some(normalized(whole, for: change.field))
  }

  /// The bytes of a change that is held back. Never fewer than it adds to its field when it takes effect.
  func heldBytes(of change: FieldChange) -> Int {
    guard change.path.isEmpty else { return Self.bytesAsGiven(of: change) }
    return max(change.value.bytes, normalized(change.value, for: change.field).bytes)
  }
}

extension JSON? {
  /// The bytes of the value; 0 without one.
  @inline(__always)
  var bytes: Int { self?.approximateBytes ?? 0 }
}
