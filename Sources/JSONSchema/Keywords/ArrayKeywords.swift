internal import JSON

// `prefixItems`, `items`, `contains` (core, section 10.3.1) and the assertions about arrays (validation, section 6.4).

extension KeywordRule {
  /// Keywords about arrays.
  static let arrays: [KeywordRule] = [
    KeywordRule(.prefixItems, from: .draft2020, in: .applicator, parameters: ["item"]) { $0.compileItems($1, $2, &$3) },
    KeywordRule(
      .items,
      in: .applicator,
      parameters: ["item"],
      texts: """
        en|This item is not expected here.
        ko|허용되지 않는 항목입니다.
        de|Dieser Eintrag ist hier nicht vorgesehen.
        fr|Cet élément n’est pas prévu ici.
        es|Este elemento no se espera aquí.
        pt|Este item não é esperado aqui.
        it|Questo elemento non è previsto qui.
        ja|この要素はここでは使えません。
        zh|此处不允许有这一项。
        """
    ) { $0.compileItems($1, $2, &$3) },
    KeywordRule(.additionalItems, upTo: .draft2019, in: .applicator, parameters: ["item"]) {
      $0.compileItems($1, $2, &$3)
    },
    KeywordRule(
      .contains,
      from: .draft6,
      in: .applicator,
      parameters: ["limit", "actual", "causes"],
      texts: """
        en.few|At least {limit item/items} must be of the required kind{not}.
        en.many|At most {limit item/items} may be of that kind{not}.
        ko.few|조건에 맞는 항목이 {limit}개 이상이어야 합니다.
        ko.many|조건에 맞는 항목은 최대 {limit}개까지 가능합니다.
        de.few|Mindestens {limit Eintrag muss/Einträge müssen} die Bedingung erfüllen.
        de.many|Höchstens {limit Eintrag darf/Einträge dürfen} die Bedingung erfüllen.
        fr.few|Au moins {limit élément doit/éléments doivent} remplir la condition.
        fr.many|Au plus {limit élément peut/éléments peuvent} remplir la condition.
        es.few|Al menos {limit elemento debe/elementos deben} cumplir la condición.
        es.many|Como máximo {limit elemento puede/elementos pueden} cumplir la condición.
        pt.few|No mínimo {limit item deve/itens devem} atender à condição.
        pt.many|No máximo {limit item pode/itens podem} atender à condição.
        it.few|Almeno {limit elemento deve/elementi devono} soddisfare la condizione.
        it.many|Al massimo {limit elemento può/elementi possono} soddisfare la condizione.
        ja.few|条件を満たす要素が{limit}件以上必要です。
        ja.many|条件を満たす要素は{limit}件以下でなければなりません。
        zh.few|至少需要{limit}项符合条件。
        zh.many|最多只能有{limit}项符合条件。
        """
    ) { $0.compileItems($1, $2, &$3) },
    KeywordRule(
      .maxItems,
      in: .validation,
      parameters: ["limit", "actual"],
      texts: """
        en|This may have at most {limit item/items}{not}.
        ko|최대 {limit}개까지 가능합니다.
        de|Höchstens {limit Eintrag ist/Einträge sind} erlaubt.
        fr|La liste peut contenir au plus {limit élément/éléments}.
        es|La lista puede tener como máximo {limit elemento/elementos}.
        pt|A lista pode ter no máximo {limit item/itens}.
        it|L’elenco può avere al massimo {limit elemento/elementi}.
        ja|{limit}件以下でなければなりません。
        zh|最多只能有{limit}项。
        """
    ) { $0.compileArrayAssertion($1, $2, &$3) },
    KeywordRule(
      .minItems,
      in: .validation,
      parameters: ["limit", "actual"],
      texts: """
        en|This must have at least {limit item/items}{not}.
        ko|{limit}개 이상이어야 합니다.
        de|Mindestens {limit Eintrag ist/Einträge sind} nötig.
        fr|La liste doit contenir au moins {limit élément/éléments}.
        es|La lista debe tener al menos {limit elemento/elementos}.
        pt|A lista deve ter no mínimo {limit item/itens}.
        it|L’elenco deve avere almeno {limit elemento/elementi}.
        ja|{limit}件以上でなければなりません。
        zh|至少需要{limit}项。
        """
    ) { $0.compileArrayAssertion($1, $2, &$3) },
    KeywordRule(
      .uniqueItems,
      in: .validation,
      parameters: ["first", "second"],
      texts: """
        en|No two items may be equal; items {first} and {second} are.
        ko|같은 항목이 있으면 안 됩니다. {first}번째와 {second}번째 항목이 같습니다.
        de|Kein Eintrag darf doppelt vorkommen; die Einträge {first} und {second} sind gleich.
        fr|Tous les éléments doivent être différents\u{A0}; les éléments {first} et {second} sont égaux.
        es|No puede haber elementos iguales; los elementos {first} y {second} lo son.
        pt|Não pode haver itens iguais; os itens {first} e {second} são iguais.
        it|Non possono esserci elementi uguali; gli elementi {first} e {second} lo sono.
        ja|同じ要素は使えません。{first}番目と{second}番目の要素が同じです。
        zh|不能有相同的项；第{first}项和第{second}项相同。
        """
    ) { $0.compileArrayAssertion($1, $2, &$3) },
    KeywordRule(.maxContains, from: .draft2019, in: .validation, parameters: ["limit", "actual"]) {
      $0.compileArrayAssertion($1, $2, &$3)
    },
    KeywordRule(.minContains, from: .draft2019, in: .validation, parameters: ["limit", "actual"]) {
      $0.compileArrayAssertion($1, $2, &$3)
    },
  ]
}

