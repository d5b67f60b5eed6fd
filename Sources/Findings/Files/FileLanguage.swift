package import DataLanguages

/// The notation of a file: one text of a language, or many.
package enum FileLanguage: String, Sendable, CaseIterable {
  /// One text of JSON, of JSON with comments, or of lines `NAME=value`.
  case json, jsonc, env
  /// YAML: one document or several.
  case yaml
  /// JSON Lines: a text of JSON in each line that is not empty (jsonlines.org, and NDJSON).
  case jsonl

  /// The language of a file by its extension; nil if the extension is unknown.
  package init?(fileName path: String) {
    let name = path.lowercased()
    if name.hasSuffix(".jsonl") || name.hasSuffix(".ndjson") {
      self = .jsonl
    } else if let language = DataLanguage(fileName: path) {
      self =
        switch language {
        case .json: .json
        case .jsonc: .jsonc
        case .yaml: .yaml
        case .env: .env
        }
    } else {
      return nil
    }
  }

  /// The language of each of the file's texts.
  package var ofTexts: DataLanguage {
    switch self {
    case .json, .jsonl: .json
    case .jsonc: .jsonc
    case .yaml: .yaml
    case .env: .env
    }
  }

  /// The extensions of files that hold JSON values, in any notation.
  package static let suffixes = [".json", ".jsonc", ".jsonl", ".ndjson", ".yaml", ".yml"]
}
