public import Budgets
public import CEL
public import JSON

/// Entries of a compiled form, by their index.
///
/// Reading one counts no references, and checks its index only in debug builds. That is safe:
///
/// - The form's ``FormTableStorage`` writes the entries before it hands the table out, never changes them, and frees
///   them at its end. A user of a table keeps the form, which has the storage.
/// - The form's compiler makes the indices for the tables of the same form. An index that the engine's caller gives is
///   a number of the session's form. The engine's functions state that in their preconditions.
@usableFromInline @safe package struct Table<Entry>: @unchecked Sendable {
  @usableFromInline let start: UnsafePointer<Entry>
  #if DEBUG
    @usableFromInline let count: Int
  #endif

  /// The table of these entries, which their owner keeps.
  @unsafe init(_ entries: UnsafeBufferPointer<Entry>) {
    // There is memory even for a table without entries.
    unsafe start = entries.baseAddress!
    #if DEBUG
      count = entries.count
    #endif
  }

  /// An entry.
  @inlinable
  package subscript(index: Int) -> Entry {
    @inline(__always) _read {
      check(index)
      yield unsafe start[index]
    }
  }

  /// An entry in its place.
  @inlinable @inline(__always)
  package func at(_ index: Int) -> Reference<Entry> {
    check(index)
    return unsafe Reference(start + index)
  }

  @inlinable @inline(__always)
  func check(_ index: Int) {
    #if DEBUG
      precondition(index >= 0 && index < count, "entry \(index) of \(count)")
    #endif
  }
}

/// A formula of a form's tables. The form keeps it, and no reference to it is counted.
@usableFromInline @safe package struct FormulaReference {
  @usableFromInline let formula: Unmanaged<Formula>

  init(_ formula: Formula) { unsafe self.formula = .passUnretained(formula) }

  /// Calls with the formula. The caller has the form.
  @inlinable @inline(__always)
  package func with<Result>(_ body: (Formula) -> Result) -> Result {
    unsafe formula._withUnsafeGuaranteedRef(body)
  }
}

/// The values that formulas read, by slot. It is valid as long as its maker keeps the values.
@usableFromInline @safe package struct SlotValues {
  @usableFromInline let values: UnsafeBufferPointer<Value>

  /// Values that their owner keeps while formulas read them.
  @unsafe @inlinable @inline(__always)
  package init(_ values: UnsafeBufferPointer<Value>) { unsafe self.values = values }

  /// Calls with the elements of an array.
  package static func with<Result>(_ values: [Value], _ body: (SlotValues) -> Result) -> Result {
    unsafe values.withUnsafeBufferPointer { unsafe body(SlotValues($0)) }
  }
}

extension Formula {
  /// The result for those values; a failure is a value. `budget` is what the turn may still spend.
  @inlinable @inline(__always)
  package func evaluate(_ slots: SlotValues, budget: inout WorkBudget) -> Value {
    unsafe program.evaluate(slots.values, budget: &budget)
  }

  /// The place of the result, if the result is in memory already: it is a constant text, or one of those values.
  /// It is valid as long as the formula, and until one of the values changes.
  @inlinable @inline(__always)
  package func storage(_ slots: SlotValues, budget: inout WorkBudget) -> Reference<Value>? {
    unsafe program.storage(slots.values, budget: &budget).map { unsafe Reference($0) }
  }

  /// Evaluates it as a condition.
  @inlinable @inline(__always)
  package func condition(_ slots: SlotValues, budget: inout WorkBudget) -> Condition {
    unsafe program.condition(slots.values, budget: &budget)
  }
}
