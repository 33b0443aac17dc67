"""English verb forms by lemminflect (MIT), for discourse rules."""

_PLURAL = frozenset({"i", "you", "we", "they", "these", "those"})


def finite_form(lemma: str, subject: str, *, is_past: bool, is_plural: bool = False) -> str:
    """Return the finite form of an English verb for a subject of one word; `is_plural` for a noun in the plural.

    >>> finite_form("leave", "she", is_past=True)
    'left'
    """
    from lemminflect import getInflection  # imports spaCy: only where a form is needed

    is_plural = is_plural or subject.lower() in _PLURAL
    if lemma == "be":
        past = "were" if is_plural and subject.lower() != "i" else "was"
        present = "am" if subject.lower() == "i" else "are" if is_plural else "is"
        return past if is_past else present
    tag = "VBD" if is_past else "VBP" if is_plural else "VBZ"
    return str(next(iter(getInflection(lemma, tag)), lemma))


def verb_lemma(form: str) -> str:
    """Return the lemma of an English verb form; the form itself if it is unknown."""
    from lemminflect import getLemma

    return str(next(iter(getLemma(form, "VERB")), form))
