local Daemon = require('daemon')
local Editor = require('editor')

local EXAMPLES = vim.fn.fnamemodify(debug.getinfo(1, 'S').source:sub(2), ':p:h:h:h:h') .. '/examples'

local function start(after, options)
  local daemon = Daemon.start(EXAMPLES)
  after(function()
    daemon:stop()
  end)
  local editor = Editor.start(vim.tbl_extend('force', { socket = daemon.socket }, options or {}))
  after(function()
    editor:stop()
  end)
  return daemon, editor
end

it('what was typed outlives the daemon', function(after)
  local daemon, editor = start(after)
  editor:form('invoice', 'Customer *')
  editor:keys('iKim<Esc>')
  editor:go('[+ Items]')
  editor:keys('<CR>')
  editor:sees('1 row')
  editor:keys('iA-1<Esc>')
  editor:sees_line('Article *', 'A-1')
  daemon:kill()
  editor:sees('not connected')
  editor:hears('what was typed is kept')
  editor:go('Customer *')
  editor:keys('A Lee<Esc>')
  daemon:again()
  editor:misses('not connected')
  editor:sees_line('Customer *', 'Kim Lee')
  editor:wait('the values', function()
    local values = editor:values()
    return values.customer == 'Kim Lee' and values.items and values.items[1].sku == 'A-1' and values.items[1].quantity == 1
  end)
  editor:sees_line('Article *', 'A-1')
end)

it('a secret outlives the daemon, and so does the step', function(after)
  local daemon, editor = start(after)
  editor:form('signup', 'Email *')
  editor:keys('<Tab>ihunter2hunter2<Esc>')
  editor:sees_line('Password *', '••••')
  editor:keys(']]')
  editor:sees('Country *')
  daemon:kill()
  editor:sees('not connected')
  daemon:again()
  editor:misses('not connected')
  editor:sees('Country *')
  editor:sees_line('isPasswordLong', 'true')
end)

it('no daemon and no formctl is told', function(after)
  local editor = Editor.start({ socket = vim.fn.tempname(), settings = { start = true, formctl = '/nonexistent/formctl' } })
  after(function()
    editor:stop()
  end)
  editor:command('Form invoice')
  editor:hears('no program "/nonexistent/formctl" to start one')
end)

it('a daemon is started where there is none', function(after)
  local folder = vim.fn.tempname()
  vim.fn.mkdir(folder, 'p', '0700')
  local settings = { start = true, formctl = vim.env.FORMCTL_BIN, start_arguments = { '--forms', EXAMPLES, '--idle-exit', '1' } }
  local editor = Editor.start({
    socket = folder .. '/formd.sock',
    settings = settings,
    env = { XDG_STATE_HOME = folder, XDG_CONFIG_HOME = '/nonexistent' },
  })
  after(function()
    editor:stop()
  end)
  editor:form('invoice', 'Customer *')
end)

it('a folder in /tmp that is not private is not trusted', function(after)
  local _, editor = start(after)
  local folder = '/tmp/formd-' .. vim.loop.getuid()
  local status = vim.loop.fs_lstat(folder)
  local refusal = editor:lua([[return require('formd.socket').refusal(...)]], folder .. '/formd.sock')
  if status and status.mode % 64 ~= 0 then
    assert(refusal:find('not yours alone', 1, true), refusal)
  else
    assert(refusal == vim.NIL, refusal)
  end
end)

it('checkhealth tells of formctl, the daemon and the language server', function(after)
  local _, editor = start(after, { settings = { formctl = vim.env.FORMCTL_BIN, lsp = { files = {} } } })
  editor:command('checkhealth formd')
  editor:wait('the report', function()
    return editor:text():find('formctl lsp starts', 1, true) ~= nil
  end)
  local report = editor:text()
  assert(report:find('version', 1, true) and report:find('answers (process', 1, true), report)
  assert(not report:find('ERROR', 1, true), report)
end)

it('checkhealth says what to do where there is nothing', function(after)
  local editor = Editor.start({ socket = vim.fn.tempname(), settings = { formctl = '/nonexistent/formctl' } })
  after(function()
    editor:stop()
  end)
  editor:command('checkhealth formd')
  editor:wait('the report', function()
    return editor:text():find('no program "/nonexistent/formctl"', 1, true) ~= nil
  end)
end)
