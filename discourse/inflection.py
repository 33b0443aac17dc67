"""English verb forms for discourse rules, from lemminflect (MIT licence)."""

_PLURAL = frozenset({"i", "you", "we", "they", "these", "those"})


def finite_form(lemma: str, subject: str, *, is_past: bool, is_plural: bool = False) -> str:
    """Return the finite form of an English verb that agrees with a subject of one word.

    Set `is_plural` if the subject is a plural noun.

    >>> finite_form("leave", "she", is_past=True)
    'left'
    """
    from lemminflect import getInflection  # imported here because it imports spaCy

    is_plural = is_plural or subject.lower() in _PLURAL
    if lemma == "be":
        past = "were" if is_plural and subject.lower() != "i" else "was"
        present = "am" if subject.lower() == "i" else "are" if is_plural else "is"
        return past if is_past else present
    tag = "VBD" if is_past else "VBP" if is_plural else "VBZ"
    return str(next(iter(getInflection(lemma, tag)), lemma))


def verb_lemma(form: str) -> str:
    """Return the lemma of an English verb form, or the form itself if it is unknown."""
    from lemminflect import getLemma

    return str(next(iter(getLemma(form, "VERB")), form))
