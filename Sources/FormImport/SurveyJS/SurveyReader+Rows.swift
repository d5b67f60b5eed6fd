internal import JSON

extension SurveyReader {
  /// `multipletext`: an object of texts.
  mutating func multipleText(_ question: inout Question) -> (JSONObject, SurveyShape) {
    var schema = SurveyObjectSchema()
    for (object, pointer) in objects("items", of: &question.element) {
      var item = SurveyElement(object, at: pointer)
      self.question(&item, type: "text", into: &schema, at: question.field.tokens, inherited(by: question))
      reportUnread(of: item)
    }
    return object(schema)
  }

  /// `matrix`: one choice for each of its fixed rows.
  mutating func matrix(_ question: inout Question) -> (JSONObject, SurveyShape) {
    let columns = items("columns", of: &question.element)
    let rows = items("rows", of: &question.element)
    let isRequired =
      bool("isAllRowRequired", of: &question.element) ?? bool("eachRowRequired", of: &question.element) ?? false
    if bool("eachRowUnique", of: &question.element) == true {
      note(
        .behavior,
        at: question.element.pointer.appending("eachRowUnique"),
        "the rows of a matrix are fields of their own",
        remedy: "write a rule that compares them"
      )
    }
    if rows.isEmpty { return choices(columns, of: question.field) }
    var schema = SurveyObjectSchema()
    for row in rows {
      guard let (name, field) = fixedRow(row, of: question, in: schema) else { continue }
      let (members, shape) = choices(columns, of: field)
      schema.add(name, members, shape, isRequired: isRequired)
    }
    return object(schema)
  }

  /// The field of a fixed row, with its label and its condition; nil if the row has no name, or that of another row.
  private mutating func fixedRow(
    _ row: SurveyChoiceItem,
    of question: Question,
    in schema: SurveyObjectSchema
  ) -> (name: String, field: JSONPointer)? {
    let name = row.value.stringValue ?? row.value.description
    guard !name.isEmpty, !schema.has(name) else { return nil }
    let field = JSONPointer(tokens: question.field.tokens + [name])
    draft.set("label", of: field, to: row.label ?? .string(name))
    if let condition = row.visibleIf {
      pending.append(PendingFormula(.field(field, "visible"), [condition], in: question.path))
    }
    return (name, field)
  }

  /// `matrixdropdown`: an object of columns for each of its fixed rows.
  mutating func matrixOfColumns(_ question: inout Question) -> (JSONObject, SurveyShape) {
    let rows = items("rows", of: &question.element)
    let columns = objects("columns", of: &question.element)
    let fallback = items("choices", of: &question.element)
    let cellType = string("cellType", of: &question.element) ?? "dropdown"
    var schema = SurveyObjectSchema()
    guard rows.count * columns.count <= 10_000 else {
      wrongType(question.element.pointer, "a matrix has at most 10,000 cells")
      return ([:], .any(choices: []))
    }
    for row in rows {
      guard let (name, field) = fixedRow(row, of: question, in: schema) else { continue }
      var cells = SurveyObjectSchema()
      for column in columns {
        self.column(column, of: question, cellType: cellType, fallback, into: &cells, at: field.tokens)
      }
      let (members, shape) = object(cells)
      schema.add(name, members, shape, isRequired: cells.hasRequired)
    }
    return object(schema)
  }

  /// `matrixdynamic` and `paneldynamic`: a list of rows.
  mutating func rows(_ question: inout Question) -> (JSONObject, SurveyShape) {
    let isMatrix = question.type == "matrixdynamic"
    var row = SurveyObjectSchema()
    let path = question.field.tokens + ["*"]
    var totals: [(name: String, source: SurveySource)] = []
    if isMatrix {
      let columns = objects("columns", of: &question.element)
      let fallback = items("choices", of: &question.element)
      let cellType = string("cellType", of: &question.element) ?? "dropdown"
      for column in columns {
        if let total = self.column(column, of: question, cellType: cellType, fallback, into: &row, at: path) {
          totals.append(total)
        }
      }
    } else {
      elements(of: &question.element, key: "templateElements", into: &row, at: path, inherited(by: question))
    }
    let prefix = isMatrix ? "Row" : "Panel"
    var members: JSONObject = ["type": "array"]
    for (key, keyword) in [("min\(prefix)Count", "minItems"), ("max\(prefix)Count", "maxItems")] {
      if let count = count(key, of: &question.element), count > 0 { members[keyword] = .integer(Int64(count)) }
    }
    if members["maxItems"] == nil { members["maxItems"] = isMatrix ? 1000 : 100 }
    members["items"] = row.schema
    initialRows(of: &question, row, &members)
    if let value = question.element.take("default\(prefix)Value"), !value.isNull {
      note(
        .behavior,
        at: question.element.pointer.appending("default\(prefix)Value"),
        "the values of a new row are the defaults of its fields",
        remedy: "write \"default\" in the schema of the fields"
      )
    }
    if let key = string("keyName", of: &question.element), !key.isEmpty {
      let pointer = question.element.pointer.appending("keyName")
      if row.has(key) {
        let field = JSONPointer(tokens: path + [key])
        draft.set("unique", of: field, to: true, from: pointer)
        if let message = text("keyDuplicationError", of: &question.element) {
          var messages = draft.fields[field.shortAddress]?["messages"]?.objectValue ?? JSONObject()
          messages["duplicate"] = message
          draft.set("messages", of: field, to: .object(messages))
        }
      } else {
        note(
          .unknownName,
          at: pointer,
          "the rows have no question \(key)",
          remedy: "name a question of the rows"
        )
      }
    }
    for total in totals {
      let name = "\(question.name)-total.\(total.name)"
      guard question.path.isEmpty else {
        note(
          .behavior,
          at: total.source.pointer,
          "a list in a row has no totals",
          remedy: "add an output with the address of the row"
        )
        continue
      }
      scope.values[name] = SurveyCell(reference: CELText.member(name, of: "outputs"), shape: .number)
      pending.append(PendingFormula(.output(name), [total.source]))
    }
    if row.names.isEmpty { return (members, .list(.object([:]))) }
    return (members, .list(row.shape))
  }

