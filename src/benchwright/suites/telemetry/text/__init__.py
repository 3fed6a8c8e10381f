"""Text: what sentences state, by published rules; the same fields as a reply has.

Takes the text of one message; gives a `Reading`: fields with the sentence that each came from, what
is mentioned and cannot be read, and which details are asked for. Pure: no store, no script, no
model, and nothing is guessed. docs/text-channel.md holds the rules with their examples.

    model.py      the records
    frame.py      text as sentences, with numbers, times, ids and handles taken out of the words
    numbers.py    numbers, shares and durations
    times.py      instants, and periods in the words of the questions
    ids.py        stream ids, handles and reason codes
    grammar.py    pieces that rules are written with
    figures.py  words.py  actions.py    the rules, by kind of field
    plain.py      what may stand beside a statement without making it another one
    questions.py  which details a question asks for
    read.py       a whole message
    render.py     a reply as sentences
    operator.py   the scripted operator, hearing sentences
"""
