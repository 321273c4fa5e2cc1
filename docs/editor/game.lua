---@meta
-- The names of any game, written by `sandtable stubs`.

---@alias side_id
---| string

---@alias space_id
---| string

---@alias row_id
---| string

---@alias piece_kind
---| string

---@alias piece_id
---| string

---@alias value_id
---| string

---@alias option_id
---| string

---@alias table_id
---| string

---@alias network_id
---| string

---@alias prompt_id
---| string

---@alias procedure_id
---| string

---@alias event_id
---| string

---@class piece

---@class space

---@class side
---@field id side_id
---@field name string
---@field team string

---@class game

---@class sides
---@field [integer] side_id

---@alias record_id
---| string

