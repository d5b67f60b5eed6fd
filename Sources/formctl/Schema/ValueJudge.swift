internal import Findings
internal import JSON
internal import JSONSchema
internal import SourceTexts
internal import Texts

/// Judges files by a schema.
struct ValueJudge: Sendable {
  /// The source of the schema.
  enum Source: Sendable {
    /// One schema for all files.
    case one(Schema)
    /// The schema that each value names.
    case own(OwnSchemas)
  }

  /// At most this many failures of a file are reported, unless the user asks for all.
  private static let toldMax = 100
  /// At most this many failures of a value are collected and counted.
  private static let collectedMax = 10_000

  let source: Source
  /// The language of all files; nil if their extensions decide.
  let language: FileLanguage?
  /// The language of the messages.
  let locale: String
  /// Whether all failures are reported, with the failures of each alternative.
  let tellsAll: Bool
  /// The message to people about a valid file.
  let praise: String?

  /// The findings in a file.
  func findings(in file: String) -> FileFindings {
    FileFindings.reading(file) { bytes in
      var judged = Judged(file: file)
      for text in texts(of: bytes, file) {
        switch text.read(file: file, hidesInput: mayHoldSecret) {
        case .problems(let diagnostics): judged.findings += diagnostics.map { Finding($0) }
        case .value(let value): judge(value, of: text, into: &judged)
        }
        // One reason is enough, because the next value most likely fails for the same reason.
        if judged.trouble != nil { break }
      }
      return judged.file(notes: notes(of: judged), praise: praise)
    }
  }

  private func texts(of bytes: [UInt8], _ file: String) -> [FileText] {
    FileText.texts(of: bytes, language ?? FileLanguage(fileName: file) ?? .json)
  }

  /// The findings in a file so far.
  private struct Judged {
    let name: String
    var findings: [Finding] = []
    /// The reported failures, by value and message: a keyword that is reached in two ways is one failure.
    var told: Set<String> = []
    var more = 0
    var isCut = false
    var trouble: String?

    init(file: String) { name = file }

    func file(notes: [String], praise: String?) -> FileFindings {
      var file = FileFindings(file: name, findings)
      file.errors += more
      file.trouble = trouble
      file.notes = notes
      file.praise = praise
      return file
    }
  }

  private func notes(of judged: Judged) -> [String] {
    guard judged.more > 0 else { return [] }
    let isAre = judged.more == 1 ? "failure is" : "failures are"
    let atLeast = judged.isCut ? "at least " : ""
    return ["\(judged.name): \(atLeast)\(judged.more) more \(isAre) not shown; --all shows all"]
  }

  // MARK: Values

  private func judge(_ value: JSON, of text: FileText, into judged: inout Judged) {
    let schema: Schema
    do throws(CommandFailure) {
      schema = try self.schema(for: value, text, judged.name)
    } catch {
      judged.trouble = error.message
      return
    }
    let evaluation = evaluate(value, by: schema, telling: [])
    switch evaluation.verdict {
    case .valid: break
    case .undecided(let bound): judged.trouble = "no result: \(words(bound))"
    case .invalid: tell(evaluation, of: text, into: &judged)
    }
  }

  /// Whether a value may hold a secret. If the value names an invalid schema, this is unknown.
  private var mayHoldSecret: Bool {
    switch source {
    case .one(let schema): schema.holdsSecret
    case .own: true
    }
  }

  private func schema(for value: JSON, _ text: FileText, _ file: String) throws(CommandFailure) -> Schema {
    switch source {
    case .one(let schema): schema
    case .own(let schemas): try schemas.schema(for: value, text, file: file)
    }
  }

  private func evaluate(_ value: JSON, by schema: Schema, telling more: EvaluationDetails) -> Evaluation {
    var details = more.union(.foundValues)
    if tellsAll { details.insert(.allAlternatives) }
    return schema.evaluate(value, limit: tellsAll ? .max : Self.collectedMax, telling: details)
  }

  // MARK: Failures

  private func tell(_ evaluation: Evaluation, of text: FileText, into judged: inout Judged) {
    let scanned = text.scanned()
    let collector = DiagnosticCollector(file: judged.name, text: scanned)
    judged.isCut = judged.isCut || evaluation.isCut
    for failure in tellsAll ? evaluation.failures : evaluation.failures.flatMap(\.leaves) {
      guard judged.told.insert("\(text.lines) \(words(failure))").inserted else { continue }
      if !tellsAll, judged.findings.count >= Self.toldMax {
        judged.more += 1
        continue
      }
      let isLack = failure.parameters.missingProperty != nil
      let diagnostic = Diagnostic(
        file: judged.name,
        pointer: failure.instanceLocation,
        position: scanned.position(of: failure.instanceLocation),
        span: collector.span(of: failure.instanceLocation, isLack ? .lack : .value),
        code: failure.keyword.rawValue,
        message: failure.message(locale: locale)
      )
      judged.findings.append(
        Finding(
          text.moved(diagnostic),
          keywordLocation: failure.keywordLocation.description,
          lines: lines(failure, text, scanned, depth: 0)
        )
      )
    }
  }

  private func lines(_ failure: Failure, _ text: FileText, _ scanned: ScannedText, depth: Int) -> [Finding.Line] {
    let position = text.moved(scanned.position(of: failure.instanceLocation))
    let keyword = failure.keywordLocation.description.printable
    let line = Finding.Line(depth: depth, position: position, text: "\(words(failure)) [\(keyword)]")
    return [line] + failure.causes.flatMap { lines($0, text, scanned, depth: depth + 1) }
  }

  /// The location in the value, and the failure, in one line. Names may contain line breaks, and a program that reads
  /// the output would take the next line for another finding.
  private func words(_ failure: Failure) -> String {
    let pointer = failure.instanceLocation
    return (pointer.tokens.isEmpty ? "" : "\(pointer.description.printable): ") + failure.message(locale: locale)
  }

  private func words(_ bound: EvaluationBound) -> String {
    "\(bound.message(locale: locale)) \(EvaluationOptions.remedy(bound))"
  }

  // MARK: The standard's output

  /// Evaluates the single value of a file.
  ///
  /// - Throws: ``CommandFailure`` if the file cannot be read, is invalid or has several values.
  func evaluation(of file: String, telling details: EvaluationDetails) throws(CommandFailure) -> Evaluation {
    let texts = texts(of: try Console.readFile(file), file)
    guard texts.count == 1 else {
      throw CommandFailure(message: "\(file): the file has \(texts.count) values; write --output json for several")
    }
    switch texts[0].read(file: file, hidesInput: mayHoldSecret) {
    case .problems(let diagnostics):
      throw CommandFailure(message: diagnostics.map(\.description).joined(separator: "\n"))
    case .value(let value):
      do throws(CommandFailure) {
        return evaluate(value, by: try schema(for: value, texts[0], file), telling: details)
      } catch {
        throw CommandFailure(message: "\(file): \(error.message)")
      }
    }
  }

  /// The standard's output; if a limit was reached, it also says what the user can do.
  func output(_ evaluation: Evaluation, _ format: OutputFormat) -> JSON {
    let output = evaluation.output(format, locale: locale, failuresMax: tellsAll ? .max : Self.toldMax)
    guard case .undecided(let bound) = evaluation.verdict, case .object(var unit) = output else { return output }
    unit["error"] = .string(words(bound))
    return .object(unit)
  }
}
