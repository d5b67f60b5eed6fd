public import JSON
public import SourceTexts

/// A language in which people write data.
public enum DataLanguage: String, Sendable, CaseIterable {
  /// JSON (RFC 8259).
  case json
  /// JSON with comments, and with commas behind the last item.
  case jsonc
  /// YAML 1.2, scalars by its core schema.
  case yaml
  /// Lines `NAME=value`, as a shell reads them.
  case env

  /// The language that the name of a file says, by its ending: `.json`, `.jsonc`, `.yaml`, `.yml`, `.env`, also
  /// `.env.local`.
  public init?(fileName path: String) {
    let path = path.lowercased()
    if path.hasSuffix(".json") {
      self = .json
    } else if path.hasSuffix(".jsonc") {
      self = .jsonc
    } else if path.hasSuffix(".yaml") || path.hasSuffix(".yml") {
      self = .yaml
    } else if path.hasSuffix(".env") || path.split(separator: "/").last?.hasPrefix(".env.") ?? false {
      self = .env
    } else {
      return nil
    }
  }

  /// Whether its values are all texts, which may also represent numbers and booleans.
  public var hasOnlyTexts: Bool { self == .env }
}

extension ScannedText {
  /// Reads a text of any of the languages. It never fails: the problems are part of the result.
  ///
  /// - Parameters:
  ///   - source: any bytes.
  ///   - language: how they are read.
  ///   - limits: how deep and large the value may be; a value beyond the limits is a problem, and is not read.
  ///   - numbers: the handling of numbers of YAML that neither 64 bits nor a double hold; in JSON such numbers are
  ///     problems.
  public init(
    _ source: SourceText,
    language: DataLanguage,
    limits: JSONLimits = .file,
    numbers: JSONNumbers = .binary
  ) {
    if source.bytes.starts(with: [0xff, 0xfe]) || source.bytes.starts(with: [0xfe, 0xff]) {
      var builder = ScannedTreeBuilder()
      builder.report(SyntaxProblem(.utf8, at: 0..<2, "this text is UTF-16; save it as UTF-8"), loses: true)
      self = builder.finish(source, syntax: language == .json ? .json : language == .jsonc ? .jsonc : .lines)
      return
    }
    switch language {
    case .json: self.init(json: source, limits: limits)
    case .jsonc: self.init(json: source, allowsComments: true, limits: limits)
    case .yaml: self = YAMLReader.read(source, limits, numbers)
    case .env: self = EnvironmentReader.read(source, limits)
    }
  }
}
