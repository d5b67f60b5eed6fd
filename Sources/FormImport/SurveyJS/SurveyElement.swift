internal import JSON

/// An object of the survey, and which of its keys were read: the others are losses.
struct SurveyElement {
  /// The object.
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
    "hideNumber", "showNumber", "showTitle", "showPageTitles", "showPageNumbers", "colCount", "width",
    "startWithNewLine", "indent", "size", "state", "showQuestionNumbers", "showProgressBar", "progressBarType",
    "progressBarShowPageTitles", "progressBarShowPageNumbers", "progressBarInheritWidthFrom", "logo", "headerView",
    "widthMode", "showTOC", "choicesOrder", "separateSpecialChoices", "showClearButton", "allowClear", "displayMode",
    "rateDisplayMode", "rateType", "scaleColorMode", "renderAs", "contentMode", "showLabel", "showNavigationButtons",
    "showPrevButton", "showPreviewBeforeComplete", "showCompletedPage", "showTimer", "showTimerPanel",
    "questionStartIndex", "rows", "cols", "autoGrow", "allowResize", "autocomplete", "step", "mask", "maskType",
    "maskSettings", "dataList", "textUpdateMode", "focusFirstQuestionAutomatic", "focusFirstQuestion",
    "backgroundImage",
    "backgroundOpacity", "searchEnabled", "searchMode", "hideSelectedItems", "closeOnSelect", "useDropdownList",
    "showHeader", "cellHintText", "alternateRows", "isFitted", "verticalAlign", "columnMinWidth", "hasSelectAll",
    "showSelectAllItem", "showCheckbox", "renderMode", "displayStyle", "currency", "maximumFractionDigits",
    "minimumFractionDigits", "useGrouping", "format", "precision", "allowRowsDragAndDrop", "allowRowReorder",
    "allowAddPanel", "allowRemovePanel", "allowAddRows", "allowRemoveRows", "showRangeInProgress", "templateTitle",
    "templateDescription", "tabTitlePlaceholder", "templateTabTitle", "confirmDelete", "panelAddText",
    "detailPanelMode", "showQuestionNumber", "newPanelPosition", "showDropdownListOnFocus", "placeholderHtml",
    "swapOrder",
    "longTap", "selectToRankEnabled", "navigationTitle", "navigationDescription", "navigationButtonsVisibility",
    "penColor", "imageLink", "altText", "contentMode", "gridLayoutColumns", "gridLayoutEnabled", "showBrandInfo",
    "completedHtml", "loadingHtml", "gridLayoutMobile", "questionsOrder", "questionDescriptionLocation",
    "alwaysShowInDesign", "expandCollapseButton", "currencyDisplay", "showInMultipleColumns", "multipleColumns",
    "sliderType",
    "fitToContainer", "showTooltip", "themeVariables", "showProgressText", "labelFormat", "totalDisplayStyle",
    "totalCurrency",
    "totalFormat", "totalMaximumFractionDigits", "totalMinimumFractionDigits", "minWidth", "maxWidth",
  ]

  /// Effects of a survey other than questions and values.
  static let behavior: Set<String> = [
    "correctAnswer", "maxTimeToFinish", "maxTimeToFinishPage", "timeLimit", "timeLimitPerPage", "minTimeToFinish",
    "score", "cookieName", "navigateToUrl", "navigateToUrlOnCondition", "completedHtmlOnCondition",
    "sendResultOnPageNext",
    "storeOthersAsComment", "clearInvisibleValues", "clearIfInvisible", "autoAdvanceEnabled", "goNextPageAutomatic",
    "allowCompleteSurveyAutomatic", "autoAdvanceAllowComplete", "firstPageIsStarted", "firstPageIsStartPage",
    "checkErrorsMode", "validationEnabled", "validateVisitedEmptyFields", "mode", "surveyId", "surveyPostId",
    "surveyShowDataSaving", "isSinglePage", "partialSendEnabled", "partialSend", "useDisplayValuesInDynamicTexts",
    "useDisplayValuesInTitle", "valuePropertyName", "useCaseSensitiveComparison", "defaultRowValue",
    "copyDefaultValueFromLastEntry",
    "defaultValueFromLastRow", "defaultValueFromLastPanel", "carryForward", "cellErrorLocation",
    "choicesLazyLoadEnabled",
    "choicesLazyLoadPageSize", "waitForUpload", "storeDataAsText", "acceptedTypes", "maxSize", "allowMultiple",
    "sourceType", "needConfirmRemoveFile", "allowImagesPreview", "templateVisibleIf", "detailElements", "transposeData",
    "keepIncorrectValues", "allowDuplicateChoices", "hideIfChoicesEmpty", "hideIfRowsEmpty", "rowsVisibleIf",
    "columnsVisibleIf", "totalText", "choicesFromQuestionMode", "enableOnLoading", "allowCustomChoices",
    "eachRowUnique",
    "eachRowRequired", "displayRowsAs", "choiceTextsFromQuestion", "partialSend", "showInMultipleColumns",
    "maxPanelCountReached",
    "saveMaskedValue", "signatureWidth", "showCommentArea", "isAllRowRequired", "rowTitleWidth", "startSurveyText",
    "quizMode",
    "panelsState", "uniqueColumns", "minValueExpression", "maxValueExpression", "allowAdaptiveActions",
    "useForIndividualLocale",
  ]
}
