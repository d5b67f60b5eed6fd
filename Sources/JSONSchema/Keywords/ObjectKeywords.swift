internal import JSON
internal import Texts

// `properties`, `patternProperties`, `additionalProperties`, `propertyNames` (core, section 10.3.2), `dependentSchemas`
// (10.2.2.4), and the assertions about objects (validation, section 6.5).

extension KeywordRule {
  /// Keywords about objects.
  static let objects: [KeywordRule] = [
    KeywordRule(.properties, in: .applicator, parameters: ["property"]) { $0.compileMembers($1, $2, &$3) },
    KeywordRule(.patternProperties, in: .applicator, parameters: ["property"]) { $0.compileMembers($1, $2, &$3) },
    KeywordRule(.additionalProperties, in: .applicator, parameters: ["property"]) { $0.compileMembers($1, $2, &$3) },
    KeywordRule(
      .propertyNames,
      from: .draft6,
      in: .applicator,
      parameters: ["property", "causes"],
      texts: """
        en|The name {property} is not allowed.
        ko|허용되지 않는 이름입니다: {property}.
        de|Der Name {property} ist nicht erlaubt.
        fr|Le nom {property} n’est pas autorisé.
        es|El nombre {property} no está permitido.
        pt|O nome {property} não é permitido.
        it|Il nome {property} non è consentito.
        ja|{property}という名前は使えません。
        zh|不允许使用名称{property}。
        """
    ) { $0.compileMembers($1, $2, &$3) },
    KeywordRule(.dependentSchemas, from: .draft2019, in: .applicator) { $0.compileMembers($1, $2, &$3) },
    KeywordRule(.dependencies, parameters: ["property", "missing"]) { $0.compileMembers($1, $2, &$3) },
    KeywordRule(
      .maxProperties,
      in: .validation,
      parameters: ["limit", "actual"],
      texts: """
        en|This may have at most {limit member/members}{not}.
        ko|항목은 최대 {limit}개까지 가능합니다.
        de|Höchstens {limit Angabe ist/Angaben sind} erlaubt.
        fr|L’objet peut contenir au plus {limit membre/membres}.
        es|El objeto puede tener como máximo {limit miembro/miembros}.
        pt|O objeto pode ter no máximo {limit membro/membros}.
        it|L’oggetto può avere al massimo {limit membro/membri}.
        ja|項目は{limit}個以下でなければなりません。
        zh|最多只能有{limit}个成员。
        """
    ) { $0.compileObjectAssertion($1, $2, &$3) },
    KeywordRule(
      .minProperties,
      in: .validation,
      parameters: ["limit", "actual"],
      texts: """
        en|This must have at least {limit member/members}{not}.
        ko|항목이 {limit}개 이상이어야 합니다.
        de|Mindestens {limit Angabe ist/Angaben sind} nötig.
        fr|L’objet doit contenir au moins {limit membre/membres}.
        es|El objeto debe tener al menos {limit miembro/miembros}.
        pt|O objeto deve ter no mínimo {limit membro/membros}.
        it|L’oggetto deve avere almeno {limit membro/membri}.
        ja|項目は{limit}個以上でなければなりません。
        zh|至少需要{limit}个成员。
        """
    ) { $0.compileObjectAssertion($1, $2, &$3) },
    KeywordRule(
      .required,
      in: .validation,
      parameters: ["missing"],
      texts: """
        en|This is required.
        en.named|{missing} is required.
        en.some|Something that is required is missing.
        ko|필수 항목입니다.
        ko.named|필수 항목이 없습니다: {missing}.
        ko.some|필수 항목이 없습니다.
        de|Diese Angabe ist erforderlich.
        de.named|{missing} ist erforderlich.
        de.some|Eine erforderliche Angabe fehlt.
        fr|Ce champ est obligatoire.
        fr.named|{missing} est obligatoire.
        fr.some|Une valeur obligatoire manque.
        es|Este campo es obligatorio.
        es.named|{missing} es obligatorio.
        es.some|Falta un valor obligatorio.
        pt|Este campo é obrigatório.
        pt.named|{missing} é obrigatório.
        pt.some|Falta um valor obrigatório.
        it|Questo campo è obbligatorio.
        it.named|{missing} è obbligatorio.
        it.some|Manca un valore obbligatorio.
        ja|必須項目です。
        ja.named|{missing}は必須です。
        ja.some|必須の項目がありません。
        zh|此项为必填项。
        zh.named|{missing}为必填项。
        zh.some|缺少必填项。
        """
    ) { $0.compileObjectAssertion($1, $2, &$3) },
    KeywordRule(.dependentRequired, from: .draft2019, in: .validation, parameters: ["property", "missing"]) {
      $0.compileObjectAssertion($1, $2, &$3)
    },
  ]
}

