extension ErrorLanguage {
  /// Italian.
  static let italian = ErrorLanguage(
    "it",
    """
    required|Questo campo è obbligatorio.
    required.named|{missing} è obbligatorio.
    required.some|Manca un valore obbligatorio.
    dependency|Questo campo è obbligatorio se è indicato {property}.
    dependency.named|{missing} è obbligatorio se è indicato {property}.
    type|Il valore deve essere {expected}.
    const|Il valore deve essere {allowed}.
    enum|Il valore deve essere {allowed}.
    enum.many|Il valore deve essere uno di quelli consentiti.
    multipleOf|Il valore deve essere un multiplo di {limit}.
    maximum|Il valore deve essere al massimo {limit}.
    exclusiveMaximum|Il valore deve essere minore di {limit}.
    minimum|Il valore deve essere almeno {limit}.
    exclusiveMinimum|Il valore deve essere maggiore di {limit}.
    maxLength|Inserire al massimo {limit carattere/caratteri}.
    minLength|Inserire almeno {limit carattere/caratteri}.
    maxItems|L’elenco può avere al massimo {limit elemento/elementi}.
    minItems|L’elenco deve avere almeno {limit elemento/elementi}.
    maxProperties|L’oggetto può avere al massimo {limit membro/membri}.
    minProperties|L’oggetto deve avere almeno {limit membro/membri}.
    contains.few|Almeno {limit elemento deve/elementi devono} soddisfare la condizione.
    contains.many|Al massimo {limit elemento può/elementi possono} soddisfare la condizione.
    uniqueItems|Non possono esserci elementi uguali; gli elementi {first} e {second} lo sono.
    pattern|Il formato non è corretto.
    pattern.named|Il valore non corrisponde al modello {pattern}.
    format|Il valore non è {format}.
    propertyNames|Il nome {property} non è consentito.
    property|{property} non è previsto qui.
    item|L’elemento {item} non è previsto qui.
    items|Questo elemento non è previsto qui.
    alternatives|Il valore non corrisponde a nessuna delle alternative consentite.
    matches|Il valore corrisponde a più alternative che si escludono a vicenda.
    matches.named|Il valore corrisponde a più alternative che si escludono a vicenda: {matches}.
    not|Questo valore non è consentito.
    not.named|Questo valore è escluso da "not".
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
