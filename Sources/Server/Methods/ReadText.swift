internal import DataTexts
internal import FormProtocol
internal import JSON
internal import SessionMessages
internal import Synchronization
internal import TextValidation

/// A text of ``Method/textValidate``, while it is read and judged.
///
/// Reading takes a time in proportion to the text, so that of a long one is done on another thread.
final class ReadText: Sendable {
  /// A text of so many bytes is read where the others wait: it takes about a millisecond.
  private static let bytesAtOnceMax = 8 << 10

  private let text: String
  private let language: DataLanguage
  private let limits: JSONLimits
  private let encoding: PositionEncoding
  private let errorsMax: Int
  private let result = Mutex<JudgedText?>(nil)

  /// What the params bring.
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

  /// What was read.
  var judged: JudgedText {
    guard let judged = result.withLock({ $0 }) else { preconditionFailure("the text is not read") }
    return judged
  }

  /// What it takes in memory, about.
  var memoryBytes: Int { text.utf8.count + judged.memoryBytes }

  /// What a session says of it that was opened with its values.
  func judgment(of session: LiveSession) -> TextJudgment {
    let judged = judged
    return TextJudgment(judged.verdict(of: session.session, errorsMax: errorsMax), of: judged.text.source, in: encoding)
  }
}
