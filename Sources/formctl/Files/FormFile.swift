internal import Forms
internal import JSON
internal import SourceTexts

/// A form definition in a file.
enum FormFile {
  /// Whether an argument that may be a form's name or a file means a file.
  static func isPath(_ argument: String) -> Bool {
    argument.contains("/") || argument.hasSuffix(".json")
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
