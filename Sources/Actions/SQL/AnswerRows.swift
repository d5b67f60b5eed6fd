internal import JSON

/// The rows of one answer, as many as it may hold.
struct AnswerRows {
  /// Rows of one answer; a form shows fewer.
  static let countMax = 1000
  /// Bytes of texts and blobs of one answer, as much as an HTTP body may have.
  static let bytesMax = HTTPServiceConfiguration.bodyBytesMaxDefault

  /// The rows that were taken.
  private(set) var rows: [JSON] = []
  private var bytes = 0

  /// There is one more row, with values of so many bytes. Must be called before they are copied.
  ///
  /// - Throws: when the answer becomes too large.
  mutating func admit(bytes count: Int) throws(SQLFailure) {
    bytes += count
    guard rows.count < Self.countMax, bytes <= Self.bytesMax else {
      throw .tooLarge("more than \(Self.countMax) rows or \(Self.bytesMax) bytes")
    }
  }

  /// Takes the row that was admitted: its values by the names of its columns.
  mutating func append(_ members: JSONObject) { rows.append(.object(members)) }
}
