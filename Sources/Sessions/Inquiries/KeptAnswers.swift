internal import JSON

/// Answers that are used again when their inquiry comes again.
///
/// The kept answer is the service's response. Its meaning is found again each time, because the formulas may read other
/// cells, also cells of another row.
struct KeptAnswers {
  private struct Kept {
    let key: JSON
    let response: EffectResponse

    var bytes: Int { key.approximateBytes + response.bytes }
  }

  /// An inquiry and its answer are not kept when they are larger than this.
  static let bytesMax = 65_536

  /// Oldest first.
  private var kept: [Kept] = []

  /// How many answers are kept.
  var count: Int { kept.count }

  /// Their share of ``Session/computedBytes``.
  var bytes: Int { kept.reduce(0) { $0 + $1.bytes } }

  /// The answer to an inquiry, if it is known.
  subscript(inquiry: Inquiry) -> EffectResponse? { kept.first { $0.key == inquiry.key }?.response }

  /// Keeps an answer, and discards the oldest if there are more than `countMax`.
  mutating func keep(_ response: EffectResponse, to inquiry: Inquiry, countMax: Int) {
    guard countMax > 0, self[inquiry] == nil else { return }
    let new = Kept(key: inquiry.key, response: response)
    guard new.bytes <= Self.bytesMax else { return }
    if kept.count >= countMax { kept.removeFirst() }
    kept.append(new)
  }
}

extension EffectResponse {
  /// Bytes of memory, approximately.
  fileprivate var bytes: Int {
    64 + JSON.object(headers).approximateBytes + body.bytes + rows.map { .array($0) }.bytes
  }
}
