internal import DataTexts

extension DataLanguage {
  /// The language by what editors call it (3.17, "Text Document Item"); nil for what is no data.
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
