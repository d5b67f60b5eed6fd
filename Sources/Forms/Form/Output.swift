internal import JSON

/// A named formula whose value the document shows.
public final class Output: Sendable {
  /// The output's name; in a row the last part of its address.
  public let name: String
  /// The name, or the address of an output that each row has: `/items/*/net`.
  public let address: String
  /// Its template: 0 for the form, else the template of a list's rows.
  package let template: Int
  /// The formula that gives the output's value.
  package let formula: Formula

  init(address: String, template: Int, formula: Formula) {
    name = template == 0 ? address : JSONPointer(address: address)?.tokens.last ?? address
    self.address = address
    self.template = template
    self.formula = formula
  }
}
