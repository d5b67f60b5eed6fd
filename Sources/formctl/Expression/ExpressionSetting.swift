internal import CEL
internal import Findings
internal import Forms
internal import JSON
internal import JSONSchema

/// The names that an expression can use. They are the same as in a form's formulas.
struct ExpressionSetting {
  /// The variable whose value is an input.
  static let input = "self"
  /// The variables that every expression has. `text()` reads the locale.
  static let variables = [TriedExpression.Variable(name: "form.locale", value: "")]

  /// The functions that the expression can call, and the record types of its input.
  let environment: Environment
  /// The type of the input; nil for the type of its value.
  private let inputType: CELType?

  /// A setting without a schema.
  init() {
    environment = FormFunctions.environment()
    inputType = nil
  }

  /// A setting with the types that a JSON Schema describes.
  ///
  /// - Throws: ``CommandFailure`` if the file cannot be read or used.
  init(schemaFile file: String) throws(CommandFailure) {
    let types = try Self.types(of: try ExprCommand.value(inFile: file), file: file)
    var environment = FormFunctions.environment()
    for record in types.records { environment.declare(record) }
    self.environment = environment
    inputType = types.root
  }

  /// Gives the input the type that the schema describes.
  func complete(_ variable: inout TriedExpression.Variable) {
    if let inputType, variable.name == Self.input { variable.type = inputType }
  }

  private static func types(of document: JSON, file: String) throws(CommandFailure) -> SchemaTypes {
    let folder = file.lastIndex(of: "/").map { String(file[...$0]) } ?? ""
    let library = SchemaLibrary(folder: folder, isClosed: false)
    let options = CompileOptions(
      baseURI: library.uri(ofFileNamed: file.split(separator: "/").last.map(String.init) ?? file)
    ) { [library] uri in library.documentOrComplaint(at: uri) }
    do throws(SchemaCompileError) {
      return SchemaTypes(try Schema.compile(document, options: options))
    } catch {
      throw CommandFailure(
        message: error.problems.map { "\(file): \($0.pointer): \($0.text)" }.joined(separator: "\n")
      )
    }
  }
}
