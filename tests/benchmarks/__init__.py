"""How fast `collision` is beside its peers, in one run: ``python -m tests.benchmarks``.

Ours and theirs take turns, so that whatever else the machine does hits both. Of each the fastest round counts: other
programs only ever add time. Before a figure is printed, the answers of both have been compared.
"""