extension SchemaCompiler {
  mutating func compileMembers(_ keyword: Keyword, _ value: JSON, _ work: inout SchemaInProgress) {
    let name = keyword.rawValue
    switch keyword {
    case .additionalProperties:
      work.additional = child(work, name)
      work.emit(.additionalProperties, keyword)
      return
    case .propertyNames:
      work.emit(.propertyNames, keyword, child(work, name))
      return
    default:
      break
    }
    guard let entries = value.objectValue else {
      report(work, name, "\(name) must be an object")
      return
    }
    switch keyword {
    case .properties:
      work.properties = entries.names.map { ($0, child(work, name, $0)) }
      work.emit(.properties, keyword)
    case .patternProperties:
      for entry in entries {
        let schema = child(work, name, entry.name)
        if let pattern = addPattern(entry.name, work, name) { work.patterns.append((pattern, schema)) }
      }
      work.emit(.patternProperties, keyword)
    case .dependentSchemas:
      emitDependentSchemas(entries.names, keyword, &work)
    case .dependencies:
      // An array asks for members, anything else is a schema.
      var schemas: [String] = []
      var names = JSONObject()
      for entry in entries {
        if case .array = entry.value { names[entry.name] = entry.value } else { schemas.append(entry.name) }
      }
      if !names.isEmpty { emitDependentRequired(names, keyword, &work) }
      if !schemas.isEmpty { emitDependentSchemas(schemas, keyword, &work) }
    default: keyword.failAsMisplaced()
    }
  }

  private mutating func emitDependentSchemas(
    _ triggers: [String],
    _ keyword: Keyword,
    _ work: inout SchemaInProgress
  ) {
    var list: [Int32] = []
    for trigger in triggers {
      list.append(tables.addName(trigger))
      list.append(child(work, keyword.rawValue, trigger))
    }
    work.emit(.dependentSchemas, keyword, tables.addList(list), Int32(list.count))
  }

  private mutating func emitDependentRequired(
    _ entries: JSONObject,
    _ keyword: Keyword,
    _ work: inout SchemaInProgress
  ) {
    var list: [Int32] = []
    for entry in entries {
      guard let names = strings(entry.value) else {
        report(work, keyword.rawValue, "each member of \(keyword.rawValue) must be an array of names")
        return
      }
      list.append(tables.addName(entry.name))
      list.append(Int32(names.count))
      list += names.map { tables.addName($0) }
    }
    work.emit(.dependentRequired, keyword, tables.addList(list), Int32(list.count))
  }

  private func strings(_ value: JSON) -> [String]? {
    guard let elements = value.arrayValue else { return nil }
    let names = elements.compactMap(\.stringValue)
    return names.count == elements.count ? names : nil
  }

