"""What the author of a data set says of it: collection, preprocessing, labels, biases, persons, uses."""

from collections.abc import Mapping

from pydantic import Field

from bitext_pivot.core.settings import Settings

TITLES: Mapping[str, str] = {
    "version": "Version",
    "published": "Published",
    "creators": "Creators",
    "url": "Page",
    "collection": "Collection",
    "preprocessing": "Preprocessing",
    "annotation": "Labels",
    "biases": "Biases",
    "personal_data": "Personal data",
    "uses": "Intended uses",
    "wrong_uses": "Wrong uses",
}
"""Titles of the texts on the card, in its order."""
FAIR = "The texts are as fair, current and private as their corpora."
"""A limit of all data sets."""


class Statement(Settings):
    """What the author of a data set says of it, on the card."""

    version: str = Field(default="1.0.0", pattern=r"^\d+\.\d+\.\d+$")
    """Version of the data set: MAJOR.MINOR.PATCH."""
    published: str = Field(default="", pattern=r"^(\d{4}-\d\d-\d\d)?$", title="Date of publication")
    """Date of its publication, as 2026-11-26."""
    creators: list[str] = []
    """Persons or organisations that made the data set."""
    url: str = Field(default="", pattern=r"^(https?://\S+)?$", title="Address")
    """Address of the data set's page."""
    collection: str = (
        "No text was written or collected for this data set. The sentences are those of the corpora "
        "named under Sources, as OPUS distributes them or as the builder supplied them."
    )
    """Where the texts come from, and who collected them."""
    preprocessing: str = (
        "Texts were read, split into sentences, changed and filtered by the stages of the funnel, with "
        "the settings under Rebuild. Rejected rows are published too, with the reason."
    )
    """What was done with the texts."""
    annotation: str = (
        "All labels and scores were computed by rules and models, named under Rebuild. No person has "
        "labelled or checked the rows."
    )
    """Who or what labelled the rows."""
    biases: str = (
        "Corpora of OPUS are mostly parliament, law, news, subtitles and web pages: some topics, "
        "registers and groups of speakers are frequent, others absent. Models add the biases of their "
        "training data. Nothing was measured or balanced."
    )
    """Known biases."""
    personal_data: str = (
        "Texts may name persons, and say of them what the corpora say. No names or other personal data "
        "were searched or removed."
    )
    """Whether the rows have personal or sensitive data, and what was done about them."""
    uses: str = "Training and testing of models, and research on language, as far as the licence of each row allows."
    """Intended uses."""
    wrong_uses: str = (
        "Do not take a row as a fact, a quotation, or the words of a person: texts may be changed, "
        "machine-translated or out of date. Do not test a model on rows that it was trained on."
    )
    """Uses for which the data set is wrong."""

    def paragraphs(self) -> list[tuple[str, str]]:
        """Return the texts, each with its title; empty ones are left out."""
        texts = {**dict(self), "creators": ", ".join(self.creators)}
        paragraphs = [(title, " ".join(texts[name].split())) for name, title in TITLES.items()]
        return [(title, text) for title, text in paragraphs if text]


DEFAULT = Statement()