extension SchemaCompiler {
  mutating func compileItems(_ keyword: Keyword, _ value: JSON, _ work: inout SchemaInProgress) {
    let isNew = work.dialect.draft == .draft2020
    switch keyword {
    case .prefixItems:
      compilePrefix(keyword, value, &work)
    case .items:
      if !isNew, case .array = value {
        compilePrefix(keyword, value, &work)
      } else {
        let start = isNew ? work.members["prefixItems"]?.arrayValue?.count ?? 0 : 0
        work.emit(.items, keyword, child(work, "items"), Int32(clamping: start))
      }
    case .additionalItems:
      // It needs an array of `items` beside it.
      guard let prefix = work.members["items"]?.arrayValue else { return }
      work.emit(.items, keyword, child(work, "additionalItems"), Int32(clamping: prefix.count))
    case .contains:
      let counts = work.has(.validation) && work.dialect.draft.has(.minContains)
      let atLeast = counts ? work.members["minContains"].flatMap { count(.minContains, $0, work) } ?? 1 : 1
      let atMost = counts ? work.members["maxContains"].flatMap { count(.maxContains, $0, work) } ?? -1 : -1
      work.emit(.contains, keyword, child(work, "contains"), atLeast, atMost)
    default: keyword.failAsMisplaced()
    }
  }

  private mutating func compilePrefix(_ keyword: Keyword, _ value: JSON, _ work: inout SchemaInProgress) {
    guard let elements = value.arrayValue, !elements.isEmpty || keyword == .items else {
      report(work, keyword.rawValue, "\(keyword.rawValue) must be an array with at least one schema")
      return
    }
    let schemas = elements.indices.map { child(work, keyword.rawValue, String($0)) }
    work.emit(.prefixItems, keyword, tables.addList(schemas), Int32(schemas.count))
  }

  mutating func compileArrayAssertion(_ keyword: Keyword, _ value: JSON, _ work: inout SchemaInProgress) {
    switch keyword {
    case .uniqueItems:
      guard let isOn = value.boolValue else {
        report(work, "uniqueItems", "uniqueItems must be true or false")
        return
      }
      if isOn { work.emit(.uniqueItems, keyword) }
    case .maxItems:
      if let limit = count(keyword, value, work) { work.emit(.maxItems, keyword, limit) }
    case .minItems:
      if let limit = count(keyword, value, work) { work.emit(.minItems, keyword, limit) }
    case .minContains, .maxContains:
      // Read with `contains`; without it they only have to be counts.
      if work.members["contains"] == nil { _ = count(keyword, value, work) }
    default: keyword.failAsMisplaced()
    }
  }
}

