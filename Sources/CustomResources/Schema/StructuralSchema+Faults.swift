internal import CEL
internal import JSON
internal import TextFormats

/// What JSON Schema does not know of: lists whose elements differ, and formats.
extension StructuralSchema {
  /// What is wrong with a value besides what its JSON Schema says.
  ///
  /// - Parameters:
  ///   - pointer: where the value stands.
  ///   - faults: gets what is wrong.
  func addFaults(of value: JSON, at pointer: JSONPointer, to faults: inout [ResourceFault]) {
    switch (shape, value) {
    case (.text(let format?), .string(let text)):
      guard let remedy = Self.remedy(text, format: format) else { return }
      faults.append(
        ResourceFault(
          pointer: pointer,
          code: "format",
          message: "This must be \(remedy).",
          keywordLocation: location.appending("format")
        )
      )
    case (.list(_, let kind), .array(let elements)): addDuplicates(in: elements, kind, at: pointer, to: &faults)
    default: break
    }
    for part in parts(of: value, old: nil) {
      part.schema.addFaults(of: part.value, at: pointer.appending(part.token), to: &faults)
    }
  }

  private func addDuplicates(
    in elements: [JSON],
    _ kind: ListKind,
    at pointer: JSONPointer,
    to faults: inout [ResourceFault]
  ) {
    var seen: [JSON: Int] = [:]
    for (position, element) in elements.enumerated() {
      let key: JSON
      let subject: String
      switch kind {
      case .atomic: return
      case .set:
        key = element
        subject = "the same value"
      case .map(let keys):
        key = Self.key(of: element, kind) ?? element
        subject = "the same \(keys.map { "\"\($0)\"" }.joined(separator: " and "))"
      }
      guard let first = seen[key] else {
        seen[key] = position
        continue
      }
      faults.append(
        ResourceFault(
          pointer: pointer.appending(position),
          code: "FieldValueDuplicate",
          message: "This has \(subject) as element \(first); each may occur once.",
          keywordLocation: location.appending("x-kubernetes-list-type")
        )
      )
    }
  }

  /// What a text should be that is not in its format; nil where it is, or the format is unknown. Formats that JSON Schema has are left to
  /// it.
  private static func remedy(_ text: String, format: String) -> String? {
    let isRight =
      switch format {
      case "byte", "duration": value(ofText: text, format: format) != nil
      case "cidr": (try? CIDR(parsing: text)) != nil
      case "mac": isMAC(text)
      case "uuid3", "uuid4", "uuid5": TextFormat.uuid.accepts(text)
      default: true
      }
    if isRight { return nil }
    switch format {
    case "byte": return "base64, such as aGVsbG8="
    case "duration": return "a duration, such as 1h30m"
    case "cidr": return "a network, such as 10.0.0.0/8"
    case "mac": return "a MAC address, such as 00:00:5e:00:53:01"
    default: return "a UUID"
    }
  }

  private static func isMAC(_ text: String) -> Bool {
    let separator: Character = text.contains("-") ? "-" : ":"
    let bytes = text.split(separator: separator, omittingEmptySubsequences: false)
    return [6, 8, 20].contains(bytes.count) && bytes.allSatisfy { $0.utf8.count == 2 && UInt8($0, radix: 16) != nil }
  }
}
