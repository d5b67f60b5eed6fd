extension ErrorLanguage {
  /// English.
  static let english = ErrorLanguage(
    "en",
    """
    dependency|This is required when {property} is given.
    dependency.named|{missing} is required when {property} is given.
    property|{property} is not expected here.
    item|Item {item} is not expected here.
    alternatives|This matches none of the allowed alternatives.
    matches|This matches more than one of the alternatives that exclude each other.
    matches.named|This matches more than one of the alternatives that exclude each other: {matches}.
    nothing|Nothing is allowed here.
    other|This is not allowed.
    tooCostly|This takes too long to check.
    tooDeep|This is nested too deeply to check.
    steps|This takes more than {limit step/steps} to check.
    depth|This takes more than {limit nested schema/nested schemas} to check.
    costlyPattern|A text here takes too long to match with the pattern {pattern}.
    type.null|null
    type.boolean|true or false
    type.integer|a whole number
    type.number|a number
    type.string|a text
    type.array|a list
    type.object|an object
    format.email|an email address
    format.date|a date (year-month-day)
    format.time|a time with a time zone
    format.date-time|a date and time with a time zone
    format.local-time|a time of day (hour:minute)
    format.local-date-time|a date and time (year-month-dayThour:minute)
    format.uri|a URL
    format.hostname|a host name
    format.other|in the format {format}
    list.or|{first} or {last}
    list.and|{first} and {last}
    list.more|{first} or one of {more} more
    phrase.this|This
    phrase.not|, not {found}
    duplicate|This is in the list already.
    invalid|This is not valid.
    options|Choose one of the options.
    group.exactlyOne|Fill in exactly one of these fields.
    group.atLeastOne|Fill in at least one of these fields.
    group.atMostOne|Fill in at most one of these fields.
    group.allOrNone|Fill in all of these fields, or none.
    fault|This could not be checked.
    checkFailed|This could not be checked. Please try again.
    more|There are {total} errors here.
    quotes|In YAML, write it in quotes: {text}.
    unread.integer|Enter a whole number.
    unread.number|Enter a number.
    unread.boolean|Choose yes or no.
    read.integer|Enter a whole number, such as {example}.
    read.number|Enter a number, such as {example}.
    read.percent|Enter a percentage, such as {example}.
    read.currency|Enter an amount, such as {example}.
    read.date|Enter a date, such as {example}.
    read.dateTime|Enter a date and a time, such as {example}.
    """
  )
}
