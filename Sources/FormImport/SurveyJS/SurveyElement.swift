internal import JSON

/// An object of the survey, and which of its keys were read: the others are losses.
struct SurveyElement {
  let object: JSONObject
  /// Its location in the survey.
  let pointer: JSONPointer
  /// The keys that were read.
  private(set) var read: Set<String> = []

  init(_ object: JSONObject, at pointer: JSONPointer) {
    self.object = object
    self.pointer = pointer
  }

  /// The value of a key, which counts as read.
  mutating func take(_ key: String) -> JSON? {
    read.insert(key)
    return object[key]
  }

  /// The first of the spellings that the object has: SurveyJS renames keys and still reads the old ones.
  mutating func takeKey(_ keys: [String]) -> (key: String, value: JSON)? {
    var found: (String, JSON)?
    for key in keys {
      if let value = take(key), found == nil { found = (key, value) }
    }
    return found
  }

  /// The keys that were not read, in order.
  var unread: [String] { object.names.filter { !read.contains($0) } }
}

/// Keys of SurveyJS that the importer knows and that a form does not have.
enum SurveyKeys {
  /// How the survey looks. Keys of the same ending look the same way.
  static func isPresentation(_ key: String) -> Bool {
    presentation.contains(key) || presentationEndings.contains { key.hasSuffix($0) }
  }

  private static let presentationEndings = [
    "Location", "Width", "Height", "Color", "Text", "Placeholder", "PlaceHolder", "Caption", "Position", "Alignment",
    "Indent", "Fit", "Size", "Classes", "Locale", "Layout", "Html", "Tooltip",
  ]

  private static let presentation: Set<String> = [
    "allowAddPanel", "allowAddRows", "allowClear", "allowRemovePanel", "allowRemoveRows", "allowResize",
    "allowRowReorder", "allowRowsDragAndDrop", "altText", "alternateRows", "alwaysShowInDesign", "autoGrow",
    "autocomplete", "backgroundImage", "backgroundOpacity", "cellHintText", "choicesOrder", "closeOnSelect", "colCount",
    "cols", "columnMinWidth", "completedHtml", "confirmDelete", "contentMode", "currency", "currencyDisplay",
    "dataList", "detailPanelMode", "displayMode", "displayStyle", "expandCollapseButton", "fitToContainer",
    "focusFirstQuestion", "focusFirstQuestionAutomatic", "format", "gridLayoutColumns", "gridLayoutEnabled",
    "gridLayoutMobile", "hasSelectAll", "headerView", "hideNumber", "hideSelectedItems", "imageLink", "indent",
    "isFitted", "labelFormat", "loadingHtml", "logo", "longTap", "mask", "maskSettings", "maskType", "maxWidth",
    "maximumFractionDigits", "minWidth", "minimumFractionDigits", "multipleColumns", "navigationButtonsVisibility",
    "navigationDescription", "navigationTitle", "newPanelPosition", "panelAddText", "penColor", "placeholderHtml",
    "precision", "progressBarInheritWidthFrom", "progressBarShowPageNumbers", "progressBarShowPageTitles",
    "progressBarType", "questionDescriptionLocation", "questionStartIndex", "questionsOrder", "rateDisplayMode",
    "rateType", "renderAs", "renderMode", "rows", "scaleColorMode", "searchEnabled", "searchMode",
    "selectToRankEnabled", "separateSpecialChoices", "showBrandInfo", "showCheckbox", "showClearButton",
    "showCompletedPage", "showDropdownListOnFocus", "showHeader", "showInMultipleColumns", "showLabel",
    "showNavigationButtons", "showNumber", "showPageNumbers", "showPageTitles", "showPrevButton",
    "showPreviewBeforeComplete", "showProgressBar", "showProgressText", "showQuestionNumber", "showQuestionNumbers",
    "showRangeInProgress", "showSelectAllItem", "showTOC", "showTimer", "showTimerPanel", "showTitle", "showTooltip",
    "size", "sliderType", "startWithNewLine", "state", "step", "swapOrder", "tabTitlePlaceholder",
    "templateDescription", "templateTabTitle", "templateTitle", "textUpdateMode", "themeVariables", "totalCurrency",
    "totalDisplayStyle", "totalFormat", "totalMaximumFractionDigits", "totalMinimumFractionDigits", "useDropdownList",
    "useGrouping", "verticalAlign", "width", "widthMode",
  ]

  /// Effects of a survey other than questions and values.
  static let behavior: Set<String> = [
    "acceptedTypes", "allowAdaptiveActions", "allowCompleteSurveyAutomatic", "allowCustomChoices",
    "allowDuplicateChoices", "allowImagesPreview", "allowMultiple", "autoAdvanceAllowComplete", "autoAdvanceEnabled",
    "carryForward", "cellErrorLocation", "checkErrorsMode", "choiceTextsFromQuestion", "choicesFromQuestionMode",
    "choicesLazyLoadEnabled", "choicesLazyLoadPageSize", "clearIfInvisible", "clearInvisibleValues", "columnsVisibleIf",
    "completedHtmlOnCondition", "cookieName", "copyDefaultValueFromLastEntry", "correctAnswer", "defaultRowValue",
    "defaultValueFromLastPanel", "defaultValueFromLastRow", "detailElements", "displayRowsAs", "eachRowRequired",
    "eachRowUnique", "enableOnLoading", "firstPageIsStartPage", "firstPageIsStarted", "goNextPageAutomatic",
    "hideIfChoicesEmpty", "hideIfRowsEmpty", "isAllRowRequired", "isSinglePage", "keepIncorrectValues",
    "maxPanelCountReached", "maxSize", "maxTimeToFinish", "maxTimeToFinishPage", "maxValueExpression",
    "minTimeToFinish", "minValueExpression", "mode", "navigateToUrl", "navigateToUrlOnCondition",
    "needConfirmRemoveFile", "panelsState", "partialSend", "partialSendEnabled", "quizMode", "rowTitleWidth",
    "rowsVisibleIf", "saveMaskedValue", "score", "sendResultOnPageNext", "showCommentArea", "showInMultipleColumns",
    "signatureWidth", "sourceType", "startSurveyText", "storeDataAsText", "storeOthersAsComment", "surveyId",
    "surveyPostId", "surveyShowDataSaving", "templateVisibleIf", "timeLimit", "timeLimitPerPage", "totalText",
    "transposeData", "uniqueColumns", "useCaseSensitiveComparison", "useDisplayValuesInDynamicTexts",
    "useDisplayValuesInTitle", "useForIndividualLocale", "validateVisitedEmptyFields", "validationEnabled",
    "valuePropertyName", "waitForUpload",
  ]
}
