"""The effect language of cards: its vocabulary, a card's effects once read, and how they resolve.

- `language`: the vocabulary in which cards say what they do, and its schema.
- `program`: the effects of a card once read.
- `host`: what the interpreter asks of a game, and the stack of frames. Each game has a `Host`, which its states carry.
- `force`: the effects that are in force, and the effects that last for a while.
- `values`: what a selector reaches, amounts, figures and keywords.
- `triggers`, `would`: the abilities that an event triggers, and the replacements of an event.
- `interpreter`: resolves frames. `operations`, `knowledge` and `destruction` hold the operations.
- `answering`: the verb by which a player makes a choice that an effect awaits.
- `records`: lasting effects in boards and declared positions.
"""
