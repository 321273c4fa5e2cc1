---@meta
-- The API of Sandtable, written by `sandtable stubs`.

---A whole number.
---@alias whole number

---A unit, card, chit or marker.
---@class piece
---@field id string Its own name.
---@field kind string unit, card, marker …
---@field type string The id of its row in the component list.
---@field name string Its name for people.
---@field side side_id Its owner; may be assigned.
---@field place any The space it lies in, the piece that carries it, or nil.
---@field space space The space it lies in, through carriers.
---@field level whole Its rung, 1 at the top; may be assigned.
---@field levels whole How many rungs its ladder has.
---@field steps_left whole How many rungs it has left, its own among them; 0 once it is destroyed.
---@field facing whole 0–5; may be assigned.
---@field cargo pieces The pieces that lie on it.
local piece = {}

---Whether its printed field `tags` holds a tag.
---@param tag string
---@return boolean
function piece:is(tag) end

---A hex, an area, a box or a pile.
---@class space
---@field id string Its id.
---@field kind string hex, area, box or pile.
---@field name string Its name for people.
---@field side side_id Whose it is, of hands and boxes.
---@field pieces pieces The pieces that lie there, the top one first.
---@field count whole How many pieces lie there.
local space = {}

---Whether its printed field `tags` holds a tag.
---@param tag string
---@return boolean
function space:is(tag) end

---A timed effect, with its arguments as fields.
---@class effect
---@field name string Its name.
---@field [string] any
local effect = {}

---An ordered, read-only list: `#l`, `l[1]`, `ipairs(l)`.
---@class list
---@field [integer] any
local list = {}

---Those that pass a table of fields or a function.
---@param by any
---@return self
function list:filter(by) end

---Whether one passes.
---@param by? any
---@return boolean
function list:any(by) end

---Whether all pass.
---@param by any
---@return boolean
function list:all(by) end

---Whether it is among them.
---@param item any
---@return boolean
function list:has(item) end

---The first; nil of an empty list.
---@return any
function list:first() end

---The last; nil of an empty list.
---@return any
function list:last() end

---The first n.
---@param n whole
---@return self
function list:take(n) end

---These and those of another that are not among them.
---@param other any
---@return self
function list:plus(other) end

---These without those of another.
---@param other any
---@return self
function list:minus(other) end

---Those that are in both.
---@param other any
---@return self
function list:both(other) end

---A field of each, or what a function gives for it; nil is left out.
---@param by any
---@return list
function list:map(by) end

---The sum of a field or of what a function gives.
---@param by? any
---@return whole
function list:sum(by) end

---Each value once.
---@return self
function list:unique() end

---One of each class: equal in the fields named, or in everything.
---@param ... string
---@return self
function list:distinct(...) end

---The spaces where the pieces lie, with at least so many of them.
---@param least? whole
---@return spaces
function list:spaces(least) end

---The pieces that lie in the spaces.
---@return pieces
function list:pieces() end

---What `reach` gives.
---@class reach
---@field spaces spaces Where the move can end.
local reach = {}

---What it costs to get there; nil if it cannot.
---@param space space
---@return whole
function reach:cost(space) end

---The way there.
---@param space space
---@return list
function reach:path(space) end

---What `sight` gives.
---@class sight
---@field clear boolean Whether the line is clear.
---@field blocked space What blocks it first.
---@field blockers spaces The same, with both spaces of a hexside.
---@field why string above, at-high, blind-spot, at-low, below, sunken, haze, range or off-map.
---@field haze whole The haze between the ends, up to what blocks.
local sight = {}

---What `sight_all` gives.
---@class picture
---@field spaces spaces The spaces in sight.
local picture = {}

---Whether a space is in sight.
---@param space space
---@return boolean
function picture:has(space) end

---The haze on the way to it; nil if it is not in sight.
---@param space space
---@return whole
function picture:haze(space) end

---A number under way, as `number` and `modify` see it.
---@class working
---@field value whole Its value so far.
local working = {}

