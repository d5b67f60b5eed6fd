internal import CEL
internal import DocumentProperties
internal import Formats
internal import Forms
internal import JSON
internal import JSONSchema
internal import LocaleFormats
internal import Texts

/// What the schema says about values: about each field alone, and about objects by their keywords.
extension Engine {
  /// Whether a value meets the schema's demands on the field alone. Keywords of an object with fields below it are
  /// judged one by one elsewhere.
  @inline(__always)
  func isValidBySchema(_ field: Int, _ entry: Reference<FormTables.FieldEntry>, _ instance: Instance)
    -> Bool
  {
    let value = instance.storage(ofValue: field)
    // Most texts need no evaluation: the schema only bounds their length, and they are far shorter.
    let count = value.borrowed.pointee.withText { $0.utf8.count }
    if let count, count <= Int(entry.pointee.textBytesMax) { return true }
    return isValidByEvaluation(field, entry, instance)
  }

  @inline(never)
  private func isValidByEvaluation(
    _ field: Int,
    _ entry: Reference<FormTables.FieldEntry>,
    _ instance: Instance
  ) -> Bool {
    guard let value = instance.fields[field].value else { return true }
    if entry.hasFieldsBelow, !instance.isNoObject(field) { return true }
    return instance.form.units[Int(entry.pointee.owner)].object.isValid(
      value,
      property: Int(entry.pointee.property),
      budget: &budget
    )
  }

  /// Whether an object with fields below it exists for the schema. It has a value, or it is required and judged as
  /// empty, so that its members get the errors.
  func computeJudged(_ field: Int, _ instance: Instance) -> FactSet {
    let entry = instance.tables.pointee.fields.at(field)
    let isJudged = isJudged(field, entry, instance)
    guard isJudged != instance.fields[field].flags.contains(.isJudged) else { return .none }
    instance.fields[field].flags.formSymmetricDifference(.isJudged)
    // The keywords of every object around it see its appearance and disappearance.
    forgetAllValues()
    return .isJudged
  }

  func isJudged(_ field: Int, _ entry: Reference<FormTables.FieldEntry>, _ instance: Instance) -> Bool {
    let flags = instance.fields[field].flags
    if instance.isNoObject(field) || instance.fields[field].value == .null { return false }
    return flags.contains(.isVisible) && (!flags.contains(.isEmpty) || mustHaveValue(field, entry, instance))
  }

  /// Whether a missing value is an error. The schema's `required` applies only to members of an object that exists. A
  /// formula's `required` applies whenever the field can have a value.
  @inline(__always)
  func mustHaveValue(_ field: Int, _ entry: Reference<FormTables.FieldEntry>, _ instance: Instance) -> Bool {
    let flags = instance.fields[field].flags
    guard flags.contains(.isRequired) else { return false }
    if entry.pointee.parent < 0 { return instance.template == 0 || instance.isReachable(field) }
    if flags.contains(.isRequiredByFormula) { return instance.isReachable(field) }
    return instance.fields[Int(entry.pointee.parent)].flags.contains(.isJudged)
  }

  /// Finds the errors of a value that the schema refuses.
  ///
  /// - Returns: whether they differ from the errors before, and whether the value's type is wrong.
  @inline(never)
  func judgeBySchema(_ field: Int, _ instance: Instance) -> (errorsDiffer: Bool, hasWrongType: Bool) {
    let (errors, hasWrongType) = schemaErrors(of: field, instance)
    guard errors != instance.fields[field].schemaErrors else { return (false, hasWrongType) }
    instance.fields[field].schemaErrors = errors
    return (true, hasWrongType)
  }

  // MARK: Object-level keywords of the schema

