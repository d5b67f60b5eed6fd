internal import FormCases
internal import FormProtocol
internal import Forms
internal import JSON
internal import JSONRPC
internal import SourceTexts

extension DefinitionParams {
  func answer(from workspace: inout Workspace) throws(RPCError) -> [Location] {
    guard let subject = workspace.subject(at: target) else { return workspace.referredPlace(at: target) }
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
  /// The place that a reference at a position leads to: the form that data or tests name, or the schema of a `$ref`.
  fileprivate mutating func referredPlace(at target: DocumentPosition) -> [Location] {
    let key = DocumentURI.key(of: target.document.uri)
    guard let text = texts.snapshot(of: key)?.text else { return [] }
    let offset = text.offset(of: target.position, in: encoding)
    switch kind(of: key) {
    case .data?:
      switch data(at: key)?.reference {
      case .form(_, let range)?, .schema(_, let range)?:
        guard range.lowerBound <= offset, offset <= range.upperBound, let form = formKey(ofData: key) else { return [] }
        return [beginning(ofForm: form)]
      case nil: return []
      }
    case .test?:
      guard let test = test(at: key), let node = test.scanned.root.child("form"),
        node.range.lowerBound <= offset, offset <= node.range.upperBound, case let form = formKey(of: test),
        texts.snapshot(of: form) != nil
      else { return [] }
      return [beginning(ofForm: form)]
    case .form?:
      guard let scanned = form(at: key)?.scanned, case let path = scanned.path(atOffset: offset),
        path.node.key == "$ref", let reference = path.node.value.stringValue,
        let (file, pointer) = SchemaReference.target(of: reference, in: key)
      else { return [] }
      if file == key {
        let schema = JSONPointer(tokens: ["schema"] + pointer.tokens)
        guard let node = scanned.node(at: schema) else { return [] }
        return [Location(uri: texts.uri(of: key), range: text.range(node.keyRange ?? node.range, in: encoding))]
      }
      guard let other = texts.snapshot(of: file)?.text else { return [] }
      let node = ScannedText(json: other).nearestNode(to: pointer)
      let range = node.keyRange ?? node.range.lowerBound..<node.range.lowerBound
      return [Location(uri: texts.uri(of: file), range: other.range(range, in: encoding))]
    case .configuration?, nil: return []
    }
  }

  /// The name of a form in its definition; the beginning of the definition if it has none.
  private mutating func beginning(ofForm key: String) -> Location {
    let range = form(at: key)?.scanned.root.child("form")?.range ?? 0..<0
    let text = texts.snapshot(of: key)?.text ?? SourceText("")
    return Location(uri: texts.uri(of: key), range: text.range(range, in: encoding))
  }

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
    case .test?: test(at: key).map { (formKey(of: $0), $0.names) }
    case .data?, .configuration?, nil: nil
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
    let beside = AuthoredFile.form.stem(of: form).map { AuthoredFile.test.paths(of: $0) } ?? []
    let known = Set(catalog.files() + texts.openKeys + beside)
    return known.sorted().filter { key in
      AuthoredFile.test.stem(of: key) != nil && test(at: key).map { formKey(of: $0) } == form
    }
  }
}
