vim9script
# The daemon's errors, in sentences that say what to do.

# The sentence for an error of the daemon.
export def Explain(error: dict<any>): string
  var data = get(error, 'data', {})
  if type(data) != v:t_dict
    data = {}
  endif
  var name = get(data, 'form', get(data, 'action', get(data, 'step', get(data, 'field', ''))))
  var hint = has_key(data, 'closest') ? $'; did you mean {data.closest}?' : ''
  if error.code == 1003
    return $'there is no form {name}' .. (hint == '' ? ': Tab completes the names of the forms' : hint)
  elseif error.code == -32601
    return $'the daemon is older than this plugin ({error.message}): install the current formd, and restart the daemon'
  elseif error.code == 1005
    return $'the form has no action {name}' .. hint
  elseif error.code == 1008
    return get(data, 'reason', '') == 'hidden' ? $'the step {name} is hidden' : $'the form has no step {name}' .. hint
  elseif error.code == 1011 || error.code == 1012
    return $'{error.message} ({get(data, "limit", "")} is {get(data, "value", "")})'
  elseif error.code == -32602
    var places = get(data, 'errors', [])
    return error.message .. (empty(places) ? '' : ': ' .. mapnew(places[: 2], (_, fault) => Place(fault))->join('; '))
  endif
  return error.message
enddef

def Place(fault: dict<any>): string
  var what = has_key(fault, 'expected') ? $'expected {fault.expected}' : get(fault, 'message', get(fault, 'code', ''))
  return $'{get(fault, "path", "")}: {what}'
enddef
