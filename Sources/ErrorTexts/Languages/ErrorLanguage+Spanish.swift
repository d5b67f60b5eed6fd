extension ErrorLanguage {
  /// Spanish.
  static let spanish = ErrorLanguage(
    "es",
    """
    dependency|Este campo es obligatorio si se indica {property}.
    dependency.named|{missing} es obligatorio si se indica {property}.
    property|{property} no se espera aquí.
    item|El elemento {item} no se espera aquí.
    alternatives|El valor no coincide con ninguna de las alternativas permitidas.
    matches|El valor coincide con varias alternativas que se excluyen entre sí.
    matches.named|El valor coincide con varias alternativas que se excluyen entre sí: {matches}.
    nothing|Aquí no se permite ningún valor.
    other|Este valor no está permitido.
    tooCostly|La comprobación tarda demasiado.
    tooDeep|El valor está demasiado anidado para comprobarlo.
    steps|La comprobación requiere más de {limit paso/pasos}.
    depth|La comprobación requiere más de {limit esquema anidado/esquemas anidados}.
    costlyPattern|Comparar un texto con el patrón {pattern} tarda demasiado.
    type.null|null
    type.boolean|verdadero o falso
    type.integer|un número entero
    type.number|un número
    type.string|un texto
    type.array|una lista
    type.object|un objeto
    format.email|una dirección de correo electrónico válida
    format.date|una fecha válida (año-mes-día)
    format.time|una hora válida con zona horaria
    format.date-time|una fecha y hora válidas con zona horaria
    format.local-time|una hora válida (hora:minuto)
    format.local-date-time|una fecha y hora válidas (año-mes-díaThora:minuto)
    format.uri|una URL válida
    format.hostname|un nombre de host válido
    format.other|del formato {format}
    list.or|{first} o {last}
    list.and|{first} y {last}
    list.more|{first} o {more valor más/valores más}
    phrase.found| Valor actual: {found}.
    phrase.length|{found carácter/caracteres}
    phrase.count|{found} en total
    duplicate|Este valor ya está en la lista.
    invalid|Este valor no es válido.
    options|Elija una de las opciones.
    group.exactlyOne|Rellene exactamente uno de estos campos.
    group.atLeastOne|Rellene al menos uno de estos campos.
    group.atMostOne|Rellene como máximo uno de estos campos.
    group.allOrNone|Rellene todos estos campos o ninguno.
    fault|No se pudo comprobar este valor.
    checkFailed|No se pudo comprobar este valor. Inténtelo de nuevo.
    more|Aquí hay {total} errores en total.
    quotes|En YAML, escriba el valor entre comillas: {text}.
    unread.integer|Escriba un número entero.
    unread.number|Escriba un número.
    unread.boolean|Elija sí o no.
    read.integer|Escriba un número entero, por ejemplo {example}.
    read.number|Escriba un número, por ejemplo {example}.
    read.percent|Escriba un porcentaje, por ejemplo {example}.
    read.currency|Escriba un importe, por ejemplo {example}.
    read.date|Escriba una fecha, por ejemplo {example}.
    read.dateTime|Escriba una fecha y una hora, por ejemplo {example}.
    """
  )
}
