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

--- A daemon, and a function that starts an editor with it. The editors keep their drafts in `folder`.
local function start_with_drafts(after, has_store)
  local folder = vim.fn.tempname()
  vim.fn.mkdir(folder, 'p', '0700')
  local daemon = Daemon.start(EXAMPLES, has_store and folder .. '/store.db' or nil)
  after(function()
    daemon:stop()
  end)
  local function start_editor()
    local editor = Editor.start({ socket = daemon.socket, env = { XDG_STATE_HOME = folder } })
    after(function()
      editor:stop()
    end)
    return editor
  end
  return folder, daemon, start_editor
end

it('what was typed outlives the daemon', function(after)
  local daemon, editor = start(after)
  editor:form('invoice', 'Customer *')
  editor:keys('iKim<Esc>')
  editor:go('[+ Items]')
  editor:keys('<CR>')
  editor:stands_at('Article *')
  editor:keys('iA-1<Esc>')
  editor:sees_line('Article *', 'A-1')
  daemon:kill()
  editor:sees('not connected')
  editor:hears('typed values are kept')
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

--- Has the editor press a key when it asks the next daemon for the form.
local function press_while_restoring(editor, key)
  editor:lua(
    [[
      local key = ...
      local connection = require('formd.connection').shared()
      local request = connection.request
      connection.request = function(self, method, ...)
        if method == 'form/describe' then
          vim.api.nvim_input(key)
        end
        return request(self, method, ...)
      end
    ]],
    key
  )
end

-- Kills the daemon and starts it again. The user types 2 before, 3 while the session is restored, and 4 behind it.
local function type_through_a_restart(daemon, editor)
  daemon:kill()
  editor:sees('not connected')
  editor:keys('2')
  press_while_restoring(editor, '3')
  daemon:again()
  editor:misses('not connected')
  editor:keys('4')
end

it('the page, the field and the column outlive the daemon while the user types', function(after)
  local _, daemon, start_editor = start_with_drafts(after)
  local editor = start_editor()
  editor:form('signup keep=1h', 'Email *')
  editor:keys('ikim@example.com<Esc>]]')
  editor:sees('Postal code')
  editor:go('Postal code')
  editor:keys('i15<Left>')
  type_through_a_restart(daemon, editor)
  editor:sees_line('Postal code', '12345')
  editor:wait('the values', function()
    local values = editor:values()
    return values.email == 'kim@example.com' and values.address and values.address.postalCode == '12345'
  end)
  assert(not editor:values().name, vim.inspect(editor:values()))
end)

it('the column of a form with one page outlives the daemon', function(after)
  local daemon, editor = start(after)
  editor:form('payment', 'Amount *')
  editor:keys('i1')
  type_through_a_restart(daemon, editor)
  editor:sees_line('Amount *', '1234')
end)

it('what is typed into a row while the daemon comes back belongs to the row', function(after)
  local daemon, editor = start(after)
  editor:form('invoice', 'Customer *')
  editor:go('[+ Items]')
  editor:keys('<CR>')
  editor:stands_at('Article *')
  editor:keys('ifirst<Esc>ga')
  editor:sees('2 rows')
  editor:stands_at('Article *')
  editor:keys('isecond<Esc>')
  editor:keys('[e')
  editor:wait('the order', function()
    local items = editor:values().items
    return items[1].sku == 'second'
  end)
  editor:keys('A 1')
  type_through_a_restart(daemon, editor)
  editor:wait('the values', function()
    local items = editor:values().items
    return items and #items == 2 and items[1].sku == 'second 1234' and items[2].sku == 'first'
  end)
end)

it('a daemon without the form does not take away what was typed', function(after)
  local daemon, editor = start(after)
  editor:form('signup', 'Email *')
  editor:keys('ikim<Esc>')
  editor:sees_line('Email *', 'kim')
  daemon:kill()
  editor:sees('not connected')
  daemon.forms = vim.fn.tempname()
  vim.fn.mkdir(daemon.forms)
  daemon:again()
  editor:hears('there is no form "signup"')
  editor:sees('FormReload tries again')
  editor:sees_line('Email *', 'kim')
  daemon:kill()
  daemon.forms = EXAMPLES
  daemon:again()
  editor:misses('not connected')
  editor:sees_line('Email *', 'kim')
end)

--- The settings of an editor that starts daemons. Such a daemon ends by itself.
local function starting()
  return { start = true, formctl = vim.env.FORMCTL_BIN, start_arguments = { '--forms', EXAMPLES, '--idle-exit', '1' } }
end

it('a daemon of another program is not started again', function(after)
  local daemon, editor = start(after, { settings = starting() })
  editor:form('invoice', 'Customer *')
  editor:keys('iKim<Esc>')
  daemon:kill()
  editor:sees('Neovim did not start the last one, so start it again')
  editor:wait('more attempts', function()
    return editor:lua([[return require('formd.connection').shared().attempts]]) >= 3
  end)
  assert(not pcall(vim.fn.sockconnect, 'pipe', daemon.socket), 'there is a daemon')
  daemon:again()
  editor:misses('not connected')
  editor:sees_line('Customer *', 'Kim')
end)

it('a daemon that crashed before is not replaced', function(after)
  local daemon = Daemon.start(EXAMPLES)
  daemon:kill()
  local editor = Editor.start({ socket = daemon.socket, settings = starting() })
  after(function()
    editor:stop()
    daemon:stop()
  end)
  editor:command('Form invoice')
  editor:sees('Neovim did not start the last one, so start it again with the options that it had')
  daemon:again()
  editor:sees('Customer *')
end)

it('a daemon that the plugin started is started again', function(after)
  local folder = vim.fn.tempname()
  vim.fn.mkdir(folder, 'p', '0700')
  local socket = folder .. '/formd.sock'
  local env = { XDG_STATE_HOME = folder, XDG_CONFIG_HOME = '/nonexistent' }
  local editor = Editor.start({ socket = socket, settings = starting(), env = env })
  after(function()
    editor:stop()
  end)
  editor:form('invoice', 'Customer *')
  editor:keys('iKim<Esc>')
  local info = vim.fn.system({ vim.env.FORMCTL_BIN, 'call', 'server/info', '--socket', socket })
  vim.loop.kill(vim.fn.json_decode(info).pid, 9)
  editor:sees('not connected')
  editor:misses('not connected')
  editor:sees_line('Customer *', 'Kim')
end)

it('a kept form comes back with its session', function(after)
  local _, daemon, start_editor = start_with_drafts(after, true)
  local editor = start_editor()
  editor:form('signup keep=1h', 'Email *')
  editor:keys('ikim<Tab>hunter2hunter2<Esc>')
  editor:sees('✗ Email: That is not an email address.')
  editor:sees_line('isPasswordLong', 'true')
  local key = editor:lua([[return require('formd.view').of(0).session.key]])
  assert(#key == 32, key)
  daemon:kill()
  editor:sees('not connected')
  editor:go('Email *')
  editor:keys('A.lee<Esc>')
  daemon:again()
  editor:misses('not connected')
  editor:sees_line('Email *', 'kim.lee')
  editor:sees('✗ Email: That is not an email address.')
  -- The daemon has what was typed while it was away, and the secret, which no store has.
  editor:wait('the values', function()
    return editor:values().email == 'kim.lee'
  end)
  editor:sees_line('isPasswordLong', 'true')
  assert(key == editor:lua([[return require('formd.view').of(0).session.key]]))
end)

it('a kept definition comes back when its daemon had no store', function(after)
  local folder, daemon, start_editor = start_with_drafts(after)
  local editor = start_editor()
  local path = folder .. '/mine.form.json'
  local definition = '{"form": "mine", "schema": {"type": "object", "properties": {"a": {"type": "string", "maxLength": 9}}}}'
  vim.fn.writefile({ definition }, path)
  editor:form(path .. ' keep=1h', 'mine')
  editor:keys('iKim<Esc>')
  editor:sees_line('a', 'Kim')
  -- The session is attached again while the daemon lives, and is another one after its end.
  editor:lua([[require('formd.connection').shared():_lost('a test')]])
  editor:misses('not connected')
  daemon:kill()
  editor:sees('not connected')
  daemon:again()
  editor:misses('not connected')
  editor:wait('the value', function()
    return editor:values().a == 'Kim'
  end)
end)

it('a draft that was sent and then changed is a draft, and its old outcomes are no news', function(after)
  local folder, _, start_editor = start_with_drafts(after)
  local editor = start_editor()
  local path = folder .. '/mine.form.json'
  vim.fn.writefile({
    '{"form": "mine", "schema": {"type": "object", "properties": {"a": {"type": "string", "maxLength": 9}}},',
    '"actions": {"send": {"outcomes": [{"success": "1", "message": "Sent."}]}}}',
  }, path)
  editor:form(path .. ' keep=1h', 'mine')
  editor:keys('iKim<Esc>')
  editor:command('FormSubmit')
  editor:hears('Sent.')
  editor:keys('A!<Esc>')
  editor:wait('the value', function()
    return editor:values().a == 'Kim!'
  end)
  editor:kill()
  editor = start_editor()
  editor:command('FormAttach')
  editor:sees_line('a', 'Kim!')
  assert(not editor:told():find('Sent.', 1, true), editor:told())
  assert(editor:lua([[return require('formd.view').of(0).session:is_draft()]]))
end)

it('leaving the editor ends a draft that was sent or has not changed', function(after)
  local folder, _, start_editor = start_with_drafts(after)
  local path = folder .. '/mine.form.json'
  vim.fn.writefile({
    '{"form": "mine", "schema": {"type": "object", "properties": {"a": {"type": "string", "maxLength": 9}}},',
    '"actions": {"send": {"outcomes": [{"success": "1", "message": "Sent."}]}}}',
  }, path)
  local function drafts()
    return #vim.fn.glob(folder .. '/formd/drafts/*', true, true)
  end
  --- Opens the form, has it used, and leaves the editor.
  local function visit(use)
    local editor = start_editor()
    editor:form(path .. ' keep=1h', 'mine')
    editor:wait('the draft', function()
      return drafts() == 1
    end)
    use(editor)
    local key = editor:lua([[return require('formd.view').of(0).session.key]])
    pcall(editor.command, editor, 'qall!')
    vim.fn.jobwait({ editor.job }, 30000)
    return key
  end
  local key = visit(function() end)
  assert(drafts() == 0)
  local editor = start_editor()
  editor:command('FormAttach ' .. key)
  editor:hears('there is no such draft')
  visit(function(sender)
    sender:keys('iKim<Esc>')
    sender:command('FormSubmit')
    sender:hears('Sent.')
  end)
  assert(drafts() == 0)
  visit(function(typist)
    typist:keys('iKim<Esc>')
  end)
  assert(drafts() == 1)
  editor:command('FormAttach')
  editor:sees_line('a', 'Kim')
end)

it('a crash of the editor loses no draft', function(after)
  local folder, _, start_editor = start_with_drafts(after)
  local editor = start_editor()
  editor:form('signup keep=1h', 'Email *')
  editor:keys('ikim<Tab>hunter2hunter2<Esc>')
  editor:sees('✗ Email: That is not an email address.')
  editor:sees_line('isPasswordLong', 'true')
  editor:kill()
  editor = start_editor()
  editor:command('FormAttach')
  editor:sees_line('Email *', 'kim')
  editor:sees('✗ Email: That is not an email address.')
  editor:sees_line('Password *', '••••••••')
  editor:sees_line('isPasswordLong', 'true')
  -- The name of the buffer is seen, and the key is a secret.
  local key = editor:lua([[return require('formd.view').of(0).session.key]])
  assert(editor:lua('return vim.fn.bufname()') == 'formd://signup (draft)')
  local status = vim.loop.fs_stat(folder .. '/formd/drafts/' .. key .. '.json')
  assert(status and status.mode % 512 == tonumber('600', 8))
  -- The end of a buffer leaves the draft, and the key opens it.
  editor:command('bwipeout!')
  editor:command('FormAttach ' .. key)
  editor:sees_line('Email *', 'kim')
  editor:command('FormReset')
  editor:misses('kim')
  editor:command('bwipeout!')
  editor:command('FormAttach')
  editor:hears('there is no draft')
  editor:command('FormAttach ' .. key)
  editor:hears('there is no such draft')
end)

it('no daemon and no formctl is told', function(after)
  local editor = Editor.start({ socket = vim.fn.tempname(), settings = { start = true, formctl = '/nonexistent/formctl' } })
  after(function()
    editor:stop()
  end)
  editor:command('Form invoice')
  editor:hears('no daemon at')
  -- The line for messages is too short for the rest.
  editor:sees('the program "/nonexistent/formctl" to start one is missing')
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
    assert(refusal:find('not private to you', 1, true), refusal)
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

it('checkhealth does not say that :Form starts a daemon in the place of one that crashed', function(after)
  local daemon = Daemon.start(EXAMPLES)
  daemon:kill()
  local editor = Editor.start({ socket = daemon.socket, settings = starting() })
  after(function()
    editor:stop()
    daemon:stop()
  end)
  editor:command('checkhealth formd')
  editor:wait('the report', function()
    return editor:text():find('Start the daemon again with the options that it had', 1, true) ~= nil
  end)
  assert(not editor:text():find(':Form starts one', 1, true), editor:text())
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
