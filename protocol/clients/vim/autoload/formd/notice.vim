vim9script
# Messages to the user outside of the form.

# Shows an error in the message line; :messages keeps it.
export def Warn(message: string)
  echohl WarningMsg
  Say(message)
  echohl None
enddef

# Shows a message in the message line, where it covers no field; :messages keeps it.
export def Say(message: string)
  # A message of more than a line would take the next key for its "Press ENTER".
  var line = 'formd: ' .. substitute(message, '\_s\+', ' ', 'g')
  if strdisplaywidth(line) > v:echospace
    line = strcharpart(line, 0, v:echospace - 1)
    while strdisplaywidth(line) >= v:echospace
      line = strcharpart(line, 0, strchars(line) - 1)
    endwhile
    line ..= &encoding == 'utf-8' ? '…' : '>'
  endif
  echomsg line
enddef

# Shows an explanation until the next key. That key has its usual effect, except Esc.
export def Explain(title: string, lines: list<string>)
  popup_atcursor(lines, {title: title == '' ? '' : $' {title} ', border: [], padding: [0, 1, 0, 1], maxwidth: 70, wrap: true,
    mapping: false, filter: (window, key) => {
      popup_close(window)
      return key == "\<Esc>"
    }})
enddef
