extension ErrorLanguage {
  /// Chinese in simplified characters.
  static let chinese = ErrorLanguage(
    "zh",
    """
    dependency|填写{property}后，此项为必填项。
    dependency.named|填写{property}后，{missing}为必填项。
    property|此处不允许有{property}。
    item|此处不允许有第{item}项。
    alternatives|不符合任何一个允许的条件。
    matches|同时符合多个互斥的条件。
    matches.named|同时符合多个互斥的条件：{matches}。
    nothing|此处不允许有任何值。
    other|不允许使用此值。
    tooCostly|检查所需时间过长。
    tooDeep|嵌套过深，无法检查。
    steps|检查需要超过{limit}个步骤。
    depth|检查需要超过{limit}层嵌套的模式定义。
    costlyPattern|文本与模式{pattern}的匹配所需时间过长。
    type.null|null
    type.boolean|真或假
    type.integer|整数
    type.number|数字
    type.string|文本
    type.array|列表
    type.object|对象
    format.email|有效的电子邮件地址
    format.date|有效的日期（年-月-日）
    format.time|带时区的有效时间
    format.date-time|带时区的有效日期和时间
    format.local-time|有效的时间（时:分）
    format.local-date-time|有效的日期和时间（年-月-日T时:分）
    format.uri|有效的网址
    format.hostname|有效的主机名
    format.other|符合{format}格式的值
    list.comma|、
    list.or|{first}或{last}
    list.and|{first}和{last}
    list.more|{first}或其他{more}个值之一
    phrase.position|第{position}个
    phrase.found|当前值：{found}。
    phrase.length|{found}个字符
    phrase.count|{found}个
    duplicate|列表中已有此项。
    invalid|此值无效。
    options|请选择其中一个选项。
    group.exactlyOne|请只填写其中一项。
    group.atLeastOne|请至少填写其中一项。
    group.atMostOne|最多只能填写其中一项。
    group.allOrNone|请全部填写或全部留空。
    fault|无法检查此值。
    checkFailed|无法检查此值，请重试。
    more|此处共有{total}个错误。
    quotes|在YAML中请用引号括起来：{text}。
    unread.integer|请输入整数。
    unread.number|请输入数字。
    unread.boolean|请选择“是”或“否”。
    read.integer|请输入整数，例如 {example}。
    read.number|请输入数字，例如 {example}。
    read.percent|请输入百分比，例如 {example}。
    read.currency|请输入金额，例如 {example}。
    read.date|请输入日期，例如 {example}。
    read.dateTime|请输入日期和时间，例如 {example}。
    """
  )
}
