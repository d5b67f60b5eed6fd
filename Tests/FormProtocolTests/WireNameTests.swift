import FormProtocol
import Foundation
import Testing

/// Only `FormProtocol` writes the names of the protocol, each once; all other code uses its types. One module is apart:
/// the scripted daemon of `ClientKit` writes messages as the pages have them, so that it judges clients by the pages.
struct WireNameTests {
  private static let sources: URL = {
    var url = URL(fileURLWithPath: #filePath)
    for _ in 0..<3 { url.deleteLastPathComponent() }
    return url.appendingPathComponent("Sources")
  }()

  /// The modules that see messages of the protocol; JSON-RPC's own words belong to `JSONRPC`.
  private static let modulesWithMessages = [
    "Actions", "Client", "Daemon", "FormCases", "Server", "SessionCalls", "WebDoor", "formctl", "formd", "formd-web",
  ]

  /// Files that use words of the protocol with another meaning; nil means any word.
  private static let exclusions: [(path: String, name: String?, reason: String)] = [
    ("Actions/MockService.swift", nil, "the body of a mock's HTTP answer"),
    (
      "Client/Documents/", nil,
      "the output document, which is the engine's; the one place in the client that knows its parts"
    ),
    ("FormCases/File/", nil, "the words of test files, and their schema"),
    ("FormCases/Recording/RecordedState.swift", "isRequired", "the output document"),
    ("Server/Store/StoredHead.swift", "definition", "what the store keeps of a session"),
    ("formctl/Commands/ClientKitCommand.swift", "name", "what formctl prints of a scenario"),
    ("formctl/Commands/SubmitCommand.swift", "errors", "what formctl adds to its own output"),
    ("formctl/Commands/PlayCommand.swift", "at", "the time of a transcript's step"),
    ("formctl/Schema/ValueJudge.swift", "error", "JSON Schema's output, which the standard defines"),
    ("WebDoor/Requests/DoorRequest.swift", "origin", "a header field of HTTP"),
    ("formctl/Session/TranscriptStep.swift", "at", "the time of a transcript's step"),
    ("Server/Connections/ClientConnection+Audit.swift", nil, "the details of the audit's lines"),
    ("formctl/Session/InputLine.swift", "role", "a member of the context in an example"),
  ]

  private static func files(under folder: String) throws -> [(path: String, text: String)] {
    let root = sources.appendingPathComponent(folder)
    let paths = FileManager.default.enumerator(atPath: root.path)?.compactMap { $0 as? String } ?? []
    return try paths.filter { $0.hasSuffix(".swift") }.sorted().map { path in
      ("\(folder)/\(path)", try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8))
    }
  }

  @Test
  func `no method and no push is named outside FormProtocol, not even in comments and help`() throws {
    let modules = try FileManager.default.contentsOfDirectory(atPath: Self.sources.path)
      .filter { $0 != "FormProtocol" && $0 != "ClientKit" }
    #expect(modules.contains("Server"))
    for (path, text) in try modules.sorted().flatMap(Self.files) {
      for finding in WireNameFinder.methods(in: text, file: path) {
        Issue.record(Comment(rawValue: finding.description))
      }
    }
  }

  @Test
  func `no member of a message is spelt outside FormProtocol`() throws {
    var unused = Set(Self.exclusions.map(\.path))
    for (path, text) in try Self.modulesWithMessages.flatMap(Self.files) {
      for finding in WireNameFinder.members(in: text, file: path) {
        let exclusion = Self.exclusions.first { path.hasPrefix($0.path) && ($0.name ?? finding.name) == finding.name }
        if let exclusion { unused.remove(exclusion.path) } else { Issue.record(Comment(rawValue: finding.description)) }
      }
    }
    #expect(unused.isEmpty, "nothing is excluded by these any more")
  }

  @Test(
    arguments: [
      (#"let revision = answer["revision"]?.integerValue"#, ["revision"]),
      (##"buffer.append(#","revision":"#)"##, ["revision"]),
      (##"buffer.append(#"{"jsonrpc":"2.0","id":"#)"##, ["jsonrpc", "id"]),
      (#""revision\": 1"#, ["revision"]),
      (#"let params: JSONObject = ["form": .string(form), "values": .object(values)]"#, ["form", "values"]),
      (#"node.member("isValid")?.bool"#, ["isValid"]),
      (#"throw InvalidParams("session", .required, "a session")"#, ["session"]),
      (#"logger.info("opened", metadata: ["form": "\(form)", "session": "\(id)"])"#, []),
      (#"let cells = reads ?? ["form"]"#, []),
      (#"let noun = count == 1 ? "form" : "forms""#, []),
      (#"@Option(name: "form") var form: String"#, []),
      (#"    // {"revision":1}"#, []),
      (#"let port = json["port"]"#, []),
    ] as [(String, [String])]
  )
  func `a member is found where code reads or writes it`(line: String, names: [String]) {
    #expect(WireNameFinder.members(in: "\n\(line)\n", file: "f").map { "\($0)" } == names.map { "f:2: \($0)" })
  }

  @Test
  func `a method is found in code, in help and in comments`() {
    let text = "call(\"session/open\")\n/// formctl call server/info\n// rpc.discover\n// initialize\n"
    let found = WireNameFinder.methods(in: text, file: "f").map { "\($0)" }
    #expect(found == ["f:1: session/open", "f:2: server/info", "f:3: rpc.discover"])
  }

  @Test
  func `the names that are looked for are those of calls, answers, pushes and errors, of all depths`() {
    #expect(
      WireNameFinder.members.isSuperset(of: ["session", "isRequired", "blockers", "withinMs", "closest", "params"])
    )
    #expect(WireNameFinder.methods.contains("$/cancelRequest") && !WireNameFinder.methods.contains("exit"))
  }
}
