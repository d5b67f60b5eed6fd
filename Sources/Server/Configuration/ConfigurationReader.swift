internal import Actions
internal import Forms
internal import JSON
internal import Logging

#if canImport(Glibc)
  internal import Glibc
#endif

/// Reads a configuration strictly: an unknown key, a wrong type or a value out of bounds is a problem with its place. All of
/// them are found, not only the first. What it accepts is what `protocol/schema/config.schema.json` describes.
struct ConfigurationReader {
  private let file: String
  private let places: JSONPlaces
  private(set) var problems: [String] = []
  /// Relative paths in a file are relative to its folder.
  private let folder: String

  private init(file: String, bytes: [UInt8]) {
    self.file = file
    places = JSONPlaces(of: bytes)
    if let slash = file.lastIndex(of: "/") { folder = String(file[...slash]) } else { folder = "" }
  }

  /// Reads the file at that path.
  static func read(path: String) throws(ConfigurationError) -> ServerConfiguration {
    guard let bytes = FileBytes.read(path, bytesMax: 16 << 20) else {
      throw ConfigurationError(problems: ["\(path): cannot be read (\(FileBytes.lastErrorText()))"])
    }
    return try read(bytes, file: path)
  }

  /// Reads the text of a file.
  static func read(_ bytes: [UInt8], file: String) throws(ConfigurationError) -> ServerConfiguration {
    let json: JSON
    do throws(JSONReadError) {
      json = try JSON(parsing: bytes)
    } catch {
      throw ConfigurationError(problems: ["\(file):\(error.line):\(error.column): error: \(error)"])
    }
    var reader = ConfigurationReader(file: file, bytes: bytes)
    let configuration = reader.configuration(json)
    if !reader.problems.isEmpty { throw ConfigurationError(problems: reader.problems) }
    return configuration
  }

  // MARK: Blocks

  private mutating func configuration(_ json: JSON) -> ServerConfiguration {
    var result = ServerConfiguration()
    let root = JSONPointer.root
    let known = [
      "$schema", "socket", "forms", "services", "databases", "providers", "definitions", "limits", "log",
    ]
    forEachMember(of: json, at: root, known: known) { reader, name, value, place in
      switch name {
      case "$schema": _ = reader.string(value, place)
      case "socket": result.socket = reader.path(value, place)
      case "forms": result.forms = reader.paths(value, place)
      case "services":
        reader.forEachNamed(value, place) { reader, name, value, place in
          if let service = reader.service(value, place) { result.actions.services[name] = service }
        }
      case "databases":
        reader.forEachNamed(value, place) { reader, name, value, place in
          if let database = reader.database(value, place) { result.actions.databases[name] = database }
        }
      case "providers":
        reader.forEachNamed(value, place) { reader, name, value, place in
          result.providers[name] = reader.provider(value, place)
        }
      case "definitions": result.definitions = reader.definitions(value, place)
      case "limits": result.limits = reader.limits(value, place)
      default: if let level = reader.log(value, place) { result.logLevel = level }
      }
    }
    return result
  }

  private mutating func service(_ json: JSON, _ place: JSONPointer) -> ServiceConfiguration? {
    var found: ServiceConfiguration?
    var count = 0
    forEachMember(of: json, at: place, known: ["http", "mock"]) { reader, name, value, place in
      count += 1
      if name == "http" {
        found = reader.http(value, place).map { .http($0) }
      } else {
        found = .mock(reader.mock(value, place))
      }
    }
    if count != 1, json.objectValue != nil { note(place, "exactly one of \"http\" and \"mock\" is needed") }
    return found
  }

