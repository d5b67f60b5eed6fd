internal import Client
internal import FormProtocol
internal import Forms
internal import JSON

/// The source of a form to fill in, and the daemon that holds its session.
struct FillSource {
  /// The daemon that holds the session.
  let connection: FormConnection
  /// The daemon, if this program started it.
  private let started: StartedDaemon?
  private let form: Form

  private enum Form {
    case name(String)
    case definition(JSONObject)
  }

  /// Finds the daemon, or starts one.
  ///
  /// - A form's file needs a daemon of its own, which gets the definition at the opening of the session.
  /// - If the form refers to other files, or asks services and databases, its daemon gets the file's folder instead.
  ///   Only a daemon's own forms may do that.
  /// - A name with a folder of forms also needs a daemon of its own.
  /// - Any other name is for the running daemon. One is started only if no socket is named and none runs.
  ///
  /// - Parameters:
  ///   - argument: the form's name, or a file.
  ///   - folder: the folder of forms for a daemon that is started.
  ///   - socket: the daemon's socket, as named on the command line.
  init(_ argument: String, folder: String?, socket: String?) throws {
    let isFile = FormFile.isPath(argument)
    if isFile || folder != nil {
      let (form, arguments) = isFile ? try Self.form(ofFile: argument) : (.name(argument), [])
      self.form = form
      started = try StartedDaemon(arguments + (folder.map { ["--forms", $0] } ?? []))
      connection = started!.connection
      return
    }
    form = .name(argument)
    let path = SocketPath.forClient(named: socket)
    do throws(ClientError) {
      connection = try FormConnection(to: path)
      started = nil
    } catch {
      guard case .notRunning(let path, _) = error, Self.isStandard(path) else { throw error }
      let daemon = try StartedDaemon([])
      started = daemon
      connection = daemon.connection
    }
  }

  private static func isStandard(_ path: SocketPath) -> Bool {
    if case .named = path.origin { false } else { true }
  }

  /// The form of a file, and the arguments for its daemon.
  private static func form(ofFile path: String) throws(CommandFailure) -> (Form, [String]) {
    // The errors are the same as from `formctl check`, with lines and columns.
    let name = try FormFile.read(path).name
    let definition = try FormFile.definition(path)
    guard AuthoredFile.form.stem(of: path) != nil, mustBeServed(definition) else {
      return (.definition(definition.objectValue ?? [:]), [])
    }
    let folder = path.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(path[...$0]) } ?? "."
    return (.name(name), ["--forms", folder])
  }

  /// Whether a definition refers to files, or has a `run` that asks a service or a database.
  private static func mustBeServed(_ value: JSON) -> Bool {
    switch value {
    case .object(let members):
      members.contains { member in
        switch member.name {
        case "$ref" where member.value.stringValue?.hasPrefix("#") == false: true
        case "run" where member.value["http"] != nil || member.value["sql"] != nil: true
        default: mustBeServed(member.value)
        }
      }
    case .array(let elements): elements.contains(where: mustBeServed)
    default: false
    }
  }

  /// Opens a session of the form.
  func open(_ options: SessionOptions) throws -> FormSession {
    do throws(ClientError) {
      return switch form {
      case .name(let name): try connection.open(name, options)
      case .definition(let definition): try connection.open(definition: definition, options)
      }
    } catch {
      throw explained(error)
    }
  }

  /// The error, with the last words of a daemon that this program started.
  func explained(_ error: ClientError) -> any Error {
    guard case .disconnected = error, let words = started?.lastWords else { return error }
    return CommandFailure(message: "the daemon that formctl started has ended; its last messages:\n\(words)")
  }
}
