extension ErrorLanguage {
  /// Portuguese, as in Brazil.
  static let portuguese = ErrorLanguage(
    "pt",
    """
    dependency|Este campo é obrigatório quando {property} é informado.
    dependency.named|{missing} é obrigatório quando {property} é informado.
    property|{property} não é esperado aqui.
    item|O item {item} não é esperado aqui.
    alternatives|O valor não corresponde a nenhuma das alternativas permitidas.
    matches|O valor corresponde a várias alternativas que se excluem.
    matches.named|O valor corresponde a várias alternativas que se excluem: {matches}.
    nothing|Nenhum valor é permitido aqui.
    other|Este valor não é permitido.
    tooCostly|A verificação demora demais.
    tooDeep|O valor tem níveis demais para ser verificado.
    steps|A verificação exige mais de {limit passo/passos}.
    depth|A verificação exige mais de {limit esquema aninhado/esquemas aninhados}.
    costlyPattern|Comparar um texto com o padrão {pattern} demora demais.
    type.null|null
    type.boolean|verdadeiro ou falso
    type.integer|um número inteiro
    type.number|um número
    type.string|um texto
    type.array|uma lista
    type.object|um objeto
    format.email|um endereço de e-mail válido
    format.date|uma data válida (ano-mês-dia)
    format.time|uma hora válida com fuso horário
    format.date-time|uma data e hora válidas com fuso horário
    format.local-time|uma hora válida (hora:minuto)
    format.local-date-time|uma data e hora válidas (ano-mês-diaThora:minuto)
    format.uri|uma URL válida
    format.hostname|um nome de host válido
    format.other|do formato {format}
    list.or|{first} ou {last}
    list.and|{first} e {last}
    list.more|{first} ou {more outro valor/outros valores}
    phrase.found| Valor atual: {found}.
    phrase.length|{found caractere/caracteres}
    phrase.count|{found} no total
    duplicate|Este valor já está na lista.
    invalid|Este valor não é válido.
    options|Escolha uma das opções.
    group.exactlyOne|Preencha exatamente um destes campos.
    group.atLeastOne|Preencha pelo menos um destes campos.
    group.atMostOne|Preencha no máximo um destes campos.
    group.allOrNone|Preencha todos estes campos ou nenhum.
    fault|Não foi possível verificar este valor.
    checkFailed|Não foi possível verificar este valor. Tente novamente.
    more|Há {total} erros aqui.
    quotes|Em YAML, escreva o valor entre aspas: {text}.
    unread.integer|Digite um número inteiro.
    unread.number|Digite um número.
    unread.boolean|Escolha sim ou não.
    read.integer|Digite um número inteiro, por exemplo {example}.
    read.number|Digite um número, por exemplo {example}.
    read.percent|Digite uma porcentagem, por exemplo {example}.
    read.currency|Digite um valor em dinheiro, por exemplo {example}.
    read.date|Digite uma data, por exemplo {example}.
    read.dateTime|Digite uma data e uma hora, por exemplo {example}.
    """
  )
}
