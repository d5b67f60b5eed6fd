internal import DataLanguages
internal import Files
internal import Forms
internal import JSON
internal import SourceTexts

/// Finds test files and runs them.
package enum TestRun {
  /// The test files at paths: a file itself, or all test files below a folder, in the order of their names.
  /// Each file is included once, by the first path that leads to it.
  ///
  /// - Throws: ``TestFileError`` for a folder that cannot be read or is too deep, and for a folder without a test file.
  package static func files(at paths: [String]) throws(TestFileError) -> [String] {
    var files: [String] = []
    var identities: Set<String> = []
    for path in paths {
      let found = FolderContents.isFolder(path) ? try self.files(inFolder: path) : [path]
      files += found.filter { identities.insert(identity(of: $0)).inserted }
    }
    return files
  }

  private static func files(inFolder folder: String) throws(TestFileError) -> [String] {
    var contents = FolderContents(suffixes: AuthoredFile.test.suffixes)
    contents.find(in: folder)
    var problems = contents.unread.map { path, error in
      Diagnostic(file: path, code: "file", message: "cannot be read (\(error))")
    }
    problems += contents.files.sorted().filter(FolderContents.isPipeOrDevice).map { path in
      Diagnostic(file: path, code: "file", message: "cannot be read (\(SystemError.notRegular))")
    }
    problems += contents.tooDeep.map { path in
      Diagnostic(
        file: path,
        code: "file",
        message: "is not searched: it is more than \(FolderContents.depthMax - 1) folders below \(folder)",
        remedy: "name this folder: formctl test \(path)"
      )
    }
    if problems.isEmpty, contents.files.isEmpty {
      let remedy: Remedy =
        "write cases into NAME.test.json beside NAME.form.json, or record one: formctl record FORM"
      problems.append(
        Diagnostic(file: folder, code: "file", message: "there is no *.test.json or *.test.yaml here", remedy: remedy)
      )
    }
    if !problems.isEmpty { throw TestFileError(diagnostics: problems) }
    return contents.files.map { $0.hasPrefix("./") ? String($0.dropFirst(2)) : $0 }.sorted()
  }

  /// The name of a file in its real folder. A link to a file keeps its own name, because its form is beside the link.
  private static func identity(of file: String) -> String {
    let name = file.lastIndex(of: "/").map { file.index(after: $0) } ?? file.startIndex
    let folder = file[..<name]
    guard let real = try? FileIdentity.realPath(of: folder.isEmpty ? "." : String(folder)) else { return file }
    return "\(real)/\(file[name...])"
  }

  /// Runs the cases of a file.
  ///
  /// - Parameter findsGaps: whether the result includes the coverage of the form.
  package static func result(ofFile path: String, findsGaps: Bool = false) -> FileResult {
    var result = FileResult(path: path)
    do throws(TestFileError) {
      try checkIsOnly(.test, path)
      let file = try LoadedTestFile(read(path), path: path)
      let formPath = file.formPath
      if file.content.form == nil { try checkIsOnly(.form, formPath) }
      let formText = ScannedText(
        SourceText(try read(formPath, neededBy: file)),
        language: AuthoredFile.language(of: formPath),
        limits: Form.jsonLimits
      )
      let form = try compile(formText, formPath)
      let observer = findsGaps ? CoverageObserver() : nil
      result.cases = CaseRunner(file, of: form, observer: observer).run()
      result.coverage = observer.map {
        (formPath, CoverageReport(of: form, $0), formText)
      }
    } catch {
      result.problems = error.diagnostics
    }
    return result
  }

  /// - Throws: ``TestFileError`` if the folder has another file of that name, in another language.
  private static func checkIsOnly(_ kind: AuthoredFile, _ path: String) throws(TestFileError) {
    if let clash = kind.clash(of: path, exists: { FileIdentity(path: $0) != nil }) {
      throw TestFileError(diagnostics: [clash])
    }
  }

  private static func compile(_ text: ScannedText, _ path: String) throws(TestFileError) -> Form {
    let compilation = Form.compile(text, file: path, followsFiles: true)
    guard let form = compilation.form else {
      throw TestFileError(diagnostics: compilation.diagnostics.filter { $0.severity == .error })
    }
    return form
  }

  private static func read(_ path: String, neededBy file: LoadedTestFile? = nil) throws(TestFileError) -> [UInt8] {
    do throws(SystemError) {
      // A test file was named by the user, or found as a regular file. Its form is only referred to.
      return file == nil
        ? try FileBytes.read(path, mayWait: true) : try FileBytes.read(path, bytesMax: Form.fileBytesMax)
    } catch {
      guard let file, error.isMissing else {
        throw TestFileError(diagnostics: [Diagnostic(file: path, code: "file", message: "cannot be read (\(error))")])
      }
      let pointer = file.content.form == nil ? JSONPointer.root : JSONPointer(tokens: ["form"])
      throw TestFileError(
        diagnostics: [
          Diagnostic(
            file: file.path,
            pointer: pointer,
            span: file.text.span(of: pointer),
            code: "form",
            message: "there is no form \(path)",
            remedy: "write the path of the form's file, relative to this folder, as the member \"form\""
          )
        ]
      )
    }
  }
}
