/// The type variables of a check and the types found for them (langdef.md, "Type Checking").
///
/// A variable is a `CELType.parameter` whose name begins with `%`, which no source can write.
struct TypeInference {
  /// Whether null is accepted as a value of any type, as in a comparison that asks whether something is absent.
  var nullFitsAll = false
  private var substitutions: [String: CELType] = [:]
  /// The former entries of `substitutions`, for each change of the assignment that is being tried. They are restored if
  /// it fails.
  private var changes: [(variable: String, before: CELType?)] = []
  private var variableCount = 0

  /// A new type variable.
  mutating func freshVariable() -> CELType {
    variableCount += 1
    return .parameter("%" + String(variableCount))
  }

  /// The signature with a new variable for each type parameter it names.
  mutating func instantiate(_ types: [CELType]) -> [CELType] {
    var renaming: [(parameter: String, variable: CELType)] = []
    return types.map { instantiate($0, &renaming) }
  }

  /// - Parameter renaming: the variables so far; a signature names two or three.
  private mutating func instantiate(
    _ type: CELType,
    _ renaming: inout [(parameter: String, variable: CELType)]
  ) -> CELType {
    guard type.hasParameters else { return type }
    guard case .parameter(let name) = type else {
      return type.mappingParts { instantiate($0, &renaming) }
    }
    if let known = renaming.first(where: { $0.parameter == name }) { return known.variable }
    let variable = freshVariable()
    renaming.append((name, variable))
    return variable
  }

  /// The type with everything filled in that is known; an unknown part remains, or becomes `dyn`.
  func resolve(_ type: CELType, unknownToDyn: Bool = false) -> CELType {
    if case .parameter(let name) = type {
      if let known = substitutions[name] { return resolve(known, unknownToDyn: unknownToDyn) }
      return unknownToDyn ? .dyn : type
    }
    // A type without variables is returned unchanged, so that types inside each other share their memory.
    guard type.hasParameters else { return type }
    return type.mappingParts { resolve($0, unknownToDyn: unknownToDyn) }
  }

  /// Whether values of the first type are accepted as the second type. If so, keeps the types that this gives the
  /// variables.
  mutating func assign(_ type: CELType, to target: CELType) -> Bool {
    assign([type], to: [target])
  }

  /// The same for several types together: either all assignments are kept, or none.
  mutating func assign(_ types: [CELType], to targets: [CELType]) -> Bool {
    guard types.count == targets.count else { return false }
    changes.removeAll(keepingCapacity: true)
    for index in types.indices where !unify(types[index], targets[index]) {
      for change in changes.reversed() { substitutions[change.variable] = change.before }
      return false
    }
    return true
  }

  private mutating func set(_ variable: String, to type: CELType) {
    changes.append((variable, substitutions.updateValue(type, forKey: variable)))
  }

  /// The type of a list whose elements have these two types: the more general of them, or `dyn`.
  mutating func join(_ left: CELType?, _ right: CELType) -> CELType {
    guard let left else { return right }
    guard assign(left, to: right) else { return .dyn }
    return Self.mostGeneral(left, right)
  }

  // MARK: Unification

  private mutating func unify(_ left: CELType, _ right: CELType) -> Bool {
    if case .parameter(let name) = right {
      switch substitute(left, for: name) {
      case .agrees: return true
      case .contradicts: return false
      case .impossible: break
      }
    }
    if case .parameter(let name) = left {
      return substitute(right, for: name) == .agrees
    }
    if left.isDynamic || right.isDynamic { return true }
    switch (left, right) {
    case (.null, _): return nullFitsAll || right.isNullable
    case (_, .null): return nullFitsAll || left.isNullable
    case (.wrapper(let a), .wrapper(let b)), (.wrapper(let a), let b), (let a, .wrapper(let b)): return unify(a, b)
    case (.list(let a), .list(let b)): return unify(a, b)
    case (.optional(let a), .optional(let b)): return unify(a, b)
    case (.map(let aKey, let aValue), .map(let bKey, let bValue)): return unify(aKey, bKey) && unify(aValue, bValue)
    case (.type, .type): return true
    // At run time a record is a map.
    case (.object, .object): return true
    case (.object, .map(let key, let value)), (.map(let key, let value), .object):
      return unify(.string, key) && unify(.dyn, value)
    case (.abstract(let aName, let a), .abstract(let bName, let b)):
      guard aName == bName, a.count == b.count else { return false }
      for (left, right) in zip(a, b) where !unify(left, right) { return false }
      return true
    default: return left == right
    }
  }

