"use strict";
// The inspector. The state of the page is the fragment of its address: one parameter per filter, `pair` for the
// selected pair. Every change goes through `update` or `select`. Texts of the corpus are written as text nodes only.

const ROW_HEIGHT = 72; // pixels, as in page.css
const BINS = 24; // of a score's histogram, as in the viewBox of page.html
const MAX_CELLS = 4e6; // of a comparison: two texts of 2,000 words

const byId = (id) => document.getElementById(id);
const number = (value) => value.toLocaleString("en");
const list = byId("list"), rows = byId("rows"), reader = byId("pair"), search = byId("search"), help = byId("help");

let state = new URLSearchParams(location.hash.slice(1));
let pairs = []; // all, in the order of the build
let shown = []; // those that pass all filters, in the order of the list
let selected = -1; // position in `shown`
let ranges = {}; // by score: its least and greatest value
let limits = {}; // by filter: its thresholds, min_... and max_..., as the reader moved them
let built = {}; // the same, as they were in the build
let sliders = {}; // bounds of the thresholds, and settings of the build
let facets = {}; // titles of the columns by which pairs can be chosen
let labels = []; // columns beside the verdict
let titles = {}; // of the texts
let patterns = []; // of the words that must occur
let past = []; // the states before each change of what is shown, the last one at the end
let changing = null; // the control that the reader is changing: all of it is one change

/** Make an element; strings among the children become text nodes. */
function make(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name in element) element[name] = value;
    else element.setAttribute(name, value);
  }
  element.append(...children);
  return element;
}

/** A share of a bar, from 0 to 1, painted behind an element. */
function share(element, value) {
  element.style.setProperty("--share", value);
  return element;
}

async function load() {
  const data = await fetch(`data:;base64,${byId("data").textContent}`);
  ({ limits: built, sliders, facets, labels, titles, pairs } = await new Response(data.body.pipeThrough(new DecompressionStream("deflate"))).json());
  byId("data").remove();
  facets = { verdict: "Verdict", change: "Change by moved thresholds", rejected_by: "Rejected by", ...facets };
  for (const [position, pair] of pairs.entries()) {
    pair.position = position;
    pair.text = [pair.long, ...pair.split, ...pair.foreign, pair.id, pair.group ?? ""].join("\n");
  }
  buildScores();
  buildSliders();
  restore();
}

// ---------------------------------------------------------------------------------------------------- filters

/** Make the checkboxes of every facet that tells pairs apart. */
function buildFacets() {
  byId("facets").replaceChildren();
  for (const [name, title] of Object.entries(facets)) {
    const counts = new Map();
    for (const pair of pairs) if (pair[name] != null) counts.set(pair[name], (counts.get(pair[name]) ?? 0) + 1);
    if (counts.size < 2 && name !== "rejected_by") continue;
    const values = [...counts.keys()].sort((a, b) => counts.get(b) - counts.get(a) || (a < b ? -1 : 1));
    const boxes = values.map((value) => make("label", { className: "value" },
      make("input", { type: "checkbox", name, value, checked: state.getAll(name).includes(value) }), make("span", {}, value || "none"), " ", make("b")));
    if (boxes.length) byId("facets").append(make("fieldset", {}, make("legend", {}, title), ...boxes));
  }
}

/** Make the choice of scores. */
function buildScores() {
  for (const { scores } of pairs) {
    for (const [name, value] of Object.entries(scores)) {
      const range = ranges[name] ??= [value, value];
      range[0] = Math.min(range[0], value);
      range[1] = Math.max(range[1], value);
    }
  }
  if (!("trust" in ranges)) {
    byId("sort").options[1].remove();
    byId("sort").options[0].textContent = "In the order of the build";
  }
  byId("scores").hidden = !Object.keys(ranges).length;
  byId("score").append(...Object.keys(ranges).sort().map((name) => make("option", {}, name)));
}