/// Finding equal elements.
enum Duplicates {
  private static let quadraticMax = 16

  /// The positions of the first two equal elements, or nil if all differ.
  static func first(in elements: [JSON]) -> (Int, Int)? {
    guard elements.count > 1 else { return nil }
    if elements.count <= quadraticMax {
      for later in 1..<elements.count {
        for earlier in 0..<later where elements[earlier] == elements[later] { return (earlier, later) }
      }
      return nil
    }
    let hashes = elements.map(\.hashValue)
    // A hash table of positions is a tenth of a dictionary of values, and stays in the processor's cache.
    var places: [Int32] = Array(repeating: -1, count: 1 << (Int.bitWidth - (2 * elements.count).leadingZeroBitCount))
    for (position, hash) in hashes.enumerated() {
      var place = hash & (places.count - 1)
      while places[place] >= 0 {
        let earlier = Int(places[place])
        if hashes[earlier] == hash, elements[earlier] == elements[position] { return (earlier, position) }
        place = (place + 1) & (places.count - 1)
      }
      places[place] = Int32(position)
    }
    return nil
  }
}

extension Program {
  /// The parameters of a failed assertion about arrays alone.
  func parameters(ofArray instruction: Instruction, _ value: JSON) -> FailureParameters {
    switch instruction.operation {
    case .maxItems, .minItems: .count(limit: Int(instruction.a), actual: value.arrayValue?.count ?? 0)
    default: .none
    }
  }
}

extension Evaluator {
  /// Whether an instruction about arrays holds.
  mutating func holds(_ instruction: Instruction, elements: [JSON], _ track: Int) -> Bool {
    switch instruction.operation {
    case .maxItems: return elements.count <= Int(instruction.a)
    case .minItems: return elements.count >= Int(instruction.a)
    case .uniqueItems: return duplicates(in: elements) == nil
    case .prefixItems:
      return elements.withBorrowedElements { elements, count in
        for offset in 0..<min(count, Int(instruction.b)) {
          guard isValid(tables.lists[Int(instruction.a) + offset], elements[offset], Self.untracked) else {
            return false
          }
          mark(offset, track)
        }
        return true
      }
    case .items:
      return elements.withBorrowedElements { elements, count in
        var offset = Int(instruction.b)
        while offset < count {
          guard isValid(instruction.a, elements[offset], Self.untracked) else { return false }
          mark(offset, track)
          offset += 1
        }
        return true
      }
    case .contains:
      return elements.withBorrowedElements { elements, count in
        contains(instruction, elements, count, track)
      }
    case .unevaluatedItems:
      return elements.withBorrowedElements { elements, count in
        for offset in 0..<count where track == Self.untracked || !marks[track + offset] {
          guard isValid(instruction.a, elements[offset], Self.untracked) else { return false }
          mark(offset, track)
        }
        return true
      }
    default: instruction.operation.failAsMisplaced()
    }
  }

  /// What an element costs that is looked up among the elements before it.
  private static let unitsOfLookup = 8

  /// The positions of the first two equal elements; nil if all differ, or if it would cost too much to look.
  mutating func duplicates(in elements: [JSON]) -> (Int, Int)? {
    charge(elements.count * Self.unitsOfLookup)
    return givenUp == nil ? Duplicates.first(in: elements) : nil
  }

  private mutating func contains(
    _ instruction: Instruction,
    _ elements: UnsafePointer<BorrowedValue>,
    _ count: Int,
    _ track: Int
  ) -> Bool {
    let marksMatches = track != Self.untracked && program.containsMarks(instruction)
    var matching = 0
    for offset in 0..<count where isValid(instruction.a, elements[offset], Self.untracked) {
      matching += 1
      if marksMatches { mark(offset, track) }
      if instruction.c < 0 && matching >= Int(instruction.b) && !marksMatches { return true }
      if instruction.c >= 0 && matching > Int(instruction.c) { return false }
    }
    return matching >= Int(instruction.b)
  }
}

extension Program {
  /// Before 2020-12, `contains` did not mark its matches as evaluated.
  func containsMarks(_ instruction: Instruction) -> Bool {
    sources[Int(instruction.a)].dialect.draft == .draft2020
  }
}
