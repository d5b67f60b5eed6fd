internal import Actions
internal import Files
internal import Forms
internal import JSON
internal import JSONSchema
internal import PostgreSQL
internal import SourceTexts
internal import Texts

/// Reads a configuration strictly. It checks the file against ``ConfigurationSchema`` and reports every problem with
/// its location and what to write instead. Then it takes over the values.
struct ConfigurationReader {
  /// Relative paths in a file are relative to its folder.
  private let folder: String
  var collector: DiagnosticCollector
  /// The first secret that the file contains.
  private var secret: JSONPointer?
  /// The secrets that are in files of their own.
  private var secretsElsewhere: Set<JSONPointer> = []

  private init(file: String, text: ScannedText) {
    collector = DiagnosticCollector(file: file, text: text)
    if let slash = file.lastIndex(of: "/") { folder = String(file[...slash]) } else { folder = "" }
  }

  /// Reads the file at that path.
  static func read(path: String, mayWait: Bool) throws(ConfigurationError) -> ServerConfiguration {
    let bytes: [UInt8]
    do throws(SystemError) {
      bytes = try FileBytes.read(path, bytesMax: 16 << 20, mayWait: mayWait)
    } catch {
      throw ConfigurationError(problems: [Diagnostic(file: path, code: "file", message: "cannot be read (\(error))")])
    }
    return try read(bytes, file: path, access: FileAccess(path: path))
  }

  /// Reads the text of a file.
  ///
  /// - Parameter access: the rights of other users to the file; nil if it is not a regular file.
  static func read(
    _ bytes: [UInt8],
    file: String,
    access: FileAccess? = nil
  ) throws(ConfigurationError) -> ServerConfiguration {
    let text = ScannedText(json: SourceText(bytes))
    let json = text.value
    var reader = ConfigurationReader(file: file, text: text)
    reader.collector.reportProblemsOfText()
    try reader.refuseErrors()
    guard let schema = ConfigurationSchema.compiled else {
      preconditionFailure("the configuration's own schema does not compile")
    }
    for failure in schema.failures(of: json) { reader.note(failure, of: json) }
    try reader.refuseErrors()
    let complete = reader.readSecrets(of: json)
    try reader.refuseErrors()
    var configuration = reader.configuration(complete)
    reader.judge(access)
    try reader.refuseErrors()
    configuration.warnings = reader.collector.diagnostics
    return configuration
  }

  // MARK: Problems

  private func refuseErrors() throws(ConfigurationError) {
    if collector.hasErrors { throw ConfigurationError(problems: collector.diagnostics) }
  }

  private mutating func note(_ failure: Failure, of json: JSON) {
    let place = failure.instanceLocation
    if failure.keyword == .pattern, place.tokens.starts(with: ["web", "origins"]),
      let address = json.value(at: place)?.stringValue, let origin = address.originBeforePath
    {
      return collector.report(
        "origin",
        at: place,
        "\"\(address.printable)\" has a path: browsers send origins without a path, and without a slash at the end",
        remedy: "write \"\(origin.printable)\""
      )
    }
    guard case .property(let name) = failure.parameters, failure.keyword == .additionalProperties else {
      collector.report(failure.keyword.rawValue, at: failure.instanceLocation, Self.text(of: failure))
      return
    }
    let known = ConfigurationSchema.names(besides: failure.absoluteKeywordLocation)
    let closest = closestName(to: name, among: known)
    let advice = closest.map { "did you mean \"\($0)\"?" } ?? "known keys: \(known.joined(separator: ", "))"
    let location =
      failure.instanceLocation.tokens.last.map { $0.hasSameUTF8(as: name) } == true
      ? failure.instanceLocation : failure.instanceLocation.appending(name)
    collector.report("unknownKey", at: location, spot: .name, "unknown key \"\(name)\"; \(advice)")
  }