/** Return a regular expression for each word or "phrase" of a query, and those that must not occur (-word). */
function parse(query) {
  const terms = [...query.matchAll(/(-?)(?:"([^"]+)"?|([^\s"]+))/g)].map(([, minus, phrase, word]) => ({
    minus, pattern: new RegExp((phrase ?? word).replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&"), "iu"),
  }));
  return [terms.filter((term) => !term.minus), terms.filter((term) => term.minus)]
    .map((group) => group.map((term) => term.pattern));
}

/** Return the pairs that pass all filters, and for each facet and the score those that pass all others. */
function filter() {
  const chosen = [...new Set(state.keys())].filter((name) => name in facets)
    .map((name) => [name, new Set(state.getAll(name))]);
  const [required, excluded] = parse(state.get("q") ?? "");
  patterns = required;
  const score = state.get("score");
  const [min, max] = ["min", "max"].map((name) => state.get(name));
  const passing = [], scored = [], counts = Object.fromEntries(Object.keys(facets).map((name) => [name, new Map()]));
  const count = (name, pair) => counts[name].set(pair[name], (counts[name].get(pair[name]) ?? 0) + 1);
  for (const pair of pairs) {
    const failed = chosen.filter(([name, values]) => !values.has(pair[name])).map(([name]) => name);
    const value = pair.scores[score];
    if ((min || max) && !((!min || value >= min) && (!max || value <= max))) failed.push("score");
    if (failed.length > 1) continue;
    if (!required.every((word) => word.test(pair.text)) || excluded.some((word) => word.test(pair.text))) continue;
    if (!failed.length || failed[0] === "score") scored.push(pair);
    if (failed[0] in counts) count(failed[0], pair);
    if (failed.length) continue;
    passing.push(pair);
    for (const name in counts) count(name, pair);
  }
  return { passing, scored, counts };
}

/** Sort pairs in place; those without the score come last. */
function sort(passing) {
  const order = state.get("sort") ?? "", score = state.get("score"), sign = order.startsWith("-") ? -1 : 1;
  const key = order === "" && "trust" in ranges ? (pair) => pair.scores.trust ?? Infinity
    : order.endsWith("length") ? (pair) => pair.long.length
    : order.endsWith("score") && score ? (pair) => pair.scores[score] ?? sign * Infinity : null;
  return key ? passing.sort((a, b) => sign * (key(a) - key(b)) || a.position - b.position) : passing;
}

/** Set a parameter of the state to the given values; empty ones remove it. */
function set(name, ...values) {
  state.delete(name);
  for (const value of values) if (value) state.append(name, value);
}

/** Filter anew and show the result; the selected pair stays if it is still there. */
function update() {
  const current = shown[selected];
  const { passing, scored, counts } = filter();
  shown = sort(passing);
  selected = -1;
  byId("count").textContent = `${number(shown.length)} of ${number(pairs.length)} pairs`;
  for (const box of byId("facets").querySelectorAll("input")) {
    const count = counts[box.name].get(box.value) ?? 0;
    box.parentElement.querySelector("b").textContent = number(count);
    share(box.parentElement, count / pairs.length);
  }
  drawBins(scored);
  rows.style.height = `${shown.length * ROW_HEIGHT}px`;
  const position = shown.findIndex((pair) => pair === current || (!current && pair.id === state.get("pair")));
  if (position < 0) set("pair");
  select(Math.max(position, 0), position >= 0);
}

/** Draw the histogram of the chosen score over the pairs that pass all other filters, kept below rejected. */
function drawBins(scored) {
  const score = state.get("score");
  byId("range").hidden = !(score in ranges);
  if (!(score in ranges)) return;
  const [least, greatest] = ranges[score], width = (greatest - least || 1) / BINS;
  const bins = Array.from({ length: BINS }, () => ({ kept: 0, rejected: 0, unknown: 0 }));
  for (const pair of scored) {
    const value = pair.scores[score];
    if (value !== undefined) bins[Math.min(Math.floor((value - least) / width), BINS - 1)][pair.verdict]++;
  }
  const tallest = Math.max(1, ...bins.map((bin) => bin.kept + bin.rejected));
  const [min, max] = [state.get("min") || -Infinity, state.get("max") || Infinity];
  byId("bins").replaceChildren(...bins.flatMap((bin, n) => ["kept", "rejected"].map((verdict) => {
    const bar = document.createElementNS("http://www.w3.org/2000/svg", "rect");
    const height = 10 * bin[verdict] / tallest, below = verdict === "kept" ? 0 : 10 * bin.kept / tallest;
    const isOut = least + (n + 1) * width <= min || least + n * width > max;
    const attributes = { x: n + 0.06, y: 10 - below - height, width: 0.88, height, class: isOut ? `${verdict} out` : verdict };
    for (const [name, value] of Object.entries(attributes)) bar.setAttribute(name, value);
    return bar;
  })));
}

