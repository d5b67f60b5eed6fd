extension ErrorLanguage {
  /// French.
  static let french = ErrorLanguage(
    "fr",
    """
    dependency|Ce champ est obligatoire si {property} est renseigné.
    dependency.named|{missing} est obligatoire si {property} est renseigné.
    property|{property} n’est pas prévu ici.
    item|L’élément {item} n’est pas prévu ici.
    alternatives|La valeur ne correspond à aucune des possibilités autorisées.
    matches|La valeur correspond à plusieurs possibilités qui s’excluent.
    matches.named|La valeur correspond à plusieurs possibilités qui s’excluent\u{A0}: {matches}.
    nothing|Aucune valeur n’est autorisée ici.
    other|Cette valeur n’est pas autorisée.
    tooCostly|La vérification prend trop de temps.
    tooDeep|La valeur est trop imbriquée pour être vérifiée.
    steps|La vérification demande plus de {limit étape/étapes}.
    depth|La vérification demande plus de {limit schéma imbriqué/schémas imbriqués}.
    costlyPattern|La comparaison d’un texte avec le motif {pattern} prend trop de temps.
    type.null|null
    type.boolean|vrai ou faux
    type.integer|un nombre entier
    type.number|un nombre
    type.string|un texte
    type.array|une liste
    type.object|un objet
    format.email|une adresse e-mail valide
    format.date|une date valide (année-mois-jour)
    format.time|une heure valide avec fuseau horaire
    format.date-time|une date et une heure valides avec fuseau horaire
    format.local-time|une heure valide (heure:minute)
    format.local-date-time|une date et une heure valides (année-mois-jourTheure:minute)
    format.uri|une URL valide
    format.hostname|un nom d’hôte valide
    format.other|au format {format}
    list.or|{first} ou {last}
    list.and|{first} et {last}
    list.more|{first} ou {more autre valeur/autres valeurs}
    phrase.found| Valeur trouvée\u{A0}: {found}.
    phrase.length|{found caractère/caractères}
    phrase.count|{found} au total
    duplicate|Cette valeur est déjà dans la liste.
    invalid|Cette valeur n’est pas valide.
    options|Choisissez l’une des options.
    group.exactlyOne|Remplissez exactement un de ces champs.
    group.atLeastOne|Remplissez au moins un de ces champs.
    group.atMostOne|Remplissez au plus un de ces champs.
    group.allOrNone|Remplissez tous ces champs ou aucun.
    fault|Cette valeur n’a pas pu être vérifiée.
    checkFailed|Cette valeur n’a pas pu être vérifiée. Veuillez réessayer.
    more|Il y a {total} erreurs ici.
    quotes|En YAML, mettez la valeur entre guillemets\u{A0}: {text}.
    unread.integer|Saisissez un nombre entier.
    unread.number|Saisissez un nombre.
    unread.boolean|Choisissez oui ou non.
    read.integer|Saisissez un nombre entier, par exemple {example}.
    read.number|Saisissez un nombre, par exemple {example}.
    read.percent|Saisissez un pourcentage, par exemple {example}.
    read.currency|Saisissez un montant, par exemple {example}.
    read.date|Saisissez une date, par exemple {example}.
    read.dateTime|Saisissez une date et une heure, par exemple {example}.
    """
  )
}
