/// A named kind of text: the formats of JSON Schema (draft 2020-12 validation, section 7.3), two of HTML, and two for
/// local times.
///
/// JSON Schema's are judged strictly by the RFCs that it names.
public enum TextFormat: String, CaseIterable, Hashable, Sendable {
  /// `date-time` of RFC 3339.
  case dateTime = "date-time"
  /// `full-date` of RFC 3339.
  case date
  /// `full-time` of RFC 3339.
  case time
  /// `duration` of RFC 3339, appendix A.
  case duration
  /// `Mailbox` of RFC 5321.
  case email
  /// `Mailbox` of RFC 6531.
  case idnEmail = "idn-email"
  /// RFC 1123, with A-labels that IDNA2008 (RFC 5891) allows.
  case hostname
  /// A host name by RFC 5890: U-labels, A-labels and plain ASCII labels.
  case idnHostname = "idn-hostname"
  /// `dotted-quad` of RFC 2673.
  case ipv4
  /// RFC 4291, section 2.2, without zone.
  case ipv6
  /// A URI with a scheme, RFC 3986.
  case uri
  /// A URI or relative reference, RFC 3986.
  case uriReference = "uri-reference"
  /// An IRI with a scheme, RFC 3987.
  case iri
  /// An IRI or relative reference, RFC 3987.
  case iriReference = "iri-reference"
  /// RFC 4122.
  case uuid
  /// RFC 6570.
  case uriTemplate = "uri-template"
  /// RFC 6901.
  case jsonPointer = "json-pointer"
  /// draft-bhutton-relative-json-pointer-00.
  case relativeJSONPointer = "relative-json-pointer"
  /// A regular expression of ECMA-262.
  case regex
  /// A valid e-mail address of the HTML Standard: the rule of `<input type=email>`.
  case htmlEmail = "html-email"
  /// A text that the WHATWG URL Standard parses without a base: the rule of `<input type=url>`.
  case whatwgURL = "whatwg-url"
  /// `date-time` of RFC 3339 without an offset, and maybe without seconds: the value of HTML's
  /// `<input type=datetime-local>`.
  case localDateTime = "local-date-time"
  /// `partial-time` of RFC 3339, maybe without seconds: the value of HTML's `<input type=time>`.
  case localTime = "local-time"

  /// Whether the whole of `text` is of this format.
  public func accepts(_ text: borrowing String) -> Bool { accepts(text.utf8.span) }

  private func accepts(_ text: Span<UInt8>) -> Bool {
    switch self {
    case .dateTime: DateTimeText.isDateTime(text)
    case .date: DateTimeText.isDate(text)
    case .time: DateTimeText.isTime(text)
    case .duration: DurationText.isDuration(text)
    case .email: Mailbox.accepts(text, isInternational: false)
    case .idnEmail: Mailbox.accepts(text, isInternational: true)
    case .hostname: DomainName.isHostname(text)
    case .idnHostname: DomainName.isInternational(text, separators: .ideographic)
    case .ipv4: IPv4Text.parse(text) != nil
    case .ipv6: IPv6Text.parse(text) != nil
    case .uri: URISyntax.uri.accepts(text, isReference: false)
    case .uriReference: URISyntax.uri.accepts(text, isReference: true)
    case .iri: URISyntax.iri.accepts(text, isReference: false)
    case .iriReference: URISyntax.iri.accepts(text, isReference: true)
    case .uuid: UUIDText.isUUID(text)
    case .uriTemplate: URITemplateSyntax.accepts(text)
    case .jsonPointer: JSONPointerText.isPointer(text)
    case .relativeJSONPointer: JSONPointerText.isRelative(text)
    case .regex: Pattern.syntaxError(in: text.string, dialect: .ecma262) == nil
    case .htmlEmail: HTMLEmail.accepts(text)
    case .whatwgURL: WebURL(parsing: text.string) != nil
    case .localDateTime: DateTimeText.isLocalDateTime(text)
    case .localTime: DateTimeText.isLocalTime(text)
    }
  }
}
