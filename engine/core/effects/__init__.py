"""How the effects of cards resolve, and the parts that all games share: their moves, records and checks of draws.

- `host`: what the interpreter asks of a game, and the stack of frames. Each game has a `Host`, which its states carry.
- `force`: the effects that are in force, and the effects that last for a while.
- `values`: what a selector reaches, amounts, figures and keywords.
- `triggers`, `would`: the abilities that an event triggers, and the replacements of an event.
- `interpreter`: resolves frames. `operations`, `knowledge` and `destruction` hold the operations.
- `answer`: the verb by which a player makes a choice that an effect awaits.
- `records`: lasting effects in boards and declared positions.
- `hidden_cards`: recorded draws and hidden hands, checked against the registered lists.
- `game_base`: the methods that all games implement alike.
"""
