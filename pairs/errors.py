"""The errors of this project, sorted by who can mend them.

* BuildError
  x SettingsError   whoever filled in the form can mend it; never retried
  x SourceError     the outside world let us down; retried with backoff (fetch only)
    + AbsentError   what was asked for does not exist there; asking again would not bring it
  x ShardError      one shard cannot be built; the others go on; running again builds it alone

A message says what is wrong, with the value; what was expected; what to do. A bad *record* is no error: it is counted
by reason and skipped where it is read.
"""


class BuildError(Exception):
    """Something stopped a build; the subclass tells who can mend it."""


class SettingsError(BuildError):
    """A value that somebody filled in cannot work: mend the setting and start again."""


class SourceError(BuildError):
    """A download, an archive or a model folder is not what it should be: fetch it again or name another."""


class AbsentError(SourceError):
    """The corpus, release, pair or file that was asked for does not exist there; not retried."""


class ShardError(BuildError):
    """One shard cannot be built; the other shards are not touched by it."""
