internal import JSON
package import SourceTexts

/// The result of reading the forms: the push `forms/changed`, and the answer to `forms/watch`.
public struct LoadedForms: Push {
  /// The names of the forms that the daemon has, in order.
  public var forms: [String] = []
  /// The errors and warnings of the files. A form whose file has an error stays as it was.
  public var problems: [FormProblem] = []

  package init() {}

  package init(forms: [String], problems: [FormProblem]) {
    self.forms = forms
    self.problems = problems
  }

  package static let schemaName: StaticString? = "LoadedForms"

  package mutating func list(_ members: inout some MessageVisitor) {
    members.required("forms", &forms, "The names of the forms that the daemon has now, in order.")
    members.required(
      "problems",
      &problems,
      "What is wrong with the files. A form whose file is broken stays as it was."
    )
  }

  package static let push = PushMethod.formsChanged
  package static let pushTitle = "The forms were reloaded"
  package static var pushExample: Self {
    let problem = Diagnostic(
      file: "forms/login.form.json",
      pointer: JSONPointer(tokens: ["rules", "0", "check"]),
      position: LineColumn(line: 12, column: 31),
      code: "expression",
      message: "undeclared reference to 'sefl'",
      remedy: "did you mean \"self\"?"
    )
    return Self(forms: ["join", "login"], problems: [FormProblem(problem)])
  }
}

/// A problem of a form's file, or of the configuration.
public struct FormProblem: Message, Sendable {
  /// The path of the file or folder; nil if the problem belongs to none.
  public var file: String?
  /// The location in the definition, as a JSON Pointer.
  public var path = ""
  /// The line, from 1; nil if the problem concerns the file as a whole.
  public var line: Int?
  /// The column, from 1, in code points.
  public var column: Int?
  /// The severity; nil for a severity that only a later daemon knows.
  public var severity: ProblemSeverity?
  /// The kind of the problem, for programs.
  public var code = ""
  /// The problem, in one sentence.
  public var message = ""
  /// The replacement, or the next step for the author.
  public var remedy: String?

  package init() {}

  /// A problem that reading the forms has found.
  package init(_ diagnostic: Diagnostic) {
    file = diagnostic.file
    path = diagnostic.pointer.description
    line = diagnostic.position?.line
    column = diagnostic.position?.column
    severity =
      switch diagnostic.severity {
      case .error: .error
      case .warning: .warning
      }
    code = diagnostic.code
    message = diagnostic.message
    remedy = diagnostic.remedy
  }

  package static let schemaName: StaticString? = "FormProblem"
  package static let summary: StaticString = "A problem of a form's file, or of the configuration."

  package mutating func list(_ members: inout some MessageVisitor) {
    members.optional("file", &file, "The file or folder.")
    members.required("path", &path, "The location in the definition, as a JSON Pointer.")
    members.optional("line", &line, "The line, from 1.")
    members.optional("column", &column, "The column, from 1.")
    members.required(
      "severity",
      &severity,
      "An `error`: the file is not used. A `warning`: the file is used, but probably not as intended."
    )
    members.required("code", &code, "The kind of problem, for programs.")
    members.required("message", &message, "What is wrong, in one sentence.")
    members.optional("remedy", &remedy, "What to write instead, or what to do.")
  }
}

extension FormProblem: CustomStringConvertible {
  /// `file:line:column: error: message [/path]`, and the remedy in a line of its own, as compilers print it.
  public var description: String {
    Diagnostic(
      file: file,
      pointer: JSONPointer(path) ?? .root,
      position: line.map { LineColumn(line: $0, column: column ?? 1) },
      code: code,
      message: message,
      remedy: remedy.map { Remedy($0) },
      severity: severity == .warning ? .warning : .error
    ).description
  }
}
