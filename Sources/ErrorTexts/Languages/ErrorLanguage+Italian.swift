extension ErrorLanguage {
  /// Italian.
  static let italian = ErrorLanguage(
    "it",
    """
    dependency|Questo campo è obbligatorio se è indicato {property}.
    dependency.named|{missing} è obbligatorio se è indicato {property}.
    property|{property} non è previsto qui.
    item|L’elemento {item} non è previsto qui.
    alternatives|Il valore non corrisponde a nessuna delle alternative consentite.
    matches|Il valore corrisponde a più alternative che si escludono a vicenda.
    matches.named|Il valore corrisponde a più alternative che si escludono a vicenda: {matches}.
    nothing|Qui non è consentito alcun valore.
    other|Questo valore non è consentito.
    tooCostly|La verifica richiede troppo tempo.
    tooDeep|Il valore è annidato troppo in profondità per essere verificato.
    steps|La verifica richiede più di {limit passo/passi}.
    depth|La verifica richiede più di {limit schema annidato/schemi annidati}.
    costlyPattern|Il confronto di un testo con il modello {pattern} richiede troppo tempo.
    type.null|null
    type.boolean|vero o falso
    type.integer|un numero intero
    type.number|un numero
    type.string|un testo
    type.array|un elenco
    type.object|un oggetto
    format.email|un indirizzo e-mail valido
    format.date|una data valida (anno-mese-giorno)
    format.time|un’ora valida con fuso orario
    format.date-time|una data e un’ora valide con fuso orario
    format.local-time|un’ora valida (ora:minuto)
    format.local-date-time|una data e un’ora valide (anno-mese-giornoTora:minuto)
    format.uri|un URL valido
    format.hostname|un nome host valido
    format.other|nel formato {format}
    list.or|{first} o {last}
    list.and|{first} e {last}
    list.more|{first} o {more altro valore/altri valori}
    phrase.found| Valore attuale: {found}.
    phrase.length|{found carattere/caratteri}
    phrase.count|{found} in totale
    duplicate|Questo valore è già nell’elenco.
    invalid|Questo valore non è valido.
    options|Scegliere una delle opzioni.
    group.exactlyOne|Compilare esattamente uno di questi campi.
    group.atLeastOne|Compilare almeno uno di questi campi.
    group.atMostOne|Compilare al massimo uno di questi campi.
    group.allOrNone|Compilare tutti questi campi o nessuno.
    fault|Non è stato possibile verificare questo valore.
    checkFailed|Non è stato possibile verificare questo valore. Riprovare.
    more|Qui ci sono {total} errori.
    quotes|In YAML, scrivere il valore tra virgolette: {text}.
    unread.integer|Inserire un numero intero.
    unread.number|Inserire un numero.
    unread.boolean|Scegliere sì o no.
    read.integer|Inserire un numero intero, ad esempio {example}.
    read.number|Inserire un numero, ad esempio {example}.
    read.percent|Inserire una percentuale, ad esempio {example}.
    read.currency|Inserire un importo, ad esempio {example}.
    read.date|Inserire una data, ad esempio {example}.
    read.dateTime|Inserire una data e un’ora, ad esempio {example}.
    """
  )
}
