vim9script
# What is told to the user besides the form itself.

const shown_ms = 6000

# What went wrong, in the line for messages, and kept by :messages.
export def Warn(message: string)
  echohl WarningMsg
  echomsg 'formd: ' .. message
  echohl None
enddef

# What something came to, in a window that goes by itself.
export def Show(title: string, lines: list<string>, highlight: string)
  popup_notification(empty(lines) ? ['done'] : lines, {title: $' {title} ', time: shown_ms, highlight: 'Normal',
    borderhighlight: [highlight], maxwidth: 70})
enddef

# What was asked for, until the next key. That key does what it does otherwise, but for Esc.
export def Explain(title: string, lines: list<string>)
  popup_atcursor(lines, {title: title == '' ? '' : $' {title} ', border: [], padding: [0, 1, 0, 1], maxwidth: 70, wrap: true,
    mapping: false, filter: (window, key) => {
      popup_close(window)
      return key == "\<Esc>"
    }})
enddef
