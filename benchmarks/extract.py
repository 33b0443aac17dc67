"""CPU time and memory of our extraction, against opustools' OpusRead on the same files in one run.

usage: python benchmarks/extract.py [--runs 3] [--opus FOLDER]      speed; FOLDER is a mirror that has Europarl/v7 en-fr
       python benchmarks/extract.py --memory                       peak memory at 200,000 and at 20,000,000 links

Each reader runs in a process of its own, reads the whole release and writes the ids and texts of its 1-2 and 2-1 links
to a file. OpusRead cannot read both shapes in one run, so its two runs are added up; its progress report is off. CPU
seconds (user and system) do not include the start of Python and imports; the medians of the runs are compared. In
generated releases words are Zipf-like, 5 to 45 a sentence, 3.5 % of the links are 1-2, 3.5 % 2-1, the rest 1-1.
"""

import argparse
import contextlib
import gzip
import io
import random
import statistics
import tempfile
import zipfile
from collections.abc import Callable
from functools import partial
from itertools import chain, repeat
from pathlib import Path

from costs import taken

HEAD = '<?xml version="1.0" encoding="utf-8"?>\n<!DOCTYPE cesAlign PUBLIC "-//CES//DTD XML cesAlign//EN" "">\n'
TARGETS = {"1-1": "{0};{1}", "1-2": "{0};{1} {1}x", "2-1": "{0} {0}x;{1}"}
RELEASE = "OPUS-Bench/v1"


def sentences(amount: int, chance: random.Random) -> list[str]:
    """Return generated sentences."""
    words = ["".join(chance.choices("etaoinshrdlucmé", k=chance.choice([2, 3, 5, 7, 9, 11]))) for _ in range(20_000)]
    weights = [1 / (rank + 2) for rank in range(len(words))]
    texts = (chance.choices(words, weights, k=chance.randint(5, 45)) for _ in range(amount))
    return [" ".join(text).capitalize() + chance.choice([".", ".", ".", " &amp; so on.", "?"]) for text in texts]


def release(base: Path, documents: int, links: int, times: int = 1) -> None:
    """Write a release of so many documents with so many links each, in the layout of the object storage.

    The link file repeats its links `times` times, each time in a gzip member of its own.
    """
    chance = random.Random(documents)
    pool = sentences(20_000, chance)
    folder = base / RELEASE
    for name in ("raw", "xml"):
        (folder / name).mkdir(parents=True)
    groups = []
    with (
        zipfile.ZipFile(folder / "raw" / "en.zip", "w", zipfile.ZIP_DEFLATED) as en,
        zipfile.ZipFile(folder / "raw" / "fr.zip", "w", zipfile.ZIP_DEFLATED) as fr,
    ):
        for number in range(documents):
            shapes = chance.choices(["1-1", "1-2", "2-1"], [93, 3.5, 3.5], k=links)
            groups.append(group(number, shapes))
            en.writestr(f"Bench/raw/en/{number:06d}.xml", document(pool, chance, [shape == "2-1" for shape in shapes]))
            fr.writestr(f"Bench/raw/fr/{number:06d}.xml", document(pool, chance, [shape == "1-2" for shape in shapes]))
    head, middle, tail = (
        gzip.compress(part.encode()) for part in (f'{HEAD}<cesAlign version="1.0">\n', "".join(groups), "</cesAlign>\n")
    )
    with (folder / "xml" / "en-fr.xml.gz").open("wb") as file:
        file.writelines(chain([head], repeat(middle, times), [tail]))


def group(number: int, shapes: list[str]) -> str:
    """Return a linkGrp whose n-th link joins the sentences n of both sides."""
    rows = (
        f'<link xtargets="{TARGETS[shape].format(n, n)}" id="SL{n}" score="1.{n % 97:02d}"/>'
        for n, shape in enumerate(shapes, 1)
    )
    head = f'<linkGrp targType="s" fromDoc="en/{number:06d}.xml.gz" toDoc="fr/{number:06d}.xml.gz">'
    return f"{head}\n" + "\n".join(rows) + "\n</linkGrp>\n"


def document(pool: list[str], chance: random.Random, doubled: list[bool]) -> str:
    """Return a document with a sentence for each link, and one more where the link has two on this side."""
    numbers = (number for n, two in enumerate(doubled, 1) for number in (f"{n}", f"{n}x")[: 1 + two])
    lines = (f'<s id="{number}">{chance.choice(pool)}</s>' for number in numbers)
    return '<?xml version="1.0" encoding="utf-8"?>\n<text>\n' + "\n".join(lines) + "\n</text>\n"


