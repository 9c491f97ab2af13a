"""Verdicts for machines: many scenes are tested, and what is found is written as text, JSON, JUnit and for GitHub.

`collecting` finds the scenes, `judging` judges one, `running` all of them, on several processors, in processes that
`beside` starts. What they find are the records of `results`, which are the JSON as well. `known` compares them with an
earlier run and with what is accepted. Each form of a report has a module: `text`, `junit`, `github`.
"""
