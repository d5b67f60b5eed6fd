internal import FormProtocol
internal import JSON
internal import SourceTexts

/// The state of the checks on texts of data: texts to ask about, requests without an answer, and findings.
///
/// Always true: a finding is reported only for the version of the text in which it was found.
struct TextChecks {
  private struct Asked {
    let key: String
    /// The stamp of the text.
    let stamp: Int
  }

  /// Documents to be asked about, in order.
  private var wanted: [String] = []
  /// Requests that have no answer yet, by number.
  private var asked: [Int: Asked] = [:]
  private var lastNumber = 0
  /// Findings by document key, with the stamp of the text.
  private var found: [String: (stamp: Int, findings: [Finding])] = [:]
  /// The reason why no daemon judged the last text, as shown to the user; nil while a daemon judges texts.
  private var toldFailure: String?

  /// Additional findings of a daemon in a document, if the text still has that stamp. They come from checks, and from
  /// rules that read the answers of services.
  func findings(of key: String, stamp: Int, besides own: [Finding]) -> [Finding] {
    guard let known = found[key], known.stamp == stamp else { return [] }
    return known.findings.filter { finding in !own.contains { $0.code == finding.code && $0.range == finding.range } }
  }

  /// Queues a document, so that a daemon is asked about it.
  mutating func want(_ key: String) {
    if !wanted.contains(key) { wanted.append(key) }
  }

  /// The next document to be asked about.
  mutating func takeWanted() -> String? { wanted.isEmpty ? nil : wanted.removeFirst() }

  /// Creates the request about a text.
  mutating func ask(_ params: TextValidateParams, of key: String, stamp: Int) -> CheckRequest {
    lastNumber += 1
    asked[lastNumber] = Asked(key: key, stamp: stamp)
    return CheckRequest(number: lastNumber, params: params)
  }

  /// The document that a request is about; nil if the request has its answer already.
  func subject(of number: Int) -> String? { asked[number]?.key }

  /// Takes an answer.
  ///
  /// - Parameter text: the current text of the ``subject(of:)``, and its stamp; nil if it does not exist.
  /// - Returns: a new message for the user, if there is one.
  mutating func take(
    _ answer: CheckAnswer,
    of number: Int,
    text: (scanned: ScannedText, stamp: Int)?
  ) -> String? {
    guard let request = asked.removeValue(forKey: number) else { return nil }
    switch answer {
    case .failed(let reason):
      found[request.key] = nil
      if toldFailure == reason { return nil }
      toldFailure = reason
      return reason
    case .judged(let judgment):
      toldFailure = nil
      guard let (text, stamp) = text, stamp == request.stamp else { return nil }
      // The server finds all other errors itself, with its own copy of the form.
      let errors = judgment.errors.filter { $0.source == .check || $0.source == .rule }
      found[request.key] = (stamp, errors.map { Finding($0, in: text) })
      return nil
    }
  }

  /// Forgets a document that is not open any more.
  mutating func forget(_ key: String) {
    wanted.removeAll { $0 == key }
    found[key] = nil
  }

  /// Forgets everything, because checks are switched off.
  mutating func forgetAll() {
    wanted = []
    found = [:]
  }
}

extension Finding {
  /// Converts a daemon's finding. Its positions are in UTF-8.
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
