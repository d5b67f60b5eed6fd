internal import ArgumentParser
internal import Files
internal import FormStudio
internal import JSON
internal import Processes
internal import WebDoor

#if canImport(Glibc)
  internal import Glibc
#endif

/// `formctl studio`: a form on a page beside the author's editor.
struct StudioCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "studio",
    abstract: "Show a form in the browser while you write it. No daemon is needed.",
    discussion: """
      PATH is a form's file, or a folder with forms. The page shows the form, follows
      the file while you edit it, and shows the problems of the file, the document,
      requests with their answers, which you type in, and why each part is as it is.
      The time is virtual. What you do can be saved as a case of NAME.test.json.

        formctl studio forms/login.form.json

      --given and --context are the values and the context with which each session
      begins.

      The page has an address that nobody can guess, and only this machine reaches
      it. Ctrl-C ends it. protocol/studio.md describes the page.
      """
  )

  @Argument(
    help: "A form's file, or a folder with forms. Default: this folder.",
    completion: .file(extensions: FormFile.extensions)
  )
  var path = "."
  @Option(help: ArgumentHelp("Initial values: a JSON object, or a file that holds one.", valueName: "json|file"))
  var given: String?
  @OptionGroup var context: ContextOption
  @Option(help: "The port of the page. Default: any free port.") var port = 0
  @Flag(inversion: .prefixedNo, help: "Open the page in the browser.") var open = true

  func validate() throws {
    if !(0...65_535).contains(port) { throw ValidationError("--port must be from 0 to 65535.") }
  }

  func run() throws {
    guard FileIdentity(path: path) != nil else { throw CommandFailure(message: "\(path): no such file or folder") }
    let given = try given.map { try FormValues.read($0) }
    let context = try context.read()
    let program = (try? FileIdentity.realPath(of: "/proc/self/exe")) ?? CommandLine.arguments[0]
    do throws(StartError) {
      let files = try ClientFile.ofStudio(folder: ClientFile.folder(besideProgram: program))
      try LocalDoor(files: files, port: port).run { [path] in
        StudioConversation(path, given, context)
      } listening: { address in
        Console.say(address + "studio.html")
        if open { show(address + "studio.html") }
      }
    } catch {
      throw CommandFailure(message: error.description)
    }
  }

  /// Opens the page in the user's browser, if there is a desktop. Otherwise the user opens the address.
  private func show(_ address: String) {
    guard ProcessEnvironment["DISPLAY"] != nil || ProcessEnvironment["WAYLAND_DISPLAY"] != nil else { return }
    var process = pid_t()
    let words = ["xdg-open", address]
    var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
    defer { for argument in arguments { free(argument) } }
    // What the browser says is not for this terminal.
    var files = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&files)
    defer { posix_spawn_file_actions_destroy(&files) }
    for descriptor in [STDOUT_FILENO, STDERR_FILENO] {
      posix_spawn_file_actions_addopen(&files, descriptor, "/dev/null", O_WRONLY, 0)
    }
    posix_spawnp(&process, "xdg-open", &files, nil, &arguments, environ)
  }
}

/// The page's conversation with a studio.
private final class StudioConversation: LocalConversation {
  private let studio: Studio

  init(_ path: String, _ given: JSONObject?, _ context: JSONObject?) {
    studio = Studio(path, given: given, context: context) { bytes, path in
      do throws(CommandFailure) {
        try Console.writeFile(bytes, to: path)
        return nil
      } catch {
        return error.message
      }
    }
  }

  func received(_ text: [UInt8]) -> (all: [String], own: [String]) {
    let output = studio.received(text)
    return (output.all.map(\.description), output.own.map(\.description))
  }

  func timePassed(milliseconds: Int) -> [String] {
    studio.timePassed(milliseconds: milliseconds).map(\.description)
  }
}
