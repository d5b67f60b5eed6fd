internal import DocumentProperties
internal import JSON
internal import JSONSchema

/// Owns the memory behind a form's ``FormTables``.
@safe final class FormTableStorage: @unchecked Sendable {
  let tables: Reference<FormTables>
  /// Allocated here, freed in `deinit`; nothing in it needs more than that (numbers, pointers, unmanaged references).
  private let blocks: [UnsafeMutableRawPointer]

  init(_ parts: FormParts, slots: SlotTable, layout: DocumentLayout) {
    var blocks: [UnsafeMutableRawPointer] = unsafe []
    func table<Entry>(_ entries: [Entry]) -> Table<Entry> {
      let memory = UnsafeMutablePointer<Entry>.allocate(capacity: max(entries.count, 1))
      unsafe memory.initialize(from: entries, count: entries.count)
      unsafe blocks.append(UnsafeMutableRawPointer(memory))
      return unsafe Table(UnsafeBufferPointer(start: memory, count: entries.count))
    }
    func bytes(_ content: [UInt8]) -> PreparedBytes { unsafe PreparedBytes(content) { unsafe blocks.append($0) } }
    let noBytes = bytes([])
    let graph = parts.graph
    let prepared = parts.errors.all
    let resetsFields = parts.fields.contains { !$0.trigger.isEmpty || $0.clearsWhenHidden }
    let hasDependents = parts.hasUndo || resetsFields
    var ruleIndices: [Int32] = []
    var sumsCounts = [Int32](repeating: 0, count: parts.templates.count)
    var listCounts = sumsCounts
    var children = [Int32](repeating: 0, count: parts.fields.count)
    for field in parts.fields { if let parent = field.parent { children[parent] += 1 } }
    var steps = [Int32](repeating: -1, count: parts.fields.count)
    for (index, step) in parts.steps.enumerated() { for field in step.fields { steps[field] = Int32(index) } }
    var isInIgnoredRows: [Bool] = []
    for field in parts.fields {
      let isElement = field.list.map { parts.fields[$0].ignoresBlankRows } ?? false
      isInIgnoredRows.append(isElement || field.around.map { isInIgnoredRows[$0] } ?? false)
    }
    let fields = parts.fields.enumerated().map { index, field in
      let firstRule = ruleIndices.count
      ruleIndices += field.rules.map { Int32($0) }
      var sums: Int32 = -1
      var list: Int32 = -1
      if field.unit != nil {
        sums = sumsCounts[field.template]
        sumsCounts[field.template] += 1
      }
      if field.element != nil {
        list = listCounts[field.template]
        listCounts[field.template] += 1
      }
      let textBytesMax = field.property.map { parts.units[field.owner].object.textBytesMax(property: $0) } ?? Int.max
      return FormTables.FieldEntry(
        valueSlot: slots.offset(slots.values[index]),
        slots: table(slots.fields.slots(of: index).map(slots.offset)),
        messageSlot: slots.offset(slots.messages[index]),
        parent: field.parent.map { Int32($0) } ?? -1,
        end: Int32(field.end),
        childCount: children[index],
        sums: sums,
        step: steps[index],
        template: Int32(field.template),
        element: field.element.map { Int32($0) } ?? -1,
        list: list,
        isContentRead: !graph.readers[graph.facts.number(.field(index), .content)].isEmpty,
        owner: Int32(field.owner),
        property: field.property.map { Int32($0) } ?? -1,
        textBytesMax: Int32(clamping: textBytesMax),
        requiredError: field.requiredError,
        firstRule: Int32(firstRule),
        ruleCount: Int32(field.rules.count),
        canWait: !field.checks.isEmpty || !field.lookups.isEmpty,
        type: field.type,
        hasTiming: field.timing != nil,
        isPlain: field.timing == nil && field.around == nil && field.unit == nil && !field.mayFollow
          && !field.isReadOnly && !field.tellsText && !hasDependents,
        hasInitial: field.initial != nil || field.mayFollow,
        refusesUser: field.isComputed || field.isReadOnly,
        keepsPlainText: !field.coerces && field.read == nil && field.normalize.allSatisfy(\.keepsPlainText),
        tellsText: field.tellsText,
        trustsInitial: field.trustsInitial,
        forgivesErrors: field.trustsInitial || isInIgnoredRows[index],
        isUnordered: field.isUnordered
      )
    }
    let rules = parts.rules.enumerated().map { index, rule in
      FormTables.RuleEntry(
        field: rule.field.map { Int32($0) } ?? -1,
        error: rule.error,
        fault: rule.fault,
        when: rule.when.map { FormulaReference($0) },
        check: rule.check.map { FormulaReference($0) },
        messageFormula: rule.messageFormula.map { FormulaReference($0) }
      )
    }
    let cells = CellTable.entries(of: layout, parts.fields, bytes)
    let nodeTemplates = graph.templates.map(Int32.init)
    let (nodeOffsets, nodeCounts) = Self.offsetsOfNodes(graph, templateCount: parts.templates.count)
    let templateNodes = nodeTemplates.indices.sorted { (nodeTemplates[$0], $0) < (nodeTemplates[$1], $1) }
    let templates = parts.templates.enumerated().map { index, template in
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
        sumsCount: sumsCounts[index],
        listCount: listCounts[index],
        nodeCount: nodeCounts[index],
        firstNode: nodeCounts[..<index].reduce(0, +),
        indexSlot: slots.offset(slots.index[index])
      )
    }
    let readerWords = Self.words(of: graph.readers)
    let hasBlockingFailures = parts.checks.contains { $0.onFailure == .block }
    let content = FormTables(
      templates: table(templates),
      hasRows: templates.count > 1,
      hasDependents: hasDependents,
      resetsFields: resetsFields,
      growthMax: parts.fields.reduce(1) { max($0, $1.growthMax) },
      nodeTemplates: table(nodeTemplates),
      nodeOffsets: table(nodeOffsets),
      templateNodes: table(templateNodes.map { Int32($0) }),
      slotTemplates: table(slots.locations.map { Int32($0.template) }),
      slotOffsets: table(slots.locations.map { Int32($0.offset) }),
      columnSlots: table(slots.columns.map { slots.offset($0.slot) }),
      nodes: table(graph.nodes),
      fields: table(fields),
      addresses: table(parts.fields.map { bytes(Array($0.address.utf8)) }),
      rules: table(rules),
      errors: table(prepared.map { FormTables.ErrorEntry(isWarning: $0.severity == .warning) }),
      errorLists: table(
        prepared.flatMap { error in
          // A locale of the built-in texts alone gets a list if its text is the text of another locale.
          var lists = [PreparedBytes?](repeating: nil, count: error.message.variants.count)
          for locale in 0..<parts.ownLocaleCount where lists[error.message.variant(of: locale)] == nil {
            let buffer = OutputBuffer(capacity: 256)
            buffer.append(byte: UInt8(ascii: "["))
            error.write(locale: locale, into: buffer)
            buffer.append(byte: UInt8(ascii: "]"))
            lists[error.message.variant(of: locale)] = bytes(buffer.copiedBytes)
          }
          return parts.locales.indices.map { lists[error.message.variant(of: $0)] ?? noBytes }
        }
      ),
      ruleIndices: table(ruleIndices),
      readerStarts: table(graph.readers.starts),
      readers: table(graph.readers.targets),
      readerWords: table(readerWords),
      hasBlockingFailures: hasBlockingFailures,
      outputs: table(
        parts.outputs.enumerated().map { index, output in
          FormTables.OutputEntry(
            slot: slots.offset(slots.outputs[index]),
            formula: FormulaReference(output.formula)
          )
        }
      ),
      actions: table(
        parts.actions.enumerated().map { index, action in
          FormTables.ActionEntry(
            slots: table(slots.actions.slots(of: index)),
            enabled: action.enabled.map { FormulaReference($0) },
            isEnabledDespiteFailures: action.isEnabledByDefault && hasBlockingFailures
          )
        }
      ),
      cells: table(cells),
      blocks: table(FormTables.Block.allCases.map { CellTable.entry(of: $0, bytes) }),
      beginning: table([CellTable.beginning(bytes)]).at(0),
      facts: graph.facts,
      readsTime: slots.readsTime,
      formSlots: table(slots.form.slots(of: 0)),
      firstFieldCell: Int32(layout.field(0, .isVisible)),
      firstActionCell: Int32(layout.action(0, .isEnabled)),
      firstOutputCell: Int32(layout.output(0)),
      fieldCount: Int32(parts.fields.count),
      nodeCount: Int32(graph.nodes.count),
      cellCount: Int32(layout.count),
      slotCount: Int32(slots.count),
      localeCount: Int32(parts.locales.count)
    )
    tables = table([content]).at(0)
    unsafe self.blocks = blocks
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

  /// By node: its offset among the nodes of its template; by template: how many nodes it has.
  private static func offsetsOfNodes(
    _ graph: Graph,
    templateCount: Int
  ) -> (offsets: [Int32], counts: [Int32]) {
    var counts = [Int32](repeating: 0, count: templateCount)
    let offsets = graph.templates.map { template in
      defer { counts[template] += 1 }
      return counts[template]
    }
    return (offsets, counts)
  }

  deinit {
    for position in unsafe blocks.indices { unsafe blocks[position].deallocate() }
  }
}