def ours(base: Path, name: str, out: Path, *, is_screened: bool = False) -> Callable[[], int]:
    """Return our extraction of a release, both shapes in one pass; it returns the number of alignments."""
    from bitext_pivot.alignments.extract import Extraction
    from bitext_pivot.alignments.opus import fetch
    from bitext_pivot.alignments.release import Release
    from bitext_pivot.alignments.screening import identify
    from bitext_pivot.alignments.screening.screen import Screening, screen
    from bitext_pivot.alignments.xces.extract import extract
    from bitext_pivot.core.site import Site

    wanted = Release.of(name, "en", "fr")
    archives = fetch(wanted, Site(opus=str(base), home=out.parent))
    if is_screened:
        identify.odds_against("it", "en")  # loads the identifier

    def work() -> int:
        number = 0
        batches = extract(archives, Extraction(), licence="unknown")
        with out.open("w", encoding="utf-8") as file:
            for batch in screen(batches, Screening()) if is_screened else batches:
                for it in batch.alignments:
                    first, second = it.two_ids
                    head, body = f"{it.id}\n({it.one_id})>{it.one}", f"({first})>{it.two[0]}\n({second})>{it.two[1]}"
                    file.write(f"{head}\n{body}\n")
                number += len(batch.alignments)
        return number

    return work


def theirs(base: Path, name: str, out: Path, shape: str) -> Callable[[], int]:
    """Return OpusRead's reading of the links of a shape; it returns their number."""
    from opustools import OpusRead

    corpus, version = name.split("/")
    folder = base / f"OPUS-{corpus}" / version
    source, target = shape.split("-")

    def work() -> int:
        silence = contextlib.redirect_stderr(io.StringIO())
        with out.open("w", encoding="utf-8") as file, contextlib.redirect_stdout(file), silence:
            OpusRead(
                directory=corpus, release=version, source="en", target="fr", preprocess="raw", write_mode="normal",
                src_range=source, tgt_range=target, alignment_file=str(folder / "xml" / "en-fr.xml.gz"),
                source_zip=str(folder / "raw" / "en.zip"), target_zip=str(folder / "raw" / "fr.zip"),
            ).printPairs()  # fmt: skip
        with out.open(encoding="utf-8") as file:
            return sum(line.startswith("(src)=") for line in file) // int(source)

    return work


def compare(title: str, base: Path, name: str, runs: int, scratch: Path) -> None:
    """Print the medians of both readers on one release, and their ratio; of real text also what screening takes."""
    files = base, name, scratch / "out.txt"
    rows = [(taken(ours, *files), taken(theirs, *files, "1-2"), taken(theirs, *files, "2-1")) for _ in range(runs)]
    for all_links, one_two, two_one in rows:
        if all_links.found != one_two.found + two_one.found:
            print(f"  ours has {all_links.found}, OpusRead {one_two.found} + {two_one.found}")
    seconds = statistics.median(all_links.seconds for all_links, _, _ in rows)
    opusread = statistics.median(one_two.seconds + two_one.seconds for _, one_two, two_one in rows)
    print(f"{title}: {seconds:.2f} CPU s, OpusRead {opusread:.2f}, ratio {opusread / seconds:.1f}")
    if name == "Bench/v1":  # in no language
        return
    screened = statistics.median(taken(partial(ours, is_screened=True), *files).seconds for _ in range(runs))
    print(f"  with screening: {screened:.2f} CPU s, {screened / seconds:.1f} times as much")


def memory(base: Path) -> None:
    """Print the peak of our extraction at 200,000 links and at a hundred times as many."""
    bases = {times: base / str(times) for times in (1, 100)}
    for times, folder in bases.items():
        release(folder, 4, 50_000, times)
    few, many = (taken(ours, folder, "Bench/v1", base / "out.txt") for folder in bases.values())
    print(f"200,000 links: {few.peak:.0f} MB, {few.seconds:.1f} CPU s; 20,000,000: {many.peak:.0f} MB, ", end="")
    print(f"{many.seconds:.1f} CPU s; ratio of memory {many.peak / few.peak:.3f}")


def main() -> None:
    """Run the benchmark that the command line selects."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=3, help="times each reader is run; the median counts")
    parser.add_argument("--opus", type=Path, help="folder with a mirror that has Europarl/v7 en-fr")
    parser.add_argument("--memory", action="store_true", help="measure peak memory instead of speed")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        if options.memory:
            return memory(Path(scratch))
        for documents, links in ((4, 50_000), (10_000, 20)):
            base = Path(scratch) / str(documents)
            release(base, documents, links)
            compare(f"{documents} documents of {links} links", base, "Bench/v1", options.runs, Path(scratch))
        if options.opus:
            compare("Europarl/v7 en-fr", options.opus, "Europarl/v7", options.runs, Path(scratch))
    return None


if __name__ == "__main__":
    main()
