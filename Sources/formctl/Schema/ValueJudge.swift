internal import Findings
internal import JSON
internal import JSONSchema
internal import Texts

/// What a schema says of files.
struct ValueJudge: Sendable {
  /// Where the schema comes from.
  enum Source: Sendable {
    /// One for all files.
    case one(Schema)
    /// The one that each value names.
    case own(OwnSchemas)
  }

  /// So many failures of a file are told, unless all are asked for.
  private static let toldMax = 100
  /// So many of a value are collected and counted for that.
  private static let collectedMax = 10_000

  /// Where the schema comes from.
  let source: Source
  /// The language of all files; nil where their endings say it.
  let language: FileLanguage?
  /// In which language failures are worded.
  let locale: String
  /// Whether all failures are told, and why each alternative does not hold.
  let tellsAll: Bool
  /// What people are told of a file that is valid.
  let praise: String?

  /// What is to be said of a file.
  func findings(in file: String) -> FileFindings {
    FileFindings.reading(file) { bytes in
      var judged = Judged(file: file)
      for text in texts(of: bytes, file) {
        switch text.read(file: file, hidesInput: mayHoldSecret) {
        case .faults(let diagnostics): judged.findings += diagnostics.map { Finding($0) }
        case .value(let value): judge(value, of: text, into: &judged)
        }
        // One reason is enough, and the next value has most likely the same.
        if judged.trouble != nil { break }
      }
      return judged.file(notes: notes(of: judged), praise: praise)
    }
  }

  private func texts(of bytes: [UInt8], _ file: String) -> [FileText] {
    FileText.texts(of: bytes, language ?? FileLanguage(fileName: file) ?? .json)
  }

  /// What was found in a file so far.
  private struct Judged {
    let name: String
    var findings: [Finding] = []
    /// What was told, by value and words: two ways to one keyword are one failure.
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
    return ["\(judged.name): \(atLeast)\(judged.more) more \(isAre) not told; --all tells all"]
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
    case .undecided(let bound): judged.trouble = "no verdict: \(words(bound))"
    case .invalid: tell(evaluation, of: text, into: &judged)
    }
  }

  /// Whether a value may hold a secret. The schema that a broken value names is not known.
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
    let places = DiagnosticCollector(file: judged.name, text: scanned)
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
        place: scanned.place(of: failure.instanceLocation),
        span: places.span(of: failure.instanceLocation, isLack ? .lack : .value),
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
    let place = text.moved(scanned.place(of: failure.instanceLocation))
    let keyword = failure.keywordLocation.description.printable
    let line = Finding.Line(depth: depth, place: place, text: "\(words(failure)) [\(keyword)]")
    return [line] + failure.causes.flatMap { lines($0, text, scanned, depth: depth + 1) }
  }

  /// Where in the value, and what, in one line: names are anybody's, and what obeys a line break takes it for another finding.
  private func words(_ failure: Failure) -> String {
    let pointer = failure.instanceLocation
    return (pointer.tokens.isEmpty ? "" : "\(pointer.description.printable): ") + failure.message(locale: locale)
  }

  private func words(_ bound: EvaluationBound) -> String {
    "\(bound.message(locale: locale)) \(EvaluationOptions.remedy(bound))"
  }

  // MARK: The standard's output

  /// The evaluation of the one value of a file.
  ///
  /// - Throws: ``CommandFailure`` when the file cannot be read, is broken or has several values.
  func evaluation(of file: String, telling details: EvaluationDetails) throws(CommandFailure) -> Evaluation {
    let texts = texts(of: try Console.readFile(file), file)
    guard texts.count == 1 else {
      throw CommandFailure(message: "\(file): there are \(texts.count) values; write --output json for several")
    }
    switch texts[0].read(file: file, hidesInput: mayHoldSecret) {
    case .faults(let diagnostics):
      throw CommandFailure(message: diagnostics.map(\.description).joined(separator: "\n"))
    case .value(let value):
      do throws(CommandFailure) {
        return evaluate(value, by: try schema(for: value, texts[0], file), telling: details)
      } catch {
        throw CommandFailure(message: "\(file): \(error.message)")
      }
    }
  }

  /// What the standard says is printed; with what can be done about a bound that was reached.
  func output(_ evaluation: Evaluation, _ format: OutputFormat) -> JSON {
    let output = evaluation.output(format, locale: locale, failuresMax: tellsAll ? .max : Self.toldMax)
    guard case .undecided(let bound) = evaluation.verdict, case .object(var unit) = output else { return output }
    unit["error"] = .string(words(bound))
    return .object(unit)
  }
}
