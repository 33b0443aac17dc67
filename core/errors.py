"""Exception hierarchy, grouped by who can fix the problem.

* BuildError
  x SettingsError   the user who filled in the form; never retried
  x SourceError     a server or a downloaded file; retried with backoff (fetch only)
    + AbsentError   it does not exist there; not retried
  x ShardError      one shard cannot be built; the others continue; running again builds it alone

A message says what is wrong, with the value; what was expected; what to do. A bad *record* is no error: it is counted
by reason and skipped where it is read.
"""


class BuildError(Exception):
    """Base class; the subclass says who can fix the problem."""


class SettingsError(BuildError):
    """A setting cannot work: change it and start again."""


class SourceError(BuildError):
    """A download, an archive or a model folder is damaged or unreachable: download it again or name another."""


class AbsentError(SourceError):
    """The corpus, release, language pair or file does not exist; not retried."""


class ShardError(BuildError):
    """One shard cannot be built; the other shards are not affected."""
