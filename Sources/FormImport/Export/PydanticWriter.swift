internal import JSON

/// Writes a model of pydantic 2.
///
/// formd takes an empty text and null as no value, and an absent list as an empty one. The model does the same, by
/// helpers that it brings.
struct PydanticWriter {
  private var classes: [String] = []
  private var classNames: Set<String> = []
  private var helpers: Set<Helper> = []
  private var typing: Set<String> = []
  private var pydantic: Set<String> = []
  private var modules: Set<String> = []

  private enum Helper: Int, CaseIterable {
    case absent, list, object, whole, oneOf, unique, date, filled
  }

  /// The text of a module.
  static func text(of model: ExportModel) -> String {
    var writer = PydanticWriter()
    return writer.module(of: model)
  }

  private mutating func module(of model: ExportModel) -> String {
    let root = model.root
    if case .object(var object) = root.type {
      object.name = ExportReader.typeName([model.name])
      _ = define(object, title: model.title)
    } else {
      pydantic.insert("RootModel")
      let name = unusedName(ExportReader.typeName([model.name]))
      let type = type(root)
      classes.append("class \(name)(RootModel[\(type)]):\n    pass\n")
    }
    var lines = ["# Written by formctl export pydantic. The form is \(Self.comment(model.name)).", ""]
    let helperTexts = Helper.allCases.filter { helpers.contains($0) }.map { text(of: $0) }
    var standard = modules.sorted().map { "import \($0)" }
    if !typing.isEmpty { standard.append("from typing import \(typing.sorted().joined(separator: ", "))") }
    lines += standard
    if !standard.isEmpty { lines.append("") }
    lines.append("from pydantic import \(pydantic.sorted().joined(separator: ", "))")
    lines += ["", ""]
    return (lines + [(helperTexts + classes).joined(separator: "\n\n")]).joined(separator: "\n")
  }

  private static func comment(_ text: String) -> String {
    text.split(whereSeparator: \.isNewline).joined(separator: " ")
  }

  private mutating func unusedName(_ name: String) -> String {
    var candidate = name
    var number = 2
    while Self.reserved.contains(candidate) || !classNames.insert(candidate).inserted {
      candidate = "\(name)\(number)"
      number += 1
    }
    return candidate
  }

  /// Names that the module itself has.
  private static let reserved: Set<String> = [
    "Annotated", "Any", "Literal", "Optional", "TypeVar", "Union", "BaseModel", "RootModel", "Field", "ConfigDict",
    "BeforeValidator", "AfterValidator", "SecretStr", "EmailStr", "AnyUrl", "AwareDatetime", "Maybe", "Rows", "Group",
    "Day", "True", "False", "None", "T", "UUID",
  ]

  private mutating func define(_ object: ExportObject, title: String? = nil) -> String {
    let name = unusedName(object.name)
    pydantic.formUnion(["BaseModel", "ConfigDict"])
    var members: [String] = []
    var names: Set<String> = ["model_config"]
    for member in object.members { members.append(self.member(member, &names)) }
    var configuration = [
      "extra=\"\(object.isClosed ? "forbid" : "allow")\"", "populate_by_name=True", "validate_default=True",
    ]
    if let title { configuration.append("title=\(Self.literal(.string(title)))") }
    var text = "class \(name)(BaseModel):\n    model_config = ConfigDict(\(configuration.joined(separator: ", ")))\n"
    if !members.isEmpty { text += "\n" + members.map { "    \($0)\n" }.joined() }
    classes.append(text)
    return name
  }

