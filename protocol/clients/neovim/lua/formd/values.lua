--- Texts as people type them, and the values that they mean.

local json = require('formd.json')

local M = {}

--- The value that a text means for a field. nil: none. A text that cannot be read stays a text, and the form reports
--- what is wrong with it.
---@param text string
---@param field table what form/describe says of the field
function M.of_text(text, field)
  if text == '' then
    return nil
  end
  if field.type == 'string' or field.read then
    return text
  end
  local trimmed = vim.trim(text)
  if json.is_number_text(trimmed) and json.can_be_held(trimmed) and field.type ~= 'boolean' then
    return json.raw(trimmed)
  elseif field.type == 'integer' or field.type == 'number' then
    return text
  end
  local value = not json.is_number_text(trimmed) and json.decode(trimmed) or nil
  return value == nil and text or value
end

--- A value as people read and edit it.
---@return string
function M.text(value)
  if value == nil or value == vim.NIL then
    return ''
  elseif type(value) == 'string' then
    return value
  end
  return json.encode(value)
end

--- Whether two values are the same JSON.
function M.equal(one, other)
  return json.encode(one) == json.encode(other)
end

--- The label of a choice.
---@param option table `{ value, label? }`
function M.label(option)
  if option.value == vim.NIL then
    return option.label or '(none)'
  end
  return option.label or M.text(option.value)
end

--- The label of the choice that has a value; without one the value itself.
---@param options table[]
function M.chosen(value, options)
  for _, option in ipairs(options) do
    if M.equal(option.value, value) then
      return M.label(option)
    end
  end
  return M.text(value)
end

--- Splits whole values into the values of fields and rows, by address.
---
---@param into table<string, any> gets what is found
---@param address string of the field
---@param field table what form/describe says of it
---@param state table what the document says of it: where each row stands
---@param value any
function M.spread(into, address, field, state, value)
  if field.fields then
    for _, inner in ipairs(field.fields) do
      local part = type(value) == 'table' and value[inner.name] or nil
      M.spread(into, json.inside(address, inner.name), inner, (state.fields or {})[inner.name] or {}, part)
    end
  elseif field.items then
    for position, row in ipairs(state.order or {}) do
      local part = type(value) == 'table' and value[position] or nil
      M.spread(into, json.inside(address, '#' .. row), field.items, (state.rows or {})[row] or {}, part)
    end
  else
    if value == vim.NIL then
      value = nil
    end
    -- The daemon never sends secrets.
    if value ~= nil or not field.isSecret then
      into[address] = value
    end
  end
end

--- The whole value at an address, built from the values of the fields inside of it. nil: none. The reverse of `spread`.
function M.gather(from, address, field, state)
  if field.fields then
    local object = vim.empty_dict()
    for _, inner in ipairs(field.fields) do
      if not inner.computed then
        object[inner.name] =
          M.gather(from, json.inside(address, inner.name), inner, (state.fields or {})[inner.name] or {})
      end
    end
    return next(object) ~= nil and object or nil
  elseif field.items then
    local list = {}
    for _, row in ipairs(state.order or {}) do
      local value = M.gather(from, json.inside(address, '#' .. row), field.items, (state.rows or {})[row] or {})
      if value == nil then
        -- An empty row keeps its place.
        value = field.items.fields and vim.empty_dict() or (field.items.items and {}) or vim.NIL
      end
      list[#list + 1] = value
    end
    return #list > 0 and list or nil
  end
  return from[address]
end

return M
