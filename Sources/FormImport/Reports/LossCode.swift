/// The losses, for programs. `protocol/import.md` describes each.
package enum LossCode: String, CaseIterable, Sendable {
  // MARK: Every kind

  /// formd refuses a part of the form; the part is left out.
  case refused
  /// A key that the importer does not know.
  case unknownKey
  /// A value that is not of the type that its key must have.
  case wrongType
  /// An integer of more than 64 bits.
  case largeInteger

  // MARK: Schemas

  /// A reference to a schema that is not in the document.
  case reference
  /// A regular expression that ECMA-262 cannot express.
  case pattern
  /// An object whose members have no fixed names.
  case openObject
  /// A list whose places have schemas of their own.
  case tuple
  /// A list whose elements are not described.
  case untypedList
  /// Alternatives for an object that no member tells apart.
  case untaggedUnion
  /// A schema that contains itself.
  case recursion
  /// A value that is a file.
  case file
  /// A format that formd does not know.
  case unknownFormat
  /// A value that can have several types.
  case severalTypes
  /// A decimal number, or a text of its digits.
  case decimalAsNumber
  /// A tag of alternatives that the schema does not require.
  case tagRequired
  /// A member that is required and read-only.
  case readOnlyRequired
  /// A default of a secret.
  case secretDefault
  /// A text in a language of its own, such as JSON.
  case content
  /// A member that is deprecated.
  case deprecated
  /// Members that a condition adds that no formula expresses.
  case condition
  /// A schema that describes no object.
  case wrapped
  /// An optional object that the form always sends.
  case optionalObject

  // MARK: rjsf

  /// A setting of a widget.
  case uiOption
  /// The data of the form.
  case formData
  /// A value for an emptied field.
  case emptyValue
  /// A part of the uiSchema for a field that the schema does not have.
  case unknownField
  /// A widget of the program's own.
  case unknownWidget
  /// A field that is sent and not shown.
  case hiddenField

  // MARK: HTML

  /// Another form of the page.
  case otherForm
  /// A form without controls.
  case emptyForm
  /// A control without a name.
  case unnamedControl
  /// A control or a type of a control that HTML does not have.
  case unknownControl
  /// A control whose name another control has for a value of another type.
  case nameClash
  /// A disabled control.
  case disabledControl
  /// A legend around fields.
  case group
  /// Choices or suggestions that a script adds.
  case suggestions
  /// Several mail addresses in one text.
  case severalAddresses
  /// Steps that are not counted from 0.
  case step
  /// The text that a checked box sends.
  case checkboxValue
  /// A button that resets the form.
  case resetButton
  /// A script of the page.
  case script
  /// The address to which the page sends the values.
  case submission

  // MARK: SurveyJS

  /// An expression that has no formula in CEL.
  case expression
  /// A function of an expression that formulas do not have.
  case function
  /// A name in an expression that nothing in the survey has.
  case unknownName
  /// A text that is not an expression.
  case unreadableExpression
  /// Values of different types that an expression compares or computes with.
  case looseTypes
  /// How clients draw the survey.
  case presentation
  /// What the survey does beside asking.
  case behavior
  /// A text with an answer in it.
  case textWithValue
  /// An element or a question that formd does not have.
  case element
  /// A question whose value another question has.
  case duplicateName
  /// A text of a panel or a page, which a form has no place for.
  case section
  /// A choice with a text of its own: where the form has the text.
  case otherChoice
  /// A service that the daemon's configuration must name.
  case service
  /// A trigger that has no counterpart.
  case trigger
  /// A value that the survey sets, and the form suggests.
  case suggestedValue
  /// A condition that empties a question; the form also resets the field when it ends.
  case resetValue
  /// A validator that formd does not have.
  case validator
  /// A format that only browsers judge.
  case inputFormat
  /// Texts without a language.
  case language
  /// Rows with which a list begins.
  case initialRows

  // MARK: Exports

  /// A formula of the form.
  case formula
  /// A rule, a check, a lookup, an output, a step or an action.
  case part
  /// A key of a field.
  case fieldKey
  /// A keyword of the schema.
  case keyword
  /// Alternatives of which more than one may fit.
  case alternatives
  /// Elements of a list that were emptied.
  case emptyRows
  /// Texts in other languages than the form's.
  case otherLanguages
  /// A format that the language judges by rules of its own.
  case otherFormat

  /// The kind of the loss.
  package var kind: Loss.Kind {
    switch self {
    case .refused, .reference, .pattern, .openObject, .tuple, .untypedList, .untaggedUnion, .recursion, .file,
      .uiOption, .formData, .emptyValue, .group, .suggestions, .severalAddresses, .step,
      .resetButton, .nameClash, .expression, .function, .presentation, .behavior, .textWithValue, .element,
      .duplicateName, .section, .trigger, .validator, .formula, .part, .fieldKey, .keyword,
      .otherLanguages:
      .unsupported
    case .unknownKey, .wrongType, .unknownFormat, .unknownField, .unknownWidget, .unknownControl, .script, .unknownName,
      .unreadableExpression:
      .unknown
    case .largeInteger, .severalTypes, .decimalAsNumber, .tagRequired, .readOnlyRequired, .secretDefault, .content,
      .deprecated,
      .condition, .wrapped, .optionalObject, .hiddenField, .otherForm, .emptyForm, .unnamedControl, .disabledControl,
      .checkboxValue,
      .submission, .looseTypes, .otherChoice, .service, .suggestedValue, .resetValue, .inputFormat, .language,
      .initialRows,
      .alternatives, .otherFormat, .emptyRows:
      .assumed
    }
  }
}
