internal import DataTexts
internal import JSON

extension Workspace {
  /// The definitions that are open or in the folders, in order.
  var formKeys: [String] {
    mutating get {
      Set(catalog.definitions() + texts.openKeys.filter { $0.hasSuffix(DocumentKind.formSuffix) }).sorted()
    }
  }

  /// The names of the forms, in the order of their files.
  var formNames: [String] {
    mutating get { formKeys.compactMap { form(at: $0)?.name } }
  }

  /// The files that are judged where all are asked for: definitions, tests, and the data that the settings name.
  var judgedFiles: [String] {
    mutating get {
      let suffixes = [DocumentKind.formSuffix, DocumentKind.testSuffix]
      return Set(catalog.files() + texts.openKeys).sorted().filter { key in
        suffixes.contains(where: key.hasSuffix) || texts.isOpen(key) || listedForm(of: key) != nil
      }
    }
  }

  /// The definition of that name; of several the first, one in a file of the same name before all.
  mutating func formKey(named name: String) -> String? {
    let keys = formKeys
    let file = name + DocumentKind.formSuffix
    let ordered = keys.filter { DocumentURI.name(of: $0) == file } + keys.filter { DocumentURI.name(of: $0) != file }
    return ordered.first { form(at: $0)?.name == name }
  }

  /// The form that the settings, or the list in a folder, name for a file; nil where they name none.
  mutating func listedForm(of key: String) -> String? {
    guard DocumentURI.isPath(key), let folder = catalog.folder(of: key) else { return nil }
    let path = String(key.dropFirst(folder.hasSuffix("/") ? folder.count : folder.count + 1))
    return settings.files.first { $0.glob.matches(path) }?.form
      ?? fileList(in: folder).first { $0.glob.matches(path) }?.form
  }

  /// What the list in a folder says; nothing where there is none.
  private mutating func fileList(in folder: String) -> [DataFiles] {
    let key = DocumentURI.resolved(DataFiles.fileName, in: folder)
    guard let snapshot = texts.snapshot(of: key) else { return [] }
    if let known = fileLists[key], known.stamp == snapshot.stamp { return known.files }
    let files = DataFiles.list(ScannedText(json: snapshot.text, allowsComments: true).value)
    fileLists[key] = (snapshot.stamp, files)
    return files
  }

  /// The definition that a file of data is for; nil where it names none, or one that is not there.
  mutating func formKey(ofData key: String) -> String? {
    guard let data = data(at: key) else { return nil }
    switch data.reference {
    case .form(let name, _)?: return formKey(meantBy: name, in: DocumentURI.folder(of: key))
    case .schema(let uri, _)?:
      let path = uri.hasPrefix("file:") ? DocumentURI.path(of: uri) ?? uri : uri
      if let form = formKey(meantBy: path, in: DocumentURI.folder(of: key)) { return form }
    case nil: break
    }
    guard let name = listedForm(of: key), let folder = catalog.folder(of: key) else { return nil }
    return formKey(meantBy: name, in: folder)
  }

  /// The definition of that name, or at that path from a folder on.
  private mutating func formKey(meantBy name: String, in folder: String) -> String? {
    guard name.hasSuffix(".json") else { return formKey(named: name) }
    let path = DocumentURI.resolved(name, in: folder)
    return path.hasSuffix(DocumentKind.formSuffix) && texts.snapshot(of: path) != nil ? path : nil
  }

  /// A test file as its text stands now; nil where there is none.
  mutating func test(at key: String) -> TestText? {
    guard let snapshot = texts.snapshot(of: key) else { return nil }
    if let known = tests[key], known.stamp == snapshot.stamp { return known }
    let test = TestText(snapshot.text, key: key, stamp: snapshot.stamp)
    tests[key] = test
    return test
  }

  /// A file of data as its text stands now; nil where there is none, or it is something else.
  mutating func data(at key: String) -> DataText? {
    guard let snapshot = texts.snapshot(of: key), case .data(let language)? = kind(of: key) else { return nil }
    if let known = dataTexts[key], known.stamp == snapshot.stamp { return known }
    let data = DataText(snapshot.text, language, stamp: snapshot.stamp)
    dataTexts[key] = data
    return data
  }
}
