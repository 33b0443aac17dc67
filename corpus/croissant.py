"""Describe a data set in Croissant 1.1 (http://mlcommons.org/croissant/1.1), with the fields for responsible AI."""

import importlib.metadata
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa

from bitext_pivot.core import licences
from bitext_pivot.core.data_files import parse_json
from bitext_pivot.core.storage import atomic
from bitext_pivot.corpus.citation import bibtex, cited, signature_line
from bitext_pivot.corpus.data_set_files import DataFiles
from bitext_pivot.corpus.division import SUBSETS
from bitext_pivot.corpus.facts import BuildFacts
from bitext_pivot.corpus.recipe import Recipe
from bitext_pivot.corpus.schema import meanings
from bitext_pivot.corpus.statement import FAIR

NAME = "croissant.json"
_TERMS = Path(__file__).with_name("croissant_terms.json")
"""The parts that all data sets have: context, versions of the format, and the record set of the sets."""
_MEDIA_TYPES = {
    ".parquet": "application/x-parquet",
    ".jsonl": "application/jsonlines",
    ".zst": "application/zstd",
}
Json = dict[str, Any]


def croissant(recipe: Recipe[Any], facts: BuildFacts, files: DataFiles, language: str) -> Json:
    """Return the JSON object of a data set whose files are written.

    It has each file with its SHA-256, each column of each kind of row, the sources, what generated the rows, and
    the texts of `export.statement`.
    """
    statement = files.export.statement
    line = signature_line(facts.signature, facts.counts.below("licence"))
    kinds = [kind for kind in files.schemas if files.subsets(kind)]
    terms = parse_json(_TERMS.read_text(encoding="utf-8"))
    content = {
        "@context": terms["context"],
        "@type": "sc:Dataset",
        "name": facts.title,
        "description": recipe.card.about,
        "conformsTo": terms["conforms_to"],
        "version": statement.version,
        "url": statement.url,
        "datePublished": statement.published,
        "creator": [{"@type": "sc:Organization", "name": name} for name in statement.creators],
        "license": [_licence_address(name) for name in _spdx(facts.licences)],
        "citeAs": bibtex(line, recipe.card.paper),
        "inLanguage": language,
        "keywords": ["bitext-pivot", *recipe.card.tags],
        "isLiveDataset": False,
        **_provenance(facts, line),
        **_responsible(recipe, facts, files),
        "distribution": [*_files(files), *(_file_set(kind, files) for kind in kinds)],
        "recordSet": [terms["sets"], *(_record_set(kind, recipe, files) for kind in kinds)],
    }
    return {name: value for name, value in content.items() if value not in ("", [])}


def _spdx(names: Iterable[str]) -> list[str]:
    return sorted({licences.spdx(name) for name in names})


def _licence_address(name: str) -> str:
    """Return the page of a licence of SPDX, `NOASSERTION` and references as they are."""
    if name == licences.NO_ASSERTION or name.startswith("LicenseRef-") or " " in name:
        return name
    return f"https://spdx.org/licenses/{name}.html"


def _provenance(facts: BuildFacts, line: str) -> Json:
    """Return the sources, and what generated the rows."""
    return {
        "prov:wasDerivedFrom": [_source(name, facts) for name in facts.sources],
        "prov:wasGeneratedBy": {
            "@type": "prov:Activity",
            "prov:label": facts.title,
            "prov:wasAssociatedWith": [
                {"@type": "prov:SoftwareAgent", "prov:label": line},
                *(
                    {"@type": "prov:SoftwareAgent", "prov:label": tool}
                    for tool in _tools(facts.signature)
                ),
            ],
        },
    }


def _source(name: str, facts: BuildFacts) -> Json:
    corpus, _, release = name.partition("/")
    known = facts.corpora.get(name, {})
    names = [str(licence) for licence in facts.counts.below("licence", name)]
    if "licence" in known:
        names = [known["licence"]]
    namespace, url = "opus", "https://opus.nlpl.eu"
    if name in facts.own:
        namespace, url = "own", ""
    source = {
        "@type": "prov:Entity",  # a data set in a data set would be taken for this one
        "@id": f"urn:{namespace}:{corpus}:{release}",
        "prov:label": name,
        "version": release,
        "url": url,
        "license": _spdx(names),
        "sha256": known.get("sha256", ""),
    }
    return {part: value for part, value in source.items() if value not in ("", [])}


def _tools(signature: Mapping[str, Any]) -> list[str]:
    """Return the programs and models of a build, each with its version and settings."""
    tools = [str(signature[part]) for part in ("engine", "parser") if signature.get(part)]
    tools += cited(signature).values()
    tools += [build["engine"] for build in signature.get("builds", {}).values()]  # of a join
    filters = signature.get("filters", {})
    models = [f"{name}: {text}" for name, text in filters.items() if text != name]
    return [f"bitext-pivot {importlib.metadata.version('bitext-pivot')}", *tools, *models]


