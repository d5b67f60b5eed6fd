extension ErrorLanguage {
  /// Spanish.
  static let spanish = ErrorLanguage(
    "es",
    """
    required|Este campo es obligatorio.
    required.named|{missing} es obligatorio.
    required.some|Falta un valor obligatorio.
    dependency|Este campo es obligatorio si se indica {property}.
    dependency.named|{missing} es obligatorio si se indica {property}.
    type|El valor debe ser {expected}.
    const|El valor debe ser {allowed}.
    enum|El valor debe ser {allowed}.
    enum.many|El valor debe ser uno de los permitidos.
    multipleOf|El valor debe ser un múltiplo de {limit}.
    maximum|El valor debe ser como máximo {limit}.
    exclusiveMaximum|El valor debe ser menor que {limit}.
    minimum|El valor debe ser como mínimo {limit}.
    exclusiveMinimum|El valor debe ser mayor que {limit}.
    maxLength|Escriba como máximo {limit carácter/caracteres}.
    minLength|Escriba al menos {limit carácter/caracteres}.
    maxItems|La lista puede tener como máximo {limit elemento/elementos}.
    minItems|La lista debe tener al menos {limit elemento/elementos}.
    maxProperties|El objeto puede tener como máximo {limit miembro/miembros}.
    minProperties|El objeto debe tener al menos {limit miembro/miembros}.
    contains.few|Al menos {limit elemento debe/elementos deben} cumplir la condición.
    contains.many|Como máximo {limit elemento puede/elementos pueden} cumplir la condición.
    uniqueItems|No puede haber elementos iguales; los elementos {first} y {second} lo son.
    pattern|El formato no es correcto.
    pattern.named|El valor no coincide con el patrón {pattern}.
    format|El valor no es {format}.
    propertyNames|El nombre {property} no está permitido.
    property|{property} no se espera aquí.
    item|El elemento {item} no se espera aquí.
    items|Este elemento no se espera aquí.
    alternatives|El valor no coincide con ninguna de las alternativas permitidas.
    matches|El valor coincide con varias alternativas que se excluyen entre sí.
    matches.named|El valor coincide con varias alternativas que se excluyen entre sí: {matches}.
    not|Este valor no está permitido.
    not.named|Este valor está excluido por "not".
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
