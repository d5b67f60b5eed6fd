internal import JSON

/// Answers that are used again when their inquiry comes again.
///
/// An entry has the service's response. The meaning of the response is found again each time, because the formulas may
/// read other values, also values of another row.
struct AnswerCache {
  private struct Entry {
    let key: JSON
    let response: EffectResponse

    var bytes: Int { key.approximateBytes + response.bytes }
  }

  /// An inquiry and its answer are not kept when they are larger than this.
  static let bytesMax = 65_536

  /// Oldest first.
  private var entries: [Entry] = []

  /// How many answers are entries.
  var count: Int { entries.count }

  /// Their share of ``Session/computedBytes``.
  var bytes: Int { entries.reduce(0) { $0 + $1.bytes } }

  /// The answer to an inquiry, if it is known.
  subscript(inquiry: Inquiry) -> EffectResponse? { entries.first { $0.key == inquiry.key }?.response }

  /// Keeps an answer, and discards the oldest if there are more than `countMax`.
  mutating func keep(_ response: EffectResponse, to inquiry: Inquiry, countMax: Int) {
    guard countMax > 0, self[inquiry] == nil else { return }
    let new = Entry(key: inquiry.key, response: response)
    guard new.bytes <= Self.bytesMax else { return }
    if entries.count >= countMax { entries.removeFirst() }
    entries.append(new)
  }
}

extension EffectResponse {
  /// Bytes of memory, approximately.
  fileprivate var bytes: Int {
    64 + JSON.object(headers).approximateBytes + body.bytes + rows.map { .array($0) }.bytes
  }
}