  private mutating func member(_ member: ExportMember, _ names: inout Set<String>) -> String {
    var name = Self.attribute(member.name)
    while !names.insert(name).inserted { name += "_" }
    var arguments: [String] = []
    var type = type(member.value)
    var isFilled = false
    switch member.value.type {
    case .list where member.isRequired && !member.value.isNullable:
      need(.list)
      type = "Rows[\(type)]"
      arguments.append("default=[]")
      isFilled = true
    case .object where member.isRequired && !member.value.isNullable:
      need(.object)
      type = "Group[\(type)]"
      arguments.append("default={}")
      isFilled = true
    default:
      if !member.isRequired {
        need(.absent)
        type = "Maybe[\(type)]"
      }
    }
    if let initial = member.value.initial, !initial.isNull {
      arguments.removeAll()
      arguments.append("default=\(Self.literal(initial))")
    } else if !member.isRequired, !isFilled {
      arguments.append("default=None")
    }
    if name != member.name { arguments.append("alias=\(Self.literal(.string(member.name)))") }
    if let label = member.value.label { arguments.append("title=\(Self.literal(.string(label)))") }
    if let help = member.value.help { arguments.append("description=\(Self.literal(.string(help)))") }
    guard !arguments.isEmpty else { return "\(name): \(type)" }
    if arguments == ["default=None"] { return "\(name): \(type) = None" }
    pydantic.insert("Field")
    return "\(name): \(type) = Field(\(arguments.joined(separator: ", ")))"
  }

  // MARK: Types

  private mutating func type(_ value: ExportValue) -> String {
    let type = plainType(value)
    guard value.isNullable else { return type }
    typing.insert("Optional")
    return "Optional[\(type)]"
  }

  private mutating func annotated(_ type: String, _ arguments: [String]) -> String {
    guard !arguments.isEmpty else { return type }
    typing.insert("Annotated")
    pydantic.insert("Field")
    return "Annotated[\(type), Field(\(arguments.joined(separator: ", ")))]"
  }

  private mutating func plainType(_ value: ExportValue) -> String {
    switch value.type {
    case .text(let text): return self.text(text, value)
    case .number(let number):
      var arguments: [String] = []
      for (key, bound) in [
        ("ge", number.minimum), ("le", number.maximum), ("gt", number.exclusiveMinimum),
        ("lt", number.exclusiveMaximum),
        ("multiple_of", number.multipleOf),
      ] {
        if let bound { arguments.append("\(key)=\(Self.literal(bound))") }
      }
      if number.isInteger {
        need(.whole)
        let field = arguments.isEmpty ? "" : "Field(\(arguments.joined(separator: ", "))), "
        if !arguments.isEmpty { pydantic.insert("Field") }
        return "Annotated[int, \(field)BeforeValidator(_whole)]"
      }
      return annotated("float", ["strict=True", "allow_inf_nan=False"] + arguments)
    case .bool: return annotated("bool", ["strict=True"])
    case .null: return "None"
    case .choices(let choices):
      if !choices.isEmpty, choices.allSatisfy({ $0.stringValue != nil }) {
        typing.insert("Literal")
        return "Literal[\(choices.map(Self.literal).joined(separator: ", "))]"
      }
      need(.oneOf)
      typing.formUnion(["Annotated", "Any"])
      pydantic.insert("AfterValidator")
      return "Annotated[Any, AfterValidator(_one_of([\(choices.map(Self.literal).joined(separator: ", "))]))]"
    case .list(let list):
      var arguments: [String] = []
      if let minItems = list.minItems { arguments.append("min_length=\(minItems)") }
      if let maxItems = list.maxItems { arguments.append("max_length=\(maxItems)") }
      let type = annotated("list[\(self.type(list.element))]", arguments)
      guard list.isUnique else { return type }
      need(.unique)
      typing.insert("Annotated")
      pydantic.insert("AfterValidator")
      return "Annotated[\(type), AfterValidator(_unique)]"
    case .object(let object): return define(object)
    case .union(let values, let tag):
      typing.insert("Union")
      let types = values.map { type($0) }
      var seen: Set<String> = []
      let union = "Union[\(types.filter { seen.insert($0).inserted }.joined(separator: ", "))]"
      guard let tag, Self.attribute(tag) == tag else { return union }
      return annotated(union, ["discriminator=\(Self.literal(.string(tag)))"])
    case .any:
      typing.insert("Any")
      return "Any"
    }
  }