  private mutating func http(_ json: JSON, _ place: JSONPointer) -> HTTPServiceConfiguration? {
    var result = HTTPServiceConfiguration(baseURL: "")
    var baseURL: String?
    forEachMember(of: json, at: place, known: ["baseURL", "headers", "connections", "bodyBytesMax"]) {
      reader, name, value, place in
      switch name {
      case "baseURL": baseURL = reader.string(value, place)
      case "headers":
        reader.forEachNamed(value, place) { reader, name, value, place in
          if let text = reader.string(value, place) { result.headers.append((name: name, value: text)) }
        }
      case "connections": if let number = reader.integer(value, place, atLeast: 1) { result.connections = number }
      default: if let number = reader.integer(value, place, atLeast: 1) { result.bodyBytesMax = number }
      }
    }
    guard let baseURL else {
      if json["baseURL"] == nil { note(place, "\"baseURL\" is missing: where the service is, as \"http://127.0.0.1:8080\"") }
      return nil
    }
    result.baseURL = baseURL
    return result
  }

  private mutating func mock(_ json: JSON, _ place: JSONPointer) -> [MockAnswer] {
    guard let elements = json.arrayValue else {
      note(place, "a list of answers is needed")
      return []
    }
    var answers: [MockAnswer] = []
    for (index, element) in elements.enumerated() {
      var answer = MockAnswer()
      forEachMember(of: element, at: place.appending(index), known: ["method", "path", "status", "json", "delay"]) {
        reader, name, value, place in
        switch name {
        case "method": answer.method = reader.string(value, place)
        case "path": answer.path = reader.string(value, place)
        case "status": if let number = reader.integer(value, place, atLeast: 100) { answer.status = number }
        case "json": answer.json = value
        default:
          if let text = reader.string(value, place) {
            if let delay = Forms.duration(from: text) {
              answer.delay = delay
            } else {
              reader.note(place, "a duration is needed, as \"300ms\" or \"10s\"")
            }
          }
        }
      }
      answers.append(answer)
    }
    return answers
  }

  private mutating func database(_ json: JSON, _ place: JSONPointer) -> DatabaseConfiguration? {
    var result: DatabaseConfiguration?
    forEachMember(of: json, at: place, known: ["sqlite"]) { reader, _, value, place in
      var path: String?
      var isWritable = false
      reader.forEachMember(of: value, at: place, known: ["path", "writable"]) { reader, name, value, place in
        if name == "path" { path = reader.path(value, place) } else { isWritable = reader.bool(value, place) ?? false }
      }
      if let path { result = DatabaseConfiguration(path: path, isWritable: isWritable) } else if value["path"] == nil {
        reader.note(place, "\"path\" is missing: the database's file")
      }
    }
    if json.objectValue?.isEmpty == true { note(place, "\"sqlite\" is missing") }
    return result
  }

  private mutating func provider(_ json: JSON, _ place: JSONPointer) -> ProviderConfiguration {
    var result = ProviderConfiguration()
    forEachMember(of: json, at: place, known: ["timeout", "secrets"]) { reader, name, value, place in
      if name == "secrets" {
        result.secrets = reader.bool(value, place) ?? false
      } else if let text = reader.string(value, place) {
        if let duration = Forms.duration(from: text) {
          let (seconds, attoseconds) = duration.components
          result.timeoutMs = Int(seconds) * 1000 + Int(attoseconds / 1_000_000_000_000_000)
        } else {
          reader.note(place, "a duration is needed, as \"300ms\" or \"10s\"")
        }
      }
    }
    return result
  }

  private mutating func definitions(_ json: JSON, _ place: JSONPointer) -> DefinitionsConfiguration {
    var result = DefinitionsConfiguration()
    forEachMember(of: json, at: place, known: ["services", "databases"]) { reader, name, value, place in
      let names = Set(reader.strings(value, place))
      if name == "services" { result.services = names } else { result.databases = names }
    }
    return result
  }

  private mutating func limits(_ json: JSON, _ place: JSONPointer) -> ServerLimits {
    var result = ServerLimits()
    forEachMember(of: json, at: place, known: ServerLimits.all.map(\.name)) { reader, name, value, place in
      guard let limit = ServerLimits.all.first(where: { $0.name == name }) else { return }
      if let number = reader.integer(value, place, atLeast: limit.least) { result[keyPath: limit.path] = number }
    }
    return result
  }

