internal import CEL
internal import Foundation
internal import JSON

/// Runs the vectors of `cel/*.json`: one result for each file.
///
/// - Parameter folder: `cel` of the conformance folder.
func runCELSuite(folder: String) -> [SuiteResult] {
  (VectorFile.files(in: folder) ?? []).map { file in
    var result = SuiteResult(name: "cel/" + file.name.dropLast(".json".count))
    guard case .success(let document) = file.read() else {
      result.failed.append((file.name, "the file cannot be read"))
      return result
    }
    for section in document["sections"]?.arrayValue ?? [] {
      for test in section["tests"]?.arrayValue ?? [] {
        let title = "\(section["section"]?.stringValue ?? "")/\(test["name"]?.stringValue ?? "")"
        if let reason = CELCase.failure(of: test) {
          result.failed.append((title, reason))
        } else {
          result.passed += 1
        }
      }
    }
    return result
  }
}

/// One vector.
private enum CELCase {
  /// Why the vector fails; nil if it passes.
  static func failure(of test: JSON) -> String? {
    guard let source = test["expr"]?.stringValue, let expected = test["expect"] else { return "not a vector" }
    var environment = Environment(container: test["container"]?.stringValue ?? "")
    environment.parserOptions.expandsMacros = test["disable_macros"]?.boolValue != true
    environment.parserOptions.expandsBlockMacros = true
    declare(test, in: &environment)
    let mayFail = expected["error"] != nil || expected["any_error"] != nil
    let outcome = run(source, test, in: environment, expected)
    switch outcome {
    case .refused(let error):
      return mayFail ? nil : "refused: \(error.problems.map(\.rendered).joined(separator: "; "))"
    case .checked(let type):
      return type
    case .evaluated(let value, let wrongType):
      if let wrongType { return wrongType }
      if mayFail { return value.isError ? nil : "is \(value), should fail" }
      guard let wanted = expected["value"] else { return nil }
      guard let wantedValue = CELVector.value(wanted) else { return "the expected value cannot be read" }
      return value == wantedValue ? nil : "is \(value), should be \(wantedValue)"
    }
  }

  private enum Outcome {
    case refused(ExpressionError)
    /// The expression was only checked: the error in its type, or nil.
    case checked(String?)
    case evaluated(Value, wrongType: String?)
  }

  private static func run(_ source: String, _ test: JSON, in environment: Environment, _ expected: JSON) -> Outcome {
    do {
      let parsed = try environment.parse(source)
      let isChecked = test["disable_check"]?.boolValue != true
      let checked = isChecked ? try environment.check(parsed) : environment.resolveWithoutChecking(parsed)
      var wrongType: String?
      if let type = expected["type"].flatMap(CELVector.type), type != checked.type {
        wrongType = "is of type \(checked.type), should be of type \(type)"
      }
      if test["check_only"]?.boolValue == true { return .checked(wrongType) }
      let program = try environment.plan(checked)
      var values: [String: Value] = [:]
      for member in test["bindings"]?.objectValue ?? JSONObject() {
        values[member.name] = CELVector.value(member.value)
      }
      return .evaluated(program.evaluate(values), wrongType: wrongType)
    } catch {
      return .refused(error)
    }
  }

  private static func declare(_ test: JSON, in environment: inout Environment) {
    var declared: Set<String> = []
    for entry in test["type_env"]?.arrayValue ?? [] {
      if let name = entry["ident"]?.stringValue {
        environment.declare(variable: name, type: entry["type"].flatMap(CELVector.type) ?? .dyn)
        declared.insert(name)
      } else if let function = entry["function"]?.stringValue {
        for overload in entry["overloads"]?.arrayValue ?? [] {
          environment.declare(
            Overload(
              id: overload["id"]?.stringValue ?? function,
              name: function,
              isMember: overload["instance"]?.boolValue == true,
              parameters: (overload["params"]?.arrayValue ?? []).map { CELVector.type($0) ?? .dyn },
              result: overload["result"].flatMap(CELVector.type) ?? .dyn,
              implementation: .declarationOnly
            )
          )
        }
      }
    }
    for member in test["bindings"]?.objectValue ?? JSONObject() where !declared.contains(member.name) {
      environment.declare(variable: member.name, type: .dyn)
    }
  }
}

/// Reads the tagged values and types of the vectors.
private enum CELVector {
  static func value(_ tagged: JSON) -> Value? {
    guard let member = tagged.objectValue?.first else { return nil }
    let content = member.value
    switch member.name {
    case "null": return .null
    case "bool": return content.boolValue.map(Value.bool)
    case "int": return content.stringValue.flatMap { Int64($0) }.map(Value.int)
    case "uint": return content.stringValue.flatMap { UInt64($0) }.map(Value.uint)
    case "double":
      if let text = content.stringValue { return Double(text).map(Value.double) }
      return content.doubleValue.map(Value.double)
    case "string": return content.stringValue.map(Value.string)
    case "bytes":
      return content.stringValue.flatMap { Data(base64Encoded: $0) }.map { .bytes(Array($0)) }
    case "list":
      return content.arrayValue.map { .list($0.compactMap(value)) }
    case "map":
      var map = MapValue()
      for entry in content.arrayValue ?? [] {
        guard let pair = entry.arrayValue, pair.count == 2, let key = value(pair[0]), let value = value(pair[1]),
          map.addEntry(value, for: key) == nil
        else { return nil }
      }
      return .map(map)
    case "type": return content.stringValue.map { .type(TypeValue($0)) }
    case "timestamp": return content.stringValue.flatMap { evaluated("timestamp", $0) }
    case "duration": return content.stringValue.flatMap { evaluated("duration", $0) }
    default: return nil
    }
  }

  private static func evaluated(_ function: String, _ text: String) -> Value? {
    let value = try? Environment().compile("\(function)('\(text)')").evaluate()
    return value.flatMap { $0.isError ? nil : $0 }
  }

  static func type(_ written: JSON) -> CELType? {
    if let name = written.stringValue { return names[name] }
    if let inner = written["list"] { return type(inner).map(CELType.list) }
    if let inner = written["map"]?.arrayValue, inner.count == 2, let key = type(inner[0]), let value = type(inner[1]) {
      return .map(key, value)
    }
    if let inner = written["type"] { return type(inner).map(CELType.type) }
    if let name = written["param"]?.stringValue { return .parameter(name) }
    if let inner = written["wrapper"] { return type(inner).map(CELType.wrapper) }
    if let name = written["abstract"]?.stringValue {
      let parameters = (written["params"]?.arrayValue ?? []).map { type($0) ?? .dyn }
      return name == "optional_type" && parameters.count == 1 ? .optional(parameters[0]) : .abstract(name, parameters)
    }
    if let parts = written["function"]?.arrayValue { return .function(parts.map { type($0) ?? .dyn }) }
    return nil
  }

  private static let names: [String: CELType] = [
    "dyn": .dyn, "null": .null, "bool": .bool, "int": .int, "uint": .uint, "double": .double, "string": .string,
    "bytes": .bytes, "timestamp": .timestamp, "duration": .duration, "any": .any, "error": .error,
  ]
}
