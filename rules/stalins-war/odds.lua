-- What `sandtable odds` observes of an attack.

require "odds/outcomes" { steps = "odds.1", holder = "odds.2" }
