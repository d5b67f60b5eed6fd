/// Words and signs that authors know from JavaScript, Python and SQL, and the way to write them in CEL. `now`, `today`,
/// `self` and `values` are names of forms.
struct ForeignWord {
  /// The advice for a message.
  let advice: String
  /// The name of the function to call instead, if that is all.
  let function: String?

  private init(_ advice: String, calls function: String? = nil) {
    self.advice = advice
    self.function = function
  }

  private enum Kind {
    /// It stands between values, as an operator does.
    case sign, keyword
    /// It names a value or a function.
    case name
  }

  /// The entry for a word that stands between values; nil if it has none.
  static func keyword(_ word: String) -> ForeignWord? { all[.keyword]?[word] }

  /// The entry for the name of a value or a function; nil if it has none.
  static func name(_ word: String) -> ForeignWord? { all[.name]?[word] }

  /// The entry for the longest sign that has a byte; nil if there is none.
  static func sign(at byte: Int, in source: [UInt8]) -> ForeignWord? {
    for length in (1...3).reversed() {
      for start in max(0, byte - length + 1)...byte where start + length <= source.count {
        let sign = String(decoding: source[start..<start + length], as: UTF8.self)
        if let found = all[.sign]?[sign] { return found }
      }
    }
    return nil
  }

  private static let all: [Kind: [String: ForeignWord]] = {
    var all: [Kind: [String: ForeignWord]] = [:]
    for (kind, words, entry) in table { for word in words { all[kind, default: [:]][word] = entry } }
    return all
  }()

