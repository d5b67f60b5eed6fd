vim9script
# The colours of a form. Text properties of the same names, which view.vim sets on the lines, decide what is
# highlighted. So a form does not need `:syntax on`.

const links = {
  FormdTitle: 'Title',
  FormdHeading: 'Statement',
  FormdRow: 'Type',
  FormdLabel: 'Identifier',
  FormdRequired: 'WarningMsg',
  FormdValue: 'Constant',
  FormdComputed: 'Number',
  FormdDisabled: 'Comment',
  FormdHelp: 'Comment',
  FormdError: 'WarningMsg',
  FormdWarning: 'Question',
  FormdDone: 'MoreMsg',
  FormdNotice: 'WarningMsg',
  FormdOutput: 'Number',
  FormdButton: 'PmenuSel',
  FormdStep: 'Comment',
  FormdStepHere: 'Statement',
}

# Defines the highlight groups that do not exist, and the types of text properties.
export def Define()
  for [group, link] in items(links)
    execute $'highlight default link {group} {link}'
    if empty(prop_type_get(group))
      prop_type_add(group, {highlight: group})
    endif
  endfor
enddef

# `:highlight clear`, which color schemes begin with, removes the groups.
augroup formd_highlights
  autocmd!
  autocmd ColorScheme * Define()
augroup END
