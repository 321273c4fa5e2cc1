//! The codes of scripts and whole games: E08 scripts, E09 names, E10 what nothing uses, E11 map and set-up, E12 provenance, E13 layers.

sandtable_data::diagnostic_codes! {
    LUA_SYNTAX = "E0801", "lua-syntax", "the text is not valid Lua",
        cause: "A bracket, quote, `then`, `end` or the like is missing or misplaced.",
        example: "if unit.moved return end",
        repair: "Look at the marked place and just before it; every `function`, `if` and `for` needs its `end`.";
    LOAD_ERROR = "E0802", "load-error", "a script fails while it is loaded",
        cause: "Every script runs once to register its rules; something in it went wrong.",
        example: "on(\"turn.start\", \"rain\", { ruel = \"4.8\" }, function() end)",
        repair: "Read the message: it names what was found and what was expected.";
    START_ERROR = "E0803", "start-error", "a scenario fails before its first decision",
        cause: "A rule that runs while the game is set up fails, or asks a question without an answer.",
        example: "ask(\"red\", \"first\", { among = {} })",
        repair: "Correct the rule that the chain of handlers names.";
    TOO_DEEP = "E0804", "too-deep", "a script is too deep to be looked at",
        cause: "Blocks or brackets stand more than 200 deep in each other, or an expression has more than 250 operators.",
        example: "x = ((((…))))",
        repair: "Split it; data belongs in TOML or CSV.";
    FLOAT = "E0805", "fraction-in-script", "a number in a script has a fraction",
        cause: "State and tables hold whole numbers only, so that every machine computes the same; `/` gives fractions too.",
        example: "n:add(0.5)",
        repair: "Count in halves, or use `//` and the rounding of numbers: n:divide_up(2).";
    KEPT_STATE = "E0806", "kept-state", "a function keeps a value outside the state",
        cause: "A function assigns a global, or a local that is declared outside of it and outlives it, or writes into a table that is made while scripts load; undo, saves and views would not know of it.",
        example: "local last\nfunction note(unit) last = unit end",
        repair: "Declare an attribute of game, side, space or piece, and assign that.";
    FIGURE = "E0807", "figure-in-rule", "a figure of the rulebook stands in a script",
        cause: "Whole numbers other than 0 and 1 are figures: in TOML they have a name, a paragraph, and layers can change them.",
        example: "if unit.moves > 6 then",
        repair: "Move it to a value: value.march = { limit = 6, rule = \"5.1\" }; or say why it is none: -- allow figure-in-rule: REASON.";
    BAD_ALLOW = "E0808", "bad-allow", "an `allow` comment is not sound",
        cause: "It names no known warning, gives no reason, or there is nothing on its line to allow.",
        example: "-- allow figure-in-rule",
        repair: "Write `allow NAME: REASON` on the line or the line above, or remove it.";
    UNKNOWN_GLOBAL = "E0901", "unknown-global", "a script uses a name that nothing defines",
        cause: "The name is neither part of the API nor a global of the game nor a local that is visible here.",
        example: "peices{ side = \"red\" }",
        repair: "Use one of the suggested names, or define it.";
    UNKNOWN_METHOD = "E0902", "unknown-method", "a method is not known",
        cause: "No value of the API has a method of this name.",
        example: "units:filtr{ side = \"red\" }",
        repair: "Use one of the suggested names; docs/api.md lists them all.";
    UNKNOWN_FIELD = "E0903", "unknown-field", "a field is not known",
        cause: "No field or attribute of this name is declared, and no table of a script has it.",
        example: "unit.strenght",
        repair: "Use one of the suggested names, or declare it: field.piece.NAME, attribute.piece.NAME.";
    UNKNOWN_THING = "E0904", "unknown-thing", "a script names a space, piece, side or kind that does not exist",
        cause: "The text stands where the API takes an id, and nothing has this id.",
        example: "space \"east-forrd\"",
        repair: "Use one of the suggested ids.";
    UNKNOWN_FIGURE = "E0905", "unknown-figure", "a script names a value, table or option that does not exist",
        cause: "The text stands where the API takes the id of a figure, and nothing has this id.",
        example: "value \"satck\".units",
        repair: "Use one of the suggested ids, or add the row.";
    UNKNOWN_WORD = "E0906", "unknown-field-word", "a field never holds this word",
        cause: "The field is an enum or a side, and the word it is compared with or set to is none of its values.",
        example: "if hex.terrain == \"wod\" then",
        repair: "Use one of the field's words, or add the word to its enum.";
    MISSING_TEXT = "E0907", "missing-text", "a text that people read is missing",
        cause: "A script asks, logs or refuses with the id of a prompt or text that no file gives; or a piece, option, scenario or roll has no name, title or text, though others of its kind have one.",
        example: "ask(side, \"combat.los\", { among = units })",
        repair: "Add it: prompt.ID = { text = \"…\" }, text.ID = \"…\", text.\"roll.LABEL\" = \"…\", or the name or title of the row.";
    UNKNOWN_RULE = "E0908", "unknown-rule", "a rule hangs on something that does not exist",
        cause: "A procedure, number, stage, query, refusal, prompt or menu is named that no script registers or asks.",
        example: "before(\"fight.fyre\", \"barrage\", {}, function() end)",
        repair: "Use one of the suggested names.";
    UNKNOWN_ON_MAP = "E0909", "unknown-on-map", "a network, profile, feature or node does not exist",
        cause: "A script names part of the map or of the sequence of play that no table gives.",
        example: "flood{ from = bases, over = \"rial\" }",
        repair: "Use one of the suggested names.";
    UNKNOWN_PARAGRAPH = "E0910", "unknown-paragraph", "a rule cites a paragraph that the rulebook does not have",
        cause: "`rule` names a paragraph that is the heading of no rulebook file.",
        example: "on(\"turn.start\", \"rain\", { rule = \"4.88\" }, rain)",
        repair: "Correct the number, or add the paragraph: ### 4.88 Title.";
    DUPLICATE_PARAGRAPH = "E0911", "duplicate-paragraph", "two headings of the rulebook have the same id",
        cause: "Cases and rules that cite the paragraph could mean either.",
        example: "### 4.1 Draw\n### 4.1 Hand",
        repair: "Give one of them another id.";
    BAD_CASE = "E0912", "bad-case", "a case of a rulebook cannot be run",
        cause: "A line of the case begins with no known word, or names a piece, space, side, attribute, value, procedure, number, refusal, node, prompt, label of a roll, effect, scenario or option that the game does not have.",
        example: "place h-redz 0502",
        repair: "Correct the line; docs/reference.md lists what may stand in a case.";
    UNKNOWN_IN_DATA = "E0913", "unknown-in-data", "a value that rules take for an id names nothing",
        cause: "A script hands the value to `space`, `piece`, `start_effect` or the like, or its field is declared to name an effect, and there is no such thing.",
        example: "card.drums = { brings = \"h-drover\" }, with piece(card.brings)",
        repair: "Use one of the suggested ids; say what the field names where it is declared: { type = \"text\", of = \"unit\" }.";
    UNFILLED = "E0914", "unfilled-place", "a text has a place that nothing fills",
        cause: "`{name}` in a prompt stands for what the question gives under that key, `{2}` in a text for the second thing it is given.",
        example: "prompt.\"move.to\" = { text = \"Where does {unitt} go?\" }",
        repair: "Correct the name, or give the thing in the call.";
    NEVER_RAISED = "E1001", "event-never-raised", "a rule waits for an event that never comes",
        cause: "No script raises the event, and it is not the start or end of a node of the sequence.",
        example: "on(\"trun.start\", \"rain\", {}, rain)",
        repair: "Use one of the suggested events, or raise it: emit(\"NAME\").";
    NEVER_USED = "E1002", "rule-never-used", "a procedure, query or number is never used",
        cause: "The sequence of play does not run it, and no script calls it.",
        example: "procedure(\"retrat\", { rule = \"6.7\" }, function() end)",
        repair: "Call it, name it in the sequence, or remove it.";
    OPTION_UNUSED = "E1003", "option-never-read", "an option changes nothing",
        cause: "No script reads the option, and no rule depends on it.",
        example: "option.fog = { title = \"Fog\", type = \"bool\", default = false }",
        repair: "Read it with option \"ID\", or remove it.";
    TEXT_UNUSED = "E1004", "text-never-used", "a prompt or text is never shown",
        cause: "No script asks, refuses or logs with it.",
        example: "text.no-raod = \"There is no road.\"",
        repair: "Correct the id, or remove the text.";
    FIGURE_UNUSED = "E1005", "figure-never-read", "a value or table, or a key of a value, is never read",
        cause: "No script and no sequence names it, so that changing it would change nothing.",
        example: "value.stakc = { units = 2 }",
        repair: "Read it where the rule is, or remove it.";
    NO_EFFECT = "E1006", "card-without-effect", "a card does nothing",
        cause: "Scripts run `PREFIX .. card.FIELD`; cards of the same sort have such a procedure, this one has none.",
        example: "call(\"card.\" .. card.id), and no procedure \"card.rain\"",
        repair: "Write the procedure, or say in a field that the card needs none.";
    NO_CARD = "E1007", "effect-without-card", "an effect belongs to no card",
        cause: "Scripts run `PREFIX .. card.FIELD`, and no row has the value that would run this procedure.",
        example: "procedure(\"card.rian\", { rule = \"4.8\" }, function() end)",
        repair: "Correct the name, or add the row.";
    NEVER_STARTED = "E1008", "effect-never-started", "a rule waits for an effect that nothing starts",
        cause: "`during`, `effect` or `has_ever` names an effect or memory that no script or table starts.",
        example: "modify(\"attack\", \"rain\", { during = \"rian\" }, function(n) end)",
        repair: "Use one of the suggested names, or start it: start_effect(\"NAME\").";
    ATTRIBUTE_UNUSED = "E1009", "attribute-never-used", "an attribute is never used",
        cause: "No script reads or sets it, and no display or scenario names it.",
        example: "attribute.piece.tierd = { type = \"bool\" }",
        repair: "Correct the name, or remove the attribute.";
    NO_NEIGHBOUR = "E1101", "no-neighbour", "a space on the map has no neighbour",
        cause: "The hex or area shares no border with another and lies on no network, so that nothing can enter or leave it.",
        example: "hex.0199 = {} beside no other hex",
        repair: "Correct its id or add its borders; a place off the map is a box.";
    TWO_SIDED = "E1102", "two-sided", "a border or link is given twice, and the two rows disagree",
        cause: "One row gives it from a to b, another from b to a, with other features or as another one-way link.",
        example: "a,b,feature\neast,west,river\nwest,east,ridge",
        repair: "Keep one row; a border has the same features from both sides.";
    BROKEN_NETWORK = "E1103", "broken-network", "a network has a gap",
        cause: "Nearly all links of the network join neighbours and hang together; this one leaps, hangs on nothing, or ends where another begins.",
        example: "rail from 0101 to 0301",
        repair: "Correct the ends of the link, or add the one that is missing between.";
    BAD_SET_UP = "E1104", "bad-set-up", "a set-up breaks a limit of the game",
        cause: "After the set-up of the scenario an invariant of the game does not hold, such as its stacking limit.",
        example: "place = [\"a 0101\", \"b 0101\", \"c 0101\"] where two may stack",
        repair: "Correct the lines of the scenario.";
    NO_SOURCE = "E1201", "no-source", "values of a printed game have no source",
        cause: "The manifest says that the game is printed (its `source` is not \"own\"), so every value must say on whose word it stands.",
        example: "[value]\nhand = 6",
        repair: "Give the file, table or row a `source`: text, public, inferred, stand-in or own.";
    HANDLER_CONFLICT = "E1301", "handler-conflict", "two independent layers change the same rule",
        cause: "Both replace, disable or wrap one handler, and neither needs the other, so that no order between them is right.",
        example: "replace(\"stacking\", f) in one layer, disable(\"stacking\") in another",
        repair: "Let one layer need the other, leave one out, or load a third that needs both and replaces the rule; two wraps do not conflict.";
    NAMESAKE = "E1302", "near-namesake", "a layer adds what is named nearly as something that is there",
        cause: "The layer gives a part of a row, or a key of a figure, under a name that differs in a letter from one of the game: it changes nothing.",
        example: "[unit.h-redz]\nmoves = 4",
        repair: "Write the name as it is in the game; if the row is new, give all that it needs.";
}
