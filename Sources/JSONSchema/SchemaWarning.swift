package import Budgets
internal import Formats
public import JSON
internal import Texts

/// Something in a schema that works, but probably not as meant.
public struct SchemaWarning: Hashable, Sendable {
  /// The kinds of warnings.
  public enum Kind: String, Hashable, Sendable {
    /// A name that is not a keyword, but close to one. A name that is close to none is the author's annotation.
    case unknownKeyword
    /// A `format` that is none, but close to one. Formats that are close to none are somebody's own, and for drawing.
    case unknownFormat
    /// References that name the same schemas again and again, so that one value, or one inside it, is judged very
    /// often.
    case repeatedReferences
    /// References lead back to their start without a step into the instance, but nothing leads to them, or only some
    /// instances get there.
    case referenceLoop
  }

  /// The kind of the warning.
  public var kind: Kind
  /// Its location in the document that was compiled: the keyword, or the schema.
  public var pointer: JSONPointer
  /// One sentence for the author of the schema.
  public var text: String
  /// The replacement to write.
  public var remedy: String
  /// The name that was probably meant instead of the written one; nil if the warning is not about a name.
  public var meant: String?
}

extension Schema {
  /// The warnings for an author, in the document that was compiled; unknown keywords and formats first.
  public func warnings() -> [SchemaWarning] { warnings(budget: CompileBudget()) }

  /// The same with a bound on the search for names that were meant.
  package func warnings(budget: CompileBudget) -> [SchemaWarning] {
    let inspector = SchemaInspector(program: program)
    return inspector.unknownKeywords(budget: budget) + inspector.unknownFormats(budget: budget)
      + inspector.repeatedReferences()
  }
}

private struct SchemaInspector {
  let program: Program
  /// By schema: whether it is in the document that was compiled, and not in a document that a reference loaded.
  private let isOwn: [Bool]

  init(program: Program) {
    self.program = program
    // A location follows the location that it is in.
    var isOwn = [Bool](repeating: false, count: program.locations.entries.count)
    for (number, location) in program.locations.entries.enumerated() {
      isOwn[number] = location.parent < 0 ? number == 0 : isOwn[Int(location.parent)]
    }
    self.isOwn = program.sources.map { isOwn[Int($0.location)] }
  }

  private func warning(
    _ kind: SchemaWarning.Kind,
    at schema: Int,
    keyword: String? = nil,
    _ text: String,
    remedy: String,
    meant: String? = nil
  ) -> SchemaWarning {
    let pointer = JSONPointer(tokens: program.documentPointer(of: Int32(schema)).tokens + (keyword.map { [$0] } ?? []))
    return SchemaWarning(kind: kind, pointer: pointer, text: text, remedy: remedy, meant: meant)
  }

  // MARK: Keywords

  private static let keywords =
    Keyword.allCases.filter { $0 != .falseSchema }.map(\.rawValue)
    + [
      "$id", "$schema", "$anchor", "$dynamicAnchor", "$recursiveAnchor", "$comment", "$defs", "$vocabulary",
      "definitions",
    ]
  private static let known = Set(keywords)
  private static let byLowerCase = Dictionary(
    keywords.map { ($0.lowercased(), $0) },
    uniquingKeysWith: { first, _ in first }
  )
  /// Of shorter names nearly every other is close to one.
  private static let slipBytesMin = 4
  private static let long = keywords.filter { $0.utf8.count >= slipBytesMin }

  func unknownKeywords(budget: CompileBudget) -> [SchemaWarning] {
    var warnings: [SchemaWarning] = []
    for (schema, isOwn) in isOwn.enumerated() where isOwn {
      guard case .object(let members) = program.sources[schema].value else { continue }
      for member in members where !Self.known.contains(member.name) && !member.name.hasPrefix("x-") {
        guard let meant = Self.meant(by: member.name, budget) else { continue }
        warnings.append(
          warning(
            .unknownKeyword,
            at: schema,
            keyword: member.name,
            "\"\(member.name)\" is not a keyword of JSON Schema, so it has no effect",
            remedy: "did you mean \"\(meant)\"?",
            meant: meant
          )
        )
      }
    }
    return warnings
  }

  private static let formats = TextFormat.allCases.map(\.rawValue)

  func unknownFormats(budget: CompileBudget) -> [SchemaWarning] {
    isOwn.indices.filter { isOwn[$0] }.compactMap { schema in
      guard let name = program.sources[schema].value["format"]?.stringValue, TextFormat(rawValue: name) == nil,
        name.utf8.count >= Self.slipBytesMin, budget.mayCompare(Self.formats.count),
        let meant = Self.formats.first(where: { $0 == name.lowercased() }) ?? closestName(to: name, among: Self.formats)
      else { return nil }
      return warning(
        .unknownFormat,
        at: schema,
        keyword: "format",
        "\"\(name)\" is not a known format, so nothing is checked",
        remedy: "did you mean \"\(meant)\"?",
        meant: meant
      )
    }
  }

  private static func meant(by name: String, _ budget: CompileBudget) -> String? {
    if let keyword = byLowerCase[name.lowercased()] { return keyword }
    guard name.utf8.count >= slipBytesMin, budget.mayCompare(long.count) else { return nil }
    return closestName(to: name, among: long)
  }

  // MARK: References

  /// A value that is judged more often than this, beyond once by each schema, is warned about.
  private static let evaluationsMax = 10_000

  /// The schemas at which the evaluations of one value pass the bound.
  func repeatedReferences() -> [SchemaWarning] {
    let counts = EvaluationCounts(program)
    // Without repetitions a value is judged once by each schema at most.
    let bound = Self.evaluationsMax + program.schemas.count
    let isOwn = isOwn
    return program.schemas.indices.compactMap { schema -> SchemaWarning? in
      guard counts.most(of: schema) > bound, isOwn[schema],
        !counts.targets(of: schema).contains(where: { counts.most(of: $0) > bound })
      else { return nil }
      return warning(
        .repeatedReferences,
        at: schema,
        "up to \(counts.most(of: schema)) schemas check one value here, because references lead to the same schemas repeatedly",
        remedy: "refer to the next level only once at each level"
      )
    }
  }
}
