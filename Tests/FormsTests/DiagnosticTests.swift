import Forms
import JSON
internal import SourceTexts
import Testing

/// Compiles a definition that is written in several lines, so that positions can be named.
private func diagnostics(of text: String, capabilities: FormCapabilities = .all) -> [Diagnostic] {
  Form.compile(Array(text.utf8), file: "t.form.json", capabilities: capabilities).diagnostics
}

/// A mistake, and the diagnostic that it must cause.
struct Mistake: Sendable, CustomTestStringConvertible {
  let what: String
  let text: String
  let code: String
  let position: String
  let pointer: String
  /// Parts that the message and the remedy must contain.
  var says: [String] = []

  var testDescription: String { what }
}

@Suite struct `Diagnostics of a definition` {
  static let mistakes: [Mistake] = [
    Mistake(
      what: "an unknown key, with the closest known one",
      text: """
        {"form": "t", "schema": {"type": "object", "properties": {"a": {}}},
         "fields": {"a": {
           "lable": "A"}}}
        """,
      code: "unknownKey",
      position: "3:4",
      pointer: "/fields/a/lable",
      says: ["field \"a\" has no \"lable\"", "did you mean \"label\"?"]
    ),
    Mistake(
      what: "an unknown key that is close to none",
      text: """
        {"form": "t", "schema": {"type": "object", "properties": {"a": {}}},
         "zzzzzz": 1}
        """,
      code: "unknownKey",
      position: "2:2",
      pointer: "/zzzzzz",
      says: ["its members are: form, version, title, locale"]
    ),
    Mistake(
      what: "a lookup at an address that leads to no row",
      text: """
        {"form": "t", "schema": {"type": "object", "properties": {"a": {"type": "array", "items": {"type": "object", "properties": {"b": {}}}}}},
         "lookups": {
           "/a/price": {"run": {"provider": {"name": "p"}}}}}
        """,
      code: "unknownField",
      position: "3:4",
      pointer: "/lookups/~1a~1price",
      says: ["the lookup \"/a/price\" is not in a row", "the rows are /a/*"]
    ),
    Mistake(
      what: "a lookup that asks nobody",
      text: """
        {"form": "t", "schema": {"type": "object", "properties": {"a": {}}},
         "lookups": {
           "cities": {}}}
        """,
      code: "missingKey",
      position: "3:14",
      pointer: "/lookups/cities",
      says: ["lookup \"cities\" lacks \"run\""]
    ),
    Mistake(
      what: "a member that a lookup does not have",
      text: """
        {"form": "t", "schema": {"type": "object", "properties": {"a": {}}},
         "lookups": {"cities": {"run": {"provider": {"name": "p"}}}},
         "outputs": {
           "o": "lookups.cities.result"}}
        """,
      code: "expression",
      position: "4:10",
      pointer: "/outputs/o",
      says: ["lookups.cities"]
    ),
    Mistake(
      what: "lookups that read each other",
      text: """
        {"form": "t", "schema": {"type": "object", "properties": {"a": {}}},
         "lookups": {
           "x": {"run": {"provider": {"name": "p", "arguments": {"v": "lookups.y.value"}}}},
           "y": {"run": {"provider": {"name": "p", "arguments": {"v": "lookups.x.value"}}}}}}
        """,
      code: "cycle",
      position: "3:63",
      pointer: "/lookups/x/run/provider/arguments/v",
      says: ["lookups.x", "lookups.y"]
    ),
    Mistake(
      what: "a schema in the place of a form",
      text: """
        {"type": "object", "properties": {"a": {}}}
        """,
      code: "isSchema",
      position: "1:1",
      pointer: "",
      says: ["this is a JSON Schema", "formctl schema check"]
    ),
    Mistake(
      what: "a title for a choice that the schema does not have",
      text: """
        {"form": "t", "schema": {"type": "object", "properties": {"a": {"enum": ["bug", "idea"]}}},
         "fields": {"a": {"options": {
           "bag": "A bag"}}}}
        """,
      code: "unknownOption",
      position: "3:4",
      pointer: "/fields/a/options/bag",
      says: ["the schema of \"a\" has no choice \"bag\"", "did you mean \"bug\"?"]
    ),
    Mistake(
      what: "titles for the choices of a list at the list",
      text: """
        {"form": "t", "schema": {"properties": {"a": {"type": "array", "items": {"enum": ["bug", "idea"]}}}},
         "fields": {"a": {"options": {
           "bug": "A bug"}}}}
        """,
      code: "unknownOption",
      position: "3:4",
      pointer: "/fields/a/options/bug",
      says: ["the schema of \"a\" has no choice \"bug\"", "at the elements of the list: \"/a/*\""]
    ),
    Mistake(
      what: "a computed object",
      text: """
        {"form": "t", "schema": {"properties": {"a": {"type": "object", "properties": {"b": {}}}}},
         "fields": {"a": {
           "computed": "{'b': 1}"}}}
        """,
      code: "conflict",
      position: "3:4",
      pointer: "/fields/a/computed",
      says: ["has fields below it", "write \"computed\" at the fields below"]
    ),
    Mistake(
      what: "a suggested row",
      text: """
        {"form": "t", "schema": {"properties": {"a": {"type": "array", "items": {"type": "string"}}}},
         "fields": {"/a/*": {
           "suggested": "'x'"}}}
        """,
      code: "conflict",
      position: "3:4",
      pointer: "/fields/~1a~1*/suggested",
      says: ["is a whole row"]
    ),
    Mistake(
      what: "a computed field with a debounce",
      text: """
        {"form": "t", "schema": {"properties": {"a": {"type": "string"}}},
         "fields": {"a": {"debounce": "1s",
           "computed": "'x'"}}}
        """,
      code: "conflict",
      position: "3:4",
      pointer: "/fields/a/computed",
      says: ["takes no input that could be held back"]
    ),
    Mistake(
      what: "a computed key of rows",
      text: """
        {"form": "t", "schema": {"properties": {"a": {"type": "array", "items": {"properties": {"k": {"type": "integer"}}}}}},
         "fields": {"a": {"key": "k"}, "/a/*/k": {
           "computed": "index"}}}
        """,
      code: "conflict",
      position: "3:4",
      pointer: "/fields/~1a~1*~1k/computed",
      says: ["is the key that identifies rows"]
    ),
    Mistake(
      what: "a field that is computed and suggested",
      text: """
        {"form": "t", "schema": {"properties": {"a": {"type": "string"}}},
         "fields": {"a": {"computed": "'x'",
           "suggested": "'y'"}}}
        """,
      code: "conflict",
      position: "3:4",
      pointer: "/fields/a/suggested",
      says: ["both \"computed\" and \"suggested\"", "keep one of them"]
    ),
    Mistake(
      what: "a field that its own part resets",
      text: """
        {"form": "t", "schema": {"properties": {"a": {"properties": {"b": {"type": "string"}}}}},
         "fields": {"a": {"resetOn": [
           "/a/b"]}}}
        """,
      code: "conflict",
      position: "3:4",
      pointer: "/fields/a/resetOn/0",
      says: ["a change of \"/a/b\" changes \"a\" itself", "neither inside nor around it"]
    ),
    Mistake(
      what: "a field outside of rows that a row's field resets",
      text: """
        {"form": "t", "schema": {"properties": {"a": {"type": "array", "items": {"properties": {"n": {}}}}, "b": {}}},
         "fields": {"b": {"resetOn": [
           "/a/*/n"]}}}
        """,
      code: "inRow",
      position: "3:4",
      pointer: "/fields/b/resetOn/0",
      says: ["\"b\" is not in such a row", "name the list, \"a\""]
    ),
    Mistake(
      what: "a computed field that is reset",
      text: """
        {"form": "t", "schema": {"properties": {"a": {"type": "string"}, "b": {"type": "string"}}},
         "fields": {"b": {"computed": "values.a", "resetWhen":
           "values.a"}}}
        """,
      code: "conflict",
      position: "3:4",
      pointer: "/fields/b/resetWhen",
      says: ["has the value of its formula in any case"]
    ),
    Mistake(
      what: "a field that an unknown field resets",
      text: """
        {"form": "t", "schema": {"properties": {"country": {"type": "string"}, "b": {"type": "string"}}},
         "fields": {"b": {"resetOn": [
           "countri"]}}}
        """,
      code: "unknownField",
      position: "3:4",
      pointer: "/fields/b/resetOn/0",
      says: ["no property \"countri\"", "country"]
    ),
    Mistake(
      what: "a read-only field that is cleared",
      text: """
        {"form": "t", "schema": {"properties": {"a": {"type": "string", "readOnly": true}}},
         "fields": {"a": {
           "whenHidden": "clear"}}}
        """,
      code: "conflict",
      position: "3:4",
      pointer: "/fields/a/whenHidden",
      says: ["is read-only", "leave it out"]
    ),
    Mistake(
      what: "a group of fields in different rows",
      text: """
        {"form": "t", "schema": {"properties": {"a": {"type": "array", "items": {"properties": {"n": {}}}}, "b": {}}},
         "rules": [{"id": "r", "exactlyOne": ["b",
           "/a/*/n"]}]}
        """,
      code: "inRow",
      position: "3:4",
      pointer: "/rules/0/exactlyOne/1",
      says: ["are not in the same row", "fields of one row"]
    ),
    Mistake(
      what: "a group with a field twice",
      text: """
        {"form": "t", "schema": {"properties": {"a": {}, "b": {}}},
         "rules": [{"id": "r", "allOrNone": ["a", "b",
           "/a"]}]}
        """,
      code: "conflict",
      position: "3:4",
      pointer: "/rules/0/allOrNone/2",
      says: ["are one value, or one is inside the other"]
    ),
    Mistake(
      what: "a group with an unknown field",
      text: """
        {"form": "t", "schema": {"properties": {"email": {}, "phone": {}}},
         "rules": [{"id": "r", "atLeastOne": ["phone",
           "emial"]}]}
        """,
      code: "unknownField",
      position: "3:4",
      pointer: "/rules/0/atLeastOne/1",
      says: ["no property \"emial\"", "email"]
    ),
    Mistake(
      what: "a group with a condition that names nothing",
      text: """
        {"form": "t", "schema": {"properties": {"a": {}, "b": {}, "c": {}}},
         "rules": [{"id": "r", "allOrNone": ["a", "b", "c"], "when":
           "values.d"}]}
        """,
      code: "expression",
      position: "3:5",
      pointer: "/rules/0/when",
      says: ["values.d"]
    ),
    Mistake(
      what: "a rule that asks nothing",
      text: """
        {"form": "t", "schema": {"properties": {"a": {}}}, "rules": [
           {"id": "r"}]}
        """,
      code: "missingKey",
      position: "2:4",
      pointer: "/rules/0",
      says: ["lacks \"check\"", "\"exactlyOne\", \"atLeastOne\", \"atMostOne\", \"allOrNone\""]
    ),
    Mistake(
      what: "a cleared value that decides whether its row is shown",
      text: """
        {"form": "t", "schema": {"properties": {"a": {"type": "array", "items": {"properties": {"gone": {"type": "boolean"}}}}}},
         "fields": {"/a/*": {"visible": "!row.gone"}, "/a/*/gone": {
           "whenHidden": "clear"}}}
        """,
      code: "conflict",
      position: "3:4",
      pointer: "/fields/~1a~1*~1gone/whenHidden",
      says: ["decides whether its row is shown", "leave it out"]
    ),
    Mistake(
      what: "values that are computed from each other",
      text: """
        {"form": "t", "schema": {"properties": {"a": {"type": "integer"}, "b": {"type": "integer"}}},
         "fields": {"a": {"computed":
           "values.b + 1"}, "b": {"suggested": "values.a"}}}
        """,
      code: "cycle",
      position: "3:4",
      pointer: "/fields/a/computed",
      says: ["fields.a.computed -> values.b -> fields.b.suggested -> values.a -> fields.a.computed"]
    ),
    Mistake(
      what: "a row's value that is computed from all rows",
      text: """
        {"form": "t", "schema": {"properties": {"a": {"type": "array", "items": {"properties": {"n": {"type": "integer"}}}}}},
         "fields": {"/a/*/n": {"computed":
           "size(values.a)"}}}
        """,
      code: "cycle",
      position: "3:4",
      pointer: "/fields/~1a~1*~1n/computed",
      says: ["fields['/a/*/n'].computed"]
    ),
    Mistake(
      what: "a value that tells a secret",
      text: """
        {"form": "t", "schema": {"properties": {"a": {"type": "string", "maxLength": 9}, "s": {"type": "string", "maxLength": 9, "writeOnly": true}}},
         "fields": {"a": {"computed":
           "values.s"}}}
        """,
      code: "secret",
      position: "3:4",
      pointer: "/fields/a/computed",
      says: ["reads a secret"]
    ),
    Mistake(
      what: "a pattern that cannot be read, at its place",
      text: """
        {"form": "t", "schema": {"type": "object", "properties": {"a": {"type": "string"}}},
         "fields": {"a": {"normalize": [{
           "remove": "ab[c"}]}}}
        """,
      code: "pattern",
      position: "3:17",
      pointer: "/fields/a/normalize/0/remove",
      says: ["the regular expression cannot be used", "RE2"]
    ),
    Mistake(
      what: "texts that are to be read where the schema asks for texts",
      text: """
        {"form": "t", "schema": {"type": "object", "properties": {"a": {"type": "string"}}},
         "fields": {"a": {
           "coerce": true}}}
        """,
      code: "conflict",
      position: "3:4",
      pointer: "/fields/a/coerce",
      says: ["the schema of \"a\" has no number or boolean type", "integer, number or boolean"]
    ),
    Mistake(
      what: "a field that reads numbers, and whose schema asks for texts",
      text: """
        {"form": "t", "schema": {"type": "object", "properties": {"a": {"type": "string"}}},
         "fields": {"a": {
           "read": "number"}}}
        """,
      code: "conflict",
      position: "3:4",
      pointer: "/fields/a/read",
      says: ["does not ask for what \"read\": \"number\" gives", "\"type\": \"number\" or \"integer\""]
    ),
    Mistake(
      what: "a field that reads and coerces",
      text: """
        {"form": "t", "schema": {"type": "object", "properties": {"a": {"type": "number"}}},
         "fields": {"a": {"coerce": true,
           "read": "number"}}}
        """,
      code: "conflict",
      position: "3:4",
      pointer: "/fields/a/read",
      says: ["both \"coerce\" and \"read\"", "keep one of them"]
    ),
    Mistake(
      what: "a pattern of dates with letters that have no meaning",
      text: """
        {"form": "t", "schema": {"type": "object", "properties": {"a": {"type": "string", "format": "date"}}},
         "fields": {"a": {"read": {"date": [
           "DD.MM.YYYY"]}}}}
        """,
      code: "pattern",
      position: "3:4",
      pointer: "/fields/a/read/date/0",
      says: ["this is not a pattern of a date", "as in \"dd.MM.yyyy\""]
    ),
    Mistake(
      what: "two ways to read numbers",
      text: """
        {"form": "t", "schema": {"type": "object", "properties": {"a": {"type": "number"}}},
         "read": ["number",
           "percent"]}
        """,
      code: "conflict",
      position: "3:4",
      pointer: "/read/1",
      says: ["says twice how numbers are read", "keep one of them"]
    ),
    Mistake(
      what: "a currency that does not exist",
      text: """
        {"form": "t", "schema": {"type": "object", "properties": {"a": {"type": "number"}}},
         "fields": {"a": {"read": {"currency": {"code":
           "EURO"}}}}}
        """,
      code: "unknownValue",
      position: "3:4",
      pointer: "/fields/a/read/currency/code",
      says: ["\"EURO\" is not the code of a currency", "such as \"EUR\""]
    ),
    Mistake(
      what: "a title for a choice of a field that has none",
      text: """
        {"form": "t", "schema": {"type": "object", "properties": {"a": {}}},
         "fields": {"a": {"options": {
           "bug": "A bug"}}}}
        """,
      code: "unknownOption",
      position: "3:4",
      pointer: "/fields/a/options/bug",
      says: ["name the values in the schema"]
    ),
    Mistake(
      what: "a name with a dot that is written as a way",
      text: """
        {"form": "t", "schema": {"type": "object", "properties": {"a.b": {}}},
         "outputs": {"o": "values.a.b"}}
        """,
      code: "expression",
      position: "2:20",
      pointer: "/outputs/o",
      says: ["unknown name 'values.a.b'", "did you mean 'values['a.b']'?"]
    ),
    Mistake(
      what: "a step with a field that is none",
      text: """
        {"form": "t", "schema": {"type": "object", "properties": {"email": {}}},
         "steps": [{"id": "one", "fields": [
           "emial"]}]}
        """,
      code: "unknownField",
      position: "3:4",
      pointer: "/steps/0/fields/0",
      says: ["no property \"emial\"", "did you mean \"email\"?"]
    ),
    Mistake(
      what: "a field in two steps",
      text: """
        {"form": "t", "schema": {"type": "object", "properties": {"a": {}}},
         "steps": [{"id": "one", "fields": ["a"]}, {"id": "two", "fields": ["/a"]}]}
        """,
      code: "duplicateField",
      position: "2:69",
      pointer: "/steps/1/fields/0",
      says: ["\"/a\" is in the step \"one\" already, through \"a\""]
    ),
    Mistake(
      what: "a field in two steps, once by what is around it",
      text: """
        {"form": "t", "schema": {"type": "object", "properties": {"a": {"properties": {"b": {}}}}},
         "steps": [{"id": "one", "fields": ["/a/b", "a"]}]}
        """,
      code: "duplicateField",
      position: "2:37",
      pointer: "/steps/0/fields/0",
      says: ["\"/a/b\" is in the step \"one\" already, through \"a\""]
    ),
    Mistake(
      what: "an id of two steps",
      text: """
        {"form": "t", "schema": {"type": "object", "properties": {"a": {}}},
         "steps": [{"id": "one", "fields": []}, {"id": "one", "fields": []}]}
        """,
      code: "duplicateId",
      position: "2:48",
      pointer: "/steps/1/id",
      says: ["the id \"one\" is used twice"]
    ),
    Mistake(
      what: "a step that has the name of a scope",
      text: """
        {"form": "t", "schema": {"type": "object", "properties": {"a": {}}},
         "steps": [{"id": "none", "fields": []}]}
        """,
      code: "reservedId",
      position: "2:19",
      pointer: "/steps/0/id",
      says: ["cannot have the id \"none\""]
    ),
    Mistake(
      what: "a scope that is no step",
      text: """
        {"form": "t", "schema": {"type": "object", "properties": {"a": {}}},
         "steps": [{"id": "account", "fields": ["a"]}],
         "actions": {"next": {"scope": "acount"}}}
        """,
      code: "unknownStep",
      position: "3:32",
      pointer: "/actions/next/scope",
      says: ["there is no step \"acount\"", "did you mean \"account\"?"]
    ),
    Mistake(
      what: "a scope that names a field of rows",
      text: """
        {"form": "t", "schema": {"type": "object", "properties": {"l": {"items": {"properties": {"a": {}}}}}},
         "actions": {"next": {"scope": ["/l/*/a"]}}}
        """,
      code: "inRow",
      position: "2:33",
      pointer: "/actions/next/scope/0",
      says: ["is in each row of a list", "name the list, \"l\""]
    ),
    Mistake(
      what: "a formula that reads a step that is none",
      text: """
        {"form": "t", "schema": {"type": "object", "properties": {"a": {}}},
         "steps": [{"id": "account", "fields": ["a"]}],
         "outputs": {"o": "steps.acount.isValid"}}
        """,
      code: "expression",
      position: "3:20",
      pointer: "/outputs/o",
      says: ["steps.account.isValid"]
    ),
    Mistake(
      what: "a circle through what a keyword says of a field that stands deeper",
      text: """
        {"form": "t", "schema": {"type": "object", "properties": {"a": {"type": "string"},
          "b": {"type": "object", "properties": {"c": {"type": "string"}}}},
          "if": {"required": ["a"]}, "then": {"properties": {"b": {"properties": {"c": {"minLength": 5}}}}}},
         "fields": {"a": {"visible": "fields['/b/c'].isValid"}}}
        """,
      code: "cycle",
      position: "4:30",
      pointer: "/fields/a/visible",
      says: ["fields['/b/c'].isValid"]
    ),
    Mistake(
      what: "a step that is shown while one of its fields is valid",
      text: """
        {"form": "t", "schema": {"type": "object", "properties": {"a": {}}},
         "steps": [{"id": "one", "fields": ["a"],
           "visible": "fields.a.isValid"}]}
        """,
      code: "cycle",
      position: "3:15",
      pointer: "/steps/0/visible",
      says: ["steps.one.visible", "fields.a.visible"]
    ),
    Mistake(
      what: "a required name that is no property",
      text: """
        {"form": "t", "schema": {"type": "object", "properties": {"email": {}},
         "required": ["email",
           "emial"]}}
        """,
      code: "unknownField",
      position: "3:4",
      pointer: "/schema/required/1",
      says: ["the schema requires \"emial\"", "did you mean \"email\"?"]
    ),
    Mistake(
      what: "a required name that is no property, behind allOf",
      text: """
        {"form": "t", "schema": {"type": "object", "properties": {"a": {}},
         "allOf": [{"required": ["zzzzzz"]}]}}
        """,
      code: "unknownField",
      position: "2:26",
      pointer: "/schema/allOf/0/required/0",
      says: ["the properties are: a"]
    ),
    Mistake(
      what: "a wrong type",
      text: """
        {"form": "t", "schema": {"type": "object", "properties": {"a": {}}},
         "fields": {"a": {"label": 7}}}
        """,
      code: "wrongType",
      position: "2:28",
      pointer: "/fields/a/label",
      says: ["must be a text, or an object from locale to text", "a number"]
    ),
    Mistake(
      what: "no schema",
      text: """
        {"form": "t"}
        """,
      code: "missingKey",
      position: "1:1",
      pointer: "",
      says: ["lacks \"schema\"", "its properties are the form's fields"]
    ),
    Mistake(
      what: "a schema without properties",
      text: """
        {"form": "t", "schema": {"type": "object"}}
        """,
      code: "fields",
      position: "1:25",
      pointer: "/schema",
      says: ["no top-level properties"]
    ),
    Mistake(
      what: "a block for a field that has one under another name",
      text: """
        {"form": "t", "schema": {"type": "object", "properties": {"a": {}}},
         "fields": {"/a": {},
          "a": {}}}
        """,
      code: "duplicateField",
      position: "3:3",
      pointer: "/fields/a",
      says: ["the field \"a\" is defined twice", "\"/a\" and \"a\" are the same address"]
    ),
    Mistake(
      what: "a block for a place deep below a name that is wrong",
      text: """
        {"form": "t", "schema": {"type": "object", "properties": {"address": {"properties": {"city": {}}}}},
         "fields": {"/adress/some/where/else": {}}}
        """,
      code: "unknownField",
      position: "2:13",
      pointer: "/fields/~1adress~1some~1where~1else",
      says: ["did you mean \"address\"?"]
    ),
    Mistake(
      what: "a block for no name at all",
      text: """
        {"form": "t", "schema": {"type": "object", "properties": {"a": {}}},
         "fields": {"/": {}}}
        """,
      code: "unknownField",
      position: "2:13",
      pointer: "/fields/~1",
      says: ["its fields are: a"]
    ),
    Mistake(
      what: "a block for a field that the schema does not have",
      text: """
        {"form": "t", "schema": {"type": "object", "properties": {"email": {}}},
         "fields": {
           "emial": {}}}
        """,
      code: "unknownField",
      position: "3:4",
      pointer: "/fields/emial",
      says: ["no property \"emial\"", "did you mean \"email\"?"]
    ),
    Mistake(
      what: "a rule of an unknown field",
      text: """
        {"form": "t", "schema": {"type": "object", "properties": {"email": {}}},
         "rules": [{"id": "r", "field": "name", "check": "true"}]}
        """,
      code: "unknownField",
      position: "2:33",
      pointer: "/rules/0/field",
      says: ["its fields are: email"]
    ),
    Mistake(
      what: "an expression that does not parse, with line, column and caret",
      text: """
        {"form": "t", "schema": {"type": "object", "properties": {"a": {"type": "string"}}},
         "rules": [{"id": "r", "field": "a",
           "check": "self == "}]}
        """,
      code: "expression",
      position: "3:22",
      pointer: "/rules/0/check",
      says: ["self ==", "        ^"]
    ),
    Mistake(
      what: "an unknown name in an expression, with the caret below it",
      text: """
        {"form": "t", "schema": {"type": "object", "properties": {"email": {"type": "string"}}},
         "outputs": {"o": "1 + values.emial"}}
        """,
      code: "expression",
      position: "2:24",
      pointer: "/outputs/o",
      says: ["emial", "email", "    ^"]
    ),
    Mistake(
      what: "a place behind an escape in a text",
      text: #"""
        {"form": "t", "schema": {"type": "object", "properties": {"a": {"type": "string"}}},
         "outputs": {"o": "\"\u00e9\" == nix"}}
        """#,
      code: "expression",
      position: "2:34",
      pointer: "/outputs/o",
      says: ["nix"]
    ),
    Mistake(
      what: "a wrong type in an expression",
      text: """
        {"form": "t", "schema": {"type": "object", "properties": {"a": {"type": "string"}}},
         "rules": [{"id": "r", "field": "a", "check": "self + 'x'"}]}
        """,
      code: "expression",
      position: "2:53",
      pointer: "/rules/0/check",
      says: ["bool", "string"]
    ),
    Mistake(
      what: "an expression that is no text",
      text: """
        {"form": "t", "schema": {"type": "object", "properties": {"a": {"type": "string"}}},
         "outputs": {"o": 7}}
        """,
      code: "wrongType",
      position: "2:19",
      pointer: "/outputs/o",
      says: ["CEL expression in a text", "'like this'"]
    ),
    Mistake(
      what: "a circle, with its path",
      text: """
        {"form": "t", "schema": {"type": "object", "properties": {"a": {}, "b": {}}},
         "outputs": {"x": "outputs.y == 1",
           "y": "outputs.x == true"}}
        """,
      code: "cycle",
      position: "2:19",
      pointer: "/outputs/x",
      says: ["outputs.x -> outputs.y -> outputs.x"]
    ),
    Mistake(
      what: "a circle through an output of rows, each cell once",
      text: """
        {"form": "t", "schema": {"type": "object", "properties": {
           "items": {"type": "array", "maxItems": 5, "items": {"type": "object", "properties": {"p": {"type": "number"}}}}}},
         "outputs": {"/items/*/net": "outputs.total > 1.0 ? outputs.total : 1.0",
           "total": "outputs['/items/*/net'].map(n, double(n)).sum()"}}
        """,
      code: "cycle",
      position: "4:13",
      pointer: "/outputs/total",
      says: ["in a circle: outputs.total -> outputs['/items/*/net'] -> outputs.total"]
    ),
    Mistake(
      what: "a field that is hidden by its own validity",
      text: """
        {"form": "t", "schema": {"type": "object", "properties": {"a": {}}},
         "fields": {"a": {"visible": "fields.a.isValid"}}}
        """,
      code: "cycle",
      position: "2:30",
      pointer: "/fields/a/visible",
      says: ["fields.a.visible", "fields.a.isValid"]
    ),
    Mistake(
      what: "a secret that would get out",
      text: """
        {"form": "t", "schema": {"type": "object", "properties": {"p": {"type": "string", "writeOnly": true}}},
         "outputs": {"o": "values.p + '!'"}}
        """,
      code: "secret",
      position: "2:19",
      pointer: "/outputs/o",
      says: ["reads a secret", "type string", "of type bool"]
    ),
    Mistake(
      what: "a message made of a secret",
      text: """
        {"form": "t", "schema": {"type": "object", "properties": {"p": {"type": "string"}}},
         "fields": {"p": {"secret": true}},
         "rules": [{"id": "r", "field": "p", "check": "self == 'x'", "messageExpression": "self"}]}
        """,
      code: "secret",
      position: "3:83",
      pointer: "/rules/0/messageExpression"
    ),
    Mistake(
      what: "a formula that is too costly within the bounds of the schema, with the remedy",
      text: """
        {"form": "t", "schema": {"type": "object", "properties": {"a": {"type": "array", "items": {"type": "integer"}, "maxItems": 1000}}},
         "rules": [{"id": "r", "check": "values.a.all(x, values.a.all(y, values.a.all(z, x + y + z != 7)))"}]}
        """,
      code: "cost",
      position: "2:33",
      pointer: "/rules/0/check",
      says: ["steps", "give \"a\" a \"maxItems\" of "]
    ),
    Mistake(
      what: "a name that no element of a list has",
      text: """
        {"form": "t", "schema": {"type": "object", "properties": {"items": {"type": "array", "items": {"type": "object", "properties": {
           "quantity": {"type": "integer"}}}}}},
         "outputs": {"o": "values.items.map(i, i.quantty)"}}
        """,
      code: "expression",
      position: "3:42",
      pointer: "/outputs/o",
      says: ["unknown name 'i.quantty'; did you mean 'i.quantity'?"]
    ),
    Mistake(
      what: "a slip in the name of the answer",
      text: """
        {"form": "t", "schema": {"type": "object", "properties": {"a": {}}},
         "actions": {"go": {"run": {"provider": {"name": "p"}}, "outcomes": [{"when": "respons.status == 200", "success": "1"}, {"failure": "'x'"}]}}}
        """,
      code: "expression",
      position: "2:80",
      pointer: "/actions/go/outcomes/0/when",
      says: ["unknown name 'respons.status'; did you mean 'response.status'?"]
    ),
    Mistake(
      what: "an id that stands twice",
      text: """
        {"form": "t", "schema": {"type": "object", "properties": {"a": {}}},
         "rules": [{"id": "r", "check": "true"},
                   {"id": "r", "check": "true"}]}
        """,
      code: "duplicateId",
      position: "3:19",
      pointer: "/rules/1/id",
      says: ["\"r\" is used twice", "unique"]
    ),
    Mistake(
      what: "a duration that is none",
      text: """
        {"form": "t", "schema": {"type": "object", "properties": {"a": {}}},
         "fields": {"a": {"debounce": "300"}}}
        """,
      code: "duration",
      position: "2:31",
      pointer: "/fields/a/debounce",
      says: ["\"300\"", "\"300ms\""]
    ),
    Mistake(
      what: "a throttle beside a debounce",
      text: """
        {"form": "t", "schema": {"type": "object", "properties": {"a": {}}},
         "fields": {"a": {"throttle": "1s", "debounce": "1s"}}}
        """,
      code: "conflict",
      position: "2:37",
      pointer: "/fields/a/debounce",
      says: ["both", "keep one"]
    ),
    Mistake(
      what: "a last outcome with a condition",
      text: """
        {"form": "t", "schema": {"type": "object", "properties": {"a": {}}},
         "actions": {"go": {"outcomes": [{"when": "true", "success": "1"}]}}}
        """,
      code: "outcomes",
      position: "2:35",
      pointer: "/actions/go/outcomes/0/when",
      says: ["last outcome", "'unexpected'"]
    ),
    Mistake(
      what: "an outcome that is never reached",
      text: """
        {"form": "t", "schema": {"type": "object", "properties": {"a": {}}},
         "actions": {"go": {"outcomes": [{"success": "1"}, {"failure": "2"}]}}}
        """,
      code: "outcomes",
      position: "2:34",
      pointer: "/actions/go/outcomes/0",
      says: ["never reached"]
    ),
    Mistake(
      what: "a pattern in the schema that is none",
      text: """
        {"form": "t", "schema": {"type": "object", "properties": {"a": {
           "pattern": "(a"}}}}
        """,
      code: "schema",
      position: "2:15",
      pointer: "/schema/properties/a/pattern"
    ),
    Mistake(
      what: "a keyword of the schema with a wrong value",
      text: """
        {"form": "t", "schema": {"type": "object", "properties": {"a": {
           "minLength": "3"}}}}
        """,
      code: "schema",
      position: "2:17",
      pointer: "/schema/properties/a/minLength"
    ),
    Mistake(
      what: "an unknown policy",
      text: """
        {"form": "t", "schema": {"type": "object", "properties": {"a": {}}},
         "fields": {"a": {"show": "blurr"}}}
        """,
      code: "unknownValue",
      position: "2:27",
      pointer: "/fields/a/show",
      says: ["\"blurr\"", "did you mean \"blur\"?"]
    ),
    Mistake(
      what: "an unknown normalization",
      text: """
        {"form": "t", "schema": {"type": "object", "properties": {"a": {}}},
         "fields": {"a": {"normalize": ["trim", "shout"]}}}
        """,
      code: "unknownValue",
      position: "2:41",
      pointer: "/fields/a/normalize/1",
      says: ["trim, collapse, nfc, nfkc, lower, upper", "{\"replace\": [PATTERN, TEXT]}"]
    ),
    Mistake(
      what: "a path that is an address",
      text: """
        {"form": "t", "schema": {"type": "object", "properties": {"a": {}}},
         "actions": {"go": {"run": {"http": {"service": "s", "path": "http://example.com"}}}}}
        """,
      code: "path",
      position: "2:62",
      pointer: "/actions/go/run/http/path",
      says: ["must start with \"/\"", "services.s"]
    ),
    Mistake(
      what: "a placeholder in a path that is no field",
      text: """
        {"form": "t", "schema": {"type": "object", "properties": {"email": {}}},
         "actions": {"go": {"run": {"http": {"service": "s", "path": "/users/{mail}"}}}}}
        """,
      code: "unknownField",
      position: "2:62",
      pointer: "/actions/go/run/http/path",
      says: ["\"{mail}\"", "\"{email}\""]
    ),
    Mistake(
      what: "two kinds of run",
      text: """
        {"form": "t", "schema": {"type": "object", "properties": {"a": {}}},
         "actions": {"go": {"run": {"provider": {"name": "p"}, "sql": {"database": "d", "query": "q"}}}}}
        """,
      code: "conflict",
      position: "2:28",
      pointer: "/actions/go/run",
      says: ["exactly one of"]
    ),
    Mistake(
      what: "a key for a query, which hears none",
      text: """
        {"form": "t", "schema": {"type": "object", "properties": {"a": {}}},
         "actions": {"go": {"idempotency": true, "run": {"sql": {"database": "d", "query": "SELECT 1"}}}}}
        """,
      code: "conflict",
      position: "2:21",
      pointer: "/actions/go/idempotency",
      says: ["runs neither \"http\" nor \"provider\"", "\"http\" or \"provider\""]
    ),
    Mistake(
      what: "a check without outcomes",
      text: """
        {"form": "t", "schema": {"type": "object", "properties": {"a": {}}},
         "checks": [{"id": "c", "field": "a", "run": {"provider": {"name": "p"}}}]}
        """,
      code: "missingKey",
      position: "2:13",
      pointer: "/checks/0",
      says: ["lacks \"outcomes\"", "\"valid\": true"]
    ),
    Mistake(
      what: "a message beside a message expression",
      text: """
        {"form": "t", "schema": {"type": "object", "properties": {"a": {}}},
         "rules": [{"id": "r", "check": "true", "message": "m", "messageExpression": "'m'"}]}
        """,
      code: "conflict",
      position: "2:57",
      pointer: "/rules/0/messageExpression",
      says: ["keep one"]
    ),
    Mistake(
      what: "a text that is no JSON",
      text: """
        {"form": "t",
         "schema": }
        """,
      code: "missingValue",
      position: "2:11",
      pointer: "",
      says: ["a value is missing; write one"]
    ),
  ]

  @Test(arguments: [
    "values.box.ctiy", "values.box['ctiy']", "values.box.?ctiy", "values.box[?'ctiy']", "has(values.box.ctiy)",
    "has(values.box.ctiy.x)", "values.box.ctiy.x", "[1].map(i, values.box.ctiy)", "self.ctiy", "has(self.ctiy)",
  ])
  func `a member that an object cannot have is refused, with the closest one`(_ chain: String) {
    let text = """
      {"form": "t", "schema": {"properties": {"box": {"type": "object", "additionalProperties": false, "properties": {"city": {}}}}},
       "rules": [{"id": "r", "field": "box", "check":
         "dyn(\(chain)) == 1"}]}
      """
    let found = diagnostics(of: text)
    #expect(found.map(\.code) == ["expression"] && found.map(\.position?.line) == [3])
    let group = chain.contains("self") ? "self" : "values.box"
    #expect(
      found.first?.description.contains("unknown name '\(group).ctiy'; did you mean '\(group).city'?") == true
    )
  }

  @Test(arguments: [
    ("{\"properties\": {\"a\": {}}}", false), ("{\"properties\": {\"a\": {}}, \"additionalProperties\": true}", true),
    ("{\"properties\": {\"a\": {}}, \"patternProperties\": {\"^b\": {}}}", true),
    ("{\"properties\": {\"a\": {}}, \"patternProperties\": {\"^c\": {}}}", false), ("{\"type\": \"object\"}", true),
    ("{\"anyOf\": [{\"properties\": {\"b\": {}}}, {\"properties\": {\"a\": {}}}]}", true),
  ])
  func `a formula may name what the schema admits`(_ schema: String, isAdmitted: Bool) {
    let found = diagnostics(
      of:
        "{\"form\": \"t\", \"schema\": {\"properties\": {\"box\": \(schema)}}, \"outputs\": {\"o\": \"values.box.b\"}}"
    )
    #expect(found.isEmpty == isAdmitted)
  }

  @Test(arguments: mistakes)
  func `each mistake has a code, a place and a remedy`(_ mistake: Mistake) throws {
    let found = diagnostics(of: mistake.text)
    let diagnostic = try #require(found.first { $0.code == mistake.code }, "found only \(found)")
    #expect(diagnostic.position?.description == mistake.position)
    #expect(diagnostic.pointer.description == mistake.pointer)
    for part in mistake.says { #expect("\(diagnostic)".contains(part), "\(diagnostic)") }
    #expect(found.count == 1, "\(found)")
  }

  @Test func `several mistakes are reported at once`() {
    let found = diagnostics(
      of: """
        {"form": "t", "schema": {"type": "object", "properties": {"a": {"type": "string"}}},
         "fields": {"a": {"show": "never", "lable": "x"}, "b": {}},
         "rules": [{"id": "r", "field": "a", "check": "self +"}, {"id": "r", "check": "nix"}],
         "outputs": {"o": "values.c"}}
        """
    )
    #expect(
      found.map(\.code).sorted() == [
        "duplicateId", "expression", "expression", "expression", "unknownField", "unknownKey", "unknownValue",
      ]
    )
    #expect(found.allSatisfy { $0.severity == .error })
  }

  private static let brokenSchema = """
    {"form": "t", "schema": {"properties": {"a": {"type": "strng", "maxLength": "x"}, "c": {"type": "integer", "minimum": "1"},
       "b": BOX}},
     "fields": {"/b/city": {"label": "City"}},
     "rules": [{"id": "r1", "field": "c", "check": "self.startsWith('x')"},
       {"id": "r2", "check": "values.b.city == 'x' && fields['/b/city'].isValid"}],
     "outputs": {"o": "values.a.size() + 'x'", "p": "values.a.city + 1"}}
    """

  @Test(arguments: [
    // The keyword is dropped, and the rest of the schema still counts.
    (#"{"type": "string"}"#, ["/fields/~1b~1city", "/rules/1/check", "/rules/1/check"]),
    // If a reference leads nowhere, its target's names are unknown.
    (##"{"$ref": "#/$defs/nowhere"}"##, ["/schema/properties/b/$ref"]),
    (##"{"allOf": [{"$ref": "#/$defs/nowhere"}]}"##, ["/schema/properties/b/allOf/0/$ref"]),
    (#"{"properties": 5}"#, ["/schema/properties/b/properties"]), (#"{"allOf": {}}"#, ["/schema/properties/b/allOf"]),
    (#"{"properties": {"city": {"pattern": "("}}}"#, ["/schema/properties/b/properties/city/pattern"]),
  ])
  func `errors of the schema do not hide those of formulas`(_ box: String, more: [String]) {
    let found = diagnostics(of: Self.brokenSchema.replacing("BOX", with: box))
    let always =
      ["a/type", "a/maxLength", "c/minimum"].map { "/schema/properties/\($0)" } + ["/rules/0/check", "/outputs/o"]
    #expect(found.map(\.pointer.description).sorted() == (always + more).sorted(), "\(found)")
  }

  @Test(arguments: [##"{"$ref": "#/$defs/nowhere"}"##, #"{"properties": []}"#, "5"])
  func `of a schema that hangs on what is wrong, nothing else is told`(_ schema: String) {
    let found = diagnostics(of: #"{"form": "t", "schema": \#(schema), "outputs": {"o": "values.a + 1"}}"#)
    #expect(found.count == 1, "\(found)")
  }

  @Test func `a rule or check at a field that is not there is one error`() {
    let found = diagnostics(
      of: """
        {"form": "t", "schema": {"properties": {"a": {"type": "string"}}},
         "rules": [{"id": "r", "field": "aa", "when": "self != ''", "check": "self.size() > 1 && self.x"}],
         "checks": [{"id": "c", "field": "bb", "run": {"provider": {"name": "p", "arguments": {"v": "self"}}},
           "outcomes": [{"valid": true}]}]}
        """
    )
    #expect(found.map(\.pointer.description) == ["/rules/0/field", "/checks/0/field"], "\(found)")
  }

  @Test(arguments: [(#""atLeastOne": ["a", "b"]"#, true), (#""atMostOne": ["a", "b"]"#, false)])
  func `a group in several steps is warned of, if the first step waits for the second`(
    _ group: String,
    _ isWarned: Bool
  ) {
    let found = diagnostics(
      of: """
        {"form": "t", "schema": {"properties": {"a": {}, "b": {}}}, "rules": [{"id": "r", \(group)}],
         "steps": [{"id": "one", "fields": ["a"]}, {"id": "two", "fields": ["b"]}],
         "actions": {"next": {"scope": "one"}}}
        """
    )
    #expect(found.map(\.code) == (isWarned ? ["stepsOfGroup"] : []))
    if let warning = found.first {
      #expect(warning.severity == .warning && warning.pointer.description == "/rules/0/atLeastOne")
      #expect(warning.message.contains(#"the step "one" cannot be left before "two" is filled in"#))
    }
  }

  @Test func `parameters that a query lacks, or that are missing, are warned of`() {
    let found = diagnostics(
      of: """
        {"form": "t", "schema": {"properties": {"email": {"type": "string"}}}, "actions": {"a": {"run": {"sql": {
          "database": "d", "query": "select ':no', \\":no\\", [:no], `:no`, x::text -- :no\\n, /* :no */ :mail, @id, :mail",
          "parameters": {"email": "values.email", "id": "1"}}}}}}
        """
    )
    #expect(
      found.map { "\($0.severity) \($0.pointer): \($0.message); \($0.remedy ?? "")" } == [
        #"warning /actions/a/run/sql/query: the query names ":mail", and "parameters" does not have it; did you mean "email"?"#,
        #"warning /actions/a/run/sql/parameters/email: the query does not name ":email"; did you mean "mail"?"#,
      ]
    )
  }

  @Test func `a parameter of a query needs a name`() {
    let found = diagnostics(
      of: """
        {"form": "t", "schema": {"properties": {"a": {}}}, "actions": {"a": {"run": {"sql": {"database": "d",
          "query": "select '?', ?"}}}}}
        """
    )
    #expect(found.map(\.pointer.description) == ["/actions/a/run/sql/query"] && found[0].severity == .warning)
  }

  @Test func `a slip in a keyword of the schema and references that double are warned of`() throws {
    let levels = (1...20).map {
      ##""d\##($0)": {"allOf": [{"$ref": "#/$defs/d\##($0 - 1)"}, {"$ref": "#/$defs/d\##($0 - 1)"}]}"##
    }
    let compilation = Form.compile(
      Array(
        ##"""
        {"form": "t", "schema": {"properties": {"a": {"$ref": "#/$defs/d20"}, "p": {"type": "string",
           "writeonly": true}},
         "$defs": {"d0": {}, \##(levels.joined(separator: ",\n"))}}}
        """##.utf8
      )
    )
    #expect(compilation.form != nil && compilation.warningCount == 2)
    #expect(compilation.diagnostics.allSatisfy { $0.severity == .warning })
    let keyword = try #require(compilation.diagnostics.first)
    #expect(keyword.code == "unknownKeyword" && keyword.pointer.description == "/schema/properties/p/writeonly")
    #expect(keyword.position == LineColumn(line: 2, column: 4) && keyword.remedy == "did you mean \"writeOnly\"?")
    let references = try #require(compilation.diagnostics.last)
    #expect(references.code == "repeatedReferences" && references.pointer.description == "/schema/$defs/d12")
    #expect(references.message.contains("schemas check one value here"))
  }

  @Test func `more mistakes than anybody reads are not kept`() {
    let rules = Array(repeating: #"{"id": "r", "check": "nix"}"#, count: 500).joined(separator: ",")
    let found = diagnostics(
      of: #"{"form": "t", "schema": {"type": "object", "properties": {"a": {}}}, "rules": [\#(rules)]}"#
    )
    #expect(found.count == 101)
    #expect(found.last?.message == "and 899 more errors")
  }

  @Test(arguments: [Requirement.Kind.service, .database, .provider])
  func `what a definition may not reach is refused, and the rest is allowed`(_ kind: Requirement.Kind) throws {
    let run =
      switch kind {
      case .service: #"{"http": {"service": "NAME", "path": "/"}}"#
      case .database: #"{"sql": {"database": "NAME", "query": "SELECT 1"}}"#
      case .provider: #"{"provider": {"name": "NAME"}}"#
      }
    func text(_ name: String) -> String {
      """
      {"form": "t", "schema": {"type": "object", "properties": {"a": {}}},
       "actions": {"go": {"run": \(run.replacing("NAME", with: name))}}}
      """
    }
    let one = FormCapabilities(services: ["mine"], databases: ["mine"], providers: ["mine"])
    let found = diagnostics(of: text("theirs"), capabilities: one)
    #expect(found.map(\.code) == ["forbidden"])
    #expect(found.first?.message == "this definition may not use the \(kind.rawValue) \"theirs\"")
    #expect(diagnostics(of: text("mine"), capabilities: one).isEmpty)
    let form = try #require(Form.compile(Array(text("mine").utf8)).form)
    #expect(form.requirements.map(\.kind) == [kind] && form.requirements.map(\.name) == ["mine"])
  }

  @Test func `a diagnostic reads like a compiler's, and as JSON`() throws {
    let diagnostic = try #require(
      diagnostics(
        of: """
          {"form": "t", "schema": {"type": "object", "properties": {"a": {}}},
           "fields": {"a": {"lable": "A"}}}
          """
      ).first
    )
    #expect(
      "\(diagnostic)" == """
        t.form.json:2:19: error: field "a" has no "lable" [/fields/a/lable]
            did you mean "label"?
        """
    )
    #expect(
      diagnostic.json() == [
        "file": "t.form.json", "path": "/fields/a/lable", "line": 2, "column": 19,
        "range": ["start": ["line": 1, "character": 18], "end": ["line": 1, "character": 25]], "severity": "error",
        "code": "unknownKey",
        "message": "field \"a\" has no \"lable\"", "remedy": "did you mean \"label\"?",
      ]
    )
  }

  @Test func `keys that begin with $ or x- are let alone`() {
    #expect(
      diagnostics(
        of:
          #"{"$schema": "s", "$comment": "c", "form": "t", "x-mine": 1, "schema": {"type": "object", "properties": {"a": {}}}, "fields": {"a": {"x-y": 1}}}"#
      ).isEmpty
    )
  }

  @Test func `a service or database that is not configured is warned about where the form names it`() throws {
    let text = """
      {"form": "f", "schema": {"type": "object", "properties": {"a": {}}},
       "checks": [{"id": "c", "field": "a", "run": {"provider": {"name": "p"}}, "outcomes": [{"valid": true}]}],
       "actions": {
         "login": {"run": {"http": {"service": "acounts", "method": "POST", "path": "/login"}}},
         "list": {"run": {"sql": {"database": "stock", "query": "select 1"}}}}}
      """
    let form = try #require(Form.compile(Array(text.utf8)).form)
    #expect(form.requirements.map(\.name) == ["p", "acounts", "stock"])
    #expect(form.warnings(configured: .all).isEmpty)
    let configured = FormCapabilities(services: ["accounts", "catalog"], databases: [], providers: nil)
    #expect(
      form.warnings(configured: configured, file: "f.form.json").map(\.description) == [
        "f.form.json:4:42: warning: no service \"acounts\" in the configuration; did you mean \"accounts\"? [/actions/login/run/http/service]",
        "f.form.json:5:41: warning: no database \"stock\" in the configuration [/actions/list/run/sql/database]",
      ]
    )
    let all = FormCapabilities(services: ["acounts"], databases: ["stock"], providers: ["q"])
    #expect(form.warnings(configured: all).map(\.pointer.description) == ["/checks/0/run/provider/name"])
  }
}

/// Texts that users can never see as the author intended.
@Suite struct `Warnings about texts` {
  private func warnings(_ rest: String) -> [String] {
    let compilation = Form.compile(
      Array(
        """
        {"form": "t", "schema": {"properties": {"a": {"type": "string", "minLength": 2, "maxLength": 9},
          "b": {"type": "integer", "minimum": 1}, "items": {"type": "array", "items": {"type": "string", "maxLength": 9}}}},
         "checks": [{"id": "a.known", "field": "a", "run": {"provider": {"name": "p"}},
           "outcomes": [{"when": "true", "valid": true}, {"code": "a.gone", "message": "gone"}]}], \(rest)}
        """.utf8
      )
    )
    #expect(compilation.form != nil, "\(compilation.diagnostics)")
    return compilation.diagnostics.map { "\($0.severity) \($0.pointer): \($0.message); \($0.remedy ?? "")" }
  }

  @Test func `a text for a code that the field's errors cannot have is warned of`() {
    let found = warnings(
      """
      "fields": {"a": {"messages": {"minLenght": "x", "minLength": "x", "required": "x", "pattern": "x", "r": "x",
        "b.ok": "x", "a.known": "x", "a.gone": "x", "duplicate": "x", "fault": "x", "tooCostly": "x"}}},
      "rules": [{"id": "r", "field": "a", "check": "self != 'x'"}, {"id": "b.ok", "field": "b", "check": "self > 1"}]
      """
    )
    func never(_ code: String) -> String { "no error of \"a\" has the code \"\(code)\", so this text is never shown" }
    #expect(
      found == [
        "warning /fields/a/messages/minLenght: \(never("minLenght")); did you mean \"minLength\"?",
        "warning /fields/a/messages/pattern: \(never("pattern")); the schema has no \"pattern\"",
        "warning /fields/a/messages/b.ok: \(never("b.ok")); the rule \"b.ok\" is at \"b\"",
        "warning /fields/a/messages/a.known: \(never("a.known")); the check \"a.known\" is at \"a\"",
      ]
    )
  }

  @Test func `a text for all fields, or for the form, that no error can have is warned of`() {
    let found = warnings(
      """
      "messages": {"requird": "x", "minLength": "{label} {limitt}", "r": "{label}", "whole": "x", "a.gone": "x",
        "fault": "x", "multipleOf": "x", "type": {"en": "{label}", "ko": "{lable}"}},
      "fields": {"": {"messages": {"whole": "{label}", "r": "x", "minProperties": "x", "wole": "x"}}},
      "rules": [{"id": "r", "field": "a", "check": "self != 'x'"}, {"id": "whole", "check": "values.b > 1"}]
      """
    )
    func never(_ subject: String, _ code: String) -> String {
      "no error of \(subject) has the code \"\(code)\", so this text is never shown"
    }
    let form = "the form as a whole"
    #expect(
      found == [
        "warning /fields//messages/r: \(never(form, "r")); the rule \"r\" is at \"a\"",
        "warning /fields//messages/minProperties: \(never(form, "minProperties")); the schema has no \"minProperties\"",
        "warning /fields//messages/wole: \(never(form, "wole")); did you mean \"whole\"?",
        "warning /messages/requird: \(never("any field", "requird")); did you mean \"required\"?",
        "warning /messages/minLength: the error \"minLength\" has no parameter \"limitt\", so {limitt} is not replaced; did you mean \"limit\"?",
        "warning /messages/multipleOf: \(never("any field", "multipleOf")); the schema has no \"multipleOf\"",
        "warning /messages/type/ko: the error \"type\" has no parameter \"lable\", so {lable} is not replaced; did you mean \"label\"?",
      ]
    )
  }

  @Test(arguments: [
    (#""fields": {"": {"label": "x"}}"#, #"has no "label""#),
    (#""messages": ["x"]"#, #""messages" of the definition must be an object"#),
    (#""fields": {"": {"messages": {"required": 1}}}"#, #"the text for "required" must be a text"#),
  ])
  func `messages in a wrong place or of a wrong type are refused`(_ member: String, _ says: String) {
    let text = #"{"form": "t", "schema": {"properties": {"a": {"type": "string", "minLength": 1}}}, \#(member)}"#
    let found = Form.compile(Array(text.utf8)).diagnostics
    #expect(found.count == 1 && found[0].severity == .error && "\(found)".contains(says), "\(found)")
  }

  @Test func `a placeholder that the error has no parameter for is warned of`() {
    let found = warnings(
      """
      "fields": {"a": {"messages": {"required": "at least {minimum}", "minLength": {"en": "{limit} {actual}", "ko": "{limt}"}}},
        "/items/*": {"messages": {"row": "{number}", "maxLength": "{limit}"}}},
      "rules": [{"id": "r", "field": "a", "check": "self != 'x'", "message": "{number} {} {a b} {"},
        {"id": "row", "field": "/items/*", "check": "self != 'x'", "message": "{number} {numbr}"}]
      """
    )
    func stays(_ name: String, _ code: String) -> String {
      "the error \"\(code)\" has no parameter \"\(name)\", so {\(name)} is not replaced"
    }
    #expect(
      found == [
        "warning /fields/a/messages/required: \(stays("minimum", "required")); its parameters are: missing, label",
        "warning /fields/a/messages/minLength/ko: \(stays("limt", "minLength")); did you mean \"limit\"?",
        "warning /rules/0/message: \(stays("number", "r")); leave it out: the error has no parameters, only {label}",
        "warning /rules/1/message: \(stays("numbr", "row")); did you mean \"number\"?",
      ]
    )
  }

  @Test func `an outcome with errors at fields that counts as a success is warned of`() {
    let found = warnings(
      """
      "actions": {"go": {"outcomes": [{"when": "false", "fieldErrors": {"a": "'x'"}},
        {"when": "false", "success": "true", "fieldErrors": {"a": "'x'"}}, {"failure": "'x'", "fieldErrors": {"a": "'x'"}}]}}
      """
    )
    #expect(
      found.count == 1 && found[0].hasPrefix("warning /actions/go/outcomes/0/fieldErrors: this outcome"),
      "\(found)"
    )
  }

  @Test func `an outcome that says nothing, and what a valid outcome says of an error, are warned of`() {
    let found = warnings(
      """
      "actions": {"go": {"outcomes": [{"when": "false"}, {"when": "false", "message": "m"}, {}]}, "stay": {},
        "ask": {"run": {"provider": {"name": "p"}}, "outcomes": [{"failure": "'x'"}]}},
      "rules": [{"id": "r", "field": "a", "check": "self != 'x'"}]
      """
    )
    #expect(
      found.map { String($0.prefix { $0 != ":" }) } == [
        "warning /actions/go/outcomes/0", "warning /actions/go/outcomes/2",
      ],
      "\(found)"
    )
    let text = #"""
      {"form": "t", "schema": {"properties": {"a": {"type": "string"}}}, "checks": [{"id": "c", "field": "a",
        "run": {"provider": {"name": "p"}}, "outcomes": [{"when": "true", "valid": true, "code": "x", "message": "m"}, {"code": "y"}]}]}
      """#
    let idle = Form.compile(Array(text.utf8)).diagnostics
    #expect(
      idle.map(\.pointer.description) == ["code", "message"].map { "/checks/0/outcomes/0/\($0)" }
        && idle.allSatisfy { $0.severity == .warning }
    )
  }
}

/// Advice for names and addresses that lead nowhere, if a similar name would not be the right advice.
@Suite struct `Advice about rows and texts` {
  private func said(_ rest: String) -> [String] {
    Form.compile(
      Array(
        """
        {"form": "t", "schema": {"properties": {"a": {"type": "string", "maxLength": 9}, "items": {"type": "array",
          "maxItems": 9, "items": {"type": "object", "properties": {"sku": {"type": "string", "maxLength": 9}}}}}},
         "steps": [{"id": "account", "fields": ["a"]}], \(rest)}
        """.utf8
      )
    ).diagnostics.map { "\($0.message) | \($0.remedy ?? "")" }
  }

  @Test(arguments: [
    "items[0].sku", "items.0.sku", "/items/-/sku", "/items/#1/sku", "/items/0/sku", "items.*.sku", "/itms/0/sku",
  ])
  func `an address that names a single row leads to the field of each`(address: String) {
    let said = said(#""rules": [{"id": "r", "field": "\#(address)", "check": "true"}]"#)
    #expect(said.count == 1 && said[0].hasSuffix(#"| did you mean "/items/*/sku"?"#), "\(said)")
  }

  @Test(
    arguments: [
      ("a", "row.sku == ''", "'row' exists only in rows: at a field such as /items/*/sku"),
      ("a", "index == 1", "'index' exists only in rows: at a field such as /items/*/sku"),
      ("/items/*/sku", "outer.sku == ''", "no other row is around this row; read fields outside of rows with 'values'"),
      ("/items/*/sku", "outputs.net == 1", "each row has one: write 'outputs['/items/*/net']'"),
      ("a", "outputs['/items/0/net'] == 1", "write 'outputs['/items/*/net']': in a formula of that row"),
      ("a", "fields['/items/0/sku'].isValid", "write 'fields['/items/*/sku'].isValid' in a formula of that row"),
      ("a", "fields['/items/*/sku'].isValid", "only a formula of the same row can read it"),
      ("a", "steps.payment.isValid", "the steps are: account"),
      ("a", "steps.accont.isValid", "did you mean 'steps.account.isValid'?"),
    ]
  )
  func `a formula that names what it cannot read says what to write`(field: String, check: String, advice: String) {
    let said = said(
      #""outputs": {"/items/*/net": "1"}, "rules": [{"id": "r", "field": "\#(field)", "check": "\#(check)"}]"#
    )
    #expect(said.count == 1 && said[0].contains(advice), "\(said)")
  }

  @Test(arguments: ["refused", "Thanks!", "Try again"])
  func `a text in place of a formula is told to be put in quotes`(text: String) {
    let said = said(#""actions": {"go": {"outcomes": [{"failure": "\#(text)"}]}}"#)
    #expect(said.first?.hasSuffix("a text needs its own quotes: \"'\(text)'\"") == true, "\(said)")
  }

  @Test func `a field that the schema lacks is told once, and not at each formula that reads it`() {
    let said = said(
      #"""
      "fields": {"total": {"computed": "1"}}, "outputs": {"o": "values.total + 1", "p": "values.totals"},
      "rules": [{"id": "r", "field": "a", "check": "values.total > 1"}]
      """#
    )
    #expect(said.count == 2 && said[0].contains("\"total\"") && said[1].contains("values.totals"), "\(said)")
  }
}
