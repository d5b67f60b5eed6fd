internal import DataLanguages
internal import Files
internal import Forms
internal import JSON
internal import SourceTexts

/// A form definition in a file.
enum FormFile {
  /// Whether an argument that may be a form's name or a file means a file.
  static func isPath(_ argument: String) -> Bool {
    if argument.contains("/") { return true }
    return switch DataLanguage(fileName: argument) {
    case .json?, .jsonc?, .yaml?: true
    case .env?, nil: false
    }
  }

  /// The ends of the names of files that have a form, for the completion of shells.
  static let extensions = ["json", "jsonc", "yaml", "yml"]

  /// The error that the folder has another form of that name, in another language; nil if it has none.
  static func clash(of path: String) -> Diagnostic? {
    AuthoredFile.form.clash(of: path) { FileIdentity(path: $0) != nil }
  }

  /// The definition in a file, as a value.
  static func definition(_ path: String) throws(CommandFailure) -> JSON {
    let bytes = try Console.readFile(path, bytesMax: Form.fileBytesMax)
    return ScannedText(SourceText(bytes), language: AuthoredFile.language(of: path), limits: Form.jsonLimits).value
  }

  /// Compiles the definition in a file, with the files beside it that its schema refers to; `-` is standard input.
  private static func compile(_ path: String) throws(CommandFailure) -> FormCompilation {
    compile(try Console.readFile(path, bytesMax: Form.fileBytesMax), path)
  }

  /// Compiles a definition that was read from that path.
  static func compile(_ bytes: [UInt8], _ path: String) -> FormCompilation {
    Form.compile(bytes, file: path, followsFiles: path != "-")
  }

  /// The form of a file.
  ///
  /// - Throws: ``CommandFailure`` with every error of the definition.
  static func read(_ path: String) throws(CommandFailure) -> Form {
    let compilation = try compile(path)
    guard let form = compilation.form else {
      let errors = compilation.diagnostics.filter { $0.severity == .error }.map(\.description)
      throw CommandFailure(message: "the form cannot be used\n" + errors.joined(separator: "\n"))
    }
    return form
  }
}