  /// Of the facts that a keyword may write, only the facts of fields with new or removed errors change. These fields
  /// may be in rows.
  func computeObjectKeyword(_ keyword: Int, _ instance: Instance) {
    let errors = objectKeywordErrors(of: keyword, instance)
    let before = instance.instanceExtras?.objectKeywordTargets[keyword] ?? []
    if errors.isEmpty && before.isEmpty { return }
    for target in before.compactMap(instance.session.instance) {
      for (field, _) in target.instanceExtras?.objectKeywordErrors.removeValue(forKey: keyword) ?? [] {
        objectErrorsChanged(field, target)
      }
    }
    var targets: Set<Int> = []
    for (target, field, error) in errors {
      targets.insert(target.rowID)
      target.madeInstanceExtras.objectKeywordErrors[keyword, default: []].append((field, error))
      objectErrorsChanged(field, target)
    }
    instance.madeInstanceExtras.objectKeywordTargets[keyword] = targets.isEmpty ? nil : targets.sorted()
  }

  /// - Parameter field: nil means the form.
  private func objectErrorsChanged(_ field: Int?, _ instance: Instance) {
    if let field {
      changed(.objectErrors, ofField: field, in: instance)
    } else {
      formChanged(.formObjectErrors, in: instance.session)
    }
  }

  // MARK: Errors

  /// The number of schema errors that are counted even if not all are listed. It is higher if more are listed.
  static let errorsCountedMaxUsual = 1_000
  private var errorsCountedMax: Int { max(Self.errorsCountedMaxUsual, errorsPerFieldMax + 1) }

  /// The errors of a value that its property's schema refuses, and whether its type is wrong.
  func schemaErrors(
    of field: Int,
    _ instance: Instance
  ) -> (errors: ErrorList, hasWrongType: Bool) {
    guard let value = instance.fields[field].value else { return (.none, false) }
    let definition = instance.form.fields[field]
    guard let property = definition.property else { return (.none, false) }
    let object = instance.form.units[definition.owner].object
    let (failures, total) = listed { limit in
      var failures: [Failure] = []
      object.failures(of: value, property: property, into: &failures, limit: limit, budget: &budget)
      return failures
    }
    var errors = ErrorList.none
    var hasWrongType = false
    for failure in failures {
      // `instanceLocation` starts at the object around the field, with the field's name.
      let rest = Array(failure.instanceLocation.tokens.dropFirst())
      if rest.isEmpty, failure.keyword == .type || definition.isUnread(failure) { hasWrongType = true }
      let resolved = ResolvedAddress(field: field, rest: rest + (failure.parameters.missingProperty.map { [$0] } ?? []))
      errors.append(error(of: failure, at: resolved, isSecret: definition.holdsSecret, instance))
    }
    if total > failures.count {
      errors.append(more(thanListed: total, of: field, isSecret: definition.holdsSecret, instance))
    }
    return (errors, hasWrongType)
  }

  /// The errors of an object-level keyword for the current values, each with its field (nil is the form) and its
  /// instance.
  func objectKeywordErrors(of number: Int, _ instance: Instance) -> [(
    instance: Instance, field: Int?, error: FieldError
  )] {
    let form = instance.form
    let keyword = form.objectKeywords[number]
    let unit = form.units[keyword.unit]
    // An absent object does not have to meet anything.
    if let field = unit.field, !instance.fields[field].flags.contains(.isJudged) { return [] }
    if keyword.group != nil, keyword.fields.allSatisfy({ !instance.fields[$0].flags.contains(.isVisible) }) {
      return []
    }
    let values = value(readBy: keyword, instance)
    if unit.object.isValid(values, keyword: keyword.number, budget: &budget) { return [] }
    let failures = unit.object.failures(of: values, keyword: keyword.number, limit: errorsCountedMax, budget: &budget)
    // The values that a keyword reads show which of its branches hold.
    let isSecret =
      keyword.fields.contains { form.fields[$0].holdsSecret } || keyword.readsOtherMembers && unit.areOthersSecret
    var errors: [(instance: Instance, field: Int?, error: FieldError)] = []
    var totals: [ErrorTarget: (instance: Instance, count: Int)] = [:]
    for failure in failures {
      // `required` and `dependent*` name the missing member. Other failures have the location of the member.
      let missing = failure.parameters.missingProperty.map { [$0] } ?? []
      let (target, resolved) = instance.resolveDeepest(on: failure.instanceLocation.tokens + missing, below: unit.field)
      let key = ErrorTarget(row: resolved.row, field: resolved.field)
      let total = (totals[key]?.count ?? 0) + 1
      totals[key] = (target, total)
      // Each field lists its own errors, because a keyword may fail at many fields.
      if total > errorsPerFieldMax { continue }
      let error = error(of: failure, at: resolved, isSecret: isSecret, instance)
      guard let group = keyword.group, failure.kind == .invalid else {
        errors.append((target, resolved.field, error))
        continue
      }
      errors += groupErrors(of: group, in: unit.field, values, form).map { (instance, $0.field, $0.error) }
    }
    for (key, total) in totals.sorted(by: { $0.key < $1.key }) where total.count > errorsPerFieldMax {
      let error = more(thanListed: total.count, of: key.field, isSecret: isSecret, instance)
      errors.append((total.instance, key.field, error))
    }
    return errors
  }

