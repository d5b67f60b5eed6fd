internal import FormProtocol
internal import JSON

/// What checks say of texts of data: which are to be asked about, what was asked, and what was found.
///
/// Always true: what was found is told of the text that it was found in, and of no other.
struct TextChecks {
  private struct Asked {
    let key: String
    /// The stamp of the text.
    let stamp: Int
  }

  /// Documents to be asked about, in order.
  private var wanted: [String] = []
  /// By number: the questions that have no answer yet.
  private var asked: [Int: Asked] = [:]
  private var lastNumber = 0
  /// By key: what was found, and the stamp of the text.
  private var found: [String: (stamp: Int, findings: [Finding])] = [:]
  /// Why nobody judged the last text, as the user was told; nil while somebody does.
  private var toldFailure: String?

  /// What a daemon found in a document besides, while its text has that stamp: by checks, and by rules that read what services answered.
  func findings(of key: String, stamp: Int, besides own: [Finding]) -> [Finding] {
    guard let known = found[key], known.stamp == stamp else { return [] }
    return known.findings.filter { finding in !own.contains { $0.code == finding.code && $0.range == finding.range } }
  }

  /// A document is to be asked about.
  mutating func want(_ key: String) {
    if !wanted.contains(key) { wanted.append(key) }
  }

  /// The next document to be asked about.
  mutating func takeWanted() -> String? { wanted.isEmpty ? nil : wanted.removeFirst() }

  /// The question about a text.
  mutating func ask(_ params: TextValidateParams, of key: String, stamp: Int) -> CheckQuestion {
    lastNumber += 1
    asked[lastNumber] = Asked(key: key, stamp: stamp)
    return CheckQuestion(number: lastNumber, params: params)
  }

  /// The document that a question is about; nil for one that has its answer.
  func subject(of number: Int) -> String? { asked[number]?.key }

  /// Takes an answer.
  ///
  /// - Parameter text: the text of the ``subject(of:)`` as it stands now, and its stamp; nil where there is none.
  /// - Returns: what the user is to be told, where that is new.
  mutating func take(
    _ answer: CheckAnswer,
    of number: Int,
    text: (scanned: ScannedText, stamp: Int)?
  ) -> String? {
    guard let question = asked.removeValue(forKey: number) else { return nil }
    switch answer {
    case .failed(let reason):
      found[question.key] = nil
      if toldFailure == reason { return nil }
      toldFailure = reason
      return reason
    case .judged(let judgment):
      toldFailure = nil
      guard let (text, stamp) = text, stamp == question.stamp else { return nil }
      // All else is found here, too, by the form as it stands here.
      let errors = judgment.errors.filter { $0.source == .check || $0.source == .rule }
      found[question.key] = (stamp, errors.map { Finding($0, in: text) })
      return nil
    }
  }

  /// A document is not open any more.
  mutating func forget(_ key: String) {
    wanted.removeAll { $0 == key }
    found[key] = nil
  }

  /// Nobody wants checks any more.
  mutating func forgetAll() {
    wanted = []
    found = [:]
  }
}

extension Finding {
  /// What a daemon says of a text, its positions in UTF-8.
  fileprivate init(_ problem: TextProblem, in scanned: ScannedText) {
    self.init(
      at: JSONPointer(problem.path) ?? .root,
      range: scanned.source.offsets(of: problem.range, in: .utf8),
      keyRange: problem.keyRange.map { scanned.source.offsets(of: $0, in: .utf8) },
      severity: problem.severity == .warning ? .warning : .error,
      code: problem.code,
      message: problem.message,
      in: scanned
    )
  }
}