---Adds.
---@param n whole
function working:add(n) end

---Multiplies by n / d; nothing is rounded yet.
---@param n whole
---@param d? whole
function working:times(n, d) end

---Divides and rounds up.
---@param n whole
function working:divide_up(n) end

---Divides and rounds down.
---@param n whole
function working:divide_down(n) end

---Rounds up.
function working:round_up() end

---Rounds down.
function working:round_down() end

---Raises to at least n.
---@param n whole
function working:at_least(n) end

---Lowers to at most n.
---@param n whole
function working:at_most(n) end

---Replaces.
---@param n whole
function working:set(n) end

---@class pieces: list
---@field [integer] piece

---@class spaces: list
---@field [integer] space

---@class texts: list
---@field [integer] string

---@class ints: list
---@field [integer] whole

---A record in play.
---@class record
---@field kind string Its type.

---The printed values of a row of the component list.
---@class row: piece

---Stands for nil in a filter.
---@type any
none = nil

---@type game
game = nil

---The sides by their id, and their ids by seat.
---@type sides
sides = nil

---The piece of that id.
---@param id piece_id
---@return piece
function piece(id) end

---The hex, area, box or pile of that id.
---@param id space_id|string
---@return space
function space(id) end

---The printed values of a row of the component list, without a piece.
---@param id row_id|string
---@return row
function row(id) end

---The ids of all rows of a kind (unit, card …), in file order.
---@param kind piece_kind
---@return texts
function rows(kind) end

---All pieces that pass the filter, in order of the component list.
---@param filter? table
---@return pieces
function pieces(filter) end

---All spaces that pass the filter, in order of the map.
---@param filter? table
---@return spaces
function spaces(filter) end

---A figure of the rulebook: a number, a text, or a table of them.
---@param id value_id
---@return any
function value(id) end

---The value of an option in this game.
---@param id option_id
---@return any
function option(id) end

---A cell of a table; row and column by header, by a number within a header's range, or the column by index.
---@param table table_id
---@param row any
---@param column any
---@return any
function lookup(table, row, column) end

---The index of the column whose header range holds n, held within the table.
---@param table table_id
---@param n whole
---@return whole
function column(table, n) end

---How many columns a table has.
---@param table table_id
---@return whole
function columns(table) end

---The other side of a game for two.
---@param side side_id
---@return side_id
function enemy(side) end

---The number of the turn: game.turn.
---@return whole
function turn() end

---The spaces where no more may stand under a limit of that side, or not so much more: `coming` is a number, or the piece that would come. Without a side if the limit counts all together.
---@param limit string
---@param side? side_id
---@param coming? any
---@return spaces
function full(limit, side, coming) end

---The spaces that hold more than may stand there under a limit.
---@param limit string
---@param side? side_id
---@return spaces
function overfull(limit, side) end

---Moves a piece, with its cargo, to the top (or "bottom") of a space or onto a piece; through the spaces of a list, one after the other.
---@param piece piece|piece_id
---@param place space|piece|space_id|piece_id|string
---@param end_? string
function move(piece, place, end_) end

---Takes a piece out of all places.
---@param piece piece|piece_id
function remove(piece) end

---Makes n (1) pieces of a component row in a place; returns the last.
---@param type row_id
---@param side? side_id
---@param place space|piece|space_id|piece_id|string
---@param n? whole
---@return piece
function create(type, side, place, n) end

---Takes a piece, with what it carries, out of the game for good.
---@param piece piece|piece_id
function destroy(piece) end

---Lowers a piece n (1) rungs; false, and nothing done, if its ladder ends before.
---@param piece piece|piece_id
---@param n? whole
---@return boolean
function step_down(piece, n) end

---Raises a piece n (1) rungs; false if its ladder ends.
---@param piece piece|piece_id
---@param n? whole
---@return boolean
function step_up(piece, n) end

---Shows the face of a piece to a side, or to all.
---@param piece piece|piece_id
---@param side? side_id
function reveal(piece, side) end

