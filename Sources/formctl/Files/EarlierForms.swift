internal import Files
internal import Findings
internal import Forms
internal import JSON
internal import SourceTexts
internal import Texts

/// The earlier versions of forms, with which `formctl check --against` compares.
struct EarlierForms: Sendable {
  private let forms: [Form]

  /// Reads a file, or all forms below a folder.
  ///
  /// - Throws: ``CommandFailure`` if a file cannot be read, or is not a form.
  init(_ path: String) throws(CommandFailure) {
    var folder = FolderContents(suffixes: AuthoredFile.form.suffixes)
    folder.find(in: path)
    var forms: [Form] = []
    for file in folder.unread.isEmpty ? folder.files : [path] {
      let bytes: [UInt8]
      do throws(SystemError) {
        bytes = try FileBytes.read(file, bytesMax: Form.fileBytesMax)
      } catch {
        throw CommandFailure(Diagnostic(file: file, code: "file", message: "cannot be read (\(error))"))
      }
      let compilation = FormFile.compile(bytes, file)
      guard let form = compilation.form else {
        throw CommandFailure(message: compilation.diagnostics.map(\.description).joined(separator: "\n"))
      }
      forms.append(form)
    }
    self.forms = forms
  }

  /// Warnings about fields of the earlier version whose values a migration sets aside.
  func warnings(about form: Form, in file: String) -> [Diagnostic] {
    guard let old = forms.first(where: { $0.name.hasSameUTF8(as: form.name) }) else { return [] }
    return form.fieldsLost(from: old).map { address in
      Diagnostic(
        file: file,
        code: "lostField",
        message: "the form no longer has the field \"\(address)\": kept sessions set its value aside",
        remedy: "write \"renamedFrom\" at the field that replaces it, if there is one",
        severity: .warning
      )
    }
  }
}
