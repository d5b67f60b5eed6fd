import JSON
import JSONSchema
import Testing

/// Names and the texts of `enum` are compared by their bytes, whatever their length, their number and their order.
@Suite struct NameTests {
  /// Of each length in bytes; every third has one that is not ASCII.
  private static let names = (0...40).map { length in
    let filling = String(repeating: "abcdefghij", count: 4).prefix(length)
    return length < 2 || length % 3 > 0 ? String(filling) : "\(filling.dropFirst(2))é"
  }

  @Test(arguments: [1, 6, 7, 41]) func `members are found in every order`(count: Int) throws {
    for start in stride(from: 0, to: Self.names.count, by: count) {
      let names = Self.names[start...].prefix(count)
      let schema = try Schema.compile([
        "properties": .object(JSONObject(names.map { ($0, ["const": .string($0)]) })),
        "required": .array(names.map { .string($0) }), "additionalProperties": false,
      ])
      let members = names.map { ($0, JSON.string($0)) }
      for members in [members, members.reversed(), Array(members[(count / 2)...] + members[..<(count / 2)])]
      where members.count == names.count {
        #expect(schema.validate(.object(JSONObject(members))))
        for index in members.indices {
          var changed = members
          changed[index].1 = "other"
          #expect(!schema.validate(.object(JSONObject(changed))))
          changed = members
          changed[index].0 += "x"
          #expect(!schema.validate(.object(JSONObject(changed))))
          changed.remove(at: index)
          #expect(!schema.validate(.object(JSONObject(changed))))
        }
      }
    }
  }

  @Test(arguments: [1, 6, 7, 41]) func `texts of an enumeration are found`(count: Int) throws {
    for start in stride(from: 0, to: Self.names.count, by: count) {
      let names = Self.names[start...].prefix(count)
      let schema = try Schema.compile(["enum": .array(names.map { .string($0) })])
      for name in Self.names {
        #expect(schema.validate(.string(String(decoding: Array(name.utf8), as: UTF8.self))) == names.contains(name))
        #expect(!schema.validate(.string(name + "x")))
      }
    }
  }

  @Test func `names that look alike are different names`() throws {
    let schema = try Schema.compile(["properties": ["é": ["const": 1], "e\u{301}": ["const": 2]]])
    #expect(schema.validate(["é": 1, "e\u{301}": 2]))
    #expect(!schema.validate(["é": 2]))
    #expect(!schema.validate(["e\u{301}": 1]))
  }
}
