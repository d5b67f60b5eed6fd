local Editor = require('editor')

local DEFINITION = {
  '{',
  '  "form": "lunch",',
  '  "schema": { "type": "object", "required": ["dish"], "properties": {',
  '    "dish": { "type": "string", "maxLength": 40 },',
  '    "count": { "type": "integer", "minimum": 1 }',
  '  } },',
  '  "fields": { "dish": { "label": "Dish" } },',
  '  "rules": [ { "id": "few", "field": "count", "check": "values.cuont < 5", "message": "Too many." } ],',
  '  "outputs": { "double": "values.count * 2" }',
  '}',
}

--- An editor with the language server, in a folder with a form.
local function start(after)
  local folder = vim.fn.tempname()
  vim.fn.mkdir(folder, 'p')
  vim.fn.writefile(DEFINITION, folder .. '/lunch.form.json')
  local editor = Editor.start({ settings = { formctl = vim.env.FORMCTL_BIN, lsp = { files = vim.empty_dict() } } })
  after(function()
    editor:stop()
  end)
  return editor, folder
end

local function open(editor, path)
  editor:command('edit ' .. path)
  editor:wait('the language server', function()
    return editor:lua([[
      local clients = (vim.lsp.get_clients or vim.lsp.buf_get_clients)(vim.lsp.get_clients and { bufnr = 0 } or 0)
      for _, client in pairs(clients) do
        if client.name == 'formd' and client.server_capabilities then
          return true
        end
      end
      return false
    ]])
  end)
end

it('a slip in a definition gives a diagnostic', function(after)
  local editor, folder = start(after)
  open(editor, folder .. '/lunch.form.json')
  editor:wait('a diagnostic', function()
    local found = editor:lua('return vim.diagnostic.get(0)')
    return #found > 0 and found[1].lnum == 7 and found[1].message:find('count', 1, true) ~= nil
  end)
end)

it('names are completed in formulas', function(after)
  local editor, folder = start(after)
  open(editor, folder .. '/lunch.form.json')
  editor:lua([[vim.api.nvim_win_set_cursor(0, { 9, vim.fn.getline(9):find('values.count', 1, true) + 6 })]])
  local labels = editor:lua([[
    local answers = vim.lsp.buf_request_sync(0, 'textDocument/completion', vim.lsp.util.make_position_params(0, 'utf-8'), 30000)
    local labels = {}
    for _, answer in pairs(answers or {}) do
      for _, item in ipairs(answer.result.items or answer.result) do
        table.insert(labels, item.label)
      end
    end
    return labels
  ]])
  local joined = table.concat(labels, ' ')
  assert(joined:find('count', 1, true) and joined:find('dish', 1, true), joined)
end)

it('a field is renamed everywhere', function(after)
  local editor, folder = start(after)
  open(editor, folder .. '/lunch.form.json')
  -- A form with errors is not renamed in.
  editor:command('%s/cuont/count/')
  editor:lua([[vim.api.nvim_win_set_cursor(0, { 5, vim.fn.getline(5):find('count', 1, true) + 0 })]])
  editor:lua([[vim.lsp.buf.rename('guests')]])
  editor:wait('the rename', function()
    local text = editor:text()
    return text:find('values.guests * 2', 1, true) ~= nil
      and text:find('values.guests < 5', 1, true) ~= nil
      and text:find('"guests":', 1, true) ~= nil
  end)
end)

it('data that names its form is judged', function(after)
  local editor, folder = start(after)
  local definition = '{ "form": "lunch", "schema": { "type": "object", "properties": { "count": { "type": "integer", "minimum": 1 } } } }'
  vim.fn.writefile({ definition }, folder .. '/lunch.form.json')
  vim.fn.writefile({ '# formd: lunch', 'count: 0' }, folder .. '/order.yaml')
  open(editor, folder .. '/order.yaml')
  editor:wait('a diagnostic', function()
    local found = editor:lua('return vim.diagnostic.get(0)')
    return #found > 0 and found[1].lnum == 1
  end)
end)

it('other files have no server', function(after)
  local editor, folder = start(after)
  vim.fn.writefile({ '{ "name": "x" }' }, folder .. '/package.json')
  editor:command('edit ' .. folder .. '/package.json')
  assert(not editor:lua([[return require('formd.lsp').is_concerned(0)]]))
  assert(editor:lua([[return vim.tbl_isempty((vim.lsp.get_clients or vim.lsp.get_active_clients)())]]))
end)

it('the configuration of the daemon has a server, and the lens above a form opens it', function(after)
  local editor, folder = start(after)
  vim.fn.writefile({ '{ "servces": {} }' }, folder .. '/formd.json')
  open(editor, folder .. '/formd.json')
  editor:wait('a diagnostic', function()
    return #editor:lua('return vim.diagnostic.get(0)') == 1
  end)
  open(editor, folder .. '/lunch.form.json')
  local command = editor:lua([[
    local params = { textDocument = vim.lsp.util.make_text_document_params() }
    local answers = vim.lsp.buf_request_sync(0, 'textDocument/codeLens', params, 30000)
    for _, answer in pairs(answers) do
      return answer.result[1].command
    end
  ]])
  assert(command.command == 'formd.openForm', vim.inspect(command))
  local opened = editor:lua(
    [[
      vim.api.nvim_create_user_command('Form', function(call) _G.opened = call.args end, { nargs = 1, force = true })
      vim.lsp.commands['formd.openForm'](...)
      return _G.opened
    ]],
    command
  )
  assert(opened == command.arguments[1], vim.inspect(opened))
end)

it('Neovim 0.11 gets a configuration that says which buffers it is for', function(after)
  local editor, folder = start(after)
  editor:lua([[
    local has = vim.fn.has
    -- A real Neovim 0.11 has enabled the server already.
    if has('nvim-0.11') == 1 then vim.lsp.enable('formd', false) end
    vim.fn.has = function(feature) return feature == 'nvim-0.11' and 1 or has(feature) end
    vim.lsp.config = function(name, options) _G.configured = { name = name, options = options } end
    vim.lsp.enable = function(name) _G.enabled = name end
    require('formd.lsp').enable()
  ]])
  local roots = editor:lua(
    [[
      local roots = {}
      for _, name in ipairs({ '/lunch.form.json', '/package.json' }) do
        vim.cmd('edit ' .. ... .. name)
        configured.options.root_dir(0, function(root) roots[#roots + 1] = root end)
      end
      return { configured.name, enabled, roots, configured.options.cmd[2] }
    ]],
    folder
  )
  assert(vim.deep_equal(roots, { 'formd', 'formd', { folder }, 'lsp' }), vim.inspect(roots))
end)

it('omni completion asks the language server', function(after)
  local editor, folder = start(after)
  open(editor, folder .. '/lunch.form.json')
  assert(editor:lua('return vim.bo.omnifunc') == 'v:lua.vim.lsp.omnifunc')
end)

it('omni completion directly behind a dot replaces what is there', function(after)
  local editor, folder = start(after)
  open(editor, folder .. '/lunch.form.json')
  editor:lua([[
    local before = vim.fn.getline(9):match('^.*values%.')
    vim.fn.setline(9, before .. '"')
    vim.api.nvim_win_set_cursor(0, { 9, #before })
  ]])
  editor:burst('i<C-x><C-o>')
  editor:wait('a completed name', function()
    return vim.fn.rpcrequest(editor.job, 'nvim_buf_get_lines', 0, 8, 9, true)[1]:match('"values%.count[^"]*"') ~= nil
  end)
end)