  private mutating func text(_ text: ExportText, _ value: ExportValue) -> String {
    let type: String
    switch text.format {
    case "email":
      pydantic.insert("EmailStr")
      type = "EmailStr"
    case "uri":
      pydantic.insert("AnyUrl")
      type = "AnyUrl"
    case "date-time":
      pydantic.insert("AwareDatetime")
      type = "AwareDatetime"
    case "date":
      need(.date)
      type = "Day"
    case "uuid":
      modules.insert("uuid")
      type = "uuid.UUID"
    case "ipv4", "ipv6":
      modules.insert("ipaddress")
      type = text.format == "ipv4" ? "ipaddress.IPv4Address" : "ipaddress.IPv6Address"
    default:
      if value.isSecret { pydantic.insert("SecretStr") }
      type = value.isSecret ? "SecretStr" : "str"
    }
    var arguments: [String] = []
    guard type == "str" || type == "EmailStr" || type == "SecretStr" else { return type }
    // An empty text counts as absent, so a text has at least one character.
    let minLength = max(text.minLength ?? 0, value.keepsEmpty || type == "EmailStr" ? 0 : 1)
    if minLength > 0 { arguments.append("min_length=\(minLength)") }
    if let maxLength = text.maxLength { arguments.append("max_length=\(maxLength)") }
    if type == "SecretStr" {
      guard let pattern = text.patterns.first else { return annotated(type, arguments) }
      // A secret has no pattern of its own, so the text is judged before it becomes one.
      modules.insert("re")
      typing.insert("Annotated")
      pydantic.insert("BeforeValidator")
      need(.filled)
      return
        "Annotated[\(annotated(type, arguments)), BeforeValidator(_matching(\(Self.literal(.string(Self.pattern(pattern))))))]"
    }
    if let pattern = text.patterns.first { arguments.append("pattern=\(Self.literal(.string(Self.pattern(pattern))))") }
    var result = annotated(type, arguments)
    for pattern in text.patterns.dropFirst() {
      result = annotated(result, ["pattern=\(Self.literal(.string(Self.pattern(pattern))))"])
    }
    return result
  }

  /// Whether pydantic can use the pattern: its regular expressions have no look-around and no references.
  static func canMatch(_ pattern: String) -> Bool {
    !["(?=", "(?!", "(?<", "\\1", "\\2", "\\3", "\\c", "\\k"].contains { pattern.contains($0) }
  }

  /// In ECMA-262, `\d` and `\w` mean characters of ASCII only.
  static func pattern(_ pattern: String) -> String {
    var result = ""
    var isInClass = false
    var characters = pattern.makeIterator()
    while let character = characters.next() {
      switch character {
      case "\\":
        guard let next = characters.next() else { return result + "\\" }
        switch next {
        case "d": result += isInClass ? "0-9" : "[0-9]"
        case "w": result += isInClass ? "A-Za-z0-9_" : "[A-Za-z0-9_]"
        case "D" where !isInClass: result += "[^0-9]"
        case "W" where !isInClass: result += "[^A-Za-z0-9_]"
        case "/": result += "/"
        default: result += "\\\(next)"
        }
      case "[":
        // Rust reads a bracket inside a class as another class.
        result += isInClass ? "\\[" : "["
        isInClass = true
      case "]":
        isInClass = false
        result += "]"
      default: result.append(character)
      }
    }
    return result
  }

  // MARK: Python

  private static let keywords: Set<String> = [
    "False", "None", "True", "and", "as", "assert", "async", "await", "break", "class", "continue", "def", "del",
    "elif",
    "else", "except", "finally", "for", "from", "global", "if", "import", "in", "is", "lambda", "nonlocal", "not", "or",
    "pass", "raise", "return", "try", "while", "with", "yield", "match", "case", "type",
    // Names that annotations in the class use.
    "str", "int", "float", "bool", "list", "dict", "datetime", "uuid", "ipaddress", "re",
    // Members of BaseModel.
    "copy", "json", "dict", "schema", "schema_json", "construct", "validate", "fields", "parse_obj", "parse_raw",
    "parse_file", "from_orm", "update_forward_refs",
  ]

