internal import Actions
package import Configuration
package import Files
package import Forms
internal import JSON
package import SourceTexts
internal import Texts

/// The forms that the daemon has, by name; read from the files of forms in its folders and their subfolders.
package struct FormCatalog: Sendable {
  /// By name, in the order of the names.
  package private(set) var forms: [Form] = []
  private var index: [UTF8Key: Int] = [:]
  /// The files whose forms cannot be served: they have errors, and no form of an earlier version stays.
  package private(set) var brokenFiles: [String] = []
  /// The file that each form came from.
  private var files: [UTF8Key: String] = [:]

  /// No forms.
  package init() {}

  /// Those forms; if names are equal, the first form counts. For tests, and for programs that embed the daemon.
  package init(_ forms: [Form]) {
    for form in forms where index[UTF8Key(text: form.name)] == nil { add(form, file: "") }
    sort()
  }

  /// The result of reading the folders.
  package struct Reading: Sendable {
    /// The forms that can be used.
    package var catalog = FormCatalog()
    /// Everything that is wrong with the files.
    package var problems: [Diagnostic] = []
    /// Probable mistakes; their forms are in the catalog.
    package var warnings: [Diagnostic] = []
    /// Problems and warnings, the problems first.
    package var diagnostics: [Diagnostic] { problems + warnings }
    /// Files that were read.
    package var fileCount = 0
    /// The folders that do not exist or cannot be read, each with the system's error.
    package var unreadFolders: [(path: String, error: SystemError)] = []
    fileprivate var readFiles: Set<UTF8Key> = []
  }

  /// Reads all folders again. A file that is broken or cannot be read is a problem, and so is a folder that does not
  /// exist or cannot be read. If `previous` has forms of such a file or folder, they stay. With a configuration, it
  /// warns about forms that name a service or database which the configuration does not have. It also warns about
  /// queries that their databases do not accept.
  ///
  /// It reads files and opens databases: do not call it on an event loop.
  package static func read(
    folders: [String],
    previous: FormCatalog = FormCatalog(),
    for configuration: ServerConfiguration? = nil
  ) -> Reading {
    var reading = Reading()
    for folder in folders {
      var found = FolderContents(suffixes: AuthoredFile.form.suffixes)
      found.find(in: folder)
      reading.unreadFolders += found.unread.filter { $0.path == folder }
      for (path, error) in found.unread {
        let message = error.isMissing ? "no such folder" : "the folder cannot be read (\(error))"
        reading.problems.append(Diagnostic(file: path, code: "file", message: message))
        previous.forEachForm(in: path) { form, file in
          if !found.files.contains(where: { $0.hasSameUTF8(as: file) }) { reading.add(form, file: file) }
        }
      }
      compile(found.files.sorted { $0.precedesInUTF8($1) }) { reading.add($0, previous) }
    }
    reading.catalog.sort()
    guard let configuration else { return reading }
    let queries = QueryCheck(configuration.actions.databases)
    for form in reading.catalog.forms {
      reading.warnings += form.warnings(
        configured: configuration.capabilities,
        file: reading.catalog.file(of: form),
        preparing: queries.problem
      )
    }
    return reading
  }

  /// From so many files on, several threads compile them.
  private static let filesForThreads = 16

  /// Reads and compiles files, if there are many on all processors.
  ///
  /// - Parameter take: gets the result of each file, in their order.
  private static func compile(_ files: [String], take: (CompiledFile) -> Void) {
    let threads = files.count < filesForThreads ? 1 : OrderedWork.processors
    var taken = 0
    do throws(SystemError) {
      try OrderedWork.perform(on: files, threads: threads) {
        CompiledFile($0)
      } take: {
        taken += 1
        take($0)
      }
    } catch {
      // The system has no more threads: the calling thread compiles the rest.
      for file in files[taken...] { take(CompiledFile(file)) }
    }
  }

  private func forEachForm(in folder: String, _ body: (Form, String) -> Void) {
    let start = folder.hasSuffix("/") ? folder : folder + "/"
    for form in forms {
      if let file = files[UTF8Key(text: form.name)], file.utf8.starts(with: start.utf8) { body(form, file) }
    }
  }

  fileprivate func form(ofFile file: String) -> Form? {
    files.first { $0.value.hasSameUTF8(as: file) }.flatMap { form(named: $0.key.text) }
  }

  fileprivate func file(of form: Form) -> String? { files[UTF8Key(text: form.name)] }

  fileprivate mutating func add(_ form: Form, file: String) {
    let key = UTF8Key(text: form.name)
    index[key] = forms.count
    files[key] = file
    forms.append(form)
  }

  fileprivate mutating func addBroken(file: String) { brokenFiles.append(file) }

  private mutating func sort() {
    forms.sort { $0.name.precedesInUTF8($1.name) }
    for (position, form) in forms.enumerated() { index[UTF8Key(text: form.name)] = position }
  }

  /// The names of the forms that are new, have changed or are gone since an earlier reading, in the order of the names.
  package func changes(from previous: FormCatalog) -> [String] {
    let gone = previous.forms.map(\.name).filter { form(named: $0) == nil }
    let changed = forms.filter {
      guard let before = previous.form(named: $0.name) else { return true }
      return $0.fingerprint != before.fingerprint
    }
    return (changed.map(\.name) + gone).sorted { $0.precedesInUTF8($1) }
  }

  /// The form of that name; nil if there is none.
  package func form(named name: String) -> Form? {
    index[UTF8Key(text: name)].map { forms[$0] }
  }
}

/// The result of compiling a file of a form.
private struct CompiledFile: Sendable {
  let file: String
  let compilation: Result<FormCompilation, SystemError>

  init(_ file: String) {
    self.file = file
    compilation = Result { () throws(SystemError) in
      Form.compile(try FileBytes.read(file, bytesMax: Form.fileBytesMax), file: file, followsFiles: true)
    }
  }
}

extension FormCatalog.Reading {
  /// Adds the result of a file. A broken file must not take away a working form: if `previous` has its form, that form
  /// stays.
  fileprivate mutating func add(_ compiled: CompiledFile, _ previous: FormCatalog) {
    fileCount += 1
    readFiles.insert(UTF8Key(text: compiled.file))
    if let clash = AuthoredFile.form.clash(of: compiled.file, exists: { readFiles.contains(UTF8Key(text: $0)) }) {
      problems.append(clash)
      catalog.addBroken(file: compiled.file)
      return
    }
    var form: Form?
    switch compiled.compilation {
    case .success(let compilation):
      problems += compilation.diagnostics.filter { $0.severity == .error }
      warnings += compilation.diagnostics.filter { $0.severity == .warning }
      form = compilation.form
    case .failure(let error):
      problems.append(Diagnostic(file: compiled.file, code: "file", message: "cannot be read (\(error))"))
    }
    if let form = form ?? previous.form(ofFile: compiled.file) {
      add(form, file: compiled.file)
    } else {
      catalog.addBroken(file: compiled.file)
    }
  }

  /// Adds a form; if names are equal, the first form counts.
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
