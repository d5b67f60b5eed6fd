internal import Formats
internal import JSON

/// A bound of `maximum` and its like, or the divisor of `multipleOf`.
struct NumberLimit {
  var isInteger: Bool
  var integer: Int64
  var real: Double
  /// Whether `real` is exactly the bound, so that comparing with it is enough.
  var isExactReal: Bool

  init(_ value: JSON) {
    switch value {
    case .integer(let number):
      (isInteger, integer, real) = (true, number, Double(number))
      isExactReal = Int64(exactly: real) == number
    case .real(let number):
      (isInteger, integer, real, isExactReal) = (false, 0, number, true)
    default:
      (isInteger, integer, real, isExactReal) = (false, 0, 0, false)
    }
  }
}

/// The data for one walk over the members.
struct PlanRecord {
  var names: NameSet
  var requiredCount: Int32
  /// (pattern, schema) pairs in the lists.
  var patterns: Int32
  var patternCount: Int32
  /// The schema of `additionalProperties`; -1 if there is none.
  var additional: Int32
}

/// The strings of an `enum`; other values are looked up in ``Program/enumerations``.
struct EnumerationRecord {
  var names: NameSet
}

/// A pattern that is used in place; the program keeps it alive.
struct BorrowedPattern: ~Copyable {
  let pattern: Pattern
}

/// The tables of a program as evaluation reads them: plain memory, owned by the ``Program``, written once before it is
/// shared.
struct EvaluationTables {
  let schemas: UnsafePointer<SchemaRecord>
  let instructions: UnsafePointer<Instruction>
  let lists: UnsafePointer<Int32>
  let limits: UnsafePointer<NumberLimit>
  let plans: UnsafePointer<PlanRecord>
  let enumerations: UnsafePointer<EnumerationRecord>
  let names: UnsafePointer<NameEntry>
  let slots: UnsafePointer<Int32>
  let bytes: UnsafePointer<UInt8>
  let patterns: UnsafePointer<BorrowedPattern>
  /// By the number of the pattern, whose memory they use.
  let quickPatterns: UnsafePointer<QuickPattern?>
  let formats: UnsafePointer<TextFormat>
}

/// Builds ``EvaluationTables``; frees the memory when it is released.
///
/// `@unchecked Sendable`: everything is written in `init` and only read afterwards.
final class EvaluationMemory: @unchecked Sendable {
  let tables: EvaluationTables
  private var allocations: [UnsafeMutableRawPointer] = []
  private let patternCount: Int

  init(_ source: ProgramTables, keepsScope: Bool) {
    var builder = Builder(source, keepsScope: keepsScope)
    builder.build()
    var allocations: [UnsafeMutableRawPointer] = []
    func store<T>(_ elements: [T]) -> UnsafePointer<T> {
      let memory = UnsafeMutablePointer<T>.allocate(capacity: max(1, elements.count))
      memory.initialize(from: elements, count: elements.count)
      allocations.append(UnsafeMutableRawPointer(memory))
      return UnsafePointer(memory)
    }
    let patterns = store(source.patterns)
    tables = EvaluationTables(
      schemas: store(source.schemas),
      instructions: store(builder.instructions),
      lists: store(builder.lists),
      limits: store(builder.limits),
      plans: store(builder.plans),
      enumerations: store(builder.enumerations),
      names: store(builder.names),
      slots: store(builder.slots),
      bytes: store(builder.bytes),
      patterns: UnsafeRawPointer(patterns).assumingMemoryBound(to: BorrowedPattern.self),
      quickPatterns: store(source.patterns.map(\.quick)),
      formats: store(source.formats.map(\.format))
    )
    patternCount = source.patterns.count
    self.allocations = allocations
  }

  deinit {
    // Everything else is plain bytes.
    UnsafeMutableRawPointer(mutating: UnsafeRawPointer(tables.patterns)).assumingMemoryBound(to: Pattern.self)
      .deinitialize(count: patternCount)
    for allocation in allocations { allocation.deallocate() }
  }
}