// ------------------------------------------------------------------------------------------- list and address

/** Select the pair at a position of the list; `isChosen`: by the reader, so that the address names it. */
function select(position, isChosen) {
  const previous = shown[selected];
  selected = Math.min(position, shown.length - 1);
  const pair = shown[selected];
  if (pair && isChosen) set("pair", pair.id);
  const top = selected * ROW_HEIGHT;
  if (!isChosen) list.scrollTop = 0;
  else if (top < list.scrollTop || top + ROW_HEIGHT > list.scrollTop + list.clientHeight) {
    list.scrollTop = top - (list.clientHeight - ROW_HEIGHT) / 2;
  }
  if (!pair || pair !== previous) drawPair(pair);
  drawRows();
  save();
}

/** Draw the rows in view, and a few around them. */
function drawRows() {
  const first = Math.max(0, Math.floor(list.scrollTop / ROW_HEIGHT) - 4);
  const last = Math.min(shown.length, first + Math.ceil(list.clientHeight / ROW_HEIGHT) + 8);
  rows.replaceChildren(...shown.slice(first, last).map((pair, n) => drawRow(pair, first + n)));
  if (!shown.length) rows.append(make("p", { className: "none" }, "No pair passes these filters."));
  if (selected >= first && selected < last) list.setAttribute("aria-activedescendant", `row-${selected}`);
  else list.removeAttribute("aria-activedescendant");
  highlight();
}

function drawRow(pair, position) {
  const text = { className: "text", dir: "auto", lang: pair.language };
  const by = pair.verdict === "rejected" ? pair.rejected_by : pair.verdict;
  const verdict = `${{ kept: "✓", rejected: "✗" }[pair.verdict] ?? "?"} ${by}${pair.change.startsWith("newly") ? ` (${pair.change})` : ""}`;
  const row = make("div", {
    className: "row", role: "option", id: `row-${position}`, "aria-selected": position === selected,
    "aria-posinset": position + 1, "aria-setsize": shown.length,
  }, make("div", text, pair.long), make("div", text, pair.split.join(" ‖ ")),
  make("small", {}, make("b", {}, verdict), ["", ...described(pair)].join(" · ")));
  row.style.top = `${position * ROW_HEIGHT}px`;
  return row;
}

/** The labels of a pair that are not empty. */
const described = (pair) => labels.map((name) => pair[name]).filter(Boolean).map(String);

/** Mark what was searched for, without changing the document. */
function highlight() {
  if (!globalThis.Highlight) return;
  const found = new Highlight();
  const everywhere = patterns.map((pattern) => new RegExp(pattern, "giu"));
  for (const element of document.querySelectorAll(".text")) {
    const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      for (const { 0: { length }, index } of everywhere.flatMap((one) => [...walker.currentNode.data.matchAll(one)])) {
        const range = new Range();
        range.setStart(walker.currentNode, index);
        range.setEnd(walker.currentNode, index + length);
        found.add(range);
      }
    }
  }
  CSS.highlights.set("search", found);
}

let timer;
/** Put the state into the address, a moment later: browsers allow few changes a second. */
function save() {
  clearTimeout(timer);
  timer = setTimeout(() => history.replaceState(null, "", `#${state}`), 200);
}

/** Fill in the form from the state, and show its pairs. */
function restore() {
  search.value = state.get("q") ?? "";
  for (const name of ["sort", "score", "min", "max"]) byId(name).value = state.get(name) ?? "";
  selected = -1;
  if (state.has("pair")) document.body.dataset.open = "pair";
  rejudge();
}

