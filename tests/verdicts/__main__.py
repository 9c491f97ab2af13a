"""The command ``python -m tests.verdicts``: renews the reports that are expected."""

from tests.verdicts import renew

renew()
