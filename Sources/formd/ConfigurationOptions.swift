internal import ArgumentParser
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
        Or FORMD_CONFIG in the environment; otherwise $XDG_CONFIG_HOME/formd/formd.json, without that variable \
        ~/.config/formd/formd.json, if it is there.
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
        Or FORMD_SOCKET; otherwise $XDG_RUNTIME_DIR/formd/formd.sock, without that variable \
        /run/user/UID/formd/formd.sock, without that folder /tmp/formd-UID/formd.sock.
        """,
      valueName: "path"
    )
  )
  var socket: String?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "A folder with form definitions (*.form.json, subfolders too); may be repeated.",
      discussion: "Or FORMD_FORMS, separated by colons. Replaces the configuration's.",
      valueName: "dir"
    )
  )
  var forms: [String] = []

  @Option(
    name: .long,
    help: ArgumentHelp(
      "How much is logged: trace, debug, info, notice, warning, error or critical.",
      discussion: "Or FORMD_LOG_LEVEL. No level logs a field's value.",
      valueName: "level"
    ),
    transform: { text in
      guard let level = Logger.Level(rawValue: text) else {
        throw ValidationError("no such level; one of \(Logger.Level.allCases.map(\.rawValue).joined(separator: ", "))")
      }
      return level
    }
  )
  var logLevel: Logger.Level?

  /// The configuration with all overrides; ends the program with the problems of the configuration.
  func load() throws -> ServerConfiguration {
    var configuration = ServerConfiguration()
    if let path = config ?? ProcessEnvironment["FORMD_CONFIG"] ?? Self.standardFile {
      do {
        configuration = try ServerConfiguration.read(path: path)
      } catch {
        complain(error.description)
        throw ExitCode(2)
      }
    }
    if let path = socket ?? ProcessEnvironment["FORMD_SOCKET"] { configuration.socket = path }
    if !forms.isEmpty {
      configuration.forms = forms
    } else if let folders = ProcessEnvironment["FORMD_FORMS"] {
      configuration.forms = folders.split(separator: ":").map(String.init)
    }
    if let text = ProcessEnvironment["FORMD_LOG_LEVEL"] {
      guard let level = Logger.Level(rawValue: text) else {
        complain("FORMD_LOG_LEVEL: no such level: \(text)")
        throw ExitCode(2)
      }
      configuration.logLevel = level
    }
    if let logLevel { configuration.logLevel = logLevel }
    return configuration
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
