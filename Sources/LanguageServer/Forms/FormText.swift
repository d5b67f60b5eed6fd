internal import CEL
internal import DataLanguages
internal import Files
internal import Forms
internal import JSON
internal import JSONSchema
internal import SourceTexts

/// A form definition, with its current text. Everything derived from the text is computed at the first use.
final class FormText {
  let scanned: ScannedText
  /// The language of the text.
  let language: DataLanguage
  /// The stamp of the text.
  let stamp: Int
  /// The workspace's generation at the creation of this text. It changes with files that the schema refers to.
  let generation: Int
  private let key: String
  private let openFiles: [String: SourceText]
  /// The results of the previous text, then of this text once it is compiled. nil for a text that is not being edited.
  let cache: FormCache?

  /// - Parameters:
  ///   - openFiles: by path, the texts that the editor holds.
  ///   - cache: the results of the previous text.
  init(
    _ source: SourceText,
    key: String,
    stamp: Int,
    generation: Int,
    openFiles: [String: SourceText],
    cache: FormCache? = nil
  ) {
    self.cache = cache
    language = AuthoredFile.language(of: key)
    scanned = ScannedText(source, language: language, limits: Form.jsonLimits)
    self.openFiles = openFiles
    self.key = key
    self.stamp = stamp
    self.generation = generation
  }

  /// The form's name: the name in the definition, else the file's name.
  var name: String {
    if let name = scanned.root.child("form")?.value.stringValue { return name }
    let file = DocumentURI.name(of: key)
    return AuthoredFile.form.stem(of: file) ?? file
  }

  /// Whether its schema may refer to files. The form then depends on their texts, too.
  lazy var refersToFiles: Bool = {
    guard let schema = scanned.root.child("schema") else { return false }
    var waiting = [schema]
    while let node = waiting.popLast() {
      if node.key == "$ref", let reference = node.value.stringValue, !reference.hasPrefix("#") { return true }
      waiting += node.children
    }
    return false
  }()

  /// The result of the compiler.
  lazy var compilation = {
    isCompiled = true
    return Form.compile(
      scanned,
      file: DocumentURI.isPath(key) ? key : nil,
      fallbackName: name,
      followsFiles: DocumentURI.isPath(key),
      openFiles: refersToFiles ? openFiles : [:],
      cache: cache?.formulas
    )
  }()
  /// Whether ``compilation`` is known.
  private var isCompiled = false

  /// The form. If the definition has errors, the parts with errors are left out, so that names can be completed.
  var usableForm: Form? { usable?.form }

  /// ``usableForm``, with what follows from it.
  private(set) lazy var usable: UsableForm? =
    compilation.form.map(UsableForm.init)
    ?? WholeParts.form(
      of: scanned.value,
      name: name,
      // Parts that could not be read have no diagnostics of their own.
      diagnostics: scanned.problemCount == 0 && !refersToFiles ? compilation.diagnostics : nil,
      cache: cache
    )

  /// The form for proposals at a place of the definition. If the definition is not compiled yet, the part around that
  /// place is left out: the rest stays the same while an author types there, and is compiled once.
  ///
  /// - Parameter tokens: the place, as the tokens of its pointer.
  func usable(whileTypingAt tokens: [String]) -> UsableForm? {
    if refersToFiles || isCompiled && compilation.form != nil { return usable }
    return WholeParts.form(of: scanned.value, name: name, without: tokens, cache: cache) ?? usable
  }

  /// By key of the document: the names of fields in the schema, in the definition and in files that it refers to.
  private lazy var schemaNames: [String: [Occurrence]] = {
    guard let schema = scanned.root.child("schema") else { return [:] }
    // A definition's schema reads files of its own folder and below.
    let folder = DocumentURI.folder(of: key) + "/"
    var files: [String: ScannedText] = [:]
    return SchemaNames(schema, of: key, in: scanned.source.bytes) { [openFiles] path in
      guard path.hasPrefix(folder) else { return nil }
      if let known = files[path] { return known }
      guard
        let text = openFiles[path]
          ?? (try? FileBytes.read(path, bytesMax: TextStore.fileBytesMax)).map({ SourceText($0) })
      else { return nil }
      let scanned = ScannedText(json: text, limits: Form.jsonLimits)
      files[path] = scanned
      return scanned
    }.found
  }()