/** Keep the state before a change. A control that is moved on, as a slider is, or typed into, makes one change. */
function remember(control = null) {
  if (control === null || control !== changing) past.push(state.toString());
  changing = control;
  byId("undo").disabled = false;
}

/** Return to what was shown before the last change: search, filters, thresholds, order and pair. */
function undo() {
  if (!past.length) return;
  state = new URLSearchParams(past.pop());
  changing = null;
  byId("undo").disabled = !past.length;
  restore();
  save();
}

// --------------------------------------------------------------------------------------------- the selected pair

/** Cut a text into words and what is between them: `{segment, index, isWordLike}`. */
function segments(text, language) {
  let locale; // unless the language is none that the browser knows
  try { [locale] = Intl.Segmenter.supportedLocalesOf(language.replace("_", "-")); } catch { /* not a language tag */ }
  return [...new Intl.Segmenter(locale, { granularity: "word" }).segment(text)];
}

/** Return for two lists of words which words belong to their longest common subsequence. */
function common(a, b) {
  const width = b.length + 1, flags = [a.map(() => true), b.map(() => true)];
  if (a.length * b.length > MAX_CELLS) return flags;
  const best = new Uint16Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      best[i * width + j] = a[i] === b[j] ? best[(i + 1) * width + j + 1] + 1
        : Math.max(best[(i + 1) * width + j], best[i * width + j + 1]);
    }
  }
  let i = 0, j = 0;
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) { i++; j++; }
    else if (j === b.length || (i < a.length && best[(i + 1) * width + j] >= best[i * width + j + 1])) flags[0][i++] = false;
    else flags[1][j++] = false;
  }
  return flags;
}

/** Return the three texts of a pair as pieces of equal marking: `[text, "" | changed | "moved"]`, with the split. */
function marked(pair) {
  const texts = [pair.long, ...pair.split].map((text) => segments(text, pair.language));
  const words = texts.map((text) => text.filter((one) => one.isWordLike).map((one) => one.segment.toLowerCase()));
  const flags = common(words[0], [...words[1], ...words[2]]);
  const sides = [words[0], [...words[1], ...words[2]]];
  const spare = sides.map((side, n) => new Set(side.filter((_, place) => !flags[n][place]))); // unmatched words
  const marks = sides.map((side, n) => side.map((word, place) =>
    flags[n][place] ? "" : spare[1 - n].has(word) ? "moved" : n ? "ins" : "del"));
  const all = [marks[0], marks[1].slice(0, words[1].length), marks[1].slice(words[1].length)];
  return texts.map((text, n) => pieces(text, all[n], n ? -1 : pair.split_at ?? -1));
}

/** Join segments of equal marking; what is between two words is marked as they are if they are marked alike. */
function pieces(text, marks, split) {
  const joined = [];
  let word = 0;
  for (const { segment, index, isWordLike } of text) {
    const mark = isWordLike ? marks[word++] : word && marks[word - 1] === marks[word] ? marks[word] : "";
    if (index > 0 && index === split) joined.push([null, "split"]);
    if (joined.length && joined.at(-1)[1] === mark) joined.at(-1)[0] += segment;
    else joined.push([segment, mark]);
  }
  return joined.map(([content, mark]) =>
    mark === "split" ? make("b", { className: "split", title: "The split" }, "‖")
      : mark === "moved" ? make("i", { className: "moved" }, content)
        : mark ? make(mark, {}, content) : content);
}

