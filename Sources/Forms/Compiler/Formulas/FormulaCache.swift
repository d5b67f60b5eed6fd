internal import CEL
internal import JSONSchema
internal import Texts

/// The results of formulas and of the schema, for a caller that compiles nearly the same definition again and again: an
/// editor, at each keystroke.
///
/// Results of a compilation are equal with it and without it: a cached result is used only if everything that decided
/// it is unchanged. It holds the formulas of the definition that was compiled last, and no others. One compilation at a
/// time uses it.
public final class FormulaCache {
  /// By the identity of a formula: its result.
  var formulas: [FormulaKey: CompiledFormula] = [:]
  /// By name: the records that they could read.
  var records: [UTF8Key: RecordShape] = [:]
  /// The texts that they could name.
  var texts: FormTexts?
  /// The named formulas that they could call.
  var functions: [FunctionDefinition] = []
  /// The last schema that compiled without a diagnostic and refers to no file.
  var schema: CachedSchema?

  /// An empty cache.
  public init() {}
}

/// A compiled schema, and the objects that it describes.
struct CachedSchema {
  /// The text that it was read from.
  let text: [UInt8]
  let schema: Schema
  let tree: ObjectTree
  /// The units of work that compiling it takes.
  let work: Int
}

/// The identity of a formula, apart from the form around it.
struct FormulaKey: Hashable {
  let source: UTF8Key
  let scope: FormulaCompiler.Scope
  /// The type that the result must have; nil for any.
  let expected: CELType?
  /// Whether the result may be a text: the reason why it is not true.
  let admitsReasons: Bool
}

/// A valid formula, and the facts that decided its result.
struct CompiledFormula {
  /// The names of cells in it: see `Syntax.memberChain`.
  let chains: [[String]]
  /// The cells that these names lead to.
  let cells: [DeclaredCell]
  /// Whether one of the cells holds objects whose members are known: then the records of the form also decide the
  /// result.
  let readsRecords: Bool
  /// Whether it calls for a text: then the texts of the form also decide the result.
  let callsForText: Bool
  /// The code points of the calls of `label` that name no field with choices; nil if it does not call `label`.
  let unknownLabels: [Range<Int>]?
  /// The texts that it compares with values that may have choices.
  let comparisons: [ChoiceComparison]
  let program: Program
  /// The expression with its types, if it takes too long, alone or in all rows: the advice is computed from them.
  let costly: CheckedExpression?
}

/// A cell that a formula names.
struct DeclaredCell: Equatable {
  /// The longest name in the formula that leads to the cell.
  let name: UTF8Key
  let slot: Int
  let cell: FormulaCell
  /// Whether the name means the same in every formula.
  let isLasting: Bool
}

/// The shape that the record of an object is declared with.
struct RecordShape: Equatable {
  let name: UTF8Key
  let fields: [String: RecordDeclaration.Field]
  /// The members that it may have in addition to the fields; nil: any.
  let others: OtherMembers?

  /// Its declaration for formulas.
  var declaration: RecordDeclaration {
    RecordDeclaration(name: name.text, fields: fields) { [others] in others?.admits($0) ?? true }
  }
}
