internal import FormProtocol
internal import Forms
internal import JSON
internal import JSONRPC
internal import Sessions

/// The bytes that a connection's sessions hold for it. Small values are not counted: the number of sessions bounds them.
extension ClientConnection {
  /// A value of fewer bytes costs no more than the session that holds it.
  static var smallBytes: Int { 1024 }

  /// Counts what the changes will take, or refuses them all.
  func hold(_ changes: [FieldChange], in slot: SessionSlot) throws(RPCError) {
    var counts = slot.valueBytes
    for change in changes {
      let size = change.value?.approximateBytes ?? 0
      if change.path.isEmpty {
        counts[change.field] = size > Self.smallBytes ? size : nil
      } else {
        // What is replaced inside a value is not known here; when the sum gets too large, it is counted anew.
        counts[change.field, default: 0] += size
      }
    }
    if let error = refusal(of: counts, in: slot) {
      guard changes.contains(where: { !$0.path.isEmpty }) else { throw error }
      count(slot)
      counts = slot.valueBytes
      for change in changes { counts[change.field, default: 0] += change.value?.approximateBytes ?? 0 }
      if let error = refusal(of: counts, in: slot) { throw error }
    }
    take(counts, in: slot)
  }

  /// Counts the values that a session was opened with; the caller ends the session when they are refused.
  func hold(_ values: JSONObject, in slot: SessionSlot) throws(RPCError) {
    var changes: [FieldChange] = []
    for member in values {
      if let field = slot.session.form.field(named: member.name) {
        changes.append(FieldChange(field: field, value: member.value))
      }
    }
    try hold(changes, in: slot)
  }

  /// Counts what the session really holds in the fields that are counted.
  private func count(_ slot: SessionSlot) {
    var counts: [Int: Int] = [:]
    for field in slot.valueBytes.keys {
      let size = slot.session.value(of: field)?.approximateBytes ?? 0
      if size > Self.smallBytes { counts[field] = size }
    }
    take(counts, in: slot)
  }

  private func refusal(of counts: [Int: Int], in slot: SessionSlot) -> RPCError? {
    let difference = Self.sum(counts) - Self.sum(slot.valueBytes)
    guard difference > 0 else { return nil }
    let limits = daemon.limits
    if valueBytes + difference > limits.valueBytesPerConnectionMax {
      return .quotaExceeded("valueBytesPerConnectionMax", limits.valueBytesPerConnectionMax)
    }
    if daemon.valueBytes + difference > limits.valueBytesMax {
      return .overloaded("valueBytesMax", limits.valueBytesMax, retryAfterMs: 1000)
    }
    return nil
  }

  private func take(_ counts: [Int: Int], in slot: SessionSlot) {
    let difference = Self.sum(counts) - Self.sum(slot.valueBytes)
    slot.valueBytes = counts
    valueBytes += difference
    daemon.valueBytes += difference
  }

  private static func sum(_ counts: [Int: Int]) -> Int { counts.values.reduce(0, +) }
}

extension String {
  /// The text as a log may hold it when it came from a stranger: no line breaks or other controls, and not long.
  var forLog: String {
    String(String.UnicodeScalarView(unicodeScalars.prefix(256).map { $0.value < 0x20 || $0.value == 0x7f ? "?" : $0 }))
  }
}
