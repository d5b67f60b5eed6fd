internal import Texts
internal import Times

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// `format`: a text with clauses, each replaced by an argument (cel-spec, `doc/extensions/strings.md`, "Format").
///
/// | clause | argument |
/// |---|---|
/// | `%s` | anything but an optional; lists and maps in brackets, maps in the order of their keys' texts |
/// | `%d` | int, uint, double |
/// | `%f`, `%e` | int, uint, double and the texts `NaN`, `Infinity`, `-Infinity`; `%.3f` sets the decimals, otherwise
/// 6 |
/// | `%b` | bool, int, uint in binary |
/// | `%o` | int, uint in octal |
/// | `%x`, `%X` | int, uint, string, bytes in hexadecimal |
/// | `%%` | none: a percent sign |
enum TextFormatter {
  /// The text of the format with the arguments put in; an error for an unknown clause, an argument that a clause
  /// cannot print, or too few arguments. Arguments left over are ignored.
  static func format(_ format: String, with arguments: ListValue) -> Value {
    var result = ""
    var rest = format.unicodeScalars[...]
    var index = 0
    while let percent = rest.firstIndex(of: "%") {
      result.unicodeScalars.append(contentsOf: rest[..<percent])
      rest = rest[rest.index(after: percent)...]
      if rest.first == "%" {
        result += "%"
        rest.removeFirst()
        continue
      }
      switch clause(&rest) {
      case .failure(let error): return .error(error)
      case .success(let clause):
        guard index < arguments.count else { return failure("index \(index) out of range: too few arguments") }
        switch text(of: arguments[index], clause) {
        case .failure(let error): return .error(error)
        case .success(let text):
          guard result.utf8.count + text.utf8.count + rest.count <= ResultLimits.bytesMax else {
            return ResultLimits.textTooLarge
          }
          result += text
        }
        index += 1
      }
    }
    result.unicodeScalars.append(contentsOf: rest)
    return .string(result)
  }

  private struct Clause {
    let verb: Unicode.Scalar
    let precision: Int?
  }

  private static func failure(_ message: String) -> Value { .failure(.invalidArgument, "format: \(message)") }

  private static func error<Success>(_ message: String) -> Result<Success, EvaluationError> {
    .failure(EvaluationError(.invalidArgument, "format: \(message)"))
  }

  private static func clause(_ rest: inout Substring.UnicodeScalarView) -> Result<Clause, EvaluationError> {
    var precision: Int?
    if rest.first == "." {
      rest.removeFirst()
      let digits = rest.prefix { ("0"..."9").contains($0) }
      rest = rest[digits.endIndex...]
      guard !digits.isEmpty, digits.count <= 9, let number = Int(String(digits)), number <= ResultLimits.precisionMax
      else {
        return error("the precision must be a number up to \(ResultLimits.precisionMax)")
      }
      precision = number
    }
    guard let verb = rest.popFirst() else { return error("unexpected end of the format") }
    guard "sdfeboxX".unicodeScalars.contains(verb) else {
      return error("unrecognized formatting clause \(String(verb).quotedLiteral)")
    }
    return .success(Clause(verb: verb, precision: precision))
  }

  private static func text(of value: Value, _ clause: Clause) -> Result<String, EvaluationError> {
    switch clause.verb {
    case "s": return string(value, depth: 0)
    case "d": return decimal(value)
    case "f", "e": return floating(value, clause)
    default: return radix(value, clause.verb)
    }
  }

  private static func unsupported(_ value: Value, _ takes: String) -> Result<String, EvaluationError> {
    error("the clause takes \(takes), not \(value.runtimeType?.name ?? "error")")
  }

  private static func decimal(_ value: Value) -> Result<String, EvaluationError> {
    switch value {
    case .int(let number): .success(String(number))
    case .uint(let number): .success(String(number))
    case .double(let number): .success(number.isFinite ? ShortestDecimal(number).plain : number.celText)
    default: unsupported(value, "numbers")
    }
  }