  /// The empty rows with which a list begins. A `matrixdynamic` that does not say their number has two.
  private mutating func initialRows(of question: inout Question, _ row: SurveyObjectSchema, _ members: inout JSONObject)
  {
    let isMatrix = question.type == "matrixdynamic"
    let key = isMatrix ? "rowCount" : "panelCount"
    let written = count(key, of: &question.element) ?? (isMatrix ? 2 : 0)
    let count = max(written, Int(members["minItems"]?.integerValue ?? 0))
    guard count > 0, !row.names.isEmpty, question.element.object["defaultValue"] == nil else { return }
    let pointer = question.element.pointer.appending(key)
    if row.hasRequired {
      note(
        .initialRows,
        at: pointer,
        "the list begins without rows, because an empty row would be an error",
        remedy: "add the rows in the client, or write \"default\" at the list in the schema"
      )
    } else if count <= 100 {
      members["default"] = .array(Array(repeating: [:], count: count))
    } else {
      wrongType(pointer, "a list begins with at most 100 rows")
    }
  }

  /// One column of a matrix, as a field of a row.
  ///
  /// - Returns: the column's total.
  @discardableResult
  private mutating func column(
    _ column: (JSONObject, JSONPointer),
    of question: Question,
    cellType: String,
    _ fallback: [SurveyChoiceItem],
    into schema: inout SurveyObjectSchema,
    at path: [String]
  ) -> (name: String, source: SurveySource)? {
    var element = SurveyElement(column.0, at: column.1)
    let written = string("cellType", of: &element) ?? "default"
    let type = written == "default" ? cellType : written
    let isUnique = bool("isUnique", of: &element) == true
    let total = string("totalType", of: &element).flatMap { $0 == "none" ? nil : $0 }
    let totalExpression = source("totalExpression", of: &element)
    var inherited = inherited(by: question)
    inherited.visibleIf = []
    self.question(&element, type: type, into: &schema, at: path, inherited, fallback: fallback)
    reportUnread(of: element)
    guard let name = element.object["name"]?.stringValue, schema.has(name) else { return nil }
    if isUnique {
      if path.last == "*" {
        draft.set("unique", of: JSONPointer(tokens: path + [name]), to: true, from: column.1.appending("isUnique"))
      } else {
        note(
          .behavior,
          at: column.1.appending("isUnique"),
          "the rows of this matrix are fields of their own",
          remedy: "write a rule that compares them"
        )
      }
    }
    if let totalExpression { return (name, totalExpression) }
    guard let total else { return nil }
    let functions = [
      "sum": "sumInArray", "avg": "avgInArray", "min": "minInArray", "max": "maxInArray", "count": "countInArray",
    ]
    guard path.last == "*", let function = functions[total.lowercased()] else {
      note(
        .behavior,
        at: column.1.appending("totalType"),
        "the importer has no total \(total) for this matrix",
        remedy: "add an output with a formula"
      )
      return nil
    }
    return (
      name,
      SurveySource(
        "\(function)({\(question.name)}, '\(name.replacing("'", with: "\\'"))')",
        column.1.appending("totalType")
      )
    )
  }

  /// The conditions that a question gives to the questions in it: none. Its own conditions hide them with it.
  private func inherited(by question: Question) -> Inherited {
    var inherited = Inherited()
    inherited.depth = question.inherited.depth + 1
    return inherited
  }

  private func object(_ schema: SurveyObjectSchema) -> (JSONObject, SurveyShape) {
    (schema.schema.objectValue ?? [:], schema.shape)
  }
}
