internal import Forms
internal import JSON
internal import JSONSchema
internal import SourceTexts
internal import Texts

/// The configuration of a daemon, `formd.json`, with its current text.
struct ConfigurationText {
  /// The name of the file.
  static let fileName = "formd.json"

  /// The schema of configurations, from `protocol/schema`.
  private static let document = (try? JSON(parsing: PackageResources.config_schema_json)) ?? true
  private static let schema = try? Schema.compile(document)
  private static let guide = SchemaGuide(document)

  let scanned: ScannedText

  init(_ text: SourceText) { scanned = ScannedText(json: text) }

  /// The names that forms can use.
  var names: ConfiguredNames {
    func names(_ member: String) -> [String] { scanned.root.child(member)?.children.compactMap(\.key) ?? [] }
    return ConfiguredNames(services: names("services"), databases: names("databases"))
  }

  /// The problems of the text: its syntax, then the values that its schema does not allow.
  func findings(of key: String) -> [Finding] {
    let problems = scanned.problems.map { Finding(Diagnostic($0, of: scanned.source, file: key), of: key, in: scanned) }
    guard !scanned.hasLosses, let schema = Self.schema else { return problems }
    return problems + schema.failures(of: scanned.value).flatMap(\.leaves).map(finding)
  }

  private func finding(_ failure: Failure) -> Finding {
    guard case .property(let name) = failure.parameters else {
      return Finding(
        at: failure.instanceLocation,
        range: scanned.nearestNode(to: failure.instanceLocation).range,
        keyRange: scanned.node(at: failure.instanceLocation)?.keyRange,
        severity: .error,
        code: failure.keyword.rawValue,
        message: failure.message(),
        in: scanned
      )
    }
    let holder =
      failure.instanceLocation.tokens.last == name
      ? Array(failure.instanceLocation.tokens.dropLast()) : failure.instanceLocation.tokens
    let member = scanned.node(at: JSONPointer(tokens: holder + [name]))
    let known = Self.guide.members(of: Self.guide.parts(at: holder)).map(\.name)
    let meant = closestName(to: name, among: known)
    var finding = Finding(
      range: member?.keyRange ?? scanned.nearestNode(to: failure.instanceLocation).range,
      severity: .error,
      code: "unknownKey",
      message: "there is no member \(JSON.string(name)) here"
        + (meant.map { "; did you mean \(JSON.string($0))?" } ?? "; its members are: \(known.joined(separator: ", "))")
    )
    if let meant, let range = member?.keyRange {
      finding.fix = Finding.Fix(range: range, text: JSON.string(meant).description)
    }
    return finding
  }

  /// The members and values that the schema allows at a caret.
  func completions(at offset: Int) -> [Suggestion] {
    let caret = Caret(at: offset, in: scanned)
    let members = MemberSuggestions(scanned: scanned, caret: caret)
    let parts = Self.guide.parts(at: caret.tokens)
    return switch caret.spot {
    case .name: members.members(Self.guide.members(of: parts))
    case .value: members.values(parts) + members.texts(references(caret), kind: .value)
    case .nothing: []
    }
  }

  /// The names of services and databases that the file lists elsewhere.
  private func references(_ caret: Caret) -> [(text: String, detail: String?)] {
    guard caret.tokens.first == "definitions", caret.tokens.count > 1 else { return [] }
    switch caret.tokens[1] {
    case "services": return names.services.map { ($0, "service") }
    case "databases": return names.databases.map { ($0, "database") }
    default: return []
    }
  }

  /// The meaning of the member at a byte; nil if there is none.
  func hover(at offset: Int) -> HoverText? {
    let caret = Caret(at: offset, in: scanned)
    guard case .name(let member?) = caret.spot, let name = member.key, let range = member.keyRange else { return nil }
    return HoverText(Self.guide.parts(at: caret.tokens + [name]), name, range)
  }
}

/// The names in a configuration that forms can use, in the order of the file.
struct ConfiguredNames: Equatable {
  let services: [String]
  let databases: [String]

  /// For a form's warnings about names that are missing. Providers need no configuration.
  var capabilities: FormCapabilities {
    FormCapabilities(services: Set(services), databases: Set(databases), providers: nil)
  }
}
