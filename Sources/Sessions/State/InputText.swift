internal import DocumentProperties
package import Forms
internal import JSON
internal import LocaleFormats

/// The text of an input: the document has it in `text` of a field that reads typed texts.
struct InputText {
  /// The last text that a client sent for the field alone, and the value that it was read as. It counts as long as the
  /// field has that value. Nil: the value came from elsewhere.
  var typed: (text: String, value: JSON?)?
  /// The text that the document has.
  var shown: String?

  /// A longer text that cannot be read is the field's value, and is not kept a second time.
  fileprivate static let typedBytesMax = 256

  /// Its share of ``Session/computedBytes``.
  var bytes: Int { 64 + (typed?.text.utf8.count ?? 0) + (shown?.utf8.count ?? 0) }
}

extension Session {
  /// How the session's user writes numbers and dates.
  var conventions: LocaleConventions { .first(of: locale, form.locale) }

  /// A bound on how much ``valueBytes`` grows when all texts that could not be read are read in another language: a
  /// date becomes a text of ISO 8601.
  var bytesMaxOfReadAgain: Int {
    guard form.readsTyped else { return 0 }
    var bytes = 0
    forEachField { live in
      if live.instance.isUnread(live.field) { bytes += "2026-11-28T14:30:15".utf8.count }
    }
    return bytes
  }
}

extension Instance {
  /// The text of an input as the document has it.
  func inputText(of field: Int) -> String? { instanceExtras?.inputTexts[field]?.shown }

  /// The text that was typed, if the field still has the value that it was read as.
  func typedText(of field: Int) -> String? {
    guard let typed = instanceExtras?.inputTexts[field]?.typed, typed.value.isIdentical(to: fields[field].value) else {
      return nil
    }
    return typed.text
  }

  /// Whether a field has a text that it could not read.
  func isUnread(_ field: Int) -> Bool {
    guard let read = form.fields[field].read, case .string(let text)? = fields[field].value else { return false }
    return read.kind.isNumber || read.write(iso: text, session.conventions) == nil
  }

  /// The input shows the text that was typed, or the value as the user writes it.
  func currentText(of field: Int) -> String? {
    if let typed = typedText(of: field) { return typed.isEmpty ? nil : typed }
    return form.fields[field].inputText(for: fields[field].value, session.conventions)
  }
}

extension Field {
  /// The text of its input in a new session in that locale: the schema's default as people write it.
  ///
  /// - Returns: Nil for a field without a default, and for a field without a text in the document.
  package func initialText(locale: String?, of form: Form) -> String? {
    tellsText ? inputText(for: schemaDefault, .first(of: locale, form.locale)) : nil
  }

  /// A value as people write it. A text that could not be read is unchanged.
  fileprivate func inputText(for value: JSON?, _ conventions: LocaleConventions) -> String? {
    guard let read else { return nil }
    switch value {
    case .integer(let number)? where read.kind.isNumber: return read.write(DecimalText(number), conventions)
    case .real(let number)? where read.kind.isNumber: return DecimalText(number).map { read.write($0, conventions) }
    case .decimal(let number)? where read.kind.isNumber:
      return DecimalText(number.text).map { read.write($0, conventions) } ?? number.text
    case .string(let text)? where read.kind.isNumber: return text
    case .string(let text)?: return read.write(iso: text, conventions) ?? text
    case nil, .null?: return nil
    case let other?: return other.description
    }
  }
}

/// The texts of inputs follow what clients type and what values become.
extension Engine {
  /// A client has sent a value for the field alone. If it is a text, the input shows that text.
  func noteTyped(_ given: JSON?, _ field: Int, in instance: Instance) {
    var text = instance.instanceExtras?.inputTexts[field] ?? InputText()
    text.typed = nil
    if case .string(let typed)? = given, typed.utf8.count <= InputText.typedBytesMax {
      text.typed = (typed, instance.fields[field].value)
    }
    set(text, field, in: instance)
    markForSnapshot(field, in: instance)
    updateInputText(field, in: instance)
  }

  /// The input shows the value from now on, and not what was typed.
  func forgetTyped(_ field: Int, in instance: Instance) { noteTyped(nil, field, in: instance) }

  /// Brings the document's text of a field up to date.
  func updateInputText(_ field: Int, in instance: Instance) {
    let now = instance.currentText(of: field)
    let before = instance.inputText(of: field)
    guard now != before else { return }
    note(.text, of: field, before.map { .text($0) } ?? .absent, in: instance)
    var text = instance.instanceExtras?.inputTexts[field] ?? InputText()
    text.shown = now
    set(text, field, in: instance)
  }

  private func set(_ text: InputText, _ field: Int, in instance: Instance) {
    let difference = text.bytes - (instance.instanceExtras?.inputTexts[field]?.bytes ?? 0)
    instance.madeInstanceExtras.inputTexts[field] = text
    instance.withSession { $0.computedBytes &+= difference }
  }

  /// The user writes in another language from now on. No value that was read changes: inputs show it in the new
  /// language. A text that could not be read is read again.
  func readAgain(_ session: Session) {
    session.forEachField { live in
      let (field, instance) = (live.field, live.instance)
      guard instance.form.fields[field].read != nil else { return }
      if instance.isUnread(field), !live.state.pointee.flags.contains(.follows),
        let text = instance.fields[field].value?.stringValue
      {
        let typed = instance.typedText(of: field) ?? text
        let value = instance.normalized(.string(typed), for: field, budget: &budget)
        if !value.isIdentical(to: instance.fields[field].value) {
          applyValue(value, of: field, origin: .program, isComposing: false, in: instance)
          tell(ValueID(field, in: instance))
        }
        if instance.form.fields[field].tellsText { noteTyped(.string(typed), field, in: instance) }
      } else if instance.form.fields[field].tellsText {
        forgetTyped(field, in: instance)
      }
    }
  }
}
