internal import ArgumentParser
internal import Logging
internal import Server

#if canImport(Glibc)
  internal import Glibc
#endif

/// What overrides the configuration file: first the flags, then the environment.
struct ConfigurationOptions: ParsableArguments {
  @Option(
    name: .long,
    help: ArgumentHelp(
      "The configuration file (JSON; protocol/schema/config.schema.json).",
      discussion: "Or FORMD_CONFIG in the environment.",
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

  /// The configuration with everything applied; ends the program with what is wrong with it.
  func load() throws -> ServerConfiguration {
    var configuration = ServerConfiguration()
    if let path = config ?? environment("FORMD_CONFIG") {
      do {
        configuration = try ServerConfiguration.read(path: path)
      } catch {
        complain(error.description)
        throw ExitCode(2)
      }
    }
    if let path = socket ?? environment("FORMD_SOCKET") { configuration.socket = path }
    if !forms.isEmpty {
      configuration.forms = forms
    } else if let folders = environment("FORMD_FORMS") {
      configuration.forms = folders.split(separator: ":").map(String.init)
    }
    if let text = environment("FORMD_LOG_LEVEL") {
      guard let level = Logger.Level(rawValue: text) else {
        complain("FORMD_LOG_LEVEL: no such level: \(text)")
        throw ExitCode(2)
      }
      configuration.logLevel = level
    }
    if let logLevel { configuration.logLevel = logLevel }
    return configuration
  }

  private func environment(_ name: String) -> String? {
    guard let value = getenv(name), value.pointee != 0 else { return nil }
    return String(cString: value)
  }
}
