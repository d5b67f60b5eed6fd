internal import JSON

/// A form's values from an argument of the command line.
enum FormValues {
  /// Reads the argument of an option: a JSON object, a file that holds one, or `-` for standard input.
  ///
  /// - Throws: ``CommandFailure`` with the position of the error.
  static func read(_ argument: String, of option: String = "--values") throws(CommandFailure) -> JSONObject {
    let isText = argument.hasPrefix("{")
    let source = isText ? option : argument
    let bytes = isText ? Array(argument.utf8) : try Console.readFile(argument)
    return try object(bytes, from: source)
  }

  /// Parses the values in a text.
  ///
  /// - Parameters:
  ///   - source: the name of the file, or of another source of the text.
  /// - Throws: ``CommandFailure`` if the text is not a JSON object.
  static func object(_ bytes: [UInt8], from source: String) throws(CommandFailure) -> JSONObject {
    guard let object = try Console.parseJSON(bytes, from: source).objectValue else {
      throw CommandFailure(
        message: "\(source):1:1: write the values as a JSON object by field, such as {\"email\": \"...\"}"
      )
    }
    return object
  }
}
