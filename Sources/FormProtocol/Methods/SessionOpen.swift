package import JSON
internal import JSONRPC

/// Params of `session/open`.
package struct SessionOpenParams {
  /// Where the form comes from.
  package enum Source {
    /// A form that the daemon has, by its name.
    case form(String)
    /// A definition that the client brings along, private to the session.
    case definition(JSONNode)
  }

  /// Where the form comes from.
  package var source: Source
  package var locale: String?
  /// The fields' initial values.
  package var values: JSONNode?
  /// Whether everything is shown at once (`show: "always"`), whatever the fields' policies.
  package var showsAlways: Bool
  /// JSON Pointers into the document; nil: all of it.
  package var watch: [String]?

  /// Reads the params.
  package init(_ params: JSONNode?) throws(InvalidParams) {
    var reader = ParamsReader()
    var form: String?
    var definition: JSONNode?
    var hasSource = false
    var locale: String?
    var values: JSONNode?
    var showsAlways = false
    var watch: [String]?
    reader.forEachMember(of: params, names: "form, definition, locale, values, show, watch") { name, node, reader in
      if name.equals("form") {
        hasSource = true
        form = reader.string(node, "form")
      } else if name.equals("definition") {
        hasSource = true
        definition = reader.object(node, "definition")
      } else if name.equals("locale") {
        locale = reader.string(node, "locale")
      } else if name.equals("values") {
        values = reader.object(node, "values")
      } else if name.equals("show") {
        if node.utf8?.equals("always") == true {
          showsAlways = true
        } else {
          reader.note("/show", node.utf8 == nil ? .type : .value, "\"always\"")
        }
      } else if name.equals("watch") {
        watch = reader.pointers(node, "watch")
      } else {
        return false
      }
      return true
    }
    if !hasSource {
      reader.note("/form", .required, "form or definition")
    } else if form != nil && definition != nil {
      reader.note("/definition", .value, "form or definition, not both")
    }
    try reader.check()
    if let form {
      source = .form(form)
    } else if let definition {
      source = .definition(definition)
    } else {
      throw InvalidParams([.init(path: "/form", code: .required, expected: "form or definition")])
    }
    self.locale = locale
    self.values = values
    self.showsAlways = showsAlways
    self.watch = watch
  }

  static let method = MethodDescription(
    name: "session/open",
    summary: "Opens a session of a form",
    description:
      "`form` names a form that the daemon has; `definition` brings one along, private to the session (its faults are -32602 with `errors`). The first turn is done when the answer comes.",
    params: [
      .optional("form", Shape.string("A form's name.")),
      .optional("definition", Shape.map("A form definition.")),
      .optional("locale", Shape.string("The language of messages: `ko`, `en-GB`.")),
      .optional("values", Shape.map("Initial values by field.")),
      .optional("show", Shape.choice(["always"], "Shows every message at once, whatever the fields' policies.")),
      .optional("watch", Shape.array(of: Shape.string("A JSON Pointer."), "Narrows what updates carry.")),
    ],
    result: Shape.object([
      ("session", Shape.integer("The session's number, for all further calls.")),
      ("revision", Shape.integer("0.")), ("document", Shape.document), ("values", Shape.values),
    ]),
    failures: [.unknownForm, .unknownField, .draining, .overloaded, .quotaExceeded],
    example: .init(
      params: ["form": "login", "locale": "ko"],
      result: [
        "session": 1, "revision": 0,
        "document": [
          "isValid": false, "isPending": false, "isDirty": false, "errors": [], "messages": [:], "fields": [:],
          "actions": ["login": ["isEnabled": false, "isLoading": false, "attempts": 0]],
          "outputs": ["buttonColor": "systemGray4"],
        ],
        "values": [:],
      ]
    )
  )
}

extension ParamsReader {
  /// A list of JSON Pointers.
  mutating func pointers(_ node: JSONNode, _ name: StaticString) -> [String]? {
    guard node.kind == .array else {
      note("/\(name)", .type, "array of JSON Pointers")
      return nil
    }
    var pointers: [String] = []
    for index in 0..<node.count {
      guard let text = node.element(index).string else {
        note("/\(name)/\(index)", .type, "string")
        continue
      }
      guard JSONPointer(text) != nil else {
        note("/\(name)/\(index)", .value, "a JSON Pointer")
        continue
      }
      pointers.append(text)
    }
    return pointers
  }
}
