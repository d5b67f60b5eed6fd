vim9script
# The colours of a form. Text properties, which view.vim sets on the lines, decide what is highlighted.

if exists('b:current_syntax')
  finish
endif
b:current_syntax = 'formd'

highlight default link FormdTitle Title
highlight default link FormdHeading Statement
highlight default link FormdRow Type
highlight default link FormdLabel Identifier
highlight default link FormdRequired WarningMsg
highlight default link FormdValue Constant
highlight default link FormdComputed Number
highlight default link FormdDisabled Comment
highlight default link FormdHelp Comment
highlight default link FormdError WarningMsg
highlight default link FormdWarning Question
highlight default link FormdDone MoreMsg
highlight default link FormdNotice WarningMsg
highlight default link FormdOutput Number
highlight default link FormdButton PmenuSel
highlight default link FormdStep Comment
highlight default link FormdStepHere Statement
