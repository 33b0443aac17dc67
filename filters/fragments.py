"""Sentences that are none: a subordinate clause, a noun with its relative clause, a verb without a subject.

Not a filter of the paper, which asks for a verb, whatever it does: `Because he was tired.`, `The man who lives next
door.`, `Having finished the work.` and `Will visit Japan in the spring.` have one. A sentence needs a finite verb
outside of subordinate clauses, and where that verb stands first, a subject, unless it may be an imperative. Questions
and recitals (`Whereas ...`) are sentences.

Small parsers err in long sentences, so that several sources must agree (syntax/main_clauses.py). English, French,
German, Portuguese and Spanish; Portuguese and Spanish need no subject. With en_core_web_sm it finds 80 % of 1,893
fragments cut out of treebanks that no rule had seen, and takes 1 of 471 whole sentences of news and Wikipedia for one
(`fragments.py` at 6db46117). With parsers learned from 800 to 1,400 sentences it finds 61 % in German and
Spanish and 69 % in Portuguese, and takes 1 of 200 whole sentences for one, in Portuguese 1 of 80.
Of its alarms on 3,644 published legal and medical pairs 102 of 112 are right, with the quickstart's
smaller parser 83 of 117.
"""

from typing import ClassVar

from pydantic import Field

from bitext_pivot.filters.base import RuleFilter
from bitext_pivot.filters.view import View
from bitext_pivot.syntax.main_clauses import has_fragment_rules, is_fragment


class FragmentsFilter(RuleFilter):
    """The number of sentences of a pair that have no main clause."""

    VERSION: ClassVar[int] = 5
    LANGUAGE_SECTION: ClassVar[str] = "main_clauses"
    UNMEASURED: ClassVar[str] = "no data of the language"
    max_fragments: int = Field(default=0, title="Maximum fragments", ge=0, le=3)
    """Maximum number of sentences without a main clause. English, French, German, Portuguese and Spanish."""

    def measure(self, pair: View) -> float | None:
        """Return 0 to 3; None for a language that is not measured."""
        if not has_fragment_rules(pair.language):
            return None
        return sum(is_fragment(parse, pair.language) for parse in pair.parses)
