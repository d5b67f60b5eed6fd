internal import ArgumentParser
internal import Configuration
internal import Files
internal import JSON
internal import Logging
internal import Server

#if canImport(Glibc)
  internal import Glibc
#endif

/// The overrides of the configuration file: first the flags, then the environment.
struct ConfigurationOptions: ParsableArguments {
  @Option(
    name: .long,
    help: ArgumentHelp(
      "The configuration file (JSON; protocol/schema/config.schema.json).",
      discussion: """
        Default: FORMD_CONFIG in the environment, else $XDG_CONFIG_HOME/formd/formd.json, or \
        ~/.config/formd/formd.json if that variable is not set. That file may be missing.
        """,
      valueName: "file"
    )
  )
  var config: String?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "The socket.",
      discussion: """
        Default: FORMD_SOCKET, else $XDG_RUNTIME_DIR/formd/formd.sock. If that variable is not set: \
        /run/user/UID/formd/formd.sock, or /tmp/formd-UID/formd.sock if /run/user/UID does not exist.
        """,
      valueName: "path"
    )
  )
  var socket: String?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "A folder with form definitions (*.form.json, *.form.yaml; subfolders too); may be repeated.",
      discussion: "Default: FORMD_FORMS, separated by colons. Replaces the folders of the configuration.",
      valueName: "dir"
    )
  )
  var forms: [String] = []

  @Option(
    name: .long,
    help: ArgumentHelp(
      "How much is logged: trace, debug, info, notice, warning, error or critical.",
      discussion: "Default: FORMD_LOG_LEVEL. No level logs the values of fields.",
      valueName: "level"
    ),
    transform: { text in
      guard let level = Logger.Level(rawValue: text) else {
        throw ValidationError("unknown level; one of \(Logger.Level.allCases.map(\.rawValue).joined(separator: ", "))")
      }
      return level
    }
  )
  var logLevel: Logger.Level?

  /// The configuration with all overrides; ends the program with the problems of the configuration.
  func load() throws -> ServerConfiguration {
    if let text = ProcessEnvironment["FORMD_LOG_LEVEL"], Logger.Level(rawValue: text) == nil {
      complain("FORMD_LOG_LEVEL: unknown level: \(text)")
      throw ExitCode(2)
    }
    do {
      return try read(mayWait: true)
    } catch {
      complain(error.description)
      throw ExitCode(2)
    }
  }

  /// Reads the configuration, and overrides what the options and the environment say.
  ///
  /// - Parameter mayWait: whether the file may be a pipe, which can be read once.
  /// - Throws: ``ConfigurationError`` with every problem of the file.
  func read(mayWait: Bool) throws(ConfigurationError) -> ServerConfiguration {
    var configuration = ServerConfiguration()
    if let file { configuration = try ServerConfiguration.read(path: file, mayWait: mayWait) }
    if let path = socket ?? ProcessEnvironment["FORMD_SOCKET"] {
      configuration.socket = path
      configuration.override("socket")
    }
    let folders = ProcessEnvironment["FORMD_FORMS"]?.split(separator: ":").map(String.init)
    if let folders = forms.isEmpty ? folders : forms {
      configuration.forms = folders
      configuration.override("forms")
    }
    if let level = logLevel ?? ProcessEnvironment["FORMD_LOG_LEVEL"].flatMap(Logger.Level.init(rawValue:)) {
      configuration.logLevel = level
      configuration.override("log", "level")
    }
    return configuration
  }

  /// The configuration file; nil if there is none.
  var file: String? { config ?? ProcessEnvironment["FORMD_CONFIG"] ?? Self.standardFile }

  /// Whether the configuration is a pipe or a device, which a reload cannot read again.
  var isReadOnce: Bool {
    var status = stat()
    guard let file, stat(file, &status) == 0 else { return false }
    return status.st_mode & S_IFMT != S_IFREG
  }

  /// The user's own configuration file, if there is one (XDG Base Directory Specification).
  private static var standardFile: String? {
    guard let folder = ProcessEnvironment.userFolder("XDG_CONFIG_HOME", else: ".config") else { return nil }
    let path = folder + "/formd/formd.json"
    var status = stat()
    // A file that exists but cannot be read is not ignored: reading it reports the reason.
    return lstat(path, &status) != 0 && SystemError.last.isMissing ? nil : path
  }
}
