vim9script
# The document of a session, which the daemon sends, read by address.
#
# Here, as in layout.vim and view.vim, arguments that may be large are declared `any`. Vim would visit every member of a
# `dict<any>` at each call, to check its type.

import './address.vim'

# The members that the document leaves out of rows and of fields inside of them (protocol/sessions.md, Rows in the
# document). Written by scripts/lib/client_types.py.
const usual = {isVisible: true, isEnabled: true, isRequired: false, isValid: true, isPending: false, isDirty: false,
  isTouched: false, isEmpty: false, errors: []}

# The document's entry for the field or row at an address. A removed row is not visible.
export def State(document: any, place: string): any
  var state = document
  for token in address.Tokens(place)
    if address.IsRow(token)
      var row = token[1 :]
      if index(get(state, 'order', []), row) < 0
        return extendnew(usual, {isVisible: false})
      endif
      state = get(get(state, 'rows', {}), row, {})
    else
      state = get(get(state, 'fields', {}), token, {})
    endif
  endfor
  return extendnew(usual, state)
enddef

# The identities of a list's rows, in order.
export def Order(document: any, list: string): list<string>
  return get(State(document, list), 'order', [])
enddef

# The address with positions instead of identities. It means the same place in another session.
export def WithPositions(document: any, place: string): string
  var tokens = address.Tokens(place)
  for at in range(len(tokens))
    if address.IsRow(tokens[at]) && at > 0
      var position = index(Order(document, address.Join(tokens[: at - 1])), tokens[at][1 :])
      if position < 0
        return ''
      endif
      tokens[at] = '#' .. position
    endif
  endfor
  return address.Join(tokens)
enddef

# The address with identities for the positions that WithPositions() has written; empty if there is no such row.
export def WithIdentities(document: any, place: string): string
  var tokens = address.Tokens(place)
  for at in range(len(tokens))
    if address.IsRow(tokens[at]) && at > 0
      var order = Order(document, address.Join(tokens[: at - 1]))
      var position = str2nr(tokens[at][1 :])
      if position >= len(order)
        return ''
      endif
      tokens[at] = '#' .. order[position]
    endif
  endfor
  return address.Join(tokens)
enddef

# The choices of a field: the current result of its formula, else the choices of the form.
export def Options(document: any, field: any, place: string): any
  var live = get(State(document, place), 'options', v:none)
  if type(live) == v:t_list
    return live
  endif
  # A member that is equal for all rows of a list is in the entry of the outmost list.
  var tokens = address.Tokens(place)
  var row = indexof(tokens, (_, token) => address.IsRow(token))
  if row > 0
    var shared = get(State(document, address.Join(tokens[: row - 1])), 'options', v:none)
    if type(shared) == v:t_dict && has_key(shared, field.address)
      return shared[field.address]
    endif
  endif
  return get(field, 'options', [])
enddef
