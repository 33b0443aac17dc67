"use strict";
// The annotation page; `design.ask` says what is asked. Answers are kept in the browser's localStorage under the digest of the sample, and saved to a
// file on request. Texts of the corpus are written as text nodes only.

const byId = (id) => document.getElementById(id);
const form = byId("answer"), slider = byId("score"), help = byId("help"), annotator = byId("annotator");
const VERDICTS = {
  errors: ["perfect", "minor", "significant"],
  quality: ["perfect", "minor", "disfluency", "several"],
  rating: [],
};
const KINDS = { a: "missing", b: "added", c: "changed", d: "grammar", e: "split", f: "other" };

let sample; // {title, design, sha256, items}
let answers = []; // by position: {verdict, kind, score}, any of them may be missing
let position = 0;

async function load() {
  const data = await fetch(`data:;base64,${byId("data").textContent}`);
  sample = await new Response(data.body.pipeThrough(new DecompressionStream("deflate"))).json();
  byId("data").remove();
  for (const set of document.querySelectorAll("[data-ask]")) if (set.dataset.ask !== sample.design.ask) set.remove();
  restore();
  show(position);
}

const verdicts = () => VERDICTS[sample.design.ask];

/** A pair is answered when it has the verdict and the number that are asked, and the kind of a significant error. */
const isAnswered = (answer) => Boolean(answer)
  && (verdicts().length === 0 || Boolean(answer.verdict))
  && answer.score !== undefined
  && (answer.verdict !== "significant" || Boolean(answer.kind));

/** Return the position of the next pair without an answer, after the present one if there is any. */
function nextOpen() {
  const open = sample.items.map((_, n) => n).filter((n) => !isAnswered(answers[n]));
  return open.find((n) => n > position) ?? open[0] ?? position;
}

function show(wanted) {
  position = Math.min(Math.max(wanted, 0), sample.items.length - 1);
  const { language, long, split } = sample.items[position];
  for (const id of ["long", "split"]) byId(id).lang = language;
  byId("long").textContent = long;
  byId("split").replaceChildren(...split.map((text) => {
    const item = document.createElement("li");
    item.dir = "auto";
    item.textContent = text;
    return item;
  }));
  form.reset();
  const answer = answers[position] ?? {};
  for (const name of ["verdict", "kind"]) if (answer[name]) form.elements[name].value = answer[name];
  slider.value = answer.score ?? 50;
  draw();
}

/** Show what follows from the answers: kinds for a significant error, numbers, progress. */
function draw() {
  const answer = answers[position] ?? {}, size = sample.items.length, done = answers.filter(isAnswered).length;
  byId("kinds").disabled = answer.verdict !== "significant";
  byId("value").textContent = answer.score ?? "not set";
  byId("number").textContent = `Pair ${position + 1} of ${size}`;
  byId("previous").disabled = position === 0;
  byId("next").disabled = position === size - 1;
  byId("open").disabled = done === size;
  byId("count").textContent = `${done} of ${size} answered${canKeep ? "" : ". This browser keeps no answers: save them"}`;
  byId("progress").max = size;
  byId("progress").value = done;
}

function answer(name, value) {
  const changed = { ...answers[position], [name]: value };
  if (changed.verdict !== "significant") delete changed.kind;
  answers[position] = changed;
  if (name !== "score") show(position);
  draw();
  keep();
}

// ------------------------------------------------------------------------------------------- keeping and saving

let canKeep = true;
const key = () => (sample.design.ask === "errors" ? sample.sha256 : `${sample.sha256} ${sample.design.ask}`);

function keep() {
  try {
    localStorage.setItem(key(), JSON.stringify({ annotator: annotator.value, answers, position }));
  } catch { canKeep = false; }
}

function restore() {
  try {
    const kept = JSON.parse(localStorage.getItem(key())) ?? {};
    annotator.value = kept.annotator ?? "";
    answers = (kept.answers ?? []).map((one) => one ?? {});
    position = kept.position ?? 0;
  } catch { canKeep = false; }
}

/** Offer the answers as a file: docs/human-assessment.md describes it. */
function save() {
  if (!annotator.value.trim()) {
    byId("count").textContent = "Enter your name, then save: answers of several people are kept apart by it.";
    annotator.focus();
    return;
  }
  const given = answers.flatMap((one, n) => isAnswered(one)
    ? [{ item: n + 1, verdict: one.verdict ?? null, kind: one.kind ?? null, score: one.score ?? null }] : []);
  const { design, sha256 } = sample;
  const file = { annotator: annotator.value.trim(), design, sha256, answers: given };
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([`${JSON.stringify(file, null, 1)}\n`], { type: "application/json" }));
  link.download = `answers-${file.annotator.replace(/[^\p{L}\p{N}]+/gu, "-")}.json`;
  link.click();
  URL.revokeObjectURL(link.href);
}

// ------------------------------------------------------------------------------------------------------- events

form.addEventListener("input", ({ target }) => answer(target.name || "score", target.name ? target.value : Number(target.value)));
slider.addEventListener("click", () => answer("score", Number(slider.value))); // 50 is chosen by a click that moves nothing
form.addEventListener("submit", (event) => event.preventDefault());
annotator.addEventListener("input", keep);
byId("previous").addEventListener("click", () => go(position - 1));
byId("next").addEventListener("click", () => go(position + 1));
byId("open").addEventListener("click", () => go(nextOpen()));
byId("save").addEventListener("click", save);
byId("show-help").addEventListener("click", () => help.showModal());

function go(wanted) {
  show(wanted);
  keep();
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || help.open || event.target === annotator) return;
  const { key } = event, verdict = answers[position]?.verdict;
  if (verdicts()[key - 1]) answer("verdict", verdicts()[key - 1]);
  else if (key in KINDS && verdict === "significant") answer("kind", KINDS[key]);
  else if (key === "s") slider.focus();
  else if (key === "u") go(nextOpen());
  else if (key === "k") go(position - 1);
  else if (key === "j" || (key === "Enter" && !event.target.matches("button"))) go(position + 1);
  else if (key === "?") help.showModal();
  else return;
  event.preventDefault();
});
load();
