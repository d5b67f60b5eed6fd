internal import CEL
internal import Client
internal import DataLanguages
internal import Findings
internal import FormProtocol
internal import Forms
internal import JSON
internal import SessionCalls
internal import SourceTexts
internal import TextValidation
internal import Texts
internal import Times

/// How values are judged.
struct JudgeOptions {
  /// The language of the files; nil: by their extension.
  var language: FileLanguage?
  /// The language of the messages.
  var locale: String?
  var context: JSONObject?
  /// The time and the zone of formulas.
  var moment: MomentOptions
  /// Whether missing values get the schema's defaults.
  var appliesDefaults = true
  /// Whether a daemon also runs the form's checks.
  var runsChecks = false
  /// The unit of characters in ranges.
  var encoding = PositionEncoding.utf16
}

/// Judges files by a form: in this process, or by a daemon that has the form.
///
/// `@unchecked Sendable`: a connection must not be used by two threads at a time, and a run that asks a daemon has one
/// thread only.
struct FormJudge: @unchecked Sendable {
  private enum Source {
    case here(Form)
    case daemon(FormConnection)
  }

  private let source: Source
  /// The form, as the user named it.
  private let name: String
  private let options: JudgeOptions

  /// A judge by a form in this process.
  ///
  /// - Parameter name: the form's name in messages.
  /// - Throws: ``CommandFailure`` if the form does not admit the context.
  init(_ form: Form, named name: String, _ options: JudgeOptions) throws(CommandFailure) {
    if let problem = form.problem(ofContext: options.context) { throw CommandFailure(message: problem) }
    source = .here(form)
    self.name = name
    self.options = options
  }

  /// A judge by a form of a daemon.
  init(_ connection: FormConnection, form name: String, _ options: JudgeOptions) {
    source = .daemon(connection)
    self.name = name
    self.options = options
  }

  /// The findings in a file.
  func findings(in file: String) -> FileFindings {
    FileFindings.reading(file) { bytes in
      do throws(CommandFailure) {
        var findings: [Finding] = []
        var isWrong = false
        var isTruncated = false
        for text in try texts(of: bytes, file) {
          let scanned = text.scanned()
          let judgment = try judgment(of: text, file, scanned)
          findings += judgment.errors.map { finding($0, text, scanned, file) }
          isWrong = isWrong || !judgment.isValid
          isTruncated = isTruncated || judgment.isTruncated
        }
        var told = FileFindings(file: file, findings)
        told.isWrong = isWrong
        if isTruncated { told.notes = ["\(file): there are more errors than are shown"] }
        return told
      } catch {
        return FileFindings(file: file, trouble: error.message)
      }
    }
  }

  /// The texts of a file, in the named language, else by the file's extension. A file without an extension is JSON.
  func texts(of bytes: [UInt8], _ file: String) throws(CommandFailure) -> [FileText] {
    if let language = options.language ?? FileLanguage(fileName: file) { return FileText.texts(of: bytes, language) }
    guard file.split(separator: "/").last?.contains(".") == true else { return FileText.texts(of: bytes, .json) }
    let names = FileLanguage.allCases.map(\.rawValue).joined(separator: ", ")
    throw CommandFailure(message: "the file's extension is not known; choose a language with --language: \(names)")
  }

  /// The form's judgment of a text.
  ///
  /// - Throws: ``CommandFailure`` if the daemon does not answer, or if the text cannot be sent to it.
  func judgment(of text: FileText, _ file: String, _ scanned: ScannedText) throws(CommandFailure) -> TextJudgment {
    switch source {
    case .here(let form):
      let (now, zone) = options.moment.moment
      let verdict = form.judge(
        scanned,
        language: text.language,
        context: options.context,
        locale: options.locale,
        now: now,
        zone: zone,
        appliesDefaults: options.appliesDefaults
      ) { Console.report("\(name): \($0) failed: \($1)") }
      return TextJudgment(verdict, of: scanned.source, in: options.encoding)
    case .daemon(let connection):
      guard let content = String(validating: text.bytes, as: UTF8.self) else {
        throw CommandFailure(message: "the file is not UTF-8, which the daemon requires; save the file as UTF-8")
      }
      do throws(ClientError) {
        return try connection.validate(
          text: content,
          language: TextLanguage(text.language),
          form: name,
          encoding: options.encoding,
          context: options.context,
          locale: options.locale,
          zone: options.moment.zone?.name,
          runsChecks: options.runsChecks,
          appliesDefaults: options.appliesDefaults,
          errorsMax: 10_000
        )
      } catch {
        throw CommandFailure(message: "\(error)")
      }
    }
  }

  private func finding(_ problem: TextProblem, _ text: FileText, _ scanned: ScannedText, _ file: String) -> Finding {
    let pointer = JSONPointer(problem.path) ?? .root
    let isSyntaxProblem = SyntaxProblem.Code(rawValue: problem.code) != nil && problem.params == nil
    let bytes = scanned.source.offsets(of: problem.range, in: options.encoding)
    // The position of a missing value is the position at which it would be written.
    let isThere = isSyntaxProblem || scanned.node(at: pointer) != nil
    let position = isThere ? scanned.source.position(of: bytes.lowerBound) : scanned.position(of: pointer)
    let isWarning = problem.severity == .warning
    let diagnostic = text.moved(
      Diagnostic(
        file: file,
        pointer: isSyntaxProblem ? .root : pointer,
        position: position,
        span: TextSpan(bytes, of: scanned.source),
        code: problem.code,
        message: problem.message,
        severity: isWarning ? .warning : .error
      )
    )
    let isNamed = isSyntaxProblem || problem.code == "unknownName"
    let subject = isNamed ? "" : "\(pointer.tokens.isEmpty ? "the form" : pointer.description.printable): "
    let words = "\(isWarning ? "warning: " : "")\(subject)\(problem.message) [\(problem.code)]"
    let causes = problem.causes.map { cause in
      let position = scanned.position(of: JSONPointer(cause.path) ?? .root)
      return Finding.Line(depth: 1, position: text.moved(position), text: "\(cause.path.printable): [\(cause.code)]")
    }
    return Finding(diagnostic, lines: [Finding.Line(position: diagnostic.position, text: words)] + causes)
  }
}
