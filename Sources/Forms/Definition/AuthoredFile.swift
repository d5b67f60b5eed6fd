package import DataLanguages
package import SourceTexts

/// The files that authors of forms write: `NAME.form.json` is a form, and `NAME.test.json` has its tests. The endings
/// `.jsonc`, `.yaml` and `.yml` mean other languages.
package enum AuthoredFile: String, Sendable, CaseIterable {
  /// A definition.
  case form
  /// The cases of a form.
  case test

  /// The ending of new files comes first.
  private static let endings = [".json", ".jsonc", ".yaml", ".yml"]

  /// The ends of the names of such files: `.form.json`, `.form.jsonc`, …
  package var suffixes: [String] { Self.endings.map { ".\(rawValue)\($0)" } }

  /// The path without the ending: `forms/login` of `forms/login.form.yaml`; nil if it is not such a file.
  package func stem(of path: String) -> String? {
    suffixes.first(where: path.hasSuffix).map { String(path.dropLast($0.utf8.count)) }
  }

  /// The paths that such a file can have: `forms/login.form.json`, `forms/login.form.jsonc`, …
  package func paths(of stem: String) -> [String] { suffixes.map { stem + $0 } }

  /// The error that another such file has the same name in another language; nil if there is none.
  ///
  /// - Parameter exists: whether there is a file at a path.
  package func clash(of path: String, exists: (String) -> Bool) -> Diagnostic? {
    guard let stem = stem(of: path), let other = paths(of: stem).first(where: { $0 != path && exists($0) })
    else { return nil }
    return Diagnostic(
      file: path,
      code: "duplicateFile",
      message: "there is also \(other.split(separator: "/").last ?? "")",
      remedy: "keep one of the two files: a name must have only one \(rawValue) file"
    )
  }

  /// The language of a file of a form or of tests; JSON if the name says nothing else.
  package static func language(of path: String?) -> DataLanguage {
    switch path.flatMap(DataLanguage.init(fileName:)) {
    case .jsonc?: .jsonc
    case .yaml?: .yaml
    case .json?, .env?, nil: .json
    }
  }
}