function drawPair(pair) {
  if (!pair) return reader.replaceChildren(make("p", { className: "none" }, "No pair is selected."));
  const [long, first, second] = marked(pair);
  const text = { className: "text", dir: "auto", lang: pair.language };
  const address = new URLSearchParams(state);
  address.set("pair", pair.id);
  reader.scrollTop = 0;
  reader.replaceChildren(
    make("div", { className: "bar" },
      make("button", { className: "narrow close" }, "Back to the list"),
      make("a", { className: "id", href: `#${address}`, title: "The address of this pair" }, pair.id),
      make("button", { className: "step", value: -1, disabled: selected === 0, title: "k" }, "Previous"),
      make("button", { className: "step", value: 1, disabled: selected === shown.length - 1, title: "j" }, "Next")),
    drawVerdict(pair),
    make("div", { className: "sides" },
      make("section", {}, make("h2", {}, label(titles.long, pair, "long")), make("p", text, ...long)),
      make("section", {}, make("h2", {}, label(titles.split, pair, "split")),
        make("ol", {}, ...[first, second].map((half) => make("li", {}, make("p", text, ...half)))))),
    ...(pair.foreign.length ? [make("section", { className: "source" }, make("h2", {}, titles.foreign + (pair.pivot ? ` (${pair.pivot})` : "")),
      ...pair.foreign.map((one) => make("p", { ...text, lang: pair.pivot ?? pair.language }, one)))] : []),
    ...(Object.keys(pair.scores).length ? [make("h2", {}, "Scores"), drawScores(pair)] : []), make("h2", {}, "Origin"), drawFacts(pair));
  return undefined;
}

function label(title, pair, side) {
  return pair.translated === side ? `${title}, translated from ${pair.pivot}` : title;
}

function drawVerdict(pair) {
  const { rejected_by: reason, scores } = pair;
  const value = reason in scores ? ` (${scores[reason]})` : "";
  return make("p", { className: "verdict" },
    pair.verdict === UNKNOWN ? make("b", { className: "rejected" }, `Unknown: ${pair.built} rejected it in the build, before models scored it`)
      : reason === null ? make("b", {}, "Kept") : make("b", { className: "rejected" }, `Rejected by ${reason}${value}`),
    ...(pair.change.startsWith("newly") ? [make("b", {}, pair.change)] : []),
    described(pair).join(", "));
}

/** Return the thresholds of a filter as text, and whether a score is beyond one of them. */
function judge(name, value) {
  const bounds = Object.entries(limits[name] ?? {})
    .map(([bound, limit]) => ({ sign: bound.startsWith("min_") ? "≥" : "≤", limit }));
  const fails = isBeyond(name, value, limits[name] ?? {});
  return { rule: bounds.map(({ sign, limit }) => `${sign} ${+limit.toFixed(4)}`).join(", "), fails };
}

/**
 * Each score with a bar from its least to its greatest value in this page, the threshold beside it; scores beyond theirs
 * are outlined, also those of filters after the one that rejected the pair. Its name chooses it for filtering.
 */
function drawScores(pair) {
  return make("div", { className: "scores" }, ...Object.entries(pair.scores).map(([name, value]) => {
    const [least, greatest] = ranges[name], { rule, fails } = judge(name, value);
    const row = make("div", { className: fails || name === pair.rejected_by ? "reason" : "", title: `${least} to ${greatest}` },
      make("button", { className: "link", value: name }, name),
      make("span", {}, String(value), ...(rule ? [make("small", {}, ` ${fails ? "not " : ""}${rule}`)] : [])));
    return share(row, (value - least) / (greatest - least || 1));
  }));
}

function drawFacts(pair) {
  const facts = {
    Corpus: pair.corpus && `${pair.corpus}/${pair.release}`,
    Documents: [pair.document, pair.foreign_document].filter(Boolean).join(", "),
    Sentences: [pair.sentence_ids, pair.foreign_sentence_ids].map((ids) => (ids ?? []).join(" ")).filter(Boolean).join(" – "),
    Licence: pair.licence, "Category by BiSECT's code": pair.category_bisect,
  };
  return make("dl", { className: "facts" }, ...Object.entries(facts).filter(([, value]) => value)
    .flatMap(([name, value]) => [make("dt", {}, name), make("dd", {}, value)]));
}

// ------------------------------------------------------------------------------------------------------- events

const step = (distance) => shown.length && select(Math.max(0, selected + distance), true);
const close = () => { delete document.body.dataset.open; };