  private static func floating(_ value: Value, _ clause: Clause) -> Result<String, EvaluationError> {
    let number: Double
    switch value {
    case .int(let whole): number = Double(whole)
    case .uint(let whole): number = Double(whole)
    case .double(let double): number = double
    case .string(let text) where ["NaN", "Infinity", "-Infinity"].contains(text): return .success(text)
    default: return unsupported(value, "numbers")
    }
    guard number.isFinite else { return .success(number.celText) }
    let precision = Int32(clause.precision ?? 6)
    let format = clause.verb == "e" ? "%.*e" : "%.*f"
    // C's library rounds the exact value half to even, as the specification's examples have it. 310 digits before the
    // point are the most that a double has.
    let capacity = Int(precision) + 340
    return .success(
      withVaList([precision, number]) { list in
        String(unsafeUninitializedCapacity: capacity) { buffer in
          buffer.withMemoryRebound(to: CChar.self) { characters in
            Int(vsnprintf(characters.baseAddress, characters.count, format, list))
          }
        }
      }
    )
  }

  private static func radix(_ value: Value, _ verb: Unicode.Scalar) -> Result<String, EvaluationError> {
    let radix = verb == "b" ? 2 : verb == "o" ? 8 : 16
    let isUppercase = verb == "X"
    switch value {
    case .int(let number): return .success(String(number, radix: radix, uppercase: isUppercase))
    case .uint(let number): return .success(String(number, radix: radix, uppercase: isUppercase))
    case .bool(let flag) where radix == 2: return .success(flag ? "1" : "0")
    case .string(let text) where radix == 16: return hexadecimal(Array(text.utf8), isUppercase)
    case .bytes(let bytes) where radix == 16: return hexadecimal(bytes, isUppercase)
    default: return unsupported(value, radix == 16 ? "integers, texts and bytes" : "integers")
    }
  }

  private static func hexadecimal(_ bytes: [UInt8], _ isUppercase: Bool) -> Result<String, EvaluationError> {
    guard bytes.count * 2 <= ResultLimits.bytesMax else {
      return .failure(EvaluationError(.tooLarge, "the text would be longer than \(ResultLimits.bytesMax) bytes"))
    }
    let digits = Array((isUppercase ? "0123456789ABCDEF" : "0123456789abcdef").utf8)
    return .success(
      String(unsafeUninitializedCapacity: bytes.count * 2) { buffer in
        for (index, byte) in bytes.enumerated() {
          buffer[index * 2] = digits[Int(byte >> 4)]
          buffer[index * 2 + 1] = digits[Int(byte & 15)]
        }
        return bytes.count * 2
      }
    )
  }

  /// Lists within lists deeper than this are refused instead of exhausting the stack.
  private static let depthMax = 100

  private static func string(_ value: Value, depth: Int) -> Result<String, EvaluationError> {
    guard depth < depthMax else { return error("the argument is nested too deeply") }
    switch value {
    case .null: return .success("null")
    case .bool(let flag): return .success(flag ? "true" : "false")
    case .int(let number): return .success(String(number))
    case .uint(let number): return .success(String(number))
    case .double(let number): return .success(number.celText)
    case .string(let text): return .success(text)
    case .bytes(let bytes): return .success(String(decoding: bytes, as: UTF8.self))
    case .timestamp(let instant): return .success(instant.rfc3339)
    case .duration(let duration): return .success(duration.secondsText)
    case .type(let type): return .success(type.name)
    case .list(let list):
      var text = "["
      for (position, element) in list.enumerated() {
        if position > 0 { text += ", " }
        switch string(element, depth: depth + 1) {
        case .success(let part): text += part
        case .failure(let error): return .failure(error)
        }
        guard text.utf8.count <= ResultLimits.bytesMax else { return tooLarge }
      }
      return .success(text + "]")
    case .map(let map): return string(map, depth: depth)
    default: return unsupported(value, "texts, numbers, instants, lists and maps")
    }
  }

  private static func string(_ map: MapValue, depth: Int) -> Result<String, EvaluationError> {
    var entries: [(String, String)] = []
    for entry in map.entries {
      switch (string(entry.key, depth: depth + 1), string(entry.value, depth: depth + 1)) {
      case (.success(let key), .success(let value)): entries.append((key, value))
      case (.failure(let error), _), (_, .failure(let error)): return .failure(error)
      }
    }
    // A map has no order of its own; the keys' texts give one that does not depend on how the map was built.
    entries.sort { $0.0.utf8Order($1.0) < 0 }
    var text = "{"
    for (position, entry) in entries.enumerated() {
      if position > 0 { text += ", " }
      text += entry.0 + ": " + entry.1
      guard text.utf8.count <= ResultLimits.bytesMax else { return tooLarge }
    }
    return .success(text + "}")
  }

  private static let tooLarge: Result<String, EvaluationError> = .failure(
    EvaluationError(.tooLarge, "the text would be longer than \(ResultLimits.bytesMax) bytes")
  )
}
