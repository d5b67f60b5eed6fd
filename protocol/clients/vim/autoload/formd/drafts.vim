vim9script
# The drafts: forms that the daemon keeps when Vim ends (protocol/editors.md, Drafts). Each is a file of the user that
# is named for the session's key. The plugins for Emacs and Neovim write the same files.

import './socket.vim'

def Folder(): string
  return ($XDG_STATE_HOME != '' ? $XDG_STATE_HOME : $HOME .. '/.local/state') .. '/formd/drafts'
enddef

# Notes a draft. The key opens the session, so only the user may read the file.
export def Note(key: string, form: string, title: string, keep: string)
  var folder = Folder()
  try
    mkdir(folder, 'p', 0o700)
    setfperm(folder, 'rwx------')
    var path = $'{folder}/{key}.json'
    writefile([], path)
    setfperm(path, 'rw-------')
    writefile([json_encode({form: form, title: title, socket: socket.Path(), keep: keep, at: localtime()})], path)
  catch
    echohl WarningMsg
    echomsg $'formd: the draft could not be noted in {folder}; its key is {key}'
    echohl None
  endtry
enddef

export def Forget(key: string)
  delete($'{Folder()}/{key}.json')
enddef

# The drafts at this daemon, the newest first: {key, form, title, keep, at} each.
export def All(): list<dict<any>>
  var found: list<dict<any>>
  for path in glob(Folder() .. '/*.json', true, true)
    try
      var draft = json_decode(join(readfile(path), "\n"))
      if draft.socket ==# socket.Path()
        add(found, extend(draft, {key: fnamemodify(path, ':t:r')}))
      endif
    catch
      # Another program's file, or a file that is being written.
    endtry
  endfor
  return sort(found, (one, other) => other.at - one.at)
enddef