  /// The problem, in words for a person who edits a JSON file.
  private static func text(of failure: Failure) -> String {
    let description = ConfigurationSchema.description(beside: failure.absoluteKeywordLocation).map { " (\($0))" } ?? ""
    return switch failure.parameters {
    case .types(let expected, let actual):
      "\(expected.joined(separator: " or ")) is needed, not \(actual)\(description)"
    case .missing(let property): "\"\(property)\" is missing\(description)"
    default: failure.message() + description
    }
  }

  // MARK: Secrets

  mutating func note(secretAt location: JSONPointer) {
    if secret == nil, !secretsElsewhere.contains(location) { secret = location }
  }

  /// The places of secrets in the configuration; `*` is any name. An object that names a file may stand there instead.
  /// Passwords of databases are not here: their files are read for each connection.
  private static let placesOfSecrets =
    ServiceConfiguration.secrets.map { ["services", "*"] + $0 }
    + ProviderConfiguration.secrets.map { ["providers", "*"] + $0 }

  /// The configuration with the secrets of all files that it names.
  private mutating func readSecrets(of json: JSON) -> JSON {
    Self.placesOfSecrets.reduce(json) { replaceSecrets(in: $0, at: JSONPointer(tokens: []), along: $1[...]) }
  }

  private mutating func replaceSecrets(
    in json: JSON,
    at location: JSONPointer,
    along path: ArraySlice<String>
  ) -> JSON {
    guard var object = json.objectValue else { return json }
    guard let name = path.first else {
      secretsElsewhere.insert(location)
      return .string(secretFile(json, at: location).flatMap { readSecret(in: $0, at: location) } ?? "")
    }
    for name in name == "*" ? object.names : [name] {
      guard let value = object[name] else { continue }
      object[name] = replaceSecrets(in: value, at: location.appending(name), along: path.dropFirst())
    }
    return .object(object)
  }

  /// The path of the file that an object names: `file`, or a `credential` of the service manager. Nil if a problem was
  /// reported.
  mutating func secretFile(_ json: JSON, at location: JSONPointer) -> String? {
    if let file = json["file"]?.stringValue {
      let path = resolved(file)
      judge(secretFile: path, at: location.appending("file"))
      return path
    }
    guard let folder = ProcessEnvironment["CREDENTIALS_DIRECTORY"] else {
      collector.report(
        "credential",
        at: location.appending("credential"),
        "CREDENTIALS_DIRECTORY is not set, so there are no credentials of a service manager",
        remedy:
          "set LoadCredential= in the unit; to check by hand, let CREDENTIALS_DIRECTORY name a folder with the files"
      )
      return nil
    }
    // The service manager answers for the rights of its files.
    return folder + "/" + (json["credential"]?.stringValue ?? "")
  }

  /// The text of a file, without the end of its last line. Nil if a problem was reported. No message has the text.
  private mutating func readSecret(in file: String, at location: JSONPointer) -> String? {
    var bytes: [UInt8] = []
    do throws(SystemError) {
      bytes = try FileBytes.read(file, bytesMax: Self.secretBytesMax)
    } catch {
      collector.report("file", at: location, "\(file): the secret cannot be read (\(error))")
      return nil
    }
    if bytes.last == UInt8(ascii: "\n") { bytes.removeLast() }
    if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
    guard !bytes.isEmpty, let text = String(validating: bytes, as: UTF8.self) else {
      collector.report("file", at: location, "\(file): the file \(bytes.isEmpty ? "is empty" : "is not UTF-8")")
      return nil
    }
    return text
  }

  /// A file with a secret, as ``judge(_:)`` judges the configuration.
  private mutating func judge(secretFile path: String, at location: JSONPointer) {
    guard let access = FileAccess(path: path) else { return }
    if access.othersMayWrite {
      collector.report(
        "permissions",
        at: location,
        "other users may change \(path)",
        remedy: "chmod go-w \(path), and let it belong to the daemon's user or to root"
      )
    } else if access.othersMayRead {
      collector.report(
        "permissions",
        at: location,
        "other users may read \(path), and it contains a secret",
        remedy: "chmod go-rwx \(path)",
        severity: .warning
      )
    }
  }

