"""Build with the settings in BUILD (JSON), by the stages of FLOW or of BiSECT, on PREFECT_API_URL if it is set.

With KILL_AT="pairs 3" the process kills itself in the third call, in the middle of a shard, without any cleaning up.
The trial of a build is the first call. The last line of the standard error names the models that were loaded, by what
is imported with each.
"""

import os
import signal
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2]))

from bitext_pivot.core.settings import Settings
from bitext_pivot.corpus import assignment, data_set_files, pair_relations
from bitext_pivot.deployments.run_recipe import run_recipe
from bitext_pivot.filters.neural import bertscore
from bitext_pivot.flows.join_settings import JoinBuilds
from bitext_pivot.flows.pivot_settings import PivotBitext
from bitext_pivot.tasks import translate

PLACES = {
    "pairs": (translate, "build_pairs"),
    "score": (bertscore.BertscoreFilter, "scores_of"),
    "hold-out": (assignment.SubsetRules, "held_out"),
    "divide": (assignment.SubsetAssigner, "assign"),
    "join": (pair_relations.PairRelations, "_relation"),
    "export": (data_set_files.DataSetFiles, "write"),
}
LOADED = {"sacremoses": "engine", "spacy.lang.en": "parser", "transformers": "encoder"}
"""Models by what is imported with them alone: CTranslate2 is imported for its version."""
FORMS: dict[str, type[Settings]] = {"pivot_bitext": PivotBitext, "join_builds": JoinBuilds}


def deadly(owner: Any, name: str, at: int) -> None:
    """Let the `at`-th call of a method do its work and then kill the process, so that its result is lost."""
    original, calls = getattr(owner, name), 0

    def method(*arguments: Any, **options: Any) -> Any:
        nonlocal calls
        calls += 1
        result = original(*arguments, **options)
        if calls == at:
            os.kill(os.getpid(), signal.SIGKILL)
        return result

    setattr(owner, name, method)


if __name__ == "__main__":
    if os.environ.get("KILL_AT"):
        stage, at = os.environ["KILL_AT"].split()
        deadly(*PLACES[stage], int(at))
    name = os.environ.get("FLOW", "pivot_bitext")
    print(run_recipe(name, name, FORMS[name].model_validate_json(os.environ["BUILD"])))
    print(*(LOADED[name] for name in LOADED if name in sys.modules), file=sys.stderr)