---Hides the face of a piece from a side, or from all.
---@param piece piece|piece_id
---@param side? side_id
function conceal(piece, side) end

---One die (6 sides unless told).
---@param label string
---@param sides? whole
---@return whole
function roll(label, sides) end

---n dice, as a list.
---@param label string
---@param n whole
---@param sides? whole
---@return ints
function rolls(label, n, sides) end

---One item of a list at random; nil if it is empty.
---@param label string
---@param list list|any[]
---@return any
function pick(label, list) end

---Puts a pile into a random order; who was shown a card of a hidden pile no longer knows it.
---@param pile space|space_id|string
function shuffle(pile) end

---Moves the top n (1) pieces of a pile; returns those there were.
---@param pile space|space_id|string
---@param to space|piece|space_id|piece_id|string
---@param n? whole
---@return pieces
function draw(pile, to, n) end

---Begins a timed effect: `lasts` names the node or record type at whose end it ends, or the event that ends it; other keys are its arguments.
---@param name string
---@param how? table
---@return effect
function start_effect(name, how) end

---Runs procedure `name` with the effect at event `on`, after skipping `after` of them, `times` (1) times; 0 is without end.
---@param name string
---@param how table
---@return effect
function schedule(name, how) end

---Ends an effect, or all effects of a name.
---@param effect any
function end_effect(effect) end

---The oldest effect of a name in force; nil if there is none.
---@param name string
---@return effect
function effect(name) end

---All effects of a name in force, oldest first.
---@param name string
---@return list
function effects(name) end

---Notes for the rest of the game that something happened, perhaps to a thing; no `end_effect` ends it.
---@param name string
---@param about? any
function remember(name, about) end

---Whether `remember` was called with that name; with a thing, whether about that thing.
---@param name string
---@param about? any
---@return boolean
function has_ever(name, about) end

---Begins a record in play.
---@param type record_id
---@param fields? table
---@return record
function start_record(type, fields) end

---Ends a record in play, and the effects that last as long as it.
---@param record record
function finish_record(record) end

---Whether a record in play has not been finished.
---@param record record
---@return boolean
function is_live(record) end

---Ends the game from any depth: winner (nil for a draw), reason, rule.
---@param how table
function end_game(how) end

---The spaces that share a border with one.
---@param space space|space_id|string
---@return spaces
function neighbours(space) end

---Whether two spaces share a border.
---@param a space|space_id|string
---@param b space|space_id|string
---@return boolean
function adjacent(a, b) end

---How many steps apart two spaces are; nil if not connected.
---@param a space|space_id|string
---@param b space|space_id|string
---@return whole
function distance(a, b) end

---The direction (0–5) from a hex to its neighbour.
---@param a space|space_id|string
---@param b space|space_id|string
---@return whole
function direction(a, b) end

---The spaces at most n steps away, itself included.
---@param space space|space_id|string
---@param n whole
---@return spaces
function within(space, n) end

---The spaces exactly n steps away.
---@param space space|space_id|string
---@param n whole
---@return spaces
function ring(space, n) end

---The features of the border between two spaces.
---@param a space|space_id|string
---@param b space|space_id|string
---@return texts
function border(a, b) end

---Whether a network leads from a to b directly.
---@param network network_id
---@param a space|space_id|string
---@param b space|space_id|string
---@return boolean
function linked(network, a, b) end

---Whether a space lies on a network.
---@param network network_id
---@param space space|space_id|string
---@return boolean
function on_network(network, space) end

---All neighbours of some spaces, not looking across borders with the given features.
---@param spaces spaces|space[]|space
---@param barrier? list|any[]
---@return spaces
function around(spaces, barrier) end

---Whether some spaces hang together.
---@param spaces spaces|space[]|space
---@return boolean
function connected(spaces) end

---All spaces that trace `to` some spaces `by` segments, the one at the tracing space first: each has at most `steps`, follows borders, a network (`over`; `outward` against its links) or a `hop` between spaces that share a printed field, avoids `blocked` spaces and `barrier` borders, and may be left out unless `needed`. `blocked_start` lets a trace begin in a blocked space.
---@param how table
---@return spaces
function trace(how) end

