internal import JSON

/// A CEL expression and its location.
struct FormulaDefinition {
  var source: String
  var pointer: JSONPointer
}

/// A tree of JSON whose text leaves are formulas.
indirect enum RequestValueDefinition {
  case formula(FormulaDefinition)
  /// The word `values`: all values.
  case values
  /// The word `changes`: the values that differ from the initial values.
  case changes
  case literal(JSON)
  case array([RequestValueDefinition])
  case object([(name: String, value: RequestValueDefinition)])
}
