import FormProtocol
import Foundation
import JSON

/// Finds names of the protocol that are written by hand in source code.
struct WireNameFinder {
  /// A name in a line where it should not be.
  struct Finding: Hashable, CustomStringConvertible {
    var file: String
    var line: Int
    var name: String

    var description: String { "\(file):\(line): \(name)" }
  }

  /// Names of methods and pushes that are not words of any language; `initialize`, `shutdown` and `exit` are such
  /// words.
  static let methods: [String] = {
    let names = Method.allCases.map(\.wireName) + PushMethod.allCases.map(\.wireName)
    return Set(names.map(\.description)).filter { $0.contains("/") || $0.contains(".") }.sorted()
  }()

  /// Members of all messages, and of JSON-RPC's envelopes.
  static let members: Set<String> = {
    var names: Set = ["jsonrpc", "id", "method", "params", "result", "error"]
    var seen: Set<ObjectIdentifier> = []
    func add(_ type: any DescribedValue.Type) {
      guard seen.insert(ObjectIdentifier(type)).inserted else { return }
      // The output document belongs to the engine.
      if type is any Message.Type { names.formUnion(type.schema["properties"]?.objectValue?.names ?? []) }
      for part in type.schemaParts { add(part) }
    }
    func addCall<Params: Call>(_ call: Params.Type) {
      add(Params.self)
      add(Params.Answer.self)
    }
    for method in Method.allCases { addCall(method.call) }
    for push in PushMethod.allCases { add(push.push) }
    add(ErrorData.self)
    return names
  }()

  /// Methods and pushes, anywhere in a text: in code, help and comments.
  static func methods(in text: String, file: String) -> [Finding] {
    let present = methods.filter { text.contains($0) }
    if present.isEmpty { return [] }
    return lines(of: text).flatMap { number, line in
      present.filter { line.contains($0) }.map { Finding(file: file, line: number, name: $0) }
    }
  }

  /// Members that code reads or writes: as a subscript of a JSON value, as a member of a node, as the name of a wrong
  /// param, or before the colon of an object. The object may be a Swift literal or a JSON text. A quoted name alone may
  /// be anything, and a comment may show JSON.
  static func members(in text: String, file: String) -> [Finding] {
    let uses = uses
    return lines(of: text).flatMap { number, line -> [Finding] in
      if line.drop(while: { $0 == " " }).hasPrefix("//") { return [] }
      return uses.flatMap { use in
        line.matches(of: use).map { String($0.output.1) }
      }.filter { members.contains($0) }.map { Finding(file: file, line: number, name: $0) }
    }
  }

  /// The last leaves out the metadata of log lines: no JSON value is a text with something filled in.
  private static var uses: [Regex<(Substring, Substring)>] {
    [#/[\w\])?!]\["(\w+)"\]/#, #/\.member\("(\w+)"\)/#, #/InvalidParams\("(\w+)"/#, #/"(\w+)\\?":(?!\s*"\\\()/#]
  }

  private static func lines(of text: String) -> [(number: Int, line: Substring)] {
    text.split(separator: "\n", omittingEmptySubsequences: false).enumerated().map { ($0 + 1, $1) }
  }
}