---The way of such a trace from a space, both ends included; nil if there is none.
---@param how table
---@param space space|space_id|string
---@return list
function trace_way(how, space) end

---Where a mover gets to, at what cost; see the manual for the keys.
---@param how table
---@return reach
function reach(how) end

---All spaces that some spaces connect to; see the manual for the keys.
---@param how table
---@return spaces
function flood(how) end

---Paths `from` a space of `length` steps (from `least` on), within neither `blocked` spaces nor `barrier` borders, to `ends`, `over` a network; by `rank`, a function that gives numbers, only the best.
---@param how table
---@return list
function paths(how) end

---Gives each item a place among choices(item), with room(place) (1) for each; nil if not all can have one.
---@param items list|any[]
---@param choices function
---@param room? function
---@return table
function match(items, choices, room) end

---The straight line between two hexes, both included: a list of one space for each step, of two where it runs along a hexside.
---@param a space|piece|space_id|string
---@param b space|piece|space_id|string
---@return list[]
function line(a, b) end

---The hexsides of the line between two hexes, in order: { from, to, features, along = true where the line runs along it }.
---@param a space|piece|space_id|string
---@param b space|piece|space_id|string
---@return table[]
function crossed(a, b) end

---The bearing from one hex to another, 0 to 23 clockwise from direction 0, 15 degrees each; nil for the same hex.
---@param a space|piece|space_id|string
---@param b space|piece|space_id|string
---@return whole
function bearing(a, b) end

---The direction (0–5) nearest to the way from one hex to another; two of them if it lies exactly between.
---@param a space|piece|space_id|string
---@param b space|piece|space_id|string
---@return ints
function heading(a, b) end

---Whether a hex lies within `half` steps of 30 degrees either side of a facing, edges included; 2 is the cone of the three front hexes.
---@param from space|piece|space_id|string
---@param facing whole
---@param half whole
---@param to space|piece|space_id|string
---@return boolean
function in_arc(from, facing, half, to) end

---The hexes of such an arc at most `radius` away.
---@param from space|piece|space_id|string
---@param facing whole
---@param half whole
---@param radius whole
---@return spaces
function arc(from, facing, half, radius) end

---On which side of something that faces a way a hex lies: front, right, rear or left; `front` and `rear` are half-angles as in `in_arc`. Nil for the same hex.
---@param from space|piece|space_id|string
---@param facing whole
---@param front whole
---@param rear whole
---@param to space|piece|space_id|string
---@return string
function aspect(from, facing, front, rear, to) end

---Looks from one hex to another: `from`, `to`, `rules` (a row of `sight`); `range`, `viewer_level`, `height` and `haze` ({{spaces, n}, …}) add to the rules.
---@param how table
---@return sight
function sight(how) end

---Looks from a hex to all others, with the keys of `sight`: `.spaces`, `:haze(space)`, `:has(space)`.
---@param how table
---@return picture
function sight_all(how) end

---Something that happens: may ask, roll and change the game. With `stages`, runs `name.stage` for each in turn.
---@param name string
---@param meta table
---@param run? function
---@return function
function procedure(name, meta, run) end

---Runs before a procedure or a stage.
---@param procedure procedure_id|string
---@param id string
---@param meta table
---@param run function
function before(procedure, id, meta, run) end

---Runs after a procedure or a stage.
---@param procedure procedure_id|string
---@param id string
---@param meta table
---@param run function
function after(procedure, id, meta, run) end

---Runs instead of a procedure or a stage.
---@param procedure procedure_id|string
---@param id string
---@param meta table
---@param run function
function instead(procedure, id, meta, run) end

---Runs at an event.
---@param event event_id|string
---@param id string
---@param meta table
---@param run function
function on(event, id, meta, run) end

---Contributes to a number at its `stage`.
---@param number string
---@param id string
---@param meta table
---@param run function
function modify(number, id, meta, run) end