  mutating func compileObjectAssertion(_ keyword: Keyword, _ value: JSON, _ work: inout SchemaInProgress) {
    switch keyword {
    case .maxProperties:
      if let limit = count(keyword, value, work) { work.emit(.maxProperties, keyword, limit) }
    case .minProperties:
      if let limit = count(keyword, value, work) { work.emit(.minProperties, keyword, limit) }
    case .required:
      guard let names = strings(value) else {
        report(work, "required", "required must be an array of names")
        return
      }
      work.required = names
      let list = tables.addList(names.map { tables.addName($0) })
      work.emit(.required, keyword, list, Int32(names.count))
    case .dependentRequired:
      guard let entries = value.objectValue else {
        report(work, "dependentRequired", "dependentRequired must be an object")
        return
      }
      emitDependentRequired(entries, keyword, &work)
    default: keyword.failAsMisplaced()
    }
  }

  /// Joins the keywords that speak of members by name into one plan, for one walk over the members.
  mutating func finishMembers(_ work: inout SchemaInProgress) {
    guard
      !work.properties.isEmpty || !work.patterns.isEmpty || work.additional >= 0 || !work.required.isEmpty
        || work.instructions.contains(where: { $0.operation == .properties || $0.operation == .patternProperties })
    else { return }
    var entries: [(name: String, schema: Int32, isRequired: Bool)] = []
    let required = Set(work.required.map { UTF8Key(text: $0) })
    var known: Set<UTF8Key> = []
    for property in work.properties {
      let key = UTF8Key(text: property.name)
      known.insert(key)
      entries.append((property.name, property.schema, required.contains(key)))
    }
    for name in work.required where known.insert(UTF8Key(text: name)).inserted { entries.append((name, -1, true)) }
    let plan = Int32(tables.plans.count)
    tables.plans.append(
      MemberPlan(names: NameTable(entries), patterns: work.patterns, additional: work.additional)
    )
    work.plan = plan
    for index in work.instructions.indices {
      switch work.instructions[index].operation {
      case .properties, .patternProperties, .additionalProperties: work.instructions[index].a = plan
      default: break
      }
    }
  }
}

extension Program {
  /// The parameters of a failed assertion about objects alone.
  func parameters(ofObject instruction: Instruction, _ value: JSON) -> FailureParameters {
    switch instruction.operation {
    case .maxProperties, .minProperties: .count(limit: Int(instruction.a), actual: value.objectValue?.count ?? 0)
    default: .none
    }
  }
}

extension Evaluator {
  /// Whether an instruction about objects holds.
  mutating func holds(
    _ instruction: Instruction,
    members: JSONObject,
    _ value: borrowing BorrowedValue,
    _ track: Int
  ) -> Bool {
    switch instruction.operation {
    case .maxProperties: return members.count <= Int(instruction.a)
    case .minProperties: return members.count >= Int(instruction.a)
    case .required:
      charge(Int(instruction.b))
      for name in program.list(instruction.a, instruction.b)
      where members.position(of: program.names[Int(name)]) == nil { return false }
      return true
    case .propertyNames:
      for member in members {
        guard isValid(instruction.a, .string(member.name)) else { return false }
      }
      return true
    case .dependentRequired:
      charge(Int(instruction.b))
      var position = Int(instruction.a)
      let end = position + Int(instruction.b)
      while position < end {
        let count = Int(program.lists[position + 1])
        if members.position(of: program.names[Int(program.lists[position])]) != nil {
          for offset in 0..<count
          where members.position(of: program.names[Int(program.lists[position + 2 + offset])]) == nil { return false }
        }
        position += 2 + count
      }
      return true
    case .dependentSchemas:
      charge(Int(instruction.b))
      for position in stride(from: Int(instruction.a), to: Int(instruction.a + instruction.b), by: 2)
      where members.position(of: program.names[Int(program.lists[position])]) != nil {
        guard isValid(program.lists[position + 1], value, track) else { return false }
      }
      return true
    case .unevaluatedProperties:
      return members.withBorrowedMembers { members, count in
        for offset in 0..<count where track == Self.untracked || !marks[track + offset] {
          guard isValid(instruction.a, members[offset].value, Self.untracked) else { return false }
          mark(offset, track)
        }
        return true
      }
    default: instruction.operation.failAsMisplaced()
    }
  }

