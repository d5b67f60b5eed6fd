vim9script
# Messages to the user outside of the form.

const shown_ms = 6000

# Shows an error in the message line; :messages keeps it.
export def Warn(message: string)
  echohl WarningMsg
  echomsg 'formd: ' .. message
  echohl None
enddef

# Shows a result in a window that closes by itself.
export def Show(title: string, lines: list<string>, highlight: string)
  popup_notification(empty(lines) ? ['done'] : lines, {title: $' {title} ', time: shown_ms, highlight: 'Normal',
    borderhighlight: [highlight], maxwidth: 70})
enddef

# Shows an explanation until the next key. That key has its usual effect, except Esc.
export def Explain(title: string, lines: list<string>)
  popup_atcursor(lines, {title: title == '' ? '' : $' {title} ', border: [], padding: [0, 1, 0, 1], maxwidth: 70, wrap: true,
    mapping: false, filter: (window, key) => {
      popup_close(window)
      return key == "\<Esc>"
    }})
enddef