search.addEventListener("input", () => { remember("q"); set("q", search.value.trim()); update(); });
byId("filters").addEventListener("input", ({ target }) => {
  if (target.type === "range") return; // thresholds.js
  remember(target.type === "number" ? target.id : null);
  if (target.type === "checkbox") {
    set(target.name, ...[...document.getElementsByName(target.name)].filter((box) => box.checked).map((box) => box.value));
  } else chooseScore(target.id, target.value);
  update();
});
byId("filters").addEventListener("submit", (event) => event.preventDefault());
for (const type of ["change", "pointerup"]) addEventListener(type, () => { changing = null; });
byId("undo").addEventListener("click", undo);
byId("reset").addEventListener("click", () => {
  remember();
  state = new URLSearchParams([...state].filter(([name]) => name.includes("."))); // thresholds stay
  restore();
});
byId("sort").addEventListener("change", ({ target }) => { remember(); set("sort", target.value); update(); });
byId("theme").addEventListener("click", () => {
  const root = document.documentElement.style, isDark = matchMedia("(prefers-color-scheme: dark)").matches;
  root.colorScheme = (root.colorScheme || (isDark ? "dark" : "light")) === "dark" ? "light" : "dark";
});
byId("show-help").addEventListener("click", () => help.showModal());
byId("show-filters").addEventListener("click", () => { document.body.dataset.open = "filters"; });

/** Set the score, or an end of its range; another score starts without a range. */
function chooseScore(name, value) {
  set(name, value);
  if (name === "score") for (const end of ["min", "max"]) { set(end); byId(end).value = ""; }
}

let start = null;
byId("bins").addEventListener("pointerdown", (event) => { start = bin(event); drag(event); });
byId("bins").addEventListener("pointermove", (event) => { if (start !== null) drag(event); });
addEventListener("pointerup", () => { start = null; });

function bin({ clientX }) {
  const { left, width } = byId("bins").getBoundingClientRect();
  return Math.min(BINS - 1, Math.max(0, Math.floor(BINS * (clientX - left) / width)));
}

/** Choose the range of the bars between where the pointer went down and where it is. */
function drag(event) {
  const [least, greatest] = ranges[state.get("score")], here = bin(event);
  const edge = (n) => String(+(least + n * (greatest - least) / BINS).toFixed(4));
  byId("min").value = edge(Math.min(start, here));
  byId("max").value = edge(Math.max(start, here) + 1);
  remember("bins");
  for (const end of ["min", "max"]) set(end, byId(end).value);
  update();
}

list.addEventListener("scroll", drawRows, { passive: true });
list.addEventListener("click", ({ target }) => {
  const row = target.closest(".row");
  if (!row) return;
  select(Number(row.id.slice(4)), true);
  document.body.dataset.open = "pair";
});
list.addEventListener("keydown", (event) => {
  const page = Math.max(1, Math.floor(list.clientHeight / ROW_HEIGHT) - 1);
  const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -Infinity, End: shown.length };
  if (event.key === "Enter") document.body.dataset.open = "pair";
  if (!(event.key in steps)) return;
  event.preventDefault();
  step(steps[event.key]);
});
document.addEventListener("click", ({ target }) => {
  if (target.matches(".close")) close();
  if (target.matches(".step")) step(Number(target.value));
  if (target.matches(".scores .link")) { remember(); chooseScore("score", target.value); byId("score").value = target.value; update(); }
});
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || help.open) return;
  if (event.key === "Escape" || (event.key === "Enter" && event.target === search)) {
    event.preventDefault(); // a search field would be emptied
    close();
    list.focus();
  }
  if (event.target.matches("input, select, textarea") && event.target.type !== "checkbox") return;
  if (event.key === "/") { event.preventDefault(); search.focus(); search.select(); }
  if (event.key === "?") help.showModal();
  if (event.key === "j") step(1);
  if (event.key === "k") step(-1);
  if (event.key === "z") undo();
});
// The address of the event: a waiting `save` may have written another one since.
addEventListener("hashchange", ({ newURL }) => { state = new URLSearchParams(new URL(newURL).hash.slice(1)); restore(); });
addEventListener("resize", drawRows);
load();
