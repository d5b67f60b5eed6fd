internal import DataLanguages

extension DataLanguage {
  /// The language by the editors' name for it (3.17, "Text Document Item"); nil if it is not a language of data.
  init?(editorName name: String) {
    switch name {
    case "json": self = .json
    case "jsonc": self = .jsonc
    case "yaml": self = .yaml
    case "dotenv", "env": self = .env
    default: return nil
    }
  }
}
