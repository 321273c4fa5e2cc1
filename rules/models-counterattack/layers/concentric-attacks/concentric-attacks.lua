-- As in many games, all neighbours of a hex may attack it together. Model keeps his three other abilities.
disable("broken-line")
disable("concentric")
