internal import ArgumentParser
internal import JSON

/// The context of a session, for commands that open one.
struct ContextOption: ParsableArguments {
  @Option(
    name: .customLong("context"),
    help: ArgumentHelp("The context: a JSON object, or a file that holds one.", valueName: "json|file"),
    completion: .file(extensions: ["json"])
  )
  var argument: String?

  /// The context; nil without one.
  ///
  /// - Throws: ``CommandFailure`` if it is not a JSON object.
  func read() throws(CommandFailure) -> JSONObject? {
    guard let argument else { return nil }
    return try FormValues.read(argument, of: "--context")
  }
}
