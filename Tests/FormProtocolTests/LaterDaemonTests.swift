import FormProtocol
import JSON
import Testing

/// How a client handles names that only a later daemon knows (protocol/wire.md, "Later versions").
struct LaterDaemonTests {
  @Test
  func `a name that is not known is read as none, or as the hint that fits anything`() throws {
    func check<Value: MemberValue>(_ value: Value) throws -> Int {
      let renamings = Self.renamings(of: value.json, as: Value.schema)
      for (renamed, pointer) in renamings {
        let read = try MessageReader.value(Value.self, renamed, .lenient).json
        let name = read.value(at: pointer)
        #expect(name == nil || name == .null || name == "any", "\(pointer) of \(Value.self)")
      }
      return renamings.count
    }
    func check<Params: Call>(_ type: Params.Type) throws -> Int {
      Params.isNotification ? 0 : try check(Params.example.answer)
    }
    func check<Params: Push>(_ type: Params.Type) throws -> Int { try check(Params.pushExample) }
    var count = 0
    for method in Method.allCases { count += try check(method.call) }
    for push in [PushMethod.sessionUpdate, .sessionClosed, .sessionDesync, .formsChanged, .serverDraining] {
      count += try check(push.push)
    }
    #expect(count >= 5, "outcome, type, show, cause and reason are in the examples")
  }

  @Test
  func `a daemon refuses a name that it does not know`() throws {
    #expect(throws: InvalidParams.self) {
      try MessageReader.value(SessionClosed.self, ["session": 1, "reason": "mood"], .strict)
    }
  }

  /// The value with one of its names replaced, for each member that has one of several names.
  private static func renamings(of value: JSON, as schema: JSONObject) -> [(renamed: JSON, pointer: JSONPointer)] {
    if let name = schema["$ref"]?.stringValue?.split(separator: "/").last {
      let named = OpenRPCDocument.json["components"]?["schemas"]?[String(name)]?.objectValue
      return renamings(of: value, as: named ?? [:])
    }
    if schema["enum"] != nil { return [("a later name", JSONPointer(tokens: []))] }
    func inside(_ token: String, _ part: JSON, _ schema: JSON?, _ put: (JSON) -> JSON) -> [(JSON, JSONPointer)] {
      renamings(of: part, as: schema?.objectValue ?? [:]).map { renamed, pointer in
        (put(renamed), JSONPointer(tokens: [token] + pointer.tokens))
      }
    }
    switch value {
    case .object(let members):
      return members.flatMap { member in
        inside(member.name, member.value, schema["properties"]?[member.name]) { renamed in
          var copy = members
          copy[member.name] = renamed
          return .object(copy)
        }
      }
    case .array(let elements):
      return elements.indices.flatMap { index in
        inside(String(index), elements[index], schema["items"]) { renamed in
          var copy = elements
          copy[index] = renamed
          return .array(copy)
        }
      }
    default: return []
    }
  }
}