  /// The name of an attribute for a member.
  static func attribute(_ name: String) -> String {
    var result = ""
    for character in name {
      result +=
        character.isASCII && (character.isLetter || character.isNumber) || character == "_" ? String(character) : "_"
    }
    while result.hasPrefix("_") { result.removeFirst() }
    if result.isEmpty || result.first?.isNumber == true { result = "field_" + result }
    if result.hasPrefix("model_") || keywords.contains(result) || reserved.contains(result) { result += "_" }
    return result
  }

  /// A constant of Python.
  static func literal(_ value: JSON) -> String {
    switch value {
    case .null: return "None"
    case .bool(let value): return value ? "True" : "False"
    case .integer, .real, .decimal: return value.description
    // Every escape of JSON is one of Python, too, except the slash, which the writer does not escape.
    case .string: return value.description
    case .array(let elements): return "[\(elements.map(literal).joined(separator: ", "))]"
    case .object(let members):
      return "{\(members.map { "\(literal(.string($0.name))): \(literal($0.value))" }.joined(separator: ", "))}"
    }
  }

  private mutating func need(_ helper: Helper) {
    helpers.insert(helper)
    switch helper {
    case .absent, .list, .object:
      typing.formUnion(["Annotated", "TypeVar"])
      if helper == .absent { typing.insert("Optional") }
      pydantic.insert("BeforeValidator")
    case .whole:
      typing.insert("Annotated")
      pydantic.insert("BeforeValidator")
    case .date:
      typing.insert("Annotated")
      pydantic.insert("BeforeValidator")
      modules.formUnion(["datetime", "re"])
    case .oneOf, .unique, .filled: break
    }
  }

  private func text(of helper: Helper) -> String {
    switch helper {
    case .absent:
      """
      T = TypeVar("T")


      def _absent(value):
          \"""An empty text is no value.\"""
          return None if value == "" else value


      Maybe = Annotated[Optional[T], BeforeValidator(_absent)]

      """
    case .list:
      """
      R = TypeVar("R")


      def _rows(value):
          \"""A list without a value is an empty list.\"""
          return [] if value is None or value == "" else value


      Rows = Annotated[R, BeforeValidator(_rows)]

      """
    case .object:
      """
      G = TypeVar("G")


      def _group(value):
          \"""A required group without a value is a group of empty fields.\"""
          return {} if value is None or value == "" else value


      Group = Annotated[G, BeforeValidator(_group)]

      """
    case .whole:
      """
      def _whole(value):
          \"""A whole number, which JSON may write as 1.0.\"""
          if isinstance(value, bool) or not isinstance(value, (int, float)):
              raise ValueError("not a whole number")
          return value

      """
    case .oneOf:
      """
      def _one_of(choices):
          \"""One of the choices, with its type: 1 is not true.\"""
          def check(value):
              for choice in choices:
                  if value == choice and isinstance(value, bool) == isinstance(choice, bool):
                      return value
              raise ValueError("not one of the choices")
          return check

      """
    case .unique:
      """
      def _unique(values):
          \"""No element twice.\"""
          for index, value in enumerate(values):
              if value in values[:index]:
                  raise ValueError("the elements are not unique")
          return values

      """
    case .date:
      """
      def _day(value):
          \"""A date of RFC 3339.\"""
          if isinstance(value, str) and not re.fullmatch("[0-9]{4}-[0-9]{2}-[0-9]{2}", value, re.ASCII):
              raise ValueError("not a date")
          if isinstance(value, (int, float, datetime.datetime)):
              raise ValueError("not a date")
          return value


      Day = Annotated[datetime.date, BeforeValidator(_day)]

      """
    case .filled:
      """
      def _matching(pattern):
          \"""A text that the pattern matches somewhere.\"""
          def check(value):
              if isinstance(value, str) and not re.search(pattern, value):
                  raise ValueError("the text does not match the pattern")
              return value
          return check

      """
    }
  }
}