  private static let table: [(Kind, [String], ForeignWord)] = [
    // Signs.
    (.sign, ["===", "=", ":="], .init("equality is written '=='")),
    (.sign, ["!==", "<>"], .init("inequality is written '!='")),
    (.sign, ["&"], .init("logical and is written '&&'")),
    (.sign, ["|"], .init("logical or is written '||'")),
    (.sign, ["??", "?:"], .init("a default is written x.orValue(other)")),
    (.sign, ["?."], .init("the members of an absent value are absent: write '.'")),
    (
      .sign, ["=>", "->"], .init("a function of each element is written list.map(x, value), or list.all(x, condition)")
    ),
    (.sign, ["**", "^"], .init("CEL has no power; multiply")),
    (.sign, ["++", "+=", "--", "-="], .init("a formula changes no value; write x + 1")),
    (.sign, [";"], .init("a formula is one expression; cel.bind(x, value, body) names a value")),
    // Words between values.
    (.keyword, ["and", "AND"], .init("logical and is written '&&'")),
    (.keyword, ["or", "OR"], .init("logical or is written '||'")),
    (.keyword, ["not", "NOT"], .init("logical not is written '!'")),
    (.keyword, ["xor", "XOR"], .init("of two conditions exactly one holds if a != b")),
    (.keyword, ["is", "IS", "eq", "equals"], .init("equality is written '=='")),
    (.keyword, ["ne"], .init("inequality is written '!='")),
    (.keyword, ["IN"], .init("write 'in'")),
    (.keyword, ["mod", "MOD"], .init("the remainder is written '%'")),
    (.keyword, ["div", "DIV"], .init("a division is written '/'")),
    (.keyword, ["like", "LIKE"], .init("write text.contains('...') or text.matches('...')")),
    (.keyword, ["between", "BETWEEN"], .init("write a <= x && x <= b")),
    (.keyword, ["if", "else", "elif", "then", "IF", "when"], .init("a choice is written condition ? a : b")),
    (.keyword, ["return"], .init("a formula is its result: leave 'return' out")),
    (.keyword, ["let", "const", "var"], .init("cel.bind(x, value, body) names a value")),
    (
      .keyword,
      ["for", "while", "loop", "function", "lambda"],
      .init("a loop is written list.map(x, value), list.filter(x, condition) or list.all(x, condition)")
    ),
    (.keyword, ["new", "await"], .init("leave it out")),
    (.keyword, ["typeof", "instanceof", "isinstance"], .init("a type is tested by type(x) == string")),
    // Values.
    (.name, ["undefined", "None", "nil", "NULL", "Null", "NIL"], .init("an absent value is 'null'")),
    (.name, ["True", "TRUE"], .init("write 'true'")),
    (.name, ["False", "FALSE"], .init("write 'false'")),
    (.name, ["this", "it"], .init("the value of the rule's field is 'self', and of any field 'values.NAME'")),
    (
      .name,
      ["Date", "datetime", "moment", "DateTime", "getTime", "CURRENT_DATE", "CURRENT_TIMESTAMP", "NOW"],
      .init("the date is 'today', the time is 'now', and timestamp('2026-11-22T17:00:00Z') reads a time")
    ),
    (.name, ["now", "today"], .init("it is a name and no function: leave the brackets out")),
    (.name, ["Math"], .init("write math.greatest, math.least, math.round, math.floor, math.ceil or math.abs")),
    (.name, ["JSON"], .init("the members of a value are read directly, as in response.body.name")),
    (.name, ["Array", "Object"], .init("a type is tested by type(x) == list or type(x) == map")),
    // Functions of texts.
    (
      .name,
      ["toUpperCase", "toLocaleUpperCase", "toUpper", "upper", "uppercase", "UPPER"],
      .init("write 'upperAscii'", calls: "upperAscii")
    ),
    (
      .name,
      ["toLowerCase", "toLocaleLowerCase", "toLower", "lower", "lowercase", "LOWER"],
      .init("write 'lowerAscii'", calls: "lowerAscii")
    ),
    (.name, ["length", "len", "count", "Length", "LENGTH", "COUNT"], .init("the length is size(x)", calls: "size")),
    (.name, ["includes"], .init("write text.contains('...'), or 'element in list'")),
    (.name, ["startswith", "StartsWith"], .init("write 'startsWith'", calls: "startsWith")),
    (.name, ["endswith", "EndsWith"], .init("write 'endsWith'", calls: "endsWith")),
    (.name, ["strip", "Trim", "TRIM", "trimStart", "trimEnd"], .init("write 'trim'", calls: "trim")),
    (.name, ["substr", "SUBSTR", "SUBSTRING", "subString"], .init("write 'substring'", calls: "substring")),
    (.name, ["replaceAll"], .init("write 'replace'", calls: "replace")),
    (.name, ["test", "match", "search", "RegExp", "regex", "fullmatch"], .init("write text.matches('...')")),
    (.name, ["concat", "append", "push", "CONCAT"], .init("texts and lists are joined with '+'")),
    (.name, ["toFixed"], .init("write '%.2f'.format([x]), or round(x, 2)")),
    // Functions of lists and maps.
    (.name, ["some", "any"], .init("write list.exists(x, condition)")),
    (.name, ["every"], .init("write list.all(x, condition)")),
    (.name, ["find"], .init("write list.filter(x, condition).first()")),
    (.name, ["findIndex"], .init("write lists.range(size(list)).filter(i, list[i] == x).first()")),
    (.name, ["forEach", "each"], .init("write list.map(x, value)")),
    (.name, ["reduce", "fold"], .init("write list.map(x, value).sum(), .min(), .max() or .join(', ')")),
    (.name, ["flatMap"], .init("write list.map(x, value).flatten()")),
    (.name, ["keys", "entries"], .init("a map is read by its keys: map.map(key, map[key])")),
    // Conversions and tests.
    (.name, ["parseInt", "toInt", "Int", "Integer"], .init("write 'int'", calls: "int")),
    (.name, ["parseFloat", "float", "Number", "toNumber", "number", "Decimal"], .init("write double(x) or int(x)")),
    (.name, ["String", "str", "toString", "toISOString"], .init("write string(x)")),
    (.name, ["Boolean"], .init("write 'bool'", calls: "bool")),
    (.name, ["isEmpty", "empty", "isBlank"], .init("write x == '' for a text, and size(x) == 0 for a list")),
    (.name, ["isNull", "isNil", "defined", "isDefined", "isSet"], .init("write has(values.NAME)")),
    (
      .name,
      ["coalesce", "COALESCE", "ifnull", "IFNULL", "nvl", "getOrDefault", "default"],
      .init("a default is written x.orValue(other)")
    ),
    (.name, ["abs"], .init("write 'math.abs'")), (.name, ["floor"], .init("write 'math.floor'")),
    (.name, ["ceil", "ceiling"], .init("write 'math.ceil'")), (.name, ["sqrt"], .init("write 'math.sqrt'")),
    (.name, ["pow", "power"], .init("CEL has no power; multiply")),
    (.name, ["getYear"], .init("write 'getFullYear'", calls: "getFullYear")),
    (.name, ["getDay"], .init("write 'getDayOfWeek'", calls: "getDayOfWeek")),
  ]
}