---Refuses an option: test(value, ask) returns no(…) or nothing.
---@param prompt prompt_id|string
---@param id string
---@param meta table
---@param test function
function forbid(prompt, id, meta, test) end

---Refuses options by the list: test(ask) returns the refused values and no(…).
---@param prompt prompt_id|string
---@param id string
---@param meta table
---@param test function
function forbid_all(prompt, id, meta, test) end

---Keeps the options that pass, if any does.
---@param prompt prompt_id|string
---@param id string
---@param meta table
---@param test function
function prefer(prompt, id, meta, test) end

---Lifts a refusal by its id.
---@param forbid string
---@param id string
---@param meta table
---@param test function
function waive(forbid, id, meta, test) end

---Rolls a die of that label again, once, if test(value, sides) says so.
---@param label string
---@param id string
---@param meta table
---@param test function
function reroll(label, id, meta, test) end

---An entry of a menu: `when`, `among`, `run`.
---@param menu string
---@param id string
---@param meta table
function offer(menu, id, meta) end

---Checked after every decision in tests and simulations.
---@param id string
---@param meta table
---@param test function
function invariant(id, meta, test) end

---A number made of contributions at declared `stages`; base(n, …) begins it.
---@param name string
---@param meta table
---@param base function
---@return function
function number(name, meta, base) end

---A pure function; called with at most three values, its answer is kept until something it read changes.
---@param name string
---@param meta table
---@param f function
---@return function
function query(name, meta, f) end

---For layers: f(inner, …) runs instead of a handler and may call inner(…).
---@param id string
---@param f function
function wrap(id, f) end

---For layers: f runs instead of a handler.
---@param id string
---@param f function
function replace(id, f) end

---For layers: takes a handler out.
---@param id string
function disable(id) end

---Runs a procedure, with what is attached to it.
---@param name procedure_id|string
---@param ... any
---@return any
function call(name, ...) end

---Raises an event: runs its handlers, then the effects scheduled for it.
---@param event event_id|string
---@param ... any
function emit(event, ...) end

---Whether there is a procedure of that name.
---@param name string
---@return boolean
function is_procedure(name) end

---Works a number out; its parts go to the log of numbers.
---@param number string
---@param ... any
---@return whole
function evaluate(number, ...) end

---A refusal with its reason: a text, or the id of one, and what it names.
---@param text string
---@param ... any
---@return boolean
function no(text, ...) end

---A line for people: the id of a text, and what it names.
---@param text string
---@param ... any
function log(text, ...) end

---One of `among` (a list, or a function that gives it), or of the numbers `from` to `to`; nil when `none` was chosen.
---@param side side_id
---@param prompt prompt_id|string
---@param ask? table
---@return any
function ask(side, prompt, ask) end

---Asks again and again and gives each choice to `take`, until `none` is chosen, which is offered from the `least` choice on.
---@param side side_id
---@param prompt prompt_id|string
---@param ask table
---@param take function
function ask_each(side, prompt, ask, take) end

---Several of `among`, within `min`, `max`, `at_least` and `at_most` of their `cost`, and `test`. With `many`, or a `limit` of each, the same thing several times: a basket {{item, n}, …}.
---@param side side_id
---@param prompt prompt_id|string
---@param ask table
---@return list
function choose(side, prompt, ask) end

---One decision over all offers of a menu; runs the one chosen and gives its result, or "done" for `none`.
---@param side side_id
---@param name string
---@param ask? table
---@return any
function menu(side, name, ask) end

---Asks several sides at once: a function for each; what they give, by side, is known when all have answered.
---@param branches table
---@return table
function together(branches) end

---The options that the rules of a prompt leave of `among`, without asking.
---@param side side_id
---@param prompt prompt_id|string
---@param ask table
---@return list
function narrow(side, prompt, ask) end

---Stops with an error that names this place.
---@param message string
function error(message) end

---Another script of the package, by its path without `.lua`, or of a package that it needs, as `package/path`; while scripts load.
---@param path string
---@return any
function require(path) end

