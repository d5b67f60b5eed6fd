internal import DataLanguages
internal import Files
internal import FormProtocol
internal import Forms
package import JSON
package import SourceTexts
internal import Texts

/// A test file that was read, with the positions of its parts.
package struct LoadedTestFile: Sendable {
  /// The path of the file, as the user named it.
  package let path: String
  /// The cases.
  package let content: TestFile
  /// The text of the file, with the positions of its values.
  package let text: ScannedText

  /// The limits of a test file's size and depth are the limits of a definition.
  package static let jsonLimits = Form.jsonLimits

  /// The path of the form's definition.
  package var formPath: String {
    let folder = path.lastIndex(of: "/").map { path[...$0] } ?? ""
    if let form = content.form { return form.hasPrefix("/") ? form : folder + form }
    return Self.formPath(besideTest: path) { FileIdentity(path: $0) != nil }
  }

  /// `forms/login.form.yaml` of `forms/login.test.json`: the form that exists, else the path with `.form.json`.
  package static func formPath(besideTest path: String, exists: (String) -> Bool) -> String {
    Self.path(of: .form, beside: path, as: .test, exists)
  }

  /// `forms/login.test.yaml` of `forms/login.form.json`: the file that exists, else the path with `.test.json`.
  package static func testPath(besideForm path: String, exists: (String) -> Bool) -> String {
    Self.path(of: .test, beside: path, as: .form, exists)
  }

  private static func path(
    of kind: AuthoredFile,
    beside path: String,
    as other: AuthoredFile,
    _ exists: (String) -> Bool
  ) -> String {
    let stem = other.stem(of: path) ?? (path.hasSuffix(".json") ? String(path.dropLast(5)) : path)
    let paths = kind.paths(of: stem)
    return paths.first(where: exists) ?? paths[0]
  }

  /// Reads a test file.
  ///
  /// - Parameter path: the file's name in messages.
  /// - Throws: ``TestFileError`` with all problems.
  package init(_ bytes: [UInt8], path: String) throws(TestFileError) {
    let text = Self.scanned(SourceText(bytes), path: path)
    let (content, diagnostics) = Self.read(text, path)
    guard let content, diagnostics.isEmpty else { throw TestFileError(diagnostics: diagnostics) }
    self.path = path
    self.content = content
    self.text = text
  }

  /// The text of a test file, read as the language that its name says.
  package static func scanned(_ source: SourceText, path: String) -> ScannedText {
    ScannedText(source, language: AuthoredFile.language(of: path), limits: jsonLimits)
  }

  /// The problems of a test file that is being written: problems of its text, and of the parts that could be read.
  package static func diagnostics(of text: ScannedText, path: String) -> [Diagnostic] { read(text, path).diagnostics }

  /// The content, if it can be read, and the problems.
  private static func read(_ text: ScannedText, _ path: String) -> (content: TestFile?, diagnostics: [Diagnostic]) {
    // A case may have secrets of its form, and a broken text does not show where they are.
    let problems = text.problems.map { problem in
      var told = problem.withoutInput
      told.replacement = problem.replacement
      return Diagnostic(told, of: text.source, file: path)
    }
    do throws(InvalidParams) {
      let content = try MessageReader.value(TestFile.self, text.value, .strict)
      return (content, problems + equalNames(in: content, path, text))
    } catch {
      // A member that seems missing or wrong may just be unreadable. An unknown member is certainly wrong.
      let unknown = InvalidParams.Code.unknown.wireName.description
      return (
        nil,
        problems + error.problems.filter { !text.hasLosses || $0.code == unknown }.map { diagnostic($0, path, text) }
      )
    }
  }

  /// A name identifies a case, so that two cases must not have the same name.
  private static func equalNames(in file: TestFile, _ path: String, _ text: ScannedText) -> [Diagnostic] {
    var names: Set<UTF8Key> = []
    return file.cases.enumerated().compactMap { position, testCase in
      if names.insert(UTF8Key(text: testCase.name)).inserted { return nil }
      let pointer = JSONPointer(tokens: ["cases", String(position), "name"])
      return Diagnostic(
        file: path,
        pointer: pointer,
        span: text.span(of: pointer),
        code: "duplicate",
        message: "another case already has the name \(JSON.string(testCase.name))",
        remedy: "give each case of the file its own name"
      )
    }
  }

  private static func diagnostic(_ problem: InvalidParams.Problem, _ path: String, _ text: ScannedText) -> Diagnostic {
    let pointer = JSONPointer(problem.path) ?? .root
    let name = JSON.string(pointer.tokens.last ?? "").description
    let isUnknown = problem.code == InvalidParams.Code.unknown.wireName.description
    let isMissing = problem.code == InvalidParams.Code.required.wireName.description
    // In a broken text, what seems to be a name may be a piece of a value.
    let hidesName = isUnknown && text.problemCount > 0
    var message = "this must be \(problem.expected)"
    var remedy: Remedy?
    if isUnknown {
      message = hidesName ? "unknown member" : "unknown member \(name)"
      let known = problem.expected.split(separator: ": ", maxSplits: 1).last.map {
        $0.split(separator: ", ").map(String.init)
      }
      let closest = closestName(to: pointer.tokens.last ?? "", among: known ?? [])
      remedy = closest.map(Remedy.meant) ?? "write \(problem.expected)"
    } else if isMissing {
      message = "\(name) is missing"
      remedy = "write \(problem.expected)"
    }
    return Diagnostic(
      file: path,
      pointer: hidesName ? JSONPointer(tokens: Array(pointer.tokens.dropLast())) : pointer,
      span: isUnknown ? text.span(ofName: pointer) : text.span(of: pointer),
      code: problem.code,
      message: message,
      remedy: remedy
    )
  }
}

/// Why the cases of a file cannot run.
package struct TestFileError: Error {
  /// All problems of the test file, or of its form's definition.
  package let diagnostics: [Diagnostic]
}
