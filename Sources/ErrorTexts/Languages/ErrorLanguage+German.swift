extension ErrorLanguage {
  /// German.
  static let german = ErrorLanguage(
    "de",
    """
    dependency|Diese Angabe ist erforderlich, wenn {property} angegeben ist.
    dependency.named|{missing} ist erforderlich, wenn {property} angegeben ist.
    property|{property} ist hier nicht vorgesehen.
    item|Eintrag {item} ist hier nicht vorgesehen.
    alternatives|Der Wert passt zu keiner der erlaubten Alternativen.
    matches|Der Wert passt zu mehreren Alternativen, die einander ausschließen.
    matches.named|Der Wert passt zu mehreren Alternativen, die einander ausschließen: {matches}.
    nothing|Hier ist kein Wert erlaubt.
    other|Dieser Wert ist nicht erlaubt.
    tooCostly|Die Prüfung dauert zu lange.
    tooDeep|Der Wert ist für die Prüfung zu tief verschachtelt.
    steps|Die Prüfung braucht mehr als {limit Schritt/Schritte}.
    depth|Die Prüfung braucht mehr als {limit verschachteltes Schema/verschachtelte Schemas}.
    costlyPattern|Der Vergleich eines Textes mit dem Muster {pattern} dauert zu lange.
    type.null|null
    type.boolean|wahr oder falsch
    type.integer|eine ganze Zahl
    type.number|eine Zahl
    type.string|ein Text
    type.array|eine Liste
    type.object|ein Objekt
    format.email|keine gültige E-Mail-Adresse
    format.date|kein gültiges Datum (Jahr-Monat-Tag)
    format.time|keine gültige Uhrzeit mit Zeitzone
    format.date-time|kein gültiger Zeitpunkt mit Datum, Uhrzeit und Zeitzone
    format.local-time|keine gültige Uhrzeit (Stunde:Minute)
    format.local-date-time|kein gültiges Datum mit Uhrzeit (Jahr-Monat-TagTStunde:Minute)
    format.uri|keine gültige URL
    format.hostname|kein gültiger Hostname
    format.other|nicht im Format {format}
    list.or|{first} oder {last}
    list.and|{first} und {last}
    list.more|{first} oder {more weiterer Wert/weitere Werte}
    phrase.found| Gefunden: {found}.
    phrase.length|{found} Zeichen
    phrase.count|insgesamt {found}
    duplicate|Das steht schon in der Liste.
    invalid|Dieser Wert ist ungültig.
    options|Bitte wählen Sie eine der Möglichkeiten.
    group.exactlyOne|Bitte füllen Sie genau eines dieser Felder aus.
    group.atLeastOne|Bitte füllen Sie mindestens eines dieser Felder aus.
    group.atMostOne|Bitte füllen Sie höchstens eines dieser Felder aus.
    group.allOrNone|Bitte füllen Sie alle diese Felder aus oder keines.
    fault|Dieser Wert konnte nicht geprüft werden.
    checkFailed|Dieser Wert konnte nicht geprüft werden. Bitte versuchen Sie es noch einmal.
    more|Hier sind insgesamt {total} Fehler.
    quotes|Setzen Sie den Wert in YAML in Anführungszeichen: {text}.
    unread.integer|Bitte geben Sie eine ganze Zahl ein.
    unread.number|Bitte geben Sie eine Zahl ein.
    unread.boolean|Bitte wählen Sie Ja oder Nein.
    read.integer|Bitte geben Sie eine ganze Zahl ein, zum Beispiel {example}.
    read.number|Bitte geben Sie eine Zahl ein, zum Beispiel {example}.
    read.percent|Bitte geben Sie einen Prozentwert ein, zum Beispiel {example}.
    read.currency|Bitte geben Sie einen Betrag ein, zum Beispiel {example}.
    read.date|Bitte geben Sie ein Datum ein, zum Beispiel {example}.
    read.dateTime|Bitte geben Sie Datum und Uhrzeit ein, zum Beispiel {example}.
    """
  )
}
