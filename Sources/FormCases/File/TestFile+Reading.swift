internal import FormProtocol
internal import Forms
package import JSON
internal import Texts

/// A test file that was read, with the places of what stands in it.
package struct LoadedTestFile: Sendable {
  /// Its path, as it was named.
  package let path: String
  /// What it says.
  package let content: TestFile
  /// Its text, with where what it says stands.
  package let text: ScannedText

  /// The end of the names of test files.
  package static let suffix = ".test.json"

  /// How deep and large a test file may be: as a definition.
  package static let jsonLimits = Form.jsonLimits

  /// The file of the form that the cases are of.
  package var formPath: String {
    let folder = path.lastIndex(of: "/").map { path[...$0] } ?? ""
    if let form = content.form { return form.hasPrefix("/") ? form : folder + form }
    return Self.formPath(besideTest: path)
  }

  /// `forms/login.form.json` of `forms/login.test.json`.
  package static func formPath(besideTest path: String) -> String {
    (path.hasSuffix(suffix) ? path.dropLast(suffix.count) : path.dropLast(path.hasSuffix(".json") ? 5 : 0))
      + ".form.json"
  }

  /// `forms/login.test.json` of `forms/login.form.json`.
  package static func testPath(besideForm path: String) -> String {
    let end = [".form.json", ".json"].first { path.hasSuffix($0) } ?? ""
    return path.dropLast(end.count) + suffix
  }

  /// Reads a test file.
  ///
  /// - Parameter path: its name in what is said of it.
  /// - Throws: ``TestFileFault`` with everything that is wrong.
  package init(_ bytes: [UInt8], path: String) throws(TestFileFault) {
    let text = ScannedText(json: SourceText(bytes), limits: Self.jsonLimits)
    let (content, diagnostics) = Self.read(text, path)
    guard let content, diagnostics.isEmpty else { throw TestFileFault(diagnostics: diagnostics) }
    self.path = path
    self.content = content
    self.text = text
  }

  /// What is wrong with a test file that is being written: with its text, and with what could be read of it.
  package static func diagnostics(of text: ScannedText, path: String) -> [Diagnostic] { read(text, path).diagnostics }

  /// The content, if it can be read, and what is wrong.
  private static func read(_ text: ScannedText, _ path: String) -> (content: TestFile?, diagnostics: [Diagnostic]) {
    let faults = text.faults.map { Diagnostic($0, of: text.source, file: path) }
    do throws(InvalidParams) {
      let content = try MessageReader.value(TestFile.self, text.value, .strict)
      return (content, faults + equalNames(in: content, path, text))
    } catch {
      // What seems to be missing or wrong may only not be read; what is unknown is.
      let unknown = InvalidParams.Code.unknown.wireName.description
      return (
        nil, faults + error.faults.filter { !text.hasLosses || $0.code == unknown }.map { diagnostic($0, path, text) }
      )
    }
  }

  /// A case is known by its name.
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
        message: "there is another case \(JSON.string(testCase.name))",
        remedy: "give each case of a file a name of its own"
      )
    }
  }

  private static func diagnostic(_ fault: InvalidParams.Fault, _ path: String, _ text: ScannedText) -> Diagnostic {
    let pointer = JSONPointer(fault.path) ?? .root
    let name = JSON.string(pointer.tokens.last ?? "").description
    let isUnknown = fault.code == InvalidParams.Code.unknown.wireName.description
    let isMissing = fault.code == InvalidParams.Code.required.wireName.description
    var message = "this must be \(fault.expected)"
    var remedy: Remedy?
    if isUnknown {
      message = "nothing here is called \(name)"
      let known = fault.expected.split(separator: ": ", maxSplits: 1).last.map {
        $0.split(separator: ", ").map(String.init)
      }
      let closest = closestName(to: pointer.tokens.last ?? "", among: known ?? [])
      remedy = closest.map(Remedy.meant) ?? "write \(fault.expected)"
    } else if isMissing {
      message = "\(name) is missing"
      remedy = "write \(fault.expected)"
    }
    return Diagnostic(
      file: path,
      pointer: pointer,
      span: isUnknown ? text.span(ofName: pointer) : text.span(of: pointer),
      code: fault.code,
      message: message,
      remedy: remedy
    )
  }
}

/// Why the cases of a file cannot run.
package struct TestFileFault: Error {
  /// Everything that is wrong with the test file, or with the definition of its form.
  package let diagnostics: [Diagnostic]
}
