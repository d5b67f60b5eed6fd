internal import DataLanguages
internal import Forms
internal import JSON
internal import SourceTexts

extension Workspace {
  /// The definitions that are open or in the folders, in order.
  var formKeys: [String] {
    mutating get {
      Set(catalog.definitions() + texts.openKeys.filter { AuthoredFile.form.stem(of: $0) != nil }).sorted()
    }
  }

  /// The names of the forms, in the order of their files.
  var formNames: [String] {
    mutating get { formKeys.compactMap { form(at: $0)?.name } }
  }

  /// The files that `workspace/diagnostic` judges: definitions, tests, and the data that the settings name.
  var judgedFiles: [String] {
    mutating get {
      return Set(catalog.files() + texts.openKeys).sorted().filter { key in
        AuthoredFile.allCases.contains { $0.stem(of: key) != nil } || texts.isOpen(key) || listedForm(of: key) != nil
      }
    }
  }

  /// The definition with that name. If there are several, the nearest one counts: the one that shares the most folders
  /// with the file that names it. Of these, a file of that name comes first, then the first one.
  ///
  /// - Parameter folder: the folder of the file that names the form.
  mutating func formKey(named name: String, near folder: String) -> String? {
    let here = folder.split(separator: "/")
    func distance(_ key: String) -> (Int, Int) {
      let shared = zip(here, DocumentURI.folder(of: key).split(separator: "/")).prefix { $0 == $1 }.count
      return (-shared, AuthoredFile.form.stem(of: DocumentURI.name(of: key)) == name ? 0 : 1)
    }
    let ordered = formKeys.map { (key: $0, distance: distance($0)) }
      .sorted { ($0.distance.0, $0.distance.1, $0.key) < ($1.distance.0, $1.distance.1, $1.key) }
    return ordered.first { form(at: $0.key)?.name == name }?.key
  }

  // MARK: The configuration

  /// The configuration of the daemon that serves a form: the file that the settings name, else the `formd.json` in the
  /// folder of the form or above it, up to the workspace folder. nil if there is none.
  func configurationKey(for key: String) -> String? {
    guard DocumentURI.isPath(key) else { return nil }
    let root = catalog.folder(of: key)
    if let path = settings.configuration {
      return DocumentURI.resolved(path, in: root ?? catalog.folders.first ?? DocumentURI.folder(of: key))
    }
    return nil
  }

  /// The names of services and databases for a form; nil if no configuration was found.
  mutating func configuredNames(for key: String) -> ConfiguredNames? {
    guard DocumentURI.isPath(key) else { return nil }
    let root = catalog.folder(of: key)
    var folder = DocumentURI.folder(of: key)
    var candidates = [configurationKey(for: key)].compactMap(\.self)
    if candidates.isEmpty {
      candidates.append(DocumentURI.resolved(ConfigurationText.fileName, in: folder))
      while let root, folder != root, folder != "/" {
        folder = DocumentURI.folder(of: folder)
        candidates.append(DocumentURI.resolved(ConfigurationText.fileName, in: folder))
      }
    }
    for candidate in candidates {
      guard let snapshot = texts.snapshot(of: candidate) else { continue }
      if let known = configurations[candidate], known.stamp == snapshot.stamp { return known.names }
      let names = ConfigurationText(snapshot.text).names
      configurations[candidate] = (snapshot.stamp, names)
      return names
    }
    return nil
  }

  /// The form that the settings, or the list in a folder, name for a file; nil if they name none.
  mutating func listedForm(of key: String) -> String? {
    guard DocumentURI.isPath(key), let folder = catalog.folder(of: key) else { return nil }
    let path = String(key.dropFirst(folder.hasSuffix("/") ? folder.count : folder.count + 1))
    return settings.files.first { $0.glob.matches(path) }?.form
      ?? fileList(in: folder).first { $0.glob.matches(path) }?.form
  }

  /// The entries of the list in a folder; empty if there is no list.
  private mutating func fileList(in folder: String) -> [DataFiles] {
    let key = DocumentURI.resolved(DataFiles.fileName, in: folder)
    guard let snapshot = texts.snapshot(of: key) else { return [] }
    if let known = fileLists[key], known.stamp == snapshot.stamp { return known.files }
    let files = DataFiles.list(ScannedText(json: snapshot.text, allowsComments: true).value)
    fileLists[key] = (snapshot.stamp, files)
    return files
  }

  /// The definition for a file of data; nil if the file names none, or an unknown one.
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

  /// The definition with that name, or at that path relative to a folder.
  mutating func formKey(meantBy name: String, in folder: String) -> String? {
    guard Self.isPath(name) else { return formKey(named: name, near: folder) }
    let path = DocumentURI.resolved(name, in: folder)
    return AuthoredFile.form.stem(of: path) != nil && texts.snapshot(of: path) != nil ? path : nil
  }

  /// Whether data names its form by the path of a file, and not by the form's name.
  static func isPath(_ name: String) -> Bool { name.hasSuffix(".json") || AuthoredFile.form.stem(of: name) != nil }

  /// The document with the definition of a test file's form.
  mutating func formKey(of test: TestText) -> String {
    if let named = test.namedForm { return named }
    let paths = test.formsBeside
    return paths.first { texts.snapshot(of: $0) != nil } ?? paths[0]
  }

  /// The finding that the folder has another file of that name, in another language; nil if it has none.
  mutating func clash(of key: String, as kind: AuthoredFile) -> Diagnostic? {
    // Every path is looked up, so that the judgment depends on all of them.
    let existing = kind.stem(of: key).map { kind.paths(of: $0).filter { texts.snapshot(of: $0) != nil } } ?? []
    return kind.clash(of: key, exists: existing.contains)
  }

  /// The current test file; nil if there is none.
  mutating func test(at key: String) -> TestText? {
    guard let snapshot = texts.snapshot(of: key) else { return nil }
    if let known = tests[key], known.stamp == snapshot.stamp { return known }
    let test = TestText(snapshot.text, key: key, stamp: snapshot.stamp)
    tests[key] = test
    return test
  }

  /// The current file of data; nil if there is none, or if it is not data.
  mutating func data(at key: String) -> DataText? {
    guard let snapshot = texts.snapshot(of: key), case .data(let language)? = kind(of: key) else { return nil }
    if let known = dataTexts[key], known.stamp == snapshot.stamp { return known }
    let data = DataText(snapshot.text, language, stamp: snapshot.stamp)
    dataTexts[key] = data
    return data
  }
}
