internal import FormCases
internal import FormProtocol
internal import JSON
internal import JSONRPC
internal import SourceTexts

extension DefinitionParams {
  func answer(from workspace: inout Workspace) throws(RPCError) -> [Location] {
    guard let subject = workspace.subject(at: target) else { return [] }
    let all = workspace.occurrences(of: subject.symbols, formAt: subject.form)
    let definitions = all.filter(\.occurrence.isDefinition)
    return (definitions.isEmpty ? all : definitions).map { workspace.location(of: $0.occurrence, in: $0.key) }
  }
}

extension ReferenceParams {
  func answer(from workspace: inout Workspace) throws(RPCError) -> [Location] {
    guard let subject = workspace.subject(at: target) else { return [] }
    return workspace.occurrences(of: subject.symbols, formAt: subject.form)
      .filter { context.includesDeclaration || !$0.occurrence.isDefinition }
      .map { workspace.location(of: $0.occurrence, in: $0.key) }
  }
}

/// The symbols at a caret.
struct NamedSubject {
  /// The document with the definition that has the symbols.
  let form: String
  let symbols: Set<FormSymbol>
  /// The bytes of the name in the caret's own document.
  let range: Range<Int>
}

extension Workspace {
  /// The symbols at a position of a definition or of a test file; nil if there are none.
  mutating func subject(at target: DocumentPosition) -> NamedSubject? {
    let key = DocumentURI.key(of: target.document.uri)
    guard let text = texts.snapshot(of: key)?.text, let (form, names) = formNames(of: key) else { return nil }
    let found = names.occurrences(at: text.offset(of: target.position, in: encoding))
    guard let first = found.first else { return nil }
    return NamedSubject(
      form: form,
      symbols: Set(found.filter { $0.range == first.range }.map(\.symbol)),
      range: first.range
    )
  }

  /// The names in a definition or a test file, with the document of the definition; nil for others.
  mutating func formNames(of key: String) -> (form: String, names: FormNames)? {
    switch kind(of: key) {
    case .form?: form(at: key).map { (key, $0.names) }
    case .test?: test(at: key).map { ($0.formKey, $0.names) }
    case .data?, nil: nil
    }
  }

  /// The names in all documents of a form: its definition first, then the files of its schema, then its tests.
  mutating func allNames(formAt key: String) -> [(key: String, names: FormNames)] {
    guard let form = form(at: key) else { return [] }
    return [(key, form.names)] + form.fileNames
      + tests(ofFormAt: key).compactMap { test in self.test(at: test).map { (test, $0.names) } }
  }

  /// The occurrences of symbols in a form, in the files of its schema and in its tests, in that order.
  mutating func occurrences(of symbols: Set<FormSymbol>, formAt form: String) -> [(key: String, occurrence: Occurrence)]
  {
    allNames(formAt: form).flatMap { key, names in names.occurrences(of: symbols).map { (key, $0) } }
  }

  /// A location as editors take it.
  mutating func location(of occurrence: Occurrence, in key: String) -> Location {
    let text = texts.snapshot(of: key)?.text ?? SourceText("")
    return Location(uri: texts.uri(of: key), range: text.range(occurrence.range, in: encoding))
  }

  /// The test files of a form that are open or in the folders, in order.
  mutating func tests(ofFormAt form: String) -> [String] {
    let beside = LoadedTestFile.testPath(besideForm: form)
    let known = Set(catalog.files() + texts.openKeys + [beside])
    return known.sorted().filter { $0.hasSuffix(DocumentKind.testSuffix) && test(at: $0)?.formKey == form }
  }
}
