package import FormProtocol
package import JSON

/// One session of a form from its opening on: the user's actions, the answers of services, and the expectations.
package struct TestCase: Message, Sendable {
  /// A short description of what the case shows. It is unique in its file.
  package var name = ""
  /// More information for readers.
  package var note: String?
  /// Initial values.
  package var given: JSONObject?
  /// The context; nil: none.
  package var context: JSONObject?
  /// The time at which the session is opened; nil: ``beginning``.
  package var now: CaseTime?
  /// The zone that decides what `today` is; nil: UTC.
  package var zone: CaseZone?
  /// The language of texts; nil: the form's default.
  package var locale: String?
  /// `always`: every message is shown, regardless of the fields' policies.
  package var show: ShowEverything?
  /// The answers of services, databases and providers.
  package var answers: [PromisedAnswer] = []
  /// The expectations after the opening.
  package var expect: Expectations?
  /// The steps, in order.
  package var steps: [TestStep] = []

  /// The time of a case that sets none, so that it runs alike on every day and on every machine.
  package static let beginning = "2000-01-01T00:00:00Z"

  package init() {}

  package mutating func list(_ members: inout some MessageVisitor) {
    members.required("name", &name, "What the case shows. Each case of a file has its own name.")
    members.optional("description", &note, "A note for readers.")
    members.optional("given", &given, "Initial values, as a client gives them when it opens a session.")
    members.optional("context", &context, "The context, as a client gives it when it opens a session.")
    members.optional("now", &now, "The time at which the session is opened. Without it, 2000-01-01T00:00:00Z.")
    members.optional("zone", &zone, "The time zone that decides what 'today' is. Without it, UTC.")
    members.optional("locale", &locale, "The language of texts. Without it, the form's default.")
    members.optional("show", &show, "Shows every message from the beginning, whatever the fields' policies.")
    members.optional(
      "answers",
      &answers,
      "Answers to requests. The first match that is not used up is used. No answer may be missing, and none unused."
    )
    members.optional("expect", &expect, "The expectations after the session is opened.")
    members.optional(
      "steps",
      &steps,
      "The steps, in order. The case ends at the first step whose expectations fail."
    )
  }

  package func check(_ reader: inout MessageReader) {
    if expect?.refused != nil {
      reader.note(
        .value,
        "left out: only a step can be refused, not the opening",
        inside: "expect",
        at: JSONPointer(tokens: ["refused"])
      )
    }
  }
}
