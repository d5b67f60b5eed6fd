internal import JSON

/// What an editor's user may set, under `formd`; see protocol/editors.md.
struct Settings: Sendable, Equatable {
  /// The name of the section that the settings stand in.
  static let section = "formd"

  /// The form of data files, by patterns from the workspace folder on; the first that fits counts.
  var files: [DataFiles] = []
  /// The language of messages; nil: the form's default.
  var locale: String?
  /// Whether the checks of forms, which ask services, are run by a daemon when data is opened and saved.
  var runsChecks = false

  /// Nothing set.
  init() {}

  /// Reads settings, those of the section or an object that has the section. What is of another shape counts as not set.
  init(_ json: JSON) {
    let section = json[Self.section] ?? json
    files = DataFiles.list(section["files"] ?? .null)
    locale = section["locale"]?.stringValue
    runsChecks = section["checks"]?.boolValue ?? false
  }
}

/// Which form the files of a pattern are for.
struct DataFiles: Sendable, Equatable {
  let glob: Glob
  /// The name of a form, or the path of a definition from the folder on.
  let form: String

  /// The name of the file in a workspace folder that lists them.
  static let fileName = ".formd-files.json"

  /// Reads an object from pattern to form.
  static func list(_ json: JSON) -> [DataFiles] {
    (json.objectValue ?? [:]).compactMap { member in
      member.value.stringValue.map { DataFiles(glob: Glob(member.name), form: $0) }
    }
  }
}
