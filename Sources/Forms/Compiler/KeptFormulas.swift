internal import CEL
internal import JSONSchema
internal import Texts

/// What formulas came to, for whoever compiles nearly the same definition again and again: an editor, at each keystroke.
///
/// A definition compiles alike with it and without it: what is kept of a formula is used again only where all that decided it is the same.
/// It holds the formulas of the definition that was compiled last, and no others. One compilation at a time uses it.
public final class KeptFormulas {
  /// By what a formula is: what it came to.
  var formulas: [FormulaKey: CompiledFormula] = [:]
  /// By name: the records that they could read.
  var records: [UTF8Key: RecordShape] = [:]
  /// The texts that they could name.
  var texts: FormTexts?

  /// Nothing is kept yet.
  public init() {}
}

/// What a formula is, apart from the form around it.
struct FormulaKey: Hashable {
  let source: UTF8Key
  let scope: FormulaCompiler.Scope
  /// The type that the result must have; nil for any.
  let expected: CELType?
}

/// A formula that is right, and what decided what it came to.
struct CompiledFormula {
  /// The names of cells in it: see `Syntax.memberChain`.
  let chains: [[String]]
  /// What these names lead to.
  let cells: [DeclaredCell]
  /// Whether one of the cells holds objects whose members are known: then the records of the form decide, too.
  let readsRecords: Bool
  /// Whether it calls for a text: then the texts of the form decide, too.
  let callsForText: Bool
  let program: Program
  /// With its types, if it takes too long: from these comes what would help.
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

/// What the record of an object is declared with.
struct RecordShape: Equatable {
  let name: UTF8Key
  let fields: [String: RecordDeclaration.Field]
  /// Which members there may be beside the fields; nil: any.
  let others: OtherMembers?

  /// As it is declared to formulas.
  var declaration: RecordDeclaration {
    RecordDeclaration(name: name.text, fields: fields) { [others] in others?.admits($0) ?? true }
  }
}
