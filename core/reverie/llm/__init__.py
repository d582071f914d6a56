"""Models at an endpoint that the person configured: asking them, and reading what they answer with distrust.

``presets`` and ``endpoint`` say where, ``client`` asks, ``parser`` is the one way in for an answer, ``shapes`` holds
the kinds of fields that answers are made of. Nothing here is loaded before a model is used: `openai`,
`json-repair` and `pydantic` cost a second together, so that whoever may do without a model imports these modules late.
"""
