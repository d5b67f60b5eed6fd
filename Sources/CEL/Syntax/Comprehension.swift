/// A macro that binds names: the loops over lists and maps, `cel.bind`, and the mappings of optionals.
///
/// The specification expands these to one general fold. Here each keeps its own kind: the evaluator needs no
/// recognition of patterns, the cost of each is known, and the printer can write the macro back.
public struct Comprehension: Sendable {
  /// The macro that was written.
  public enum Macro: String, Sendable {
    /// `all`: the predicate holds for every element.
    case all
    /// `exists`: the predicate holds for some element.
    case exists
    /// `exists_one`, or `existsOne` as the two-variable macros spell it.
    case existsOne
    /// `map` with a transformation, or with a filter and a transformation.
    case map
    /// `filter`: the elements for which the predicate holds.
    case filter
    /// Two variables; with or without a filter, as the two below.
    case transformList
    /// Two variables; each value of a map becomes another.
    case transformMap
    /// Two variables; each entry becomes a map of one entry.
    case transformMapEntry
    /// `list.sortBy(x, key)` of the lists extension.
    case sortBy
    /// `cel.bind(x, value, body)`: the range is the value.
    case bind
    /// `optional.optMap(x, body)`: the range is the optional.
    case optMap
    /// `optional.optFlatMap(x, body)`.
    case optFlatMap
    /// `fold(list, start, a, x, body)`: the variable is what was gathered so far, the second variable is the element,
    /// and the start is the first of the bodies. The start does not see the variables.
    case fold
  }

  /// The macro that was written.
  public let macro: Macro
  /// The value that the loop goes through, or the bound value.
  public let range: Syntax
  /// The element of a list (its index if there is a second variable), or the key of a map.
  public let variable: String
  /// The element of a list or the value of a map, if two variables are written.
  public let secondVariable: String?
  /// The predicate, transformation or result; if there are two, the filter or the start is first.
  public let bodies: [Syntax]

  /// The condition on elements that the transformation applies to, if one is written.
  var filter: Syntax? {
    switch macro {
    case .filter: bodies.first
    case .fold: nil
    default: bodies.count == 2 ? bodies.first : nil
    }
  }

  /// The last expression: predicate, transformation, key or result.
  var body: Syntax { bodies[bodies.count - 1] }
}
