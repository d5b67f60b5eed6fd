internal import DocumentProperties
internal import JSON
internal import JSONSchema

/// Makes the ``FormTables`` of a form.
struct FormTablesBuilder {
  private let parts: FormParts
  private let slots: SlotTable
  private let layout: DocumentLayout
  private let memory: TableMemory
  /// The fields with fields below them.
  private let sums: NumbersInTemplates
  /// The lists with rows.
  private let lists: NumbersInTemplates
  private let nodes: NumbersInTemplates
  private let resetsFields: Bool
  private let tracksUserChanges: Bool
  private let hasBlockingFailures: Bool

  init(_ parts: FormParts, slots: SlotTable, layout: DocumentLayout, memory: TableMemory) {
    self.parts = parts
    self.slots = slots
    self.layout = layout
    self.memory = memory
    let count = parts.templates.count
    sums = NumbersInTemplates(parts.fields.map { $0.unit == nil ? nil : $0.template }, templateCount: count)
    lists = NumbersInTemplates(parts.fields.map { $0.element == nil ? nil : $0.template }, templateCount: count)
    nodes = NumbersInTemplates(parts.graph.templates, templateCount: count)
    resetsFields = parts.fields.contains { !$0.trigger.isEmpty || $0.clearsWhenHidden }
    tracksUserChanges = parts.hasUndo || resetsFields
    hasBlockingFailures = parts.checks.contains { $0.onFailure == .block }
  }

  func tables() -> FormTables {
    let graph = parts.graph
    return FormTables(
      templates: memory.table(templateEntries()),
      hasRows: parts.templates.count > 1,
      tracksUserChanges: tracksUserChanges,
      resetsFields: resetsFields,
      growthMax: parts.fields.reduce(1) { max($0, $1.growthMax) },
      nodeTemplates: memory.table(graph.templates.map(Int32.init)),
      nodeOffsets: memory.table(nodes.numbers),
      templateNodes: memory.table(nodesByTemplate()),
      slotTemplates: memory.table(slots.locations.map { Int32($0.template) }),
      slotOffsets: memory.table(slots.locations.map { Int32($0.offset) }),
      columnSlots: memory.table(slots.columns.map { slots.offset($0.slot) }),
      nodes: memory.table(graph.nodes),
      fields: memory.table(fieldEntries()),
      addresses: memory.table(parts.fields.map { memory.bytes(Array($0.address.utf8)) }),
      rules: memory.table(ruleEntries()),
      errors: memory.table(parts.errors.all.map { FormTables.ErrorEntry(isWarning: $0.severity == .warning) }),
      errorLists: memory.table(errorLists()),
      ruleNumbers: memory.table(parts.fields.flatMap(\.rules).map { Int32($0) }),
      readerStarts: memory.table(graph.readers.starts),
      readers: memory.table(graph.readers.targets),
      readerWords: memory.table(Self.words(of: graph.readers)),
      hasBlockingFailures: hasBlockingFailures,
      outputs: memory.table(outputEntries()),
      actions: memory.table(actionEntries()),
      cells: memory.table(CellTable.entries(of: layout, parts.fields, memory.bytes)),
      blocks: memory.table(FormTables.Block.allCases.map { CellTable.entry(of: $0, memory.bytes) }),
      beginning: memory.table([CellTable.beginning(memory.bytes)]).at(0),
      facts: graph.facts,
      readsTime: slots.readsTime,
      formSlots: memory.table(slots.form.slots(of: 0)),
      firstFieldCell: Int32(layout.field(0, .isVisible)),
      firstActionCell: Int32(layout.action(0, .isEnabled)),
      firstOutputCell: Int32(layout.output(0)),
      fieldCount: Int32(parts.fields.count),
      nodeCount: Int32(graph.nodes.count),
      cellCount: Int32(layout.count),
      slotCount: Int32(slots.count),
      localeCount: Int32(parts.locales.count)
    )
  }

  // MARK: Fields

