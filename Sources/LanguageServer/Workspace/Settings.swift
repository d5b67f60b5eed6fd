internal import JSON

/// The settings of an editor's user, under `formd`; see protocol/editors.md.
struct Settings: Sendable, Equatable {
  /// The name of the settings' section.
  static let section = "formd"

  /// The form of data files, by patterns relative to the workspace folder. The first matching pattern counts.
  var files: [DataFiles] = []
  /// The language of messages; nil for the form's default.
  var locale: String?
  /// Whether a daemon runs the checks of forms, which ask services, when data is opened and saved.
  var runsChecks = false

  /// The path of the daemon's configuration, absolute or from the workspace folder; nil: the `formd.json` closest to
  /// the form.
  var configuration: String?

  /// The default settings.
  init() {}

  /// Reads settings from the section itself, or from an object that has the section. A setting of an unexpected shape
  /// counts as not set.
  init(_ json: JSON) {
    let section = json[Self.section] ?? json
    files = DataFiles.list(section["files"] ?? .null)
    locale = section["locale"]?.stringValue
    runsChecks = section["checks"]?.boolValue ?? false
    configuration = section["configuration"]?.stringValue
  }
}

/// Which form the files of a pattern are for.
struct DataFiles: Sendable, Equatable {
  let glob: Glob
  /// The name of a form, or the path of a definition relative to the folder.
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
