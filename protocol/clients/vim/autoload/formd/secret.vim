vim9script
# A secret is typed into a popup that shows how many characters there are, and never into a buffer. So nothing of it is
# in undo, registers, the swap file, the viminfo file or a repeat by `.`.

import './session.vim'
import './symbols.vim'

# The open popup: {window, form, item, text, isRecorded}; empty if none is open.
var open: dict<any>

const width_min = 24

# Asks for the secret of a field. The daemon gets each character as the user types it. Closed() is called at the end,
# with the key that ended it. While a register is recorded, the popup only says so, and takes no character of the
# secret. It still takes the keys, because they are not for Normal mode.
export def Ask(form: dict<any>, item: dict<any>, label: string, Closed: func(string))
  session.Focus(form, item.place)
  open = {form: form, item: item, text: '', isRecorded: reg_recording() != '', Closed: Closed}
  # Only the line of the value: the help and the messages below it stay in sight.
  open.window = popup_create('', {padding: [0, 1, 0, 0], minwidth: width_min, maxheight: 1,
    line: 'cursor', col: 'cursor', pos: 'topleft', highlight: 'Pmenu', mapping: false, zindex: 300,
    filter: Press, filtermode: 'a', callback: (_, key) => Finish(key)})
  Show()
enddef

def Show()
  popup_settext(open.window, open.isRecorded ? 'Stop recording first (<Esc>q): the register would contain the secret.'
    : repeat(symbols.Get('secret'), strchars(open.text)) .. '_')
enddef

# The form was drawn again: its lines may have moved, and the cursor with them.
export def Follow(form: dict<any>)
  if IsOpen() && open.form is form && bufnr() == form.buffer
    redraw
    popup_move(open.window, {line: 'cursor', col: 'cursor'})
  endif
enddef

export def IsOpen(): bool
  return !empty(open)
enddef

def Press(window: number, key: string): bool
  if index(["\<CR>", "\<Esc>", "\<Tab>", "\<S-Tab>", "\<C-c>", "\<Up>", "\<Down>"], key) >= 0
    popup_close(window, key)
  elseif open.isRecorded
    return true
  elseif key == "\<BS>" || key == "\<C-h>"
    Type(strcharpart(open.text, 0, strchars(open.text) - 1))
  elseif key == "\<C-u>" || key == "\<C-w>"
    Type('')
  elseif key !~ '^\%x80' && key !~ '[[:cntrl:]]'
    Type(open.text .. key)
  endif
  return true
enddef

def Type(text: string)
  open.text = text
  session.Change(open.form, open.item.place, text == '' ? null : text, {isSecret: true})
  Show()
enddef

def Finish(key: any)
  var closed = open
  open = {}
  session.Focus(closed.form, '')
  closed.Closed(type(key) == v:t_string ? key : '')
enddef
