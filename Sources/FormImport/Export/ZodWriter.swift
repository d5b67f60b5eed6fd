internal import JSON

/// Writes a schema of zod 4, as a module of TypeScript that is a module of JavaScript, too.
struct ZodWriter {
  private var helpers: Set<Helper> = []

  private enum Helper: Int, CaseIterable {
    case any, maybe, rows, group, unique
  }

  /// The text of a module.
  static func text(of model: ExportModel) -> String {
    var writer = ZodWriter()
    let type = writer.type(model.root, depth: 0)
    let name = ExportReader.typeName([model.name])
    let schema = name.prefix(1).lowercased() + name.dropFirst()
    var lines = [
      "// Written by formctl export zod, for zod 4. The form is \(model.name.split(whereSeparator: \.isNewline).joined()).",
      "import { z } from \"zod\";", "",
    ]
    if !writer.helpers.isEmpty { writer.helpers.insert(.any) }
    for helper in Helper.allCases where writer.helpers.contains(helper) { lines += [text(of: helper), ""] }
    let meta = model.title.map { ".meta({ title: \(literal(.string($0))) })" } ?? ""
    lines += ["export const \(schema)Schema = \(type)\(meta);", ""]
    return lines.joined(separator: "\n")
  }

  private static func text(of helper: Helper) -> String {
    switch helper {
    case .any:
      "// The initial value of a parameter gives it its type, in TypeScript and in JavaScript.\n"
        + "const any = z.unknown().parse(undefined);"
    case .maybe:
      "// An empty text and null are no value.\n"
        + "const absent = (value = any) => (value === \"\" || value === null ? undefined : value);"
    case .rows:
      "// A list without a value is an empty list.\n"
        + "const rows = (value = any) => (value === \"\" || value == null ? [] : value);"
    case .group:
      "// A required group without a value is a group of empty fields.\n"
        + "const group = (value = any) => (value === \"\" || value == null ? {} : value);"
    case .unique:
      "const unique = (values = [any]) => new Set(values.map((value) => JSON.stringify(value))).size === values.length;"
    }
  }

  private mutating func type(_ value: ExportValue, depth: Int) -> String {
    let type = plainType(value, depth: depth)
    return value.isNullable ? "\(type).nullable()" : type
  }

  private mutating func plainType(_ value: ExportValue, depth: Int) -> String {
    switch value.type {
    case .text(let text): return self.text(text, value)
    case .number(let number):
      var type = number.isInteger ? "z.int()" : "z.number()"
      for (method, bound) in [
        ("gte", number.minimum), ("lte", number.maximum), ("gt", number.exclusiveMinimum),
        ("lt", number.exclusiveMaximum),
        ("multipleOf", number.multipleOf),
      ] {
        if let bound { type += ".\(method)(\(bound.description))" }
      }
      return type
    case .bool: return "z.boolean()"
    case .null: return "z.null()"
    case .choices(let choices):
      if choices.isEmpty { return "z.never()" }
      if choices.allSatisfy({ $0.stringValue != nil }) {
        return "z.enum([\(choices.map(Self.literal).joined(separator: ", "))])"
      }
      return "z.literal([\(choices.map(Self.literal).joined(separator: ", "))])"
    case .list(let list):
      var type = "z.array(\(self.type(list.element, depth: depth)))"
      if let minItems = list.minItems { type += ".min(\(minItems))" }
      if let maxItems = list.maxItems { type += ".max(\(maxItems))" }
      if list.isUnique {
        helpers.insert(.unique)
        type += ".refine(unique)"
      }
      return type
    case .object(let object):
      let indent = String(repeating: "  ", count: depth + 1)
      let members = object.members.map { member in
        "\(indent)\(Self.key(member.name)): \(self.member(member, depth: depth + 1)),\n"
      }
      let function = object.isClosed ? "strictObject" : "looseObject"
      return
        "z.\(function)({\(members.isEmpty ? "" : "\n" + members.joined() + String(repeating: "  ", count: depth))})"
    case .union(let values, let tag):
      let types = values.map { type($0, depth: depth) }.joined(separator: ", ")
      return tag.map { "z.discriminatedUnion(\(Self.literal(.string($0))), [\(types)])" } ?? "z.union([\(types)])"
    case .any: return "z.unknown()"
    }
  }

  private mutating func member(_ member: ExportMember, depth: Int) -> String {
    var type = type(member.value, depth: depth)
    switch member.value.type {
    case .list where member.isRequired && !member.value.isNullable:
      helpers.insert(.rows)
      type = "z.preprocess(rows, \(type))"
    case .object where member.isRequired && !member.value.isNullable:
      helpers.insert(.group)
      type = "z.preprocess(group, \(type))"
    default:
      if !member.isRequired {
        helpers.insert(.maybe)
        type = "z.preprocess(absent, \(type).optional())"
      }
    }
    if let initial = member.value.initial, !initial.isNull { type += ".default(\(Self.literal(initial)))" }
    var meta: [String] = []
    if let label = member.value.label { meta.append("title: \(Self.literal(.string(label)))") }
    if let help = member.value.help { meta.append("description: \(Self.literal(.string(help)))") }
    return meta.isEmpty ? type : type + ".meta({ \(meta.joined(separator: ", ")) })"
  }

  private func text(_ text: ExportText, _ value: ExportValue) -> String {
    let formats = [
      "email": "z.email()", "date": "z.iso.date()", "date-time": "z.iso.datetime({ offset: true })",
      "time": "z.iso.time()",
      "uuid": "z.guid()", "uri": "z.url()", "ipv4": "z.ipv4()", "ipv6": "z.ipv6()",
    ]
    var type = text.format.flatMap { formats[$0] } ?? "z.string()"
    // An empty text counts as absent, so a text has at least one character.
    let minLength = max(text.minLength ?? 0, value.keepsEmpty || text.format != nil ? 0 : 1)
    if minLength > 0 { type += ".min(\(minLength))" }
    if let maxLength = text.maxLength { type += ".max(\(maxLength))" }
    for pattern in text.patterns { type += ".regex(new RegExp(\(Self.literal(.string(pattern))), \"u\"))" }
    return type
  }

  /// A constant of JavaScript.
  private static func literal(_ value: JSON) -> String { value.description }

  private static func key(_ name: String) -> String {
    ReadableName.isIdentifier(name) && name.first?.isNumber == false && name != "__proto__"
      ? name : literal(.string(name))
  }
}