  /// The errors of a group that is wrong: at what is around its fields, and at the fields where it can be corrected.
  private func groupErrors(of group: FieldGroup, in around: Int?, _ values: JSON, _ form: Form)
    -> [(field: Int?, error: FieldError)]
  {
    func isGiven(_ field: Int) -> Bool { values[form.fields[field].name] != nil }
    let fields = group.fields.filter { field in
      group.kind.concerns(isEmpty: !isGiven(field), isAnyGiven: group.fields.contains(where: isGiven))
    }
    return ([around] + fields).map { ($0, .prepared(PreparedErrorReference(group.error(at: $0)))) }
  }

  /// As many failures as a field lists, and the count of all.
  ///
  /// - Parameter collect: finds at most so many failures, causes included.
  func listed(_ collect: (Int) -> [Failure]) -> (failures: [Failure], total: Int) {
    let found = collect(errorsPerFieldMax)
    let count = found.reduce(0) { $0 + 1 + $1.causes.count }
    guard count >= errorsPerFieldMax else { return (found, found.count) }
    return (found, max(found.count, collect(errorsCountedMax).count))
  }

  /// The last error of a list that is not complete: it gives the count of all. For a secret's value it does not.
  func more(thanListed total: Int, of field: Int?, isSecret: Bool, _ instance: Instance) -> FieldError {
    let form = instance.form
    let parameters: JSONObject = isSecret ? [:] : ["total": .integer(Int64(total))]
    let text =
      form.message("more", of: field, isInside: false)
      ?? (isSecret ? BuiltInTexts.invalid : BuiltInTexts.more)
    return .detailed(
      ErrorDetail(
        code: "more",
        severity: .error,
        source: .schema,
        message: form.filled(text, from: parameters, of: field, locale: instance.session.localeIndex),
        parameters: parameters
      )
    )
  }

  /// The values that an object-level keyword reads. The values of all top-level members are gathered once for all
  /// keywords that read them.
  func value(readBy keyword: ObjectKeyword, _ instance: Instance) -> JSON {
    let readsAll = keyword.unit == 0 && keyword.readsOtherMembers && keyword.fields.count == instance.form.topLevelCount
    if readsAll, let known = keyword.readsPresenceAlone ? allPresence : allValues { return known }
    counters.visited(keyword.fields.count)
    if let rows = instance.rowsCounted(by: keyword) { return .array(nulls(rows.count)) }
    let value = instance.value(readBy: keyword)
    if readsAll {
      if keyword.readsPresenceAlone { allPresence = value } else { allValues = value }
      hasLeftovers = true
    }
    return value
  }

  /// A list of nulls: a keyword that only counts needs no values. Usually only one row has come or gone since the last
  /// call.
  func nulls(_ count: Int) -> [JSON] {
    let missing = count - nulls.count
    if missing < 0 { nulls.removeLast(-missing) }
    if missing > 0 { nulls.append(contentsOf: repeatElement(.null, count: missing)) }
    return nulls
  }

