extension ErrorLanguage {
  /// Korean.
  static let korean = ErrorLanguage(
    "ko",
    """
    dependency|{property} 항목이 있으면 필수입니다.
    dependency.named|{property} 항목이 있으면 {missing} 항목이 필수입니다.
    property|허용되지 않는 항목입니다: {property}.
    item|허용되지 않는 항목입니다: {item}번째.
    alternatives|허용된 조건 중 어느 것에도 맞지 않습니다.
    matches|서로 배타적인 조건 중 둘 이상에 맞습니다.
    matches.named|서로 배타적인 조건 중 둘 이상에 맞습니다: {matches}.
    nothing|여기에는 아무 값도 허용되지 않습니다.
    other|허용되지 않는 값입니다.
    tooCostly|확인하는 데 시간이 너무 오래 걸립니다.
    tooDeep|너무 깊이 중첩되어 확인할 수 없습니다.
    steps|확인하려면 {limit}단계가 넘게 걸립니다.
    depth|확인하려면 스키마를 {limit}단계보다 깊이 중첩해야 합니다.
    costlyPattern|텍스트를 다음 패턴과 맞춰 보는 데 시간이 너무 오래 걸립니다: {pattern}
    type.null|null
    type.boolean|참 또는 거짓
    type.integer|정수
    type.number|숫자
    type.string|문자열
    type.array|목록
    type.object|객체
    format.email|이메일 형식이
    format.date|날짜 형식(연-월-일)이
    format.time|시간 형식이
    format.date-time|날짜와 시간 형식이
    format.local-time|시각 형식(시:분)이
    format.local-date-time|날짜와 시각 형식(연-월-일T시:분)이
    format.uri|URL 형식이
    format.hostname|호스트 이름 형식이
    format.other|{format} 형식이
    list.or|{first}, {last}
    list.and|{first}, {last}
    list.more|{first} 외 {more}개
    phrase.position|{position}번째
    phrase.found| 현재 값: {found}.
    phrase.length|{found}자
    phrase.count|{found}개
    duplicate|이미 목록에 있습니다.
    invalid|올바르지 않은 값입니다.
    options|목록에서 선택해 주세요.
    group.exactlyOne|이 항목 중 정확히 하나만 입력해 주세요.
    group.atLeastOne|이 항목 중 하나 이상을 입력해 주세요.
    group.atMostOne|이 항목 중 하나만 입력할 수 있습니다.
    group.allOrNone|이 항목을 모두 입력하거나 모두 비워 두세요.
    fault|값을 확인할 수 없습니다.
    checkFailed|확인하지 못했습니다. 다시 시도해 주세요.
    more|여기에 오류가 모두 {total}개 있습니다.
    quotes|YAML에서는 따옴표로 묶어 주세요: {text}.
    unread.integer|정수를 입력해 주세요.
    unread.number|숫자를 입력해 주세요.
    unread.boolean|예 또는 아니요를 선택해 주세요.
    read.integer|정수를 입력해 주세요. 예: {example}
    read.number|숫자를 입력해 주세요. 예: {example}
    read.percent|백분율을 입력해 주세요. 예: {example}
    read.currency|금액을 입력해 주세요. 예: {example}
    read.date|날짜를 입력해 주세요. 예: {example}
    read.dateTime|날짜와 시간을 입력해 주세요. 예: {example}
    """
  )
}
