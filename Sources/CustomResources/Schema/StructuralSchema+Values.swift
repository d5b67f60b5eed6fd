internal import CEL
internal import JSON

/// Values as expressions read them (`k8s.io/apiserver`, `pkg/cel/common`, "UnstructuredToVal").
extension StructuralSchema {
  /// The value of that type; what is of another one is an error where it is read.
  func value(of json: JSON) -> Value {
    switch (shape, json) {
    case (_, .null): .null
    case (.object, .object(let members)): objectValue(members)
    case (.map(let inner), .object(let members)):
      .map(MapValue(uncheckedNames: members.lazy.map { ($0.name, inner.value(of: $0.value)) }))
    case (.list(let inner, let kind), .array(let elements)):
      .list(ListValue(elements.map { inner.value(of: $0) }, identity: inner.identity(of: kind)))
    case (.text(let format), .string(let text)): Self.value(ofText: text, format: format) ?? mismatch(json)
    case (.integer, _): json.integerValue.map { .int($0) } ?? mismatch(json)
    case (.number, _): json.doubleValue.map { .double($0) } ?? mismatch(json)
    case (.truth, .bool(let truth)): .bool(truth)
    case (.integerOrText, .string(let text)): .string(text)
    case (.integerOrText, _): json.integerValue.map { .int($0) } ?? mismatch(json)
    case (.unknown, _): Value(json)
    default: mismatch(json)
    }
  }

  /// Members that are null are absent. Those that no expression can read count only where objects are compared: their names begin with a
  /// slash there.
  private func objectValue(_ members: JSONObject) -> Value {
    var entries: [(String, Value)] = []
    for member in members where !member.value.isNull {
      if let property = property(named: member.name), let name = property.readableName {
        entries.append((name, property.schema.value(of: member.value)))
      } else {
        entries.append(("/\(member.name)", Value(member.value)))
      }
    }
    return .map(MapValue(uncheckedNames: entries))
  }

  private func identity(of kind: ListKind) -> ListValue.Identity {
    switch kind {
    case .atomic: .position
    case .set: .value
    case .map(let keys): .members(keys.map { property(named: $0)?.readableName ?? "/\($0)" })
    }
  }

  private func mismatch(_ json: JSON) -> Value {
    .failure(.conversion, "invalid data: \(json.typeName) in the place of \(type.map { "\($0)" } ?? "another type")")
  }

  /// A text in its format; nil where it is not in it.
  static func value(ofText text: String, format: String?) -> Value? {
    switch format {
    case "date-time": Timestamp(rfc3339: text).map { .timestamp($0) }
    case "date": Timestamp(rfc3339: text + "T00:00:00Z").map { .timestamp($0) }
    case "duration": duration(text).map { .duration($0) }
    case "byte":
      if case .bytes(let bytes) = Value(.string(text), as: .bytes) { .bytes(bytes) } else { nil }
    default: .string(text)
    }
  }

  /// `1h30m`, as the language writes it, or a number of units such as `2 days` (go-openapi, `strfmt`, "Duration").
  private static func duration(_ text: String) -> DurationValue? {
    if let duration = DurationValue(text) { return duration }
    var rest = text.utf8[...]
    var nanoseconds: Int64 = 0
    repeat {
      let digits = rest.prefix { (0x30...0x39).contains($0) }
      rest = rest.dropFirst(digits.count).drop { $0 == 0x20 }
      let name = rest.prefix { (0x61...0x7a).contains($0 | 0x20) }
      rest = rest.dropFirst(name.count).drop { $0 == 0x20 }
      guard let number = Int64(String(decoding: digits, as: UTF8.self)),
        let unit = units.first(where: { $0.names.contains(String(decoding: name, as: UTF8.self)) })
      else { return nil }
      let (product, overflows) = number.multipliedReportingOverflow(by: unit.nanoseconds)
      let (sum, overflowsAgain) = nanoseconds.addingReportingOverflow(product)
      if overflows || overflowsAgain { return nil }
      nanoseconds = sum
    } while !rest.isEmpty
    return DurationValue(nanoseconds: nanoseconds)
  }

  private static let units: [(names: [String], nanoseconds: Int64)] = [
    (["ns", "nano"], 1), (["us", "micro"], 1_000), (["ms", "milli"], 1_000_000),
    (["s", "sec", "second", "seconds"], 1_000_000_000), (["m", "min", "minute", "minutes"], 60_000_000_000),
    (["h", "hr", "hour", "hours"], 3_600_000_000_000), (["d", "day", "days"], 86_400_000_000_000),
    (["w", "wk", "week", "weeks"], 604_800_000_000_000),
  ]
}