  private func fieldEntries() -> [FormTables.FieldEntry] {
    let graph = parts.graph
    let childCounts = childCounts()
    let steps = stepsOfFields()
    let firstRules = firstRules()
    let isInIgnoredRows = fieldsInIgnoredRows()
    return parts.fields.enumerated().map { index, field in
      let textBytesMax = field.property.map { parts.units[field.owner].object.textBytesMax(property: $0) } ?? Int.max
      return FormTables.FieldEntry(
        valueSlot: slots.offset(slots.values[index]),
        slots: memory.table(slots.fields.slots(of: index).map(slots.offset)),
        messageSlot: slots.offset(slots.messages[index]),
        parent: field.parent.map { Int32($0) } ?? -1,
        end: Int32(field.end),
        childCount: childCounts[index],
        sums: sums.numbers[index],
        step: steps[index],
        template: Int32(field.template),
        element: field.element.map { Int32($0) } ?? -1,
        list: lists.numbers[index],
        isContentRead: !graph.readers[graph.facts.number(.field(index), .content)].isEmpty,
        owner: Int32(field.owner),
        property: field.property.map { Int32($0) } ?? -1,
        textBytesMax: Int32(clamping: textBytesMax),
        requiredError: field.requiredError,
        firstRule: firstRules[index],
        ruleCount: Int32(field.rules.count),
        mayBePending: !field.checks.isEmpty || !field.lookups.isEmpty,
        type: field.type,
        hasTiming: field.timing != nil,
        isPlain: field.timing == nil && field.around == nil && field.unit == nil && !field.mayFollow
          && !field.isReadOnly && !field.tellsText && !tracksUserChanges,
        hasInitial: field.initial != nil || field.mayFollow,
        refusesUser: field.isComputed || field.isReadOnly,
        keepsPlainText: !field.coerces && field.read == nil && field.normalize.allSatisfy(\.keepsPlainText),
        tellsText: field.tellsText,
        trustsInitial: field.trustsInitial,
        forgivesErrors: field.trustsInitial || isInIgnoredRows[index],
        isUnordered: field.isUnordered
      )
    }
  }

  /// By field: how many fields are directly below it.
  private func childCounts() -> [Int32] {
    var counts = [Int32](repeating: 0, count: parts.fields.count)
    for field in parts.fields { if let parent = field.parent { counts[parent] += 1 } }
    return counts
  }

  /// By field: the step that names it; -1 if no step does.
  private func stepsOfFields() -> [Int32] {
    var steps = [Int32](repeating: -1, count: parts.fields.count)
    for (number, step) in parts.steps.enumerated() { for field in step.fields { steps[field] = Int32(number) } }
    return steps
  }

  /// By field: the number of rules of the fields before it.
  private func firstRules() -> [Int32] {
    var count: Int32 = 0
    return parts.fields.map { field in
      defer { count += Int32(field.rules.count) }
      return count
    }
  }

  /// By field: whether it is in rows that do not count while they are blank.
  private func fieldsInIgnoredRows() -> [Bool] {
    var isInIgnoredRows: [Bool] = []
    for field in parts.fields {
      let isElement = field.list.map { parts.fields[$0].ignoresBlankRows } ?? false
      isInIgnoredRows.append(isElement || field.around.map { isInIgnoredRows[$0] } ?? false)
    }
    return isInIgnoredRows
  }

  // MARK: Templates, rules, outputs and actions

  private func templateEntries() -> [FormTables.TemplateEntry] {
    parts.templates.enumerated().map { index, template in
      FormTables.TemplateEntry(
        list: template.list.map { Int32($0) } ?? -1,
        element: template.list == nil ? -1 : Int32(template.fields.lowerBound),
        parent: template.parent.map { Int32($0) } ?? -1,
        depth: Int32(template.depth),
        firstField: Int32(template.fields.lowerBound),
        fieldCount: Int32(template.fields.count),
        firstRule: Int32(template.rules.lowerBound),
        ruleCount: Int32(template.rules.count),
        firstCheck: Int32(template.checks.lowerBound),
        checkCount: Int32(template.checks.count),
        firstLookup: Int32(template.lookups.lowerBound),
        lookupCount: Int32(template.lookups.count),
        firstOutput: Int32(template.outputs.lowerBound),
        outputCount: Int32(template.outputs.count),
        slotCount: Int32(slots.counts[index]),
        sumsCount: sums.counts[index],
        listCount: lists.counts[index],
        nodeCount: nodes.counts[index],
        firstNode: nodes.counts[..<index].reduce(0, +),
        indexSlot: slots.offset(slots.index[index])
      )
    }
  }