  /// - Parameters:
  ///   - resolved: the address of the failure.
  ///   - isSecret: whether the error may reveal something about a secret.
  func error(of found: Failure, at resolved: ResolvedAddress, isSecret: Bool, _ instance: Instance)
    -> FieldError
  {
    let form = instance.form
    if found.kind == .tooCostly { report(found) }
    let read = resolved.rest.isEmpty ? resolved.field.flatMap { form.fields[$0].read } : nil
    let isUnread = read != nil && resolved.field.map { form.fields[$0].isUnread(found) } ?? false
    // A date that cannot be read is a text like a number that cannot be read, and its schema asks for a text.
    let code = isUnread ? "type" : found.kind == .invalid ? found.keyword.rawValue : found.kind.rawValue
    if code == "required", let field = resolved.field, resolved.rest.isEmpty {
      return .prepared(PreparedErrorReference(form.fields[field].requiredError))
    }
    // Names and positions inside a secret are part of it.
    let failure = isSecret ? found.withoutValue : found
    let path = isSecret ? [] : resolved.rest
    // A secret's error may say the schema's own numbers, but nothing about the value.
    var parameters = isSecret ? failure.parameters.schemaSide : failure.parameters.object
    if let read, isUnread, let field = resolved.field {
      let example = read.example(instance.session.conventions, isWhole: form.fields[field].type == .integer)
      parameters["example"] = .string(example)
    }
    if !isSecret, !failure.causes.isEmpty { parameters["causes"] = causes(of: failure) }
    let isInside = !resolved.rest.isEmpty
    let builtInLocale = form.builtInLocale(instance.session.localeIndex)
    let text =
      form.message(code, of: resolved.field, isInside: isInside)
      ?? resolved.field.flatMap { isInside ? nil : form.fields[$0].text(code) }
    let message =
      if let text {
        form.filled(text, from: parameters, of: resolved.field, locale: instance.session.localeIndex)
      } else {
        // At its own field a text appears under the label. A text for the form or for a deeper value names that value.
        resolved.field != nil && !isInside
          ? failure.messageBesideValue(locale: builtInLocale) : failure.message(locale: builtInLocale)
      }
    return .detailed(
      ErrorDetail(
        code: code,
        path: JSONPointer(tokens: path).description,
        severity: .error,
        source: .schema,
        message: message,
        parameters: parameters
      )
    )
  }

  /// The reasons why the closest branch of a union does not hold, each with its location inside the value.
  private func causes(of failure: Failure) -> JSON {
    let depth = failure.instanceLocation.tokens.count
    return .array(
      failure.causes.prefix(errorsPerFieldMax).map { cause in
        let missing = cause.parameters.missingProperty.map { [$0] } ?? []
        var told: JSONObject = ["code": .string(cause.keyword.rawValue)]
        let pointer = JSONPointer(tokens: Array(cause.instanceLocation.tokens.dropFirst(depth)) + missing)
        if !pointer.tokens.isEmpty { told["path"] = .string(pointer.description) }
        return .object(told)
      }
    )
  }
}

/// The target of a keyword's errors: a field of the form (row 0), or of a row.
private struct ErrorTarget: Hashable, Comparable {
  let row: Int
  /// nil means the form, which comes before its fields.
  let field: Int?

  static func < (left: ErrorTarget, right: ErrorTarget) -> Bool {
    (left.row, left.field ?? -1) < (right.row, right.field ?? -1)
  }
}

extension Failure {
  /// The failure of a secret. Names and positions inside the value are part of the secret, so only the field itself is
  /// named.
  fileprivate var withoutValue: Failure {
    var failure = self
    failure.instanceLocation = JSONPointer(tokens: Array(instanceLocation.tokens.prefix(1)))
    switch parameters {
    case .property, .item, .duplicates, .matches: failure.parameters = .none
    case .none, .bound, .count, .limit, .types, .missing, .dependency, .allowed, .pattern, .format: break
    }
    return failure
  }
}

extension FailureParameters {
  /// The parameters that come from the schema, without those from the value.
  fileprivate var schemaSide: JSONObject {
    switch self {
    case .count(let limit, _): ["limit": .integer(Int64(limit))]
    case .types(let expected, _): ["expected": .array(expected.map { .string($0) })]
    case .limit, .missing, .dependency, .allowed, .pattern, .format: object
    case .none, .bound, .property, .item, .duplicates, .matches: [:]
    }
  }
}
