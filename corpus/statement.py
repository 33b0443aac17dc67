"""The data statement: the author's texts on the origin, the biases and the uses of a data set."""

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
"""Titles of the texts, in the order of the card."""
FAIR = "The texts are only as fair, current and private as the corpora they come from."
"""A limitation of all data sets, which every card states."""


class Statement(Settings):
    """The texts of the data statement on the card (README.md) of a data set."""

    version: str = Field(default="1.0.0", pattern=r"^\d+\.\d+\.\d+$")
    """Version of the data set, as MAJOR.MINOR.PATCH."""
    published: str = Field(default="", pattern=r"^(\d{4}-\d\d-\d\d)?$", title="Date of publication")
    """Date of publication, such as 2026-11-26."""
    creators: list[str] = []
    """Persons or organisations that created the data set."""
    url: str = Field(default="", pattern=r"^(https?://\S+)?$", title="Address")
    """Address of the web page of the data set."""
    collection: str = (
        "No text was written or collected for this data set. The sentences are those of the corpora "
        "named under Sources, as OPUS distributes them or as the builder supplied them."
    )
    """Origin of the texts, and who collected them."""
    preprocessing: str = (
        "The stages of the funnel read, split, changed and filtered the texts, with the settings under "
        "Rebuild. Rejected rows are published too, with the reason."
    )
    """Processing of the texts."""
    annotation: str = (
        "All labels and scores were computed by rules and models, named under Rebuild. No person has "
        "labelled or checked the rows."
    )
    """Who or what labelled the rows."""
    biases: str = (
        "The corpora of OPUS are mostly parliamentary debates, laws, news, subtitles and web pages: some "
        "topics, registers and groups of speakers are frequent, others are absent. Models add the biases "
        "of their training data. Biases were neither measured nor balanced."
    )
    """Known biases."""
    personal_data: str = (
        "Texts may name persons and contain statements about them, as the corpora do. No names or other "
        "personal data were searched for or removed."
    )
    """Whether the rows contain personal or sensitive data, and how they were treated."""
    uses: str = "Training and testing of models, and research on language, as far as the licence of each row allows."
    """Intended uses."""
    wrong_uses: str = (
        "Do not treat a row as a fact, a quotation or the words of a person: texts may have been changed or "
        "machine-translated, or may be out of date. Do not test a model on rows it was trained on."
    )
    """Uses for which the data set is not suitable."""

    def paragraphs(self) -> list[tuple[str, str]]:
        """Return the title and the text of each non-empty field."""
        texts = {**dict(self), "creators": ", ".join(self.creators)}
        paragraphs = [(title, " ".join(texts[name].split())) for name, title in TITLES.items()]
        return [(title, text) for title, text in paragraphs if text]


DEFAULT = Statement()
