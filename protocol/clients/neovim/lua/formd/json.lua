--- JSON as the daemon uses it: exact numbers, merge patches, pointers.
---
--- `vim.json.decode` reads: `{}` is `vim.empty_dict()` and `null` is `vim.NIL`. `vim.json.encode` writes only 14 digits
--- of a number, so this module writes by itself.

local M = {}

--- JSON that is sent exactly as it was written: numbers such as `3.10`, integers beyond 2^53, and definitions with the
--- order of their members.
---@class formd.Raw
---@field text string
local Raw = {}
Raw.__index = Raw

---@param text string JSON
---@return formd.Raw
function M.raw(text)
  return setmetatable({ text = text }, Raw)
end

--- Whether a value is one of `M.raw`.
function M.is_raw(value)
  return getmetatable(value) == Raw
end

--- Whether a text is a number by the grammar of JSON (RFC 8259, section 6).
---@param text string
---@return boolean
function M.is_number_text(text)
  local digits, rest = text:match('^%-?(%d+)(.*)$')
  if not digits or digits:match('^0%d') then
    return false
  end
  rest = rest:gsub('^%.%d+', '', 1):gsub('^[eE][+-]?%d+', '', 1)
  return rest == ''
end

--- Whether the daemon can hold a number. Integers have 64 bits, and other numbers are doubles. The daemon refuses a
--- request with any other number.
---@param text string a number by the grammar of JSON
---@return boolean
function M.can_be_held(text)
  local sign, digits = text:match('^(%-?)(%d+)$')
  if not digits then
    return math.abs(tonumber(text)) < math.huge
  end
  local largest = sign == '-' and '9223372036854775808' or '9223372036854775807'
  return #digits < #largest or (#digits == #largest and digits <= largest)
end

--- The shortest text that reads as the same number.
---@param number number
---@return string
function M.number_text(number)
  if number == math.floor(number) and math.abs(number) < 1e15 then
    return string.format('%d', number)
  end
  for precision = 15, 17 do
    local text = string.format('%.' .. precision .. 'g', number)
    if tonumber(text) == number then
      return text
    end
  end
  return 'null'
end

local EMPTY = getmetatable(vim.empty_dict())

--- Whether a table is a JSON array: an empty one that is not `vim.empty_dict()`, or one with the keys 1 to n.
function M.is_array(value)
  if type(value) ~= 'table' or getmetatable(value) == Raw then
    return false
  end
  if next(value) == nil then
    return getmetatable(value) ~= EMPTY
  end
  return value[1] ~= nil
end

--- Whether a table is a JSON object.
function M.is_object(value)
  return type(value) == 'table' and getmetatable(value) ~= Raw and not M.is_array(value)
end

--- A value as compact JSON.
---@return string
function M.encode(value)
  local kind = type(value)
  if kind == 'string' then
    return vim.json.encode(value)
  elseif kind == 'number' then
    return M.number_text(value)
  elseif kind ~= 'table' then
    return kind == 'boolean' and tostring(value) or 'null'
  elseif getmetatable(value) == Raw then
    -- A line is one message, because strings contain no line breaks.
    return (value.text:gsub('[\r\n]+', ' '))
  elseif M.is_array(value) then
    return '[' .. table.concat(vim.tbl_map(M.encode, value), ',') .. ']'
  end
  local names = vim.tbl_keys(value)
  table.sort(names)
  local members = {}
  for _, name in ipairs(names) do
    members[#members + 1] = vim.json.encode(name) .. ':' .. M.encode(value[name])
  end
  return '{' .. table.concat(members, ',') .. '}'
end

--- The value of a text, or nil and why there is none.
function M.decode(text)
  local ok, value = pcall(vim.json.decode, text)
  if ok then
    return value
  end
  return nil, tostring(value)
end

--- `target` with a JSON Merge Patch applied (RFC 7396, section 2). If `target` is an object, it is changed itself.
function M.merge(target, patch)
  if not M.is_object(patch) then
    return patch
  end
  if not M.is_object(target) then
    target = {}
  end
  -- An object stays one when its last member is removed.
  setmetatable(target, EMPTY)
  for name, value in pairs(patch) do
    if value == vim.NIL then
      target[name] = nil
    else
      target[name] = M.merge(target[name], value)
    end
  end
  return target
end

--- The names in an address. An address is the name of a field, or a JSON Pointer.
---@param address string
---@return string[]
function M.names(address)
  if address:sub(1, 1) ~= '/' then
    return { address }
  end
  local names = {}
  for name in address:gmatch('/([^/]*)') do
    names[#names + 1] = (name:gsub('~1', '/'):gsub('~0', '~'))
  end
  return names
end

--- The address of a place by its names, in the short form: a top-level field has its name.
---@param names string[]
---@return string
function M.address(names)
  if #names == 1 and names[1]:sub(1, 1) ~= '/' then
    return names[1]
  end
  local escaped = vim.tbl_map(function(name)
    return (name:gsub('~', '~0'):gsub('/', '~1'))
  end, names)
  return '/' .. table.concat(escaped, '/')
end

--- The address of `name` inside of an address.
---@param address string
---@param name string
---@return string
function M.inside(address, name)
  local names = M.names(address)
  names[#names + 1] = name
  return M.address(names)
end

--- Whether an address is `around`, or lies inside of it.
---@return boolean
function M.is_within(address, around)
  local outer, inner = M.names(around), M.names(address)
  for position, name in ipairs(outer) do
    if inner[position] ~= name then
      return false
    end
  end
  return true
end

return M
