/// A function that expressions call by name: its description for people, and its code.
///
/// The list of functions in `protocol/forms.md`, the table in the article "Functions", completion and
/// `formctl functions` use the description.
public struct Function: Sendable {
  /// A part of the list of functions. The raw value is its title.
  public enum Topic: String, CaseIterable, Sendable {
    case numbers = "Numbers"
    case datesAndTimes = "Dates and times"
    case texts = "Texts"
    case listsAndMaps = "Lists and maps"
    case optionals = "What may be absent"
    case networks = "Networks"
    case others = "Other functions"
  }

  /// The name as expressions call it: `contains` (of a text), `math.abs`.
  public let name: String
  /// A call in words: `round(number, digits)`, `text.contains(part)`.
  public let usage: String
  /// The part of the list that shows the function.
  public let topic: Topic
  /// Its result, in one line.
  public let summary: String
  /// Expressions that call the function, each with the description of its result.
  public let examples: KeyValuePairs<String, String>
  /// Its overloads; none for a macro.
  public let overloads: [Overload]
  /// Each way to call a macro, with its result; empty for other functions, whose overloads say this.
  let macroSignatures: [String]

  /// A function. Its overloads have one name.
  public init(
    _ usage: String,
    _ topic: Topic,
    _ summary: String,
    examples: KeyValuePairs<String, String>,
    overloads: [Overload]
  ) {
    guard let name = overloads.first?.name, overloads.allSatisfy({ $0.name == name }) else {
      preconditionFailure("the overloads of \(usage) must have one name: \(overloads.map(\.name))")
    }
    self.name = name
    self.usage = usage
    self.topic = topic
    self.summary = summary
    self.examples = examples
    self.overloads = overloads
    macroSignatures = []
  }

  /// A macro: the parser expands it before any call.
  ///
  /// - Parameters:
  ///   - usages: each way to call it; the list of functions shows the first.
  ///   - result: the type of its result.
  init(
    macro name: String,
    _ usages: [String],
    gives result: String,
    _ topic: Topic,
    _ summary: String,
    examples: KeyValuePairs<String, String>
  ) {
    self.name = name
    self.usage = usages[0]
    self.topic = topic
    self.summary = summary
    self.examples = examples
    overloads = []
    macroSignatures = usages.map { "\($0) -> \(result)" }
  }
}