  /// The occurrences of the definition's symbols.
  lazy var names = FormNames(definition: scanned, schema: schemaNames[key] ?? [])

  /// The occurrences of its fields in the files that its schema refers to, by key of each file, in order.
  lazy var fileNames: [(key: String, names: FormNames)] = schemaNames.filter { $0.key != key }
    .sorted { $0.key < $1.key }.map { ($0.key, FormNames($0.value)) }

  /// The dependencies between the form's cells.
  var dependencies: FormDependencies? { usable?.dependencies }

  /// The form's schema with its texts, for data.
  func dataGuide(locale: String?) -> SchemaGuide? {
    usableForm.map { SchemaGuide(.object($0.annotatedSchema(locale: locale))) }
  }
}

/// A form, and what follows from it.
final class UsableForm {
  let form: Form
  fileprivate lazy var dependencies = FormDependencies(of: form)
  /// The types of the parts of formulas.
  private(set) lazy var formulaTypes = FormulaTypes(of: form)
  /// The names that formulas can use.
  private(set) lazy var cells = form.formulaCells

  fileprivate init(_ form: Form) { self.form = form }
}

/// Results of a definition that are used again for its next text, while an author types.
final class FormCache {
  let formulas = FormulaCache()
  /// The last definition without the parts that have errors, as JSON, and its form. While an author types into a part
  /// that has an error, the definition without this part stays the same.
  fileprivate var whole: (definition: [UInt8], name: String, form: UsableForm)?
}

/// Makes a form from a definition without the parts that have errors.
private enum WholeParts {
  /// Removing a part may make parts invalid that name it, so that several rounds are needed.
  private static let roundsMax = 8

  /// - Parameters:
  ///   - diagnostics: the diagnostics of the definition, if they are known.
  ///   - tokens: a place whose part is left out in any case.
  static func form(
    of value: JSON,
    name: String,
    diagnostics: [Diagnostic]? = nil,
    without tokens: [String]? = nil,
    cache: FormCache?
  ) -> UsableForm? {
    var value = tokens.map { without(whole($0)[...], value) } ?? value
    var known = diagnostics
    for _ in 0..<roundsMax {
      let diagnostics: [Diagnostic]
      if let found = known {
        diagnostics = found
        known = nil
      } else {
        let buffer = OutputBuffer()
        buffer.write(value)
        let definition = Array(buffer.bytes)
        if let whole = cache?.whole, whole.definition == definition, whole.name == name { return whole.form }
        let compilation = Form.compile(value, fallbackName: name, cache: cache?.formulas)
        if let form = compilation.form.map(UsableForm.init) {
          cache?.whole = (definition, name, form)
          return form
        }
        diagnostics = compilation.diagnostics
      }
      let paths = diagnostics.filter { $0.severity == .error }.map { whole($0.pointer.tokens) }
      let before = value
      // From the end on, so that positions in lists stay right.
      for path in Set(paths).sorted(by: { $1.lexicographicallyPrecedes($0) { isBefore($0, $1) } }) {
        value = without(path[...], value)
      }
      if value == before { return nil }
    }
    return nil
  }

  private static func isBefore(_ one: String, _ other: String) -> Bool {
    if let a = JSONPointer.arrayIndex(one), let b = JSONPointer.arrayIndex(other) { return a < b }
    return one < other
  }

  /// The smallest part that can be removed on its own.
  private static func whole(_ tokens: [String]) -> [String] {
    switch tokens.first {
    case "rules", "checks", "steps", "outputs", "lookups", "texts", "functions": Array(tokens.prefix(2))
    case "fields": Array(tokens.prefix(3))
    case "actions": Array(tokens.prefix(3))
    default: tokens
    }
  }

  private static func without(_ tokens: ArraySlice<String>, _ value: JSON) -> JSON {
    guard let token = tokens.first else { return value }
    switch value {
    case .object(var members):
      guard let member = members[token] else { return value }
      members[token] = tokens.count == 1 ? nil : without(tokens.dropFirst(), member)
      return .object(members)
    case .array(var elements):
      guard let index = JSONPointer.arrayIndex(token), index < elements.count else { return value }
      if tokens.count == 1 {
        elements.remove(at: index)
      } else {
        elements[index] = without(tokens.dropFirst(), elements[index])
      }
      return .array(elements)
    default: return value
    }
  }
}
