internal import JSON

// The explanation of a session's document as JSON Schema (protocol/sessions.md, "Explanation"). The engine makes it.

/// The reasons for the state of a session's document.
enum SessionExplanation: DescribedValue {
  static let schemaName: StaticString? = "Explanation"

  static var schemaParts: [any DescribedValue.Type] {
    [
      FormExplanation.self, ActionExplanation.self, FieldExplanation.self, StepExplanation.self,
      LookupExplanation.self,
    ]
  }

  static var schema: JSONObject {
    [
      "type": "object", "description": "The reasons for the content of a session's document.",
      "properties": [
        "form": .object(FormExplanation.schemaReference),
        "actions": .object(.byName(ActionExplanation.self, "The actions, by name.")),
        "fields": .object(.byName(FieldExplanation.self, "The fields that need an explanation, by address.")),
        "steps": .object(.byName(StepExplanation.self, "The steps, by id; absent in a form without steps.")),
        "lookups": .object(.byName(LookupExplanation.self, "The lookups, by name; absent in a form without lookups.")),
      ],
      "required": ["form", "actions", "fields"],
    ]
  }
}

private enum FormExplanation: DescribedValue {
  static let schemaName: StaticString? = "FormExplanation"

  static var schemaParts: [any DescribedValue.Type] { [ExplainedError.self, FormulaFault.self] }

  static var schema: JSONObject {
    [
      "type": "object", "description": "The reasons for the state of the form.",
      "properties": [
        "isValid": .described(Bool.self, "Whether no error blocks the form, and no check is in progress."),
        "isPending": .described(Bool.self, "Whether a check is in progress."),
        "errors": .list(of: ExplainedError.self, "The errors that belong to no field."),
        "faults": .list(of: FormulaFault.self, "The formulas that went wrong."),
      ],
      "required": ["isValid", "isPending"],
    ]
  }
}

private enum ActionExplanation: DescribedValue {
  static let schemaName: StaticString? = "ActionExplanation"

  static var schemaParts: [any DescribedValue.Type] { [ExplainedError.self] }

  static var schema: JSONObject {
    [
      "type": "object", "description": "Why an action is enabled or not.",
      "properties": [
        "isEnabled": .described(Bool.self, "Whether the action is enabled."),
        "enabled": .described(String.self, "The formula that enables the action."),
        "reads": ReadCells.member,
        "because": .list(of: ExplainedError.self, "Why the scope of an action that is not enabled is invalid."),
        "running": .described(Int.self, "The number of runs in progress."),
        "queued": .described(Int.self, "The number of taps that wait for a run to end."),
        "heldForChecks": .described(Int.self, "The number of taps that wait for checks."),
        "heldForTime": .described(Bool.self, "Whether a throttle or debounce holds a tap."),
      ],
      "required": ["isEnabled", "enabled", "reads"],
    ]
  }
}

private enum FieldExplanation: DescribedValue {
  static let schemaName: StaticString? = "FieldExplanation"

  static var schemaParts: [any DescribedValue.Type] {
    [ExplainedError.self, ValueExplanation.self, PendingInquiry.self]
  }

  static var schema: JSONObject {
    [
      "type": "object", "description": "The reasons for the state of a field.",
      "properties": [
        "errors": .list(of: ExplainedError.self, "The field's errors."),
        "message": .described(String.self, "`shown`, or the condition that the message waits for."),
        "hiddenBy": .described(String.self, "The formula or the step that hides the field."),
        "reads": ReadCells.member,
        "value": .described(ValueExplanation.self, "The formula that gives the value now."),
        "pending": .list(of: PendingInquiry.self, "The checks and lookups that the field waits for."),
      ],
    ]
  }
}

private enum StepExplanation: DescribedValue {
  static let schemaName: StaticString? = "StepExplanation"

  static var schemaParts: [any DescribedValue.Type] { [ExplainedError.self] }

  static var schema: JSONObject {
    [
      "type": "object", "description": "The reasons for the state of a step.",
      "properties": [
        "isValid": .described(Bool.self, "Whether no error of the step blocks."),
        "because": .list(of: ExplainedError.self, "Why the step is not valid."),
        "hiddenBy": .described(String.self, "The formula that hides the step."),
        "reads": ReadCells.member,
      ],
      "required": ["isValid"],
    ]
  }
}