  /// A cloud token has a few kilobytes.
  private static let secretBytesMax = 64 << 10

  /// Other users must not be able to change the file, because it says where secrets go. They should not be able to read
  /// the secrets in it.
  private mutating func judge(_ access: FileAccess?) {
    guard let access else { return }
    if access.othersMayWrite {
      collector.report(
        "permissions",
        at: JSONPointer(tokens: []),
        "other users may change this file, and so could get all secrets",
        remedy: "chmod go-w \(collector.file ?? ""), and let it belong to the daemon's user or to root"
      )
    } else if access.othersMayRead, let secret {
      collector.report(
        "permissions",
        at: secret,
        spot: .name,
        "other users may read this file, and it contains a secret",
        remedy: "chmod go-rwx \(collector.file ?? "")",
        severity: .warning
      )
    }
  }

  /// Nil if a problem was reported.
  mutating func url(of server: JSON, at location: JSONPointer) -> PostgresURL? {
    do throws(PostgresURL.Problem) {
      return try PostgresURL(server["url"]?.stringValue ?? "")
    } catch {
      collector.report(
        "url",
        at: location.appending("url"),
        "this PostgreSQL URL cannot be used: \(error)",
        remedy:
          "write it like \"postgresql://formd@db.example.com/shop?sslmode=verify-full\", and put the password into \"password\""
      )
      return nil
    }
  }

  mutating func password(of server: JSON, at location: JSONPointer) -> PostgresPassword? {
    let location = location.appending("password")
    guard let password = server["password"] else { return nil }
    if let text = password.stringValue {
      note(secretAt: location)
      return PostgresPassword(text)
    }
    guard let file = secretFile(password, at: location) else { return nil }
    let inFile = PostgresPassword(inFile: file)
    do throws(SystemError) {
      // The file is read again for each connection. The operator learns of a missing file now, not at the first tap.
      _ = try inFile.read()
    } catch {
      collector.report("file", at: location, "\(file): the password file cannot be read (\(error))")
    }
    return inFile
  }

  mutating func duration(_ json: JSON?, at location: [String]) -> Duration? {
    guard let text = json?.stringValue else { return nil }
    if let duration = Forms.duration(from: text) { return duration }
    collector.report("duration", at: JSONPointer(tokens: location), "the duration is too long; the maximum is a day")
    return nil
  }

  func resolved(_ path: String) -> String { path.hasPrefix("/") ? path : folder + path }
}

extension JSON {
  /// The strings of a JSON array of strings.
  var strings: [String] { arrayValue?.compactMap(\.stringValue) ?? [] }
}

extension String {
  /// The origin in the address of a page; nil if no path follows it.
  fileprivate var originBeforePath: String? {
    guard lowercased().hasPrefix("http://") || lowercased().hasPrefix("https://") else { return nil }
    let parts = split(separator: "/", omittingEmptySubsequences: false)
    return parts.count > 3 ? parts[..<3].joined(separator: "/") : nil
  }
}

extension ServerConfiguration {
  /// Reads a configuration file.
  ///
  /// - Parameter mayWait: whether the file may be a pipe, which can be read once.
  /// - Throws: ``ConfigurationError`` with every problem and its location.
  package static func read(path: String, mayWait: Bool = true) throws(ConfigurationError) -> ServerConfiguration {
    try ConfigurationReader.read(path: path, mayWait: mayWait)
  }

  /// Reads the text of a configuration file. `file` is its name in messages; relative paths are relative to its folder.
  package static func read(_ bytes: [UInt8], file: String) throws(ConfigurationError) -> ServerConfiguration {
    try ConfigurationReader.read(bytes, file: file)
  }
}
