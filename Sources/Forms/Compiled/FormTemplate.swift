/// What a form, or a row of a list, is made of. A session is an instance of the form's template, and each of its rows one of its list's.
///
/// Always true:
/// - Template 0 is the form's. Each other one stands behind that of its list.
/// - The fields, rules, checks, lookups and outputs of a template are numbered in a row; the first field of a row's template is the element.
package struct FormTemplate: Sendable {
  /// The field whose rows it describes; nil: the form.
  package let list: Int?
  /// The template that has the list; nil for the form.
  package let parent: Int?
  /// How many lists are around it.
  package let depth: Int
  /// Its fields.
  package let fields: Range<Int>
  /// Its rules; in template 0 those of the form as a whole are among them.
  package let rules: Range<Int>
  /// Its checks.
  package let checks: Range<Int>
  /// Its lookups.
  package let lookups: Range<Int>
  /// Its outputs.
  package let outputs: Range<Int>
}

extension [FormTemplate] {
  /// Whether what belongs to one template is there once for each instance of another: the other is the same, or stands in it.
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
