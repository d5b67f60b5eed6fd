vim9script
# Where the daemon listens: protocol/wire.md, Transport.

# The socket: g:formd_socket, else $FORMD_SOCKET, else the daemon's own default.
export def Path(): string
  for path in [get(g:, 'formd_socket', ''), $FORMD_SOCKET]
    if path != ''
      return expand(path)
    endif
  endfor
  if $XDG_RUNTIME_DIR != ''
    return $XDG_RUNTIME_DIR .. '/formd/formd.sock'
  endif
  var runtime = '/run/user/' .. User()
  if getftype(runtime) == 'dir' && filewritable(runtime) == 2
    return runtime .. '/formd/formd.sock'
  endif
  return Private() .. '/formd.sock'
enddef

# Why the plugin must not connect to a socket; empty if it may. Any user could have made a folder in /tmp.
export def Objection(path: string): string
  var folder = Private()
  if path !=# folder .. '/formd.sock' || getftype(folder) == ''
    return ''
  endif
  var isPrivate = getftype(folder) == 'dir' && getfperm(folder) ==# 'rwx------' && filewritable(folder) == 2
  return isPrivate ? '' : folder .. ' is not private to you: remove it, or set g:formd_socket to another socket'
enddef

def Private(): string
  return '/tmp/formd-' .. User()
enddef

var user = ''

def User(): string
  if user == ''
    user = trim(system('id -u'))
  endif
  return user
enddef
