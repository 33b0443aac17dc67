"""All rules of DiscoFuse that match a sentence; the product applies the first one."""

from bitext_pivot.discourse.fusion.rules import RULES, _match_confirmed
from bitext_pivot.syntax.dependency_tree import DependencyTree


def matching_rules(sentence: DependencyTree) -> list[str]:
    """Return the labels of all rules that match one sentence, in their order."""
    return [name for name, rule in RULES.items() if _match_confirmed(sentence, name, rule)]