def _responsible(recipe: Recipe[Any], facts: BuildFacts, files: DataFiles) -> Json:
    """Return the fields for responsible AI."""
    statement = files.export.statement
    lost = [
        f"{stage.name}: {stage.rows:,} rows; lost: {stage.reasons or 'none'}"
        for stage in facts.funnel
    ]
    fields = {
        "dataCollection": statement.collection,
        "dataCollectionType": ["Secondary Data Analysis"],
        "dataPreprocessingProtocol": [text for text in (statement.preprocessing, *lost) if text],
        "dataAnnotationProtocol": statement.annotation,
        "machineAnnotationTools": _tools(facts.signature),
        "dataLimitations": [*recipe.card.limits, FAIR],
        "dataBiases": statement.biases,
        "personalSensitiveInformation": statement.personal_data,
        "dataUseCases": [text for text in (statement.uses, statement.wrong_uses) if text],
    }
    return {f"rai:{name}": value for name, value in fields.items() if value}


def _files(files: DataFiles) -> list[Json]:
    """Return all data files; the description of the others is in the manifest."""
    entries = []
    for name in sorted(files.rows):
        path = files.folder / name
        entry = {
            "@type": "cr:FileObject",
            "@id": name,
            "name": name,
            "contentUrl": name,
            "contentSize": f"{path.stat().st_size} B",
            "encodingFormat": _MEDIA_TYPES.get(path.suffix, "text/plain"),
            "sha256": atomic.sha256(path),
        }
        entries.append(entry)
    return entries


def _file_set(kind: str, files: DataFiles) -> Json:
    ending = files.export.endings(files.export.loaded)[0]
    names: list[str] = []
    for subset in files.subsets(kind):
        names += files.loaded(kind, subset)
    return {
        "@type": "cr:FileSet",
        "@id": _file_set_id(kind),
        "name": _file_set_id(kind),
        "description": f"The files that have the rows of {kind}.",
        "encodingFormat": _MEDIA_TYPES["." + ending.rpartition(".")[2]],
        "includes": names,  # a pattern would find files that somebody adds
    }


def _file_set_id(kind: str) -> str:
    return f"files-of-{kind}"


def _record_set(kind: str, recipe: Recipe[Any], files: DataFiles) -> Json:
    texts = {**meanings(recipe.rows.classes[kind]), "rejected_by": "What rejected the row."}
    fields = [_field(kind, column, texts[column.name]) for column in files.schemas[kind]]
    return {
        "@type": "cr:RecordSet",
        "@id": kind,
        "name": kind,
        "description": f"The rows of {kind}.",
        "key": {"@id": f"{kind}/id"},
        "field": [_set_field(kind), *fields],
    }


def _set_field(kind: str) -> Json:
    """Return the field that says to which set a row belongs: a part of the name of its file."""
    return {
        "@type": "cr:Field",
        "@id": f"{kind}/set",
        "name": "set",
        "description": "train, validation or test.",
        "dataType": "sc:Text",
        "references": {"field": {"@id": "sets/name"}},
        "source": {
            "fileSet": {"@id": _file_set_id(kind)},
            "extract": {"fileProperty": "filename"},
            "transform": {"regex": f"^({'|'.join(SUBSETS)})"},
        },
    }


def _field(kind: str, column: pa.Field, meaning: str) -> Json:
    """Return the field of a column, with fields of its own for the parts of a struct."""
    source = {"fileSet": {"@id": _file_set_id(kind)}, "extract": {"column": column.name}}
    return _typed(f"{kind}/{column.name}", column, source) | {"description": meaning}


def _typed(identifier: str, column: pa.Field, source: Json) -> Json:
    field: Json = {"@type": "cr:Field", "@id": identifier, "name": column.name}
    inner, shape = column.type, []
    while pa.types.is_list(inner):
        inner = inner.value_type
        shape.append("-1")
    if shape:
        field |= {"isArray": True, "arrayShape": ",".join(shape)}
    if not pa.types.is_struct(inner):
        return field | {"dataType": _data_type(inner), "source": source}
    return field | {"subField": list(_parts(identifier, inner, source))}


def _parts(identifier: str, struct: pa.StructType, source: Json) -> Iterable[Json]:
    for part in struct:
        path = {"transform": {"jsonPath": f"$.'{part.name}'"}}
        yield _typed(f"{identifier}/{part.name}", part, source | path)


def _data_type(kind: pa.DataType) -> str:
    names = {
        pa.string(): "sc:Text",
        pa.int64(): "cr:Int64",
        pa.float64(): "cr:Float64",
        pa.bool_(): "sc:Boolean",
    }
    return names[kind]
