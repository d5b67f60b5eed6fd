internal import DataLanguages
internal import FormProtocol
internal import JSON
internal import SessionCalls
internal import SourceTexts
internal import Synchronization
internal import TextValidation

/// A text of ``Method/textValidate``, while it is read and judged.
///
/// Reading takes a time in proportion to the text, so another thread reads a long one.
final class ReadText: Sendable {
  /// The length in bytes up to which a text is read on the server's own thread: it takes about a millisecond.
  private static let bytesAtOnceMax = 8 << 10

  private let text: String
  private let language: DataLanguage
  private let limits: JSONLimits
  private let encoding: PositionEncoding
  private let errorsMax: Int
  private let result = Mutex<JudgedText?>(nil)

  init(_ params: TextValidateParams, limits: JSONLimits) {
    text = params.text
    language = DataLanguage(params.language)
    self.limits = limits
    encoding = params.encoding
    errorsMax = params.errorsMax
  }

  /// Whether another thread is to read it.
  var isLong: Bool { text.utf8.count > Self.bytesAtOnceMax }

  /// Reads it; on any thread, once.
  func read() {
    let scanned = ScannedText(SourceText(text), language: language, limits: limits)
    result.withLock { $0 = JudgedText(scanned, language: language) }
  }

  /// The result of reading.
  var judged: JudgedText {
    guard let judged = result.withLock({ $0 }) else { preconditionFailure("the text is not read") }
    return judged
  }

  /// The memory that it takes, approximately.
  var memoryBytes: Int { text.utf8.count + judged.memoryBytes }

  /// The judgment of the text by a session that was opened with its values.
  func judgment(of session: LiveSession) -> TextJudgment {
    let judged = judged
    return TextJudgment(
      judged.verdict(of: session.engineSession, errorsMax: errorsMax),
      of: judged.text.source,
      in: encoding
    )
  }
}
