/// One step of a compiled schema: an operation and integer references into the tables of ``Program``.
struct Instruction: Sendable {
  /// The meaning of the operands `a`, `b` and `c` is beside each case. "List" is a range (start, count) of
  /// `Program.lists`.
  enum Operation: UInt8, Sendable {
    /// a: bits of ``TypeMask``
    case type
    /// a: constant
    case const
    /// a: enumeration
    case enumeration
    /// a: constant, a number
    case multipleOf, maximum, exclusiveMaximum, minimum, exclusiveMinimum
    /// a: limit in code points
    case maxLength, minLength
    /// a: pattern
    case pattern
    /// a: format
    case format
    /// a: limit
    case maxItems, minItems, maxProperties, minProperties
    case uniqueItems
    /// a, b: list of schemas
    case prefixItems
    /// a: schema, b: the position of the first element that it is for
    case items
    /// a: schema, b: at least, c: at most or -1
    case contains
    /// a: schema
    case unevaluatedItems, unevaluatedProperties
    /// a, b: list of names
    case required
    /// a: member plan
    case properties, patternProperties, additionalProperties
    /// a: schema
    case propertyNames
    /// a, b: list of groups (name of the trigger, count, names...)
    case dependentRequired
    /// a, b: list of pairs (name, schema)
    case dependentSchemas
    /// a, b: list of schemas
    case allOf, anyOf, oneOf
    /// a: schema
    case not
    /// a: if, b: then or -1, c: else or -1
    case conditional
    /// a: schema
    case reference
    /// a: dynamic reference
    case dynamicReference
    /// a: member plan; only in the order for speed: `properties`, `patternProperties`, `additionalProperties` and
    /// `required` in one walk over the members
    case members
  }

  var operation: Operation
  /// The keyword that it comes from.
  var keyword: Keyword
  var a: Int32 = 0
  var b: Int32 = 0
  var c: Int32 = 0

  /// For which types of instances it does anything.
  var appliesTo: InstanceTypes {
    switch operation {
    case .type, .const, .enumeration, .allOf, .anyOf, .oneOf, .not, .conditional, .reference, .dynamicReference: .all
    case .multipleOf, .maximum, .exclusiveMaximum, .minimum, .exclusiveMinimum: .numbers
    case .maxLength, .minLength, .pattern, .format: .strings
    case .maxItems, .minItems, .uniqueItems, .prefixItems, .items, .contains, .unevaluatedItems: .arrays
    case .maxProperties, .minProperties, .unevaluatedProperties, .required, .properties, .patternProperties,
      .additionalProperties, .propertyNames, .dependentRequired, .dependentSchemas, .members:
      .objects
    }
  }

  /// Whether it applies a schema to the instance itself.
  var isInPlace: Bool {
    switch operation {
    case .allOf, .anyOf, .oneOf, .not, .conditional, .reference, .dynamicReference, .dependentSchemas: true
    default: false
    }
  }
}

/// The classes of instances by which instructions are sorted.
struct InstanceTypes: OptionSet, Sendable {
  let rawValue: UInt8
  static let scalars = InstanceTypes(rawValue: 1)
  static let numbers = InstanceTypes(rawValue: 2)
  static let strings = InstanceTypes(rawValue: 4)
  static let arrays = InstanceTypes(rawValue: 8)
  static let objects = InstanceTypes(rawValue: 16)
  static let all = InstanceTypes(rawValue: 31)
}

/// A set of the seven types of JSON Schema, and of integers by how they are written.
struct TypeMask: OptionSet, Hashable, Sendable {
  let rawValue: UInt8
  static let null = TypeMask(rawValue: 1)
  static let boolean = TypeMask(rawValue: 2)
  /// Whole numbers that are written as such.
  static let integer = TypeMask(rawValue: 4)
  /// Every number, integers included.
  static let number = TypeMask(rawValue: 8)
  static let string = TypeMask(rawValue: 16)
  static let array = TypeMask(rawValue: 32)
  static let object = TypeMask(rawValue: 64)
  /// Whole numbers that are written with a fraction or an exponent, as in `1.0`.
  static let integralReal = TypeMask(rawValue: 128)
  static let all = TypeMask(rawValue: 255)

  /// The type of that name, or nil.
  init?(name: String) {
    switch name {
    case "null": self = .null
    case "boolean": self = .boolean
    case "integer": self = [.integer, .integralReal]
    case "number": self = .number
    case "string": self = .string
    case "array": self = .array
    case "object": self = .object
    default: return nil
    }
  }

  init(rawValue: UInt8) { self.rawValue = rawValue }

  /// The names of the types, in a fixed order; "integer" is left out beside "number".
  var names: [String] {
    var names: [String] = []
    if contains(.null) { names.append("null") }
    if contains(.boolean) { names.append("boolean") }
    if contains(.integer) && !contains(.number) { names.append("integer") }
    if contains(.number) { names.append("number") }
    if contains(.string) { names.append("string") }
    if contains(.array) { names.append("array") }
    if contains(.object) { names.append("object") }
    return names
  }
}

extension Instruction.Operation {
  /// Stops the program: a function of one family of operations got an operation of another.
  func failAsMisplaced() -> Never { preconditionFailure("the operation \(self) belongs to another family") }
}
