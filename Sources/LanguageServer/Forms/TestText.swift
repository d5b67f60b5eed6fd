internal import DataLanguages
internal import FormCases
internal import Forms
internal import JSON
internal import SourceTexts
internal import Texts

/// A test file, with its current text.
final class TestText {
  let scanned: ScannedText
  /// The stamp of the text.
  let stamp: Int
  private let key: String
  /// The language of the text.
  var language: DataLanguage { AuthoredFile.language(of: key) }

  init(_ source: SourceText, key: String, stamp: Int) {
    scanned = LoadedTestFile.scanned(source, path: key)
    self.key = key
    self.stamp = stamp
  }

  /// The document with the form's definition, if the file names it.
  var namedForm: String? {
    scanned.root.child("form")?.value.stringValue.map { DocumentURI.resolved($0, in: DocumentURI.folder(of: key)) }
  }

  /// The documents that may have the form's definition, if the file does not name it.
  var formsBeside: [String] { AuthoredFile.form.paths(of: AuthoredFile.test.stem(of: key) ?? key) }

  /// The occurrences of its form's symbols.
  lazy var names = FormNames(test: scanned)

  /// The problems of the file itself, as `formctl test` reports them.
  lazy var diagnostics = LoadedTestFile.diagnostics(of: scanned, path: key)

  /// The names in the file that its form does not have. A step that expects a refusal may name anything.
  func unknownNames(in form: Form) -> [Diagnostic] {
    let refused = (scanned.root.child("cases").map { Array($0.children) } ?? [])
      .flatMap { $0.child("steps").map { Array($0.children) } ?? [] }
      .filter { $0.child("expect")?.child("refused") != nil }.map(\.range)
    return names.occurrences.filter { occurrence in !refused.contains { $0.contains(occurrence.range.lowerBound) } }
      .compactMap { occurrence in
        guard let (message, meant) = occurrence.symbol.lack(in: form) else { return nil }
        return Diagnostic(
          file: key,
          pointer: scanned.path(atOffset: occurrence.range.lowerBound).pointer,
          span: TextSpan(occurrence.range, of: scanned.source),
          code: "unknownName",
          message: message,
          remedy: meant.map { .within("did you mean \"\($0)\"?", part: $0) },
          severity: .warning
        )
      }
  }

  /// The codes of expected errors that no error of the field has.
  func unknownCodes(in form: FormText) -> [Diagnostic] {
    let cases = scanned.root.child("cases").map { Array($0.children) } ?? []
    let expectations = cases.flatMap { testCase in
      [testCase.child("expect")] + (testCase.child("steps").map { Array($0.children) } ?? []).map { $0.child("expect") }
    }
    var known: [String: [String]] = [:]
    return expectations.compactMap { $0?.child("errors") }.flatMap { errors in
      errors.children.flatMap { field -> [Diagnostic] in
        guard let address = field.key, field.kind == .array else { return [] }
        let canonical = JSONPointer(tokens: AddressNames.path(address)).address
        let codes = known[canonical] ?? form.codes(of: canonical).map(\.text) + Self.codesOfEngine
        known[canonical] = codes
        return field.children.compactMap { code in
          guard code.kind == .string, code.isClosed, let text = code.value.stringValue,
            !codes.contains(where: { $0.hasSameUTF8(as: text) }), !form.mayServerSend(text),
            let meant = closestName(to: text, among: codes)
          else { return nil }
          return Diagnostic(
            file: key,
            pointer: code.pointer,
            span: TextSpan(code.range, of: scanned.source),
            code: "unknownCode",
            message: "no error of \(JSON.string(address)) has the code \(JSON.string(text))",
            remedy: .meant(meant),
            severity: .warning
          )
        }
      }
    }
  }

  /// Codes that the engine itself gives to errors.
  private static let codesOfEngine = ["more", "tooCostly", "tooDeep", "type"]
}

extension FormSymbol {
  /// The message about a missing symbol, and the closest existing name, if there is one; nil if the form has it.
  fileprivate func lack(in form: Form) -> (message: String, meant: String?)? {
    func lack(among names: [String]) -> (String, String?)? {
      if names.contains(where: { $0.hasSameUTF8(as: name) }) { return nil }
      return ("the form has no \(kindName) \(JSON.string(name))", closestName(to: name, among: names))
    }
    switch self {
    case .field(let path):
      let target = form.resolve(path)
      guard !target.rest.isEmpty else { return nil }
      do throws(AddressError) {
        try form.checkIsAdmitted(target)
        return nil
      } catch {
        let around = target.field.map { form.fields[$0].element ?? $0 }
        return lack(among: form.children(of: around).map { form.fields[$0].name })
      }
    case .lookup(let address):
      return form.lookups.contains { $0.address.hasSameUTF8(as: address) } ? nil : lack(among: form.lookups.map(\.name))
    case .output(let address):
      return form.outputs.contains { $0.address.hasSameUTF8(as: address) } ? nil : lack(among: form.outputs.map(\.name))
    case .step: return lack(among: form.steps.map(\.id))
    case .action: return lack(among: form.actions.map(\.name))
    case .rule, .check, .text, .function: return nil
    }
  }
}