  /// `properties`, `patternProperties`, `additionalProperties` and `required` in one walk over the members, and one
  /// walk over the members that hold values of their own.
  @inline(__always)
  mutating func holds(plan index: Int, _ members: JSONObject, _ track: Int) -> Bool {
    members.withBorrowedMembers { members, count in
      holds(tables.plans + index, members, count, track)
    }
  }

  @inline(__always)
  private mutating func holds(
    _ plan: UnsafePointer<PlanRecord>,
    _ members: UnsafePointer<BorrowedMember>,
    _ count: Int,
    _ track: Int
  ) -> Bool {
    var requiredLeft = Int(plan.pointee.requiredCount)
    if count < requiredLeft { return false }
    let names = plan.pointee.names
    var hint = 0
    var firstContainer = count
    // How much further back a name is in the plan than in the object, at that member.
    var shift = 0
    for offset in 0..<count {
      let position = tables.position(in: names, of: members[offset].name, hint: hint)
      var schema: Int32 = -1
      if position >= 0 {
        hint = position + 1
        let entry = tables.names + (Int(names.start) + position)
        if entry.pointee.isRequired { requiredLeft -= 1 }
        schema = entry.pointee.schema
      }
      // Values inside members are evaluated when all cheap keywords hold.
      if members[offset].value.content.isContainer {
        if firstContainer == count { (firstContainer, shift) = (offset, max(0, position) - offset) }
        continue
      }
      if schema >= 0 {
        guard isLeafValid(schema, members[offset].value, Self.untracked) else { return false }
        mark(offset, track)
      }
      if plan.pointee.patternCount > 0 || schema < 0 {
        guard holds(patternsOf: plan, members + offset, schema < 0, offset, track) else { return false }
      }
    }
    guard requiredLeft == 0 else { return false }
    return firstContainer == count || holdsInside(plan, members, firstContainer..<count, shift, track)
  }

  /// The same for the members that hold values of their own, in the second walk. A function of its own, so that the
  /// first stays small enough to be inlined.
  ///
  /// - Parameter shift: how much further back the first name is in the plan than in the object.
  @inline(never)
  private mutating func holdsInside(
    _ plan: UnsafePointer<PlanRecord>,
    _ members: UnsafePointer<BorrowedMember>,
    _ offsets: Range<Int>,
    _ shift: Int,
    _ track: Int
  ) -> Bool {
    let names = plan.pointee.names
    var shift = shift
    for offset in offsets where members[offset].value.content.isContainer {
      let position = tables.position(in: names, of: members[offset].name, hint: max(0, offset + shift))
      var schema: Int32 = -1
      if position >= 0 {
        shift = position - offset
        schema = (tables.names + (Int(names.start) + position)).pointee.schema
      }
      if schema >= 0 {
        guard isValid(schema, members[offset].value, Self.untracked) else { return false }
        mark(offset, track)
      }
      if plan.pointee.patternCount > 0 || schema < 0 {
        guard holds(patternsOf: plan, members + offset, schema < 0, offset, track) else { return false }
      }
    }
    return true
  }

  /// `patternProperties` and `additionalProperties` for one member.
  private mutating func holds(
    patternsOf plan: UnsafePointer<PlanRecord>,
    _ member: UnsafePointer<BorrowedMember>,
    _ isUnnamed: Bool,
    _ offset: Int,
    _ track: Int
  ) -> Bool {
    charge(Int(plan.pointee.patternCount))
    var isAdditional = isUnnamed
    for number in 0..<Int(plan.pointee.patternCount) {
      let pair = Int(plan.pointee.patterns) + number * 2
      guard matches(tables.lists[pair], member.pointee.name) else { continue }
      isAdditional = false
      guard isValid(tables.lists[pair + 1], member.pointee.value, Self.untracked) else { return false }
      mark(offset, track)
    }
    guard isAdditional, plan.pointee.additional >= 0 else { return true }
    guard isValid(plan.pointee.additional, member.pointee.value, Self.untracked) else { return false }
    mark(offset, track)
    return true
  }
}