  private mutating func log(_ json: JSON, _ place: JSONPointer) -> Logger.Level? {
    var level: Logger.Level?
    forEachMember(of: json, at: place, known: ["level"]) { reader, _, value, place in
      guard let text = reader.string(value, place) else { return }
      level = Logger.Level(rawValue: text)
      if level == nil {
        let levels = Logger.Level.allCases.map(\.rawValue)
        reader.note(place, "no such level: one of \(levels.joined(separator: ", ")) is needed")
      }
    }
    return level
  }

  // MARK: Values

  private typealias MemberReader = (inout ConfigurationReader, String, JSON, JSONPointer) -> Void

  private mutating func forEachMember(of json: JSON, at place: JSONPointer, known: [String], _ body: MemberReader) {
    guard let members = json.objectValue else { return note(place, "an object is needed, not \(article(json))") }
    for member in members {
      let here = place.appending(member.name)
      if known.contains(where: { $0.hasSameUTF8(as: member.name) }) {
        body(&self, member.name, member.value, here)
      } else {
        let closest = closestName(to: member.name, among: known)
        let advice = closest.map { "did you mean \"\($0)\"?" } ?? "known are: \(known.joined(separator: ", "))"
        noteName(here, "unknown key \"\(member.name)\"; \(advice)")
      }
    }
  }

  private mutating func forEachNamed(_ json: JSON, _ place: JSONPointer, _ body: MemberReader) {
    guard let members = json.objectValue else { return note(place, "an object is needed, not \(article(json))") }
    for member in members { body(&self, member.name, member.value, place.appending(member.name)) }
  }

  private mutating func string(_ json: JSON, _ place: JSONPointer) -> String? {
    if let text = json.stringValue { return text }
    note(place, "a string is needed, not \(article(json))")
    return nil
  }

  private mutating func bool(_ json: JSON, _ place: JSONPointer) -> Bool? {
    if let flag = json.boolValue { return flag }
    note(place, "true or false is needed, not \(article(json))")
    return nil
  }

  private mutating func integer(_ json: JSON, _ place: JSONPointer, atLeast least: Int) -> Int? {
    guard let number = json.integerValue else {
      note(place, "an integer is needed, not \(article(json))")
      return nil
    }
    guard number >= Int64(least) else {
      note(place, "\(number) is too small; at least \(least) is needed")
      return nil
    }
    return Int(number)
  }

  private mutating func strings(_ json: JSON, _ place: JSONPointer) -> [String] {
    guard let elements = json.arrayValue else {
      note(place, "a list of strings is needed, not \(article(json))")
      return []
    }
    var texts: [String] = []
    for (index, element) in elements.enumerated() {
      if let text = string(element, place.appending(index)) { texts.append(text) }
    }
    return texts
  }

  private mutating func path(_ json: JSON, _ place: JSONPointer) -> String? {
    string(json, place).map(resolved)
  }

  private mutating func paths(_ json: JSON, _ place: JSONPointer) -> [String] {
    strings(json, place).map(resolved)
  }

  private func resolved(_ path: String) -> String { path.hasPrefix("/") ? path : folder + path }

  private func article(_ json: JSON) -> String {
    switch json {
    case .null: "null"
    case .bool: "a boolean"
    case .integer: "an integer"
    case .real: "a number"
    case .string: "a string"
    case .array: "a list"
    case .object: "an object"
    }
  }

  private mutating func note(_ place: JSONPointer, _ text: String) {
    problems.append("\(file):\(places.place(of: place)): error: \(text) [\(place)]")
  }

  private mutating func noteName(_ place: JSONPointer, _ text: String) {
    problems.append("\(file):\(places.placeOfName(place)): error: \(text) [\(place)]")
  }
}

extension ServerConfiguration {
  /// Reads a configuration file.
  ///
  /// - Throws: ``ConfigurationError`` with every problem and its place.
  package static func read(path: String) throws(ConfigurationError) -> ServerConfiguration {
    try ConfigurationReader.read(path: path)
  }

  /// Reads the text of a configuration file; `file` is its name in messages, and its folder that of relative paths.
  package static func read(_ bytes: [UInt8], file: String) throws(ConfigurationError) -> ServerConfiguration {
    try ConfigurationReader.read(bytes, file: file)
  }
}