private enum LookupExplanation: DescribedValue {
  static let schemaName: StaticString? = "LookupExplanation"

  static var schemaParts: [any DescribedValue.Type] { [InquiryPhase.self] }

  static var schema: JSONObject {
    [
      "type": "object", "description": "The reasons for the state of a lookup.",
      "properties": [
        "phase": .object(InquiryPhase.schemaReference),
        "when": .described(String.self, "The formula that says when the lookup asks."),
        "error": .described(String.self, "Why the lookup failed."),
        "reads": ReadCells.member,
      ],
      "required": ["phase", "reads"],
    ]
  }
}

/// The formula that gives a field its value.
private enum ValueExplanation: DescribedValue {
  static let schemaName: StaticString? = "ValueExplanation"

  static var schema: JSONObject {
    [
      "type": "object", "description": "The formula that gives a field its value: `computed` or `suggested`.",
      "properties": [
        "computed": .described(String.self, "The formula of `computed`."),
        "suggested": .described(String.self, "The formula of `suggested`."),
        "reads": ReadCells.member,
      ],
      "required": ["reads"],
    ]
  }
}

/// An error with the rule that found it.
private enum ExplainedError: DescribedValue {
  static let schemaName: StaticString? = "ExplainedError"

  static var schemaParts: [any DescribedValue.Type] { [PendingInquiry.self] }

  static var schema: JSONObject {
    [
      "type": "object", "description": "An error, or checks in progress, with the reasons.",
      "properties": [
        "code": .described(String.self, "The id of a rule or a check, a keyword of JSON Schema, or `pending`."),
        "message": .described(String.self, "The text for the user; absent for `pending`."),
        "params": .described(JSONObject.self, "The values that the text can use, by name."),
        "field": .described(String.self, "The address of the field, in `because`."),
        "rule": .described(String.self, "The rule's formula."),
        "at": .described(String.self, "The rule's place in the definition, as a JSON Pointer."),
        "when": .described(String.self, "The formula that says when the rule applies."),
        "reads": ReadCells.member,
        "checks": .list(of: PendingInquiry.self, "The checks and lookups that `pending` waits for."),
      ],
      "required": ["code"],
    ]
  }
}

/// A formula that went wrong.
private enum FormulaFault: DescribedValue {
  static let schemaName: StaticString? = "FormulaFault"

  static var schema: JSONObject {
    [
      "type": "object", "description": "A formula that went wrong.",
      "properties": [
        "cell": .described(String.self, "The formula's name."),
        "at": .described(String.self, "The formula's place in the definition, as a JSON Pointer."),
        "formula": .described(String.self, "The formula."),
        "reason": .described(String.self, "What happened to which types."),
      ],
      "required": ["cell", "at", "formula", "reason"],
    ]
  }
}

/// A check or a lookup in progress.
private enum PendingInquiry: DescribedValue {
  static let schemaName: StaticString? = "PendingInquiry"

  static var schemaParts: [any DescribedValue.Type] { [InquiryPhase.self] }

  static var schema: JSONObject {
    [
      "type": "object", "description": "A check or a lookup in progress.",
      "properties": [
        "check": .described(String.self, "The check's id."),
        "lookup": .described(String.self, "The lookup's name."),
        "phase": .object(InquiryPhase.schemaReference),
      ],
      "required": ["phase"],
    ]
  }
}

/// The phase of a check or a lookup.
private enum InquiryPhase: DescribedValue {
  static let schemaName: StaticString? = "InquiryPhase"

  static var schema: JSONObject {
    [
      "type": "string", "description": "The phase of a check or a lookup.",
      "enum": ["idle", "debounce", "running", "retrying", "settled", "failed", "faulted"],
    ]
  }
}

/// The values that a formula reads.
private enum ReadCells {
  static let member: JSON = [
    "type": "object",
    "description": "The values that the formula reads, by name. A secret's value is never in it.",
  ]
}
