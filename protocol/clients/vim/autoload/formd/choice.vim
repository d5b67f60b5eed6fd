vim9script
# Choosing: a menu at the field, of one choice or several. It is updated when the choices change.

import './content.vim'
import './document.vim'
import './json.vim'
import './session.vim'

# The open menu: {window, form, item, options, shown, at, pattern, isTyping, Closed}; empty if none is open. `options`
# has the options that the user can take, `shown` those of them that contain the pattern, and `at` the number of the
# marked option in `shown`.
var open: dict<any>

const height_max = 15

# Opens the menu of a field. Closed() is called at the end.
export def Ask(form: dict<any>, item: dict<any>, label: string, Closed: func())
  session.Focus(form, item.place)
  open = {form: form, item: item, label: label, options: [], shown: [], at: 0, pattern: '', isTyping: false,
    Closed: Closed}
  open.window = popup_create('', {border: [], padding: [0, 1, 0, 1], line: 'cursor+1', col: 'cursor', pos: 'topleft',
    maxheight: height_max, cursorline: true, highlight: 'Pmenu', mapping: false, zindex: 300, filter: Press, filtermode: 'a',
    callback: (_, _) => Finish()})
  open.options = Options()
  open.shown = open.options
  open.at = max([0, indexof(open.options, (_, option) => IsChosen(option))])
  Show()
enddef

# The form was drawn again: the choices may have changed, or the field may have gone.
export def Follow(form: dict<any>)
  if empty(open) || open.form isnot form
    return
  endif
  if !document.State(form.document, open.item.place).isVisible
    popup_close(open.window)
  elseif open.options != Options()
    var marked = get(open.shown, open.at, {})
    open.options = Options()
    Narrow()
    open.at = max([0, index(open.shown, marked)])
    Show()
  endif
enddef

# The field of one choice.
def Field(): dict<any>
  return open.item.how == 'choices' ? open.item.field.items : open.item.field
enddef

def Options(): list<any>
  # A disabled choice is offered only if it is the value.
  return copy(document.Options(open.form.document, Field(), open.item.place))
    ->filter((_, option) => !get(option, 'disabled', false) || IsChosen(option))
enddef

def Value(): any
  return get(open.form.values, open.item.place, v:none)
enddef

def IsChosen(option: dict<any>): bool
  var value = Value()
  return open.item.how == 'choices'
    ? indexof(type(value) == v:t_list ? value : [], (_, one) => json.IsSame(one, option.value)) >= 0
    : json.IsSame(value, option.value)
enddef

def Narrow()
  var pattern = tolower(open.pattern)
  open.shown = copy(open.options)->filter((_, option) =>
    stridx(tolower(content.Name([option], option.value)), pattern) >= 0)
  # A text of the user's own is the last choice.
  if get(Field(), 'admitsOther', false) && pattern != '' && indexof(open.options, (_, option) => option.value == open.pattern) < 0
    add(open.shown, {value: open.pattern})
  endif
  open.at = 0
enddef

def Show()
  var lines = mapnew(open.shown, (_, option) => {
    var mark = IsChosen(option) ? 'x' : ' '
    return (open.item.how == 'choices' ? $'[{mark}] ' : mark == 'x' ? '> ' : '  ') .. content.Name([option], option.value)
  })
  popup_settext(open.window, empty(lines) ? ['(nothing to choose)'] : lines)
  popup_setoptions(open.window, {title: open.isTyping || open.pattern != '' ? $' /{open.pattern} ' : $' {open.label} '})
  win_execute(open.window, $':{open.at + 1}')
enddef

def Press(window: number, key: string): bool
  if open.isTyping && key !~ '^\%x80' && key !~ '[[:cntrl:]]'
    open.pattern ..= key
    Narrow()
  elseif index(["\<Down>", "\<C-n>", 'j', "\<Tab>"], key) >= 0
    open.at = empty(open.shown) ? 0 : (open.at + 1) % len(open.shown)
  elseif index(["\<Up>", "\<C-p>", 'k', "\<S-Tab>"], key) >= 0
    open.at = empty(open.shown) ? 0 : (open.at + len(open.shown) - 1) % len(open.shown)
  elseif index(["\<BS>", "\<C-h>"], key) >= 0 && open.pattern != ''
    open.pattern = strcharpart(open.pattern, 0, strchars(open.pattern) - 1)
    Narrow()
  elseif key == "\<Esc>" && open.isTyping
    open.isTyping = false
    open.pattern = ''
    Narrow()
  elseif index(["\<Esc>", "\<C-c>", 'q'], key) >= 0
    popup_close(window)
    return true
  elseif key == '/'
    open.isTyping = true
  elseif index(['x', 'd', "\<Del>"], key) >= 0
    Choose(open.item.how == 'choices' ? [] : null)
    popup_close(window)
    return true
  elseif key == "\<Space>" || key == "\<CR>"
    return Take(window, key)
  endif
  Show()
  return true
enddef

# Takes the marked choice. In a field of several choices, adds it or removes it.
def Take(window: number, key: string): bool
  var isMany = open.item.how == 'choices'
  if !empty(open.shown) && !(isMany && key == "\<CR>")
    var option = open.shown[open.at]
    if isMany
      var chosen = type(Value()) == v:t_list ? copy(Value()) : []
      var at = indexof(chosen, (_, one) => json.IsSame(one, option.value))
      if at >= 0
        remove(chosen, at)
      else
        add(chosen, option.value)
      endif
      Choose(chosen)
      Show()
      return true
    endif
    Choose(option.value)
  endif
  popup_close(window)
  return true
enddef

def Choose(value: any)
  session.Change(open.form, open.item.place, value)
enddef

def Finish()
  var closed = open
  open = {}
  session.Focus(closed.form, '')
  closed.Closed()
enddef
