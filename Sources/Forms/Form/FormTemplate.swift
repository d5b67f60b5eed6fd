/// The parts of a form, or of a row of a list. A session is an instance of the form's template, and each of its rows is
/// an instance of its list's template.
///
/// Always true:
/// - Template 0 is the form's. Each other template follows the template of its list.
/// - The fields, rules, checks, lookups and outputs of a template have consecutive numbers; the first field of a row's
///   template is the element.
package struct FormTemplate: Sendable {
  /// The field whose rows it describes; nil: the form.
  package let list: Int?
  /// The template that has the list; nil for the form.
  package let parent: Int?
  /// How many lists are around it.
  package let depth: Int
  package let fields: Range<Int>
  /// Its rules; template 0 includes the rules of the form as a whole.
  package let rules: Range<Int>
  package let checks: Range<Int>
  package let lookups: Range<Int>
  package let outputs: Range<Int>
}

extension [FormTemplate] {
  /// Whether the parts of one template exist once for each instance of another: the templates are equal, or the second
  /// is inside the first.
  func isAround(_ outer: Int, _ inner: Int) -> Bool {
    var template: Int? = inner
    while let current = template {
      if current == outer { return true }
      template = self[current].parent
    }
    return false
  }

  /// The deepest template that is around both.
  func deepest(around one: Int, _ other: Int) -> Int {
    var template = one
    while !isAround(template, other) { template = self[template].parent ?? 0 }
    return template
  }
}
