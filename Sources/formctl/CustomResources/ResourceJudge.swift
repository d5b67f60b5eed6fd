internal import CustomResources
internal import Findings
internal import JSON
internal import JSONSchema
internal import Texts

/// What definitions say of files with objects.
struct ResourceJudge: Sendable {
  /// So many errors and warnings of a file are told, unless all are asked for.
  private static let toldMax = 100

  /// What is defined.
  let definitions: [CustomResourceDefinition]
  /// The objects that others take the place of; nil where all are new.
  let old: OldObjects?
  /// The language of all files; nil where their endings say it.
  let language: FileLanguage?
  /// In which language failures of schemas are worded.
  let locale: String
  /// Whether all is told.
  let tellsAll: Bool
  /// What people are told of a file in which nothing was found.
  let praise: String?

  /// What is to be said of a file.
  func findings(in file: String) -> FileFindings {
    FileFindings.reading(file) { bytes in
      var findings: [Finding] = []
      var notes: [String] = []
      var trouble: String?
      for text in FileText.texts(of: bytes, language ?? FileLanguage(fileName: file) ?? .yaml) {
        switch text.read(file: file) {
        case .faults(let faults): findings += faults.map { Finding($0) }
        case .value(let document):
          var judge = TextJudge(judge: self, text: text, file: file)
          for object in ResourceObject.objects(of: document) where judge.trouble == nil { judge.judge(object) }
          findings += judge.findings
          notes += judge.notes
          trouble = trouble ?? judge.trouble
        }
      }
      return told(findings, notes, trouble, file)
    }
  }

  private func told(_ findings: [Finding], _ notes: [String], _ trouble: String?, _ file: String) -> FileFindings {
    var told = FileFindings(file: file, findings)
    told.trouble = trouble
    told.notes = notes
    told.praise = praise
    let more = findings.count - Self.toldMax
    if !tellsAll, more > 0 {
      told.findings = Array(findings.prefix(Self.toldMax))
      told.notes.append("\(file): \(more) more \(more == 1 ? "finding is" : "findings are") not told; --all tells all")
    }
    return told
  }
}

/// Judges the objects of one text.
private struct TextJudge {
  private let judge: ResourceJudge
  private let text: FileText
  private let file: String
  private let scanned: ScannedText
  private let places: DiagnosticCollector
  private(set) var findings: [Finding] = []
  private(set) var notes: [String] = []
  private(set) var trouble: String?

  init(judge: ResourceJudge, text: FileText, file: String) {
    self.judge = judge
    self.text = text
    self.file = file
    scanned = text.scanned()
    places = DiagnosticCollector(file: file, text: scanned)
  }

  mutating func judge(_ object: ResourceObject) {
    guard let version = version(of: object) else { return }
    let old = judge.old?[object]
    if judge.old != nil, old == nil {
      note(object, "is not among the old objects, and is judged as a new one")
    }
    let judgment = version.schema.judge(object.value, replacing: old, locale: judge.locale)
    for place in judgment.dropped {
      let name = place.tokens.last ?? ""
      tell(
        Fault(
          code: "unknownField",
          message: "there is no field \"\(name)\" in the schema; the server drops it",
          .warning
        ),
        at: place,
        in: object
      )
    }
    var seen: Set<ResourceFault> = []
    for fault in judgment.faults where seen.insert(fault).inserted {
      let message = fault.isTolerated ? "\(fault.message) (let through: the update leaves it as it was)" : fault.message
      tell(
        Fault(code: fault.code, message: message, fault.isTolerated ? .warning : .error, fault),
        at: fault.pointer,
        in: object
      )
    }
    if judgment.isCut { note(object, "has more failures than these") }
    if judgment.leftOutRules {
      note(object, "is not of the shape that the rules are about; they are left out until that is mended")
    }
    switch judgment.doubt {
    case nil: break
    case .schema(let bound)?:
      trouble = "no verdict: \(bound.message(locale: judge.locale)) \(EvaluationOptions.remedy(bound))"
    case .rule(let source)?:
      trouble = "no verdict: the rule takes more steps than are left: \(source). --steps-max admits more."
    }
  }

  /// The version that an object is of; nil after telling why there is none.
  private mutating func version(of object: ResourceObject) -> CustomResourceDefinition.Version? {
    for member in ["apiVersion", "kind"] where object.value[member]?.stringValue?.isEmpty != false {
      tell(
        Fault(code: member, message: "an object of Kubernetes has \(member), a text", .error),
        at: JSONPointer(tokens: [member]),
        in: object
      )
      return nil
    }
    let apiVersion = object.value["apiVersion"]?.stringValue ?? ""
    for definition in judge.definitions {
      do throws(CustomResourceDefinition.Mismatch) {
        return try definition.version(of: object.value)
      } catch {
        guard case .version(let name) = error else { continue }
        tell(
          Fault(
            code: "apiVersion",
            message: "there is no version \(name) of \(definition.summary) that is served",
            .error
          ),
          at: JSONPointer(tokens: ["apiVersion"]),
          in: object
        )
        return nil
      }
    }
    let known = judge.definitions.map(\.summary)
    let listed = known.prefix(10).joined(separator: ", ") + (known.count > 10 ? ", ..." : "")
    tell(
      Fault(code: "kind", message: "this is a \(object.kind) (\(apiVersion)); what is defined is \(listed)", .error),
      at: JSONPointer(tokens: ["kind"]),
      in: object
    )
    return nil
  }

  private mutating func note(_ object: ResourceObject, _ words: String) {
    let line = text.moved(scanned.place(of: object.pointer)).line
    notes.append("\(file):\(line): \(object.name.isEmpty ? "the object" : object.name) \(words)".printable)
  }

  private struct Fault {
    let code: String
    let message: String
    let severity: Diagnostic.Severity
    let source: ResourceFault?

    init(code: String, message: String, _ severity: Diagnostic.Severity, _ source: ResourceFault? = nil) {
      self.code = code
      self.message = message
      self.severity = severity
      self.source = source
    }
  }

  private mutating func tell(_ fault: Fault, at place: JSONPointer, in object: ResourceObject) {
    let pointer = JSONPointer(tokens: object.pointer.tokens + place.tokens)
    let diagnostic = text.moved(
      Diagnostic(
        file: file,
        pointer: pointer,
        place: scanned.place(of: pointer),
        span: places.span(of: pointer, fault.source?.isLack == true ? .lack : .value),
        code: fault.code,
        message: fault.message,
        severity: fault.severity
      )
    )
    let subject = pointer.tokens.isEmpty ? "" : "\(pointer.description.printable): "
    let keyword = fault.source.map { " [\($0.keywordLocation.description.printable)]" } ?? ""
    let words = "\(fault.severity == .warning ? "warning: " : "")\(subject)\(fault.message.printable)\(keyword)"
    findings.append(
      Finding(
        diagnostic,
        keywordLocation: fault.source?.keywordLocation.description,
        lines: [Finding.Line(place: diagnostic.place, text: words)]
      )
    )
  }
}
