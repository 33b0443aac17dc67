"""Reject sentence fragments, such as a lone subordinate clause or a verb without a subject.

This filter is not in the BiSECT paper. The paper only requires a verb, which `Because he was tired.`, `The man who
lives next door.`, `Having finished the work.` and `Will visit Japan in the spring.` all have. This filter requires a
finite verb outside subordinate clauses. If that verb comes first, it also requires a subject, unless the verb may be an
imperative. Questions and recitals (`Whereas ...`) count as sentences.

Small parsers make mistakes in long sentences, so the parse, the order of the words and the dictionary have to agree
(syntax/main_clauses.py). The filter measures English, French, German, Portuguese and Spanish; Portuguese and
Spanish sentences need no subject.

With en_core_web_sm, it finds 80 % of 1,893 fragments from treebanks that were not used to write the rules, and rejects
1 of 471 complete sentences of news and Wikipedia (`fragments.py` at 6db46117). With parsers trained on 800 to 1,400
sentences, it finds 61 % in German and Spanish and 69 % in Portuguese, and rejects 1 of 200 complete sentences, in
Portuguese 1 of 80. Of the 112 fragments it finds in 3,644 published legal and medical pairs, 102 really are fragments.
With the quickstart's smaller parser, 83 of 117 are.
"""

from typing import ClassVar

from pydantic import Field

from bitext_pivot.filters.base import RuleFilter
from bitext_pivot.filters.view import View
from bitext_pivot.syntax.main_clauses import has_fragment_rules, is_fragment


class FragmentsFilter(RuleFilter):
    """The number of sentences in a pair that have no main clause."""

    VERSION: ClassVar[int] = 5
    LANGUAGE_SECTION: ClassVar[str] = "main_clauses"
    UNMEASURED: ClassVar[str] = "no data for the language"
    max_fragments: int = Field(default=0, title="Maximum fragments", ge=0, le=3)
    """Maximum number of sentences without a main clause. Only English, French, German, Portuguese and Spanish are
    measured."""

    def measure(self, pair: View) -> float | None:
        """Return the number of fragments in the pair, 0 to 3; None for an unsupported language."""
        if not has_fragment_rules(pair.language):
            return None
        return sum(is_fragment(parse, pair.language) for parse in pair.parses)