  private enum Substitution {
    case agrees
    /// The variable has another type already.
    case contradicts
    /// The variable occurs in the type itself.
    case impossible
  }

  private mutating func substitute(_ type: CELType, for variable: String) -> Substitution {
    if type == .parameter(variable) { return .agrees }
    guard let known = substitutions[variable] else {
      guard !occurs(variable, in: type) else { return .impossible }
      set(variable, to: type)
      return .agrees
    }
    if type == known { return .agrees }
    guard unify(type, known) else { return .contradicts }
    let general = Self.mostGeneral(type, known)
    if !occurs(variable, in: general) { set(variable, to: general) }
    return .agrees
  }

  private func occurs(_ variable: String, in type: CELType) -> Bool {
    if case .parameter(let name) = type {
      if name == variable { return true }
      return substitutions[name].map { occurs(variable, in: $0) } ?? false
    }
    return type.parts.contains { occurs(variable, in: $0) }
  }

  private static func mostGeneral(_ left: CELType, _ right: CELType) -> CELType {
    switch (left, right) {
    case (.object(let a), .object(let b)): a == b ? left : anyRecord
    case (.object, .map), (.map, .object): anyRecord
    case (.list(let a), .list(let b)): .list(mostGeneral(a, b))
    default: isEqualOrMoreGeneral(left, right) ? left : right
    }
  }

  /// The common part of the records of several types.
  private static let anyRecord = CELType.map(.string, .dyn)

  private static func isEqualOrMoreGeneral(_ left: CELType, _ right: CELType) -> Bool {
    if left == .dyn || left.isParameter { return true }
    if right == .dyn || right.isParameter { return false }
    if right == .null { return true }
    switch (left, right) {
    case (.wrapper(let a), .wrapper(let b)): return a == b
    case (.wrapper(let a), let b): return a == b
    case (.list(let a), .list(let b)), (.optional(let a), .optional(let b)): return isEqualOrMoreGeneral(a, b)
    case (.map(let aKey, let aValue), .map(let bKey, let bValue)):
      return isEqualOrMoreGeneral(aKey, bKey) && isEqualOrMoreGeneral(aValue, bValue)
    case (.type, .type): return true
    case (.abstract(let aName, let a), .abstract(let bName, let b)):
      return aName == bName && a.count == b.count && zip(a, b).allSatisfy { isEqualOrMoreGeneral($0, $1) }
    default: return left == right
    }
  }
}

extension CELType {
  fileprivate var isParameter: Bool {
    if case .parameter = self { true } else { false }
  }

  /// Whether a type parameter or a variable is in it.
  var hasParameters: Bool {
    switch self {
    case .parameter: true
    case .list(let part), .type(let part), .wrapper(let part), .optional(let part): part.hasParameters
    case .map(let key, let value): key.hasParameters || value.hasParameters
    case .abstract(_, let parts), .function(let parts): parts.contains { $0.hasParameters }
    default: false
    }
  }

  /// The types this one is made of.
  fileprivate var parts: [CELType] {
    switch self {
    case .list(let part), .type(let part), .wrapper(let part), .optional(let part): [part]
    case .map(let key, let value): [key, value]
    case .abstract(_, let parts), .function(let parts): parts
    default: []
    }
  }

  /// The same type with each part replaced.
  fileprivate func mappingParts(_ transform: (CELType) -> CELType) -> CELType {
    switch self {
    case .list(let part): .list(transform(part))
    case .type(let part): .type(transform(part))
    case .wrapper(let part): .wrapper(transform(part))
    case .optional(let part): .optional(transform(part))
    case .map(let key, let value): .map(transform(key), transform(value))
    case .abstract(let name, let parts): .abstract(name, parts.map(transform))
    case .function(let parts): .function(parts.map(transform))
    default: self
    }
  }
}