extension EvaluationMemory {
  /// Lays the tables out.
  private struct Builder {
    let source: ProgramTables
    let keepsScope: Bool
    var instructions: [Instruction]
    var lists: [Int32]
    var limits: [NumberLimit] = []
    var plans: [PlanRecord] = []
    var enumerations: [EnumerationRecord] = []
    var names: [NameEntry] = []
    var slots: [Int32] = []
    var bytes: [UInt8] = []
    /// By schema: the result of ``behindReferences(_:)``; -1 if it was not asked for.
    private var targets: [Int32]

    init(_ source: ProgramTables, keepsScope: Bool) {
      self.source = source
      self.keepsScope = keepsScope
      instructions = source.fast
      targets = [Int32](repeating: -1, count: source.schemas.count)
      lists = source.lists
    }

    mutating func build() {
      for index in instructions.indices {
        switch instructions[index].operation {
        case .multipleOf, .maximum, .exclusiveMaximum, .minimum, .exclusiveMinimum:
          instructions[index].b = Int32(limits.count)
          limits.append(NumberLimit(source.constants[Int(instructions[index].a)]))
        case .items, .reference, .not:
          instructions[index].a = behindReferences(instructions[index].a)
        default:
          break
        }
      }
      for plan in source.plans {
        let patterns = Int32(lists.count)
        for pattern in plan.patterns { lists += [pattern.pattern, pattern.schema] }
        let set = add(
          plan.names.entries.map { ($0.name, $0.schema < 0 ? -1 : behindReferences($0.schema), $0.isRequired) }
        )
        plans.append(
          PlanRecord(
            names: set,
            requiredCount: Int32(plan.names.requiredCount),
            patterns: patterns,
            patternCount: Int32(plan.patterns.count),
            additional: plan.additional
          )
        )
      }
      for enumeration in source.enumerations {
        enumerations.append(
          EnumerationRecord(names: add(enumeration.values.compactMap(\.stringValue).map { ($0, -1, false) }))
        )
      }
    }

    private mutating func add(_ entries: [(name: String, schema: Int32, isRequired: Bool)]) -> NameSet {
      var set = NameSet(start: Int32(names.count), count: Int32(entries.count))
      for entry in entries {
        let utf8 = Array(entry.name.utf8)
        names.append(
          NameEntry(
            offset: Int32(bytes.count),
            length: Int32(utf8.count),
            hash: utf8.withUnsafeBufferPointer(nameHash),
            schema: entry.schema,
            isRequired: entry.isRequired
          )
        )
        bytes += utf8
      }
      guard entries.count > NameSet.linearMax else { return set }
      var size = 16
      while size < entries.count * 2 { size *= 2 }
      set.slots = Int32(slots.count)
      set.slotMask = Int32(size - 1)
      slots += Array(repeating: -1, count: size)
      for position in entries.indices {
        var slot = Int32(bitPattern: names[Int(set.start) + position].hash) & set.slotMask
        while slots[Int(set.slots + slot)] >= 0 { slot = (slot + 1) & set.slotMask }
        slots[Int(set.slots + slot)] = Int32(position)
      }
      return set
    }

    /// The target of a schema that holds only a reference, else the schema itself. If the dynamic scope matters, every
    /// schema on the way counts, so none is skipped.
    private mutating func behindReferences(_ schema: Int32) -> Int32 {
      guard !keepsScope else { return schema }
      var current = schema
      var way: [Int32] = []
      while targets[Int(current)] < 0 {
        way.append(current)
        // A loop of references, which nothing evaluates, ends at its start.
        targets[Int(current)] = current
        let record = source.schemas[Int(current)]
        guard record.typeMask == .all, !record.tracks, record.objects.range.count == 1,
          record.scalars.range.count == 1, record.strings.range.count == 1, record.numbers.range.count == 1,
          record.arrays.range.count == 1, source.fast[Int(record.objects.start)].operation == .reference
        else { break }
        current = source.fast[Int(record.objects.start)].a
      }
      let target = targets[Int(current)]
      for passed in way { targets[Int(passed)] = target }
      return target
    }
  }
}
