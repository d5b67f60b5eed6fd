/// A part of a form that is shown by itself: a page of a wizard, a tab.
public final class Step: Sendable {
  /// The step's id.
  public let id: String
  /// The step's label for people.
  public let label: Text?
  /// Its fields, with the fields inside them; in ascending order, none inside another.
  public let fields: [Int]
  /// Whether the step, and with it its fields, is shown; nil: always.
  package let visible: Formula?

  init(id: String, label: Text?, fields: [Int], visible: Formula?) {
    self.id = id
    self.label = label
    self.fields = fields
    self.visible = visible
  }
}