  private func ruleEntries() -> [FormTables.RuleEntry] {
    parts.rules.map { rule in
      FormTables.RuleEntry(
        field: rule.field.map { Int32($0) } ?? -1,
        error: rule.error,
        fault: rule.fault,
        when: rule.when.map { FormulaReference($0) },
        check: rule.check.map { FormulaReference($0) },
        messageFormula: rule.messageFormula.map { FormulaReference($0) }
      )
    }
  }

  private func outputEntries() -> [FormTables.OutputEntry] {
    parts.outputs.enumerated().map { index, output in
      FormTables.OutputEntry(slot: slots.offset(slots.outputs[index]), formula: FormulaReference(output.formula))
    }
  }

  private func actionEntries() -> [FormTables.ActionEntry] {
    parts.actions.enumerated().map { index, action in
      FormTables.ActionEntry(
        slots: memory.table(slots.actions.slots(of: index)),
        enabled: action.enabled.map { FormulaReference($0) },
        isEnabledDespiteFailures: action.isEnabledByDefault && hasBlockingFailures
      )
    }
  }

  // MARK: Errors

  private func errorLists() -> [PreparedBytes] {
    let noBytes = memory.bytes([])
    return parts.errors.all.flatMap { error in
      // A locale of the built-in texts alone gets a list if its text is the text of another locale.
      var lists = [PreparedBytes?](repeating: nil, count: error.message.variants.count)
      for locale in 0..<parts.ownLocaleCount where lists[error.message.variant(of: locale)] == nil {
        let buffer = OutputBuffer(capacity: 256)
        buffer.append(byte: UInt8(ascii: "["))
        error.write(locale: locale, into: buffer)
        buffer.append(byte: UInt8(ascii: "]"))
        lists[error.message.variant(of: locale)] = memory.bytes(buffer.copiedBytes)
      }
      return parts.locales.indices.map { lists[error.message.variant(of: $0)] ?? noBytes }
    }
  }

  // MARK: Nodes

  /// The nodes of each template in ascending order, one template after another.
  private func nodesByTemplate() -> [Int32] {
    let templates = parts.graph.templates
    return templates.indices.sorted { (templates[$0], $0) < (templates[$1], $1) }.map { Int32($0) }
  }

  /// The nodes that edges lead to, as bits; see ``FormTables/readerWords``.
  private static func words(of edges: AdjacencyList) -> [FormTables.NodeWord] {
    let none = FormTables.NodeWord(nodes: 0, number: 0, next: 0)
    var words = [FormTables.NodeWord](repeating: none, count: edges.nodeCount)
    for source in 0..<edges.nodeCount {
      var last = source
      // In ascending order.
      for target in edges[source] {
        let number = target >> 6
        if words[last].nodes == 0 {
          words[last].number = number
        } else if words[last].number != number {
          words[last].next = Int32(words.count)
          last = words.count
          words.append(FormTables.NodeWord(nodes: 0, number: number, next: 0))
        }
        words[last].nodes |= 1 << UInt64(target & 63)
      }
    }
    return words
  }
}

/// Numbers the entries of each template from 0.
private struct NumbersInTemplates {
  /// By entry: its number in its template; -1 without a template.
  let numbers: [Int32]
  /// By template: how many entries it has.
  let counts: [Int32]

  /// - Parameter templates: by entry, its template; nil for an entry that gets no number.
  init(_ templates: [Int?], templateCount: Int) {
    var counts = [Int32](repeating: 0, count: templateCount)
    numbers = templates.map { template in
      guard let template else { return -1 }
      defer { counts[template] += 1 }
      return counts[template]
    }
    self.counts = counts
  }
}
