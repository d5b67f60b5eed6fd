public import JSON
internal import Texts
public import Times

/// An expression that a developer tries: compiled once, for one value or for many.
public struct TriedExpression: Sendable {
  /// A variable of it.
  public struct Variable: Sendable {
    /// The name, which may have dots.
    public var name: String
    /// The type; nil: the type of the value.
    public var type: CELType?
    /// The value; nil if each evaluation brings one.
    public var value: JSON?

    /// A variable of that name. With neither type nor value it is of any type.
    public init(name: String, type: CELType? = nil, value: JSON? = nil) {
      self.name = name
      self.type = type
      self.value = value
    }
  }

  private let environment: Environment
  private let checked: CheckedExpression
  private let program: Program
  /// By variable; values that each evaluation brings are not included.
  private var values: [String: Value] = [:]
  private var types: [String: CELType] = [:]

  /// Reads, checks and plans an expression.
  ///
  /// - Parameters:
  ///   - source: the expression.
  ///   - base: the functions that the expression can call, and the records that types of variables name. It decides
  ///     whether absence spreads.
  ///   - variables: the variables that it can read; if several have one name, the last counts.
  ///   - moment: the value of `now`, and the zone for `today`, unless variables have these names.
  /// - Throws: everything that is wrong with it.
  public init(
    _ source: String,
    in base: Environment = Environment(),
    variables: [Variable] = [],
    at moment: (now: Timestamp, zone: Zone)? = nil
  ) throws(ExpressionError) {
    var environment = base
    var values: [String: Value] = [:]
    var types: [String: CELType] = [:]
    // In the order of the declarations, which is also the order of the report.
    var names: [String] = []
    func declare(_ name: String, _ type: CELType?, _ value: Value?) {
      if types.updateValue(type ?? value?.declarableType ?? .dyn, forKey: name) == nil { names.append(name) }
      values[name] = value
    }
    if let moment {
      declare("now", nil, .timestamp(moment.now))
      declare("today", nil, .string(moment.zone.date(at: moment.now)))
      declare("form.zone", nil, .string(moment.zone.name))
    }
    for variable in variables {
      let value = variable.value.map { json in
        variable.type.map { environment.value(of: json, as: $0) } ?? Value(json)
      }
      declare(variable.name, variable.type, value)
    }
    for name in names { environment.declare(variable: name, type: types[name] ?? .dyn) }
    checked = try environment.check(environment.parse(source))
    program = try environment.plan(checked)
    self.environment = environment
    self.values = values
    self.types = types
  }

  /// Evaluates it, and reports the result.
  ///
  /// - Parameters:
  ///   - inputs: the values of variables that have none; missing inputs are null.
  ///   - sections: the sections beside the value.
  public func report(
    with inputs: [String: JSON] = [:],
    telling sections: ExpressionReport.Sections = []
  ) -> ExpressionReport {
    var all = values
    for (name, type) in types where all[name] == nil {
      all[name] = environment.value(of: inputs[name] ?? .null, as: type)
    }
    return ExpressionReport(of: program.evaluate(all), by: program, from: checked, telling: sections)
  }
}

extension Environment {
  /// A value as one of a type, as ``Value/init(_:as:)`` makes it; the members of records become values of the types of
  /// their fields.
  func value(of json: JSON, as type: CELType) -> Value {
    switch (json, type) {
    case (_, .wrapper(let inner)): value(of: json, as: inner)
    case (.array(let elements), .list(let element)): .list(ListValue(elements.map { value(of: $0, as: element) }))
    case (.object(let members), .object(let name)):
      .map(
        MapValue(
          uncheckedNames: members.lazy.map { member in
            (member.name, value(of: member.value, as: records[name]?.fields[member.name]?.type ?? .dyn))
          }
        )
      )
    case (.object(let members), .map(_, let inner)):
      .map(MapValue(uncheckedNames: members.lazy.map { ($0.name, value(of: $0.value, as: inner)) }))
    default: Value(json, as: type)
    }
  }
}

extension Value {
  /// The type to declare a variable with that has this value.
  fileprivate var declarableType: CELType {
    switch self {
    case .null: .dyn
    case .bool: .bool
    case .int: .int
    case .uint: .uint
    case .double: .double
    case .string: .string
    case .bytes: .bytes
    case .list(let list):
      list.elements.first.map { first in
        let type = first.declarableType
        return .list(list.elements.allSatisfy { $0.declarableType == type } ? type : .dyn)
      } ?? .list(.dyn)
    case .map: .map(.string, .dyn)
    case .timestamp: .timestamp
    case .duration: .duration
    default: .dyn
    }
  }
}
