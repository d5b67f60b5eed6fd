internal import Actions
package import Forms
package import JSON
internal import Texts

/// The forms that the daemon has, by name; read from the files `*.form.json` of its folders and their subfolders.
package struct FormCatalog: Sendable {
  /// By name, in the order of the names.
  package private(set) var forms: [Form] = []
  private var index: [UTF8Key: Int] = [:]
  /// The file that each form came from.
  private var files: [UTF8Key: String] = [:]

  /// No forms.
  package init() {}

  /// Those forms; of equal names the first counts. For tests, and for programs that embed the daemon.
  package init(_ forms: [Form]) {
    for form in forms where index[UTF8Key(text: form.name)] == nil { add(form, file: "") }
    sort()
  }

  /// What reading the folders came to.
  package struct Reading: Sendable {
    /// The forms that can be used.
    package var catalog = FormCatalog()
    /// Everything that is wrong with the files.
    package var problems: [Diagnostic] = []
    /// What probably is not as meant; the forms are in the catalog.
    package var warnings: [Diagnostic] = []
    /// Both, what is wrong first.
    package var diagnostics: [Diagnostic] { problems + warnings }
    /// Files that were read.
    package var fileCount = 0
    /// Those of the folders that are not there or cannot be read, with what the system says.
    package var unreadFolders: [(path: String, error: SystemError)] = []
  }

  /// Reads all folders anew. A file that is broken or cannot be read, or a folder that is not there or cannot be read, is a problem;
  /// where `previous` has forms of it, they stay. With a configuration, a form is warned about that names a service or database which the
  /// configuration does not have, or has a query that its database does not take.
  ///
  /// It reads files and opens databases: not on an event loop.
  package static func read(
    folders: [String],
    previous: FormCatalog = FormCatalog(),
    for configuration: ServerConfiguration? = nil
  ) -> Reading {
    var reading = Reading()
    for folder in folders {
      var found = FolderContents(suffixes: [".form.json"])
      found.find(in: folder)
      reading.unreadFolders += found.unread.filter { $0.path == folder }
      for (path, error) in found.unread {
        let message = error.isMissing ? "no such folder" : "the folder cannot be read (\(error))"
        reading.problems.append(Diagnostic(file: path, code: "file", message: message))
        previous.forEachForm(in: path) { form, file in
          if !found.files.contains(where: { $0.hasSameUTF8(as: file) }) { reading.add(form, file: file) }
        }
      }
      for file in found.files.sorted(by: { $0.precedesInUTF8($1) }) { readFile(file, previous, &reading) }
    }
    reading.catalog.sort()
    guard let configuration else { return reading }
    let queries = QueryCheck(configuration.actions.databases)
    for form in reading.catalog.forms {
      reading.warnings += form.warnings(
        configured: configuration.capabilities,
        file: reading.catalog.file(of: form),
        preparing: queries.fault
      )
    }
    return reading
  }

  private static func readFile(_ file: String, _ previous: FormCatalog, _ reading: inout Reading) {
    reading.fileCount += 1
    var form: Form?
    do throws(SystemError) {
      let compilation = Form.compile(try FileBytes.read(file, bytesMax: 16 << 20), file: file, followsFiles: true)
      reading.problems += compilation.diagnostics.filter { $0.severity == .error }
      reading.warnings += compilation.diagnostics.filter { $0.severity == .warning }
      form = compilation.form
    } catch {
      reading.problems.append(Diagnostic(file: file, code: "file", message: "cannot be read (\(error))"))
    }
    // A broken file must not take away what works.
    if let form = form ?? previous.form(ofFile: file) { reading.add(form, file: file) }
  }

  private func forEachForm(in folder: String, _ body: (Form, String) -> Void) {
    let start = folder.hasSuffix("/") ? folder : folder + "/"
    for form in forms {
      if let file = files[UTF8Key(text: form.name)], file.utf8.starts(with: start.utf8) { body(form, file) }
    }
  }

  private func form(ofFile file: String) -> Form? {
    files.first { $0.value.hasSameUTF8(as: file) }.flatMap { form(named: $0.key.text) }
  }

  fileprivate func file(of form: Form) -> String? { files[UTF8Key(text: form.name)] }

  fileprivate mutating func add(_ form: Form, file: String) {
    let key = UTF8Key(text: form.name)
    index[key] = forms.count
    files[key] = file
    forms.append(form)
  }

  private mutating func sort() {
    forms.sort { $0.name.precedesInUTF8($1.name) }
    for (position, form) in forms.enumerated() { index[UTF8Key(text: form.name)] = position }
  }

  /// The form of that name.
  package func form(named name: String) -> Form? {
    index[UTF8Key(text: name)].map { forms[$0] }
  }
}

extension FormCatalog.Reading {
  /// Adds a form; of equal names the first counts.
  fileprivate mutating func add(_ form: Form, file: String) {
    if let other = catalog.file(of: form) {
      problems.append(
        Diagnostic(
          file: file,
          code: "duplicateForm",
          message: "the form \"\(form.name)\" is already defined by \(other)"
        )
      )
    } else {
      catalog.add(form, file: file)
    }
  }
}
