// Thresholds that the reader moves. The address holds those that differ from the build's.

const UNKNOWN = "unknown";
const STEP = 0.01; // of a threshold that is not an integer

/** Whether a score is beyond a threshold: `accepts` of filters/base.py and filters/length.py. */
const isBeyond = (name, value, thresholds) => (name === "length" && value === 0) || Object.entries(thresholds)
  .some(([setting, limit]) => setting.startsWith("min_") ? value < limit : value > limit);

/** Return the first filter that rejects scores, or null: `Filters.verdict`. */
function rejecting(scores, thresholds) {
  const isOverruled = (name) => Object.entries(sliders.overruled?.[name] ?? {}).some(([other, least]) => scores[other] >= least);
  return Object.keys(thresholds).find((name) => name in scores && isBeyond(name, scores[name], thresholds[name])
    && !isOverruled(name)) ?? null;
}

/** Return the name of a setting as words, without what says that it is a threshold. */
const words = (name) => name.replace(/^(min|max)_/, "").replaceAll("_", " ");

/** Return the label of a threshold: "names: changed, at most". A word that the filter's name has is left out. */
function labelled(name, setting) {
  const [filter, measured] = [words(name), words(setting)];
  const limit = setting.startsWith("min_") ? "at least" : "at most";
  return measured === filter ? `${filter}, ${limit} ` : `${filter}: ${measured}, ${limit} `;
}

/**
 * Make a slider for each threshold with scores in this page: over their range, in whole steps from the build's value. One
 * that cannot move, because all scores are equal to the threshold, is hidden.
 */
function buildSliders() {
  for (const pair of pairs) Object.assign(pair, { built: pair.rejected_by, before: rejecting(pair.scores, built) });
  for (const [name, settings] of Object.entries(sliders.bounds ?? {})) {
    if (!(name in ranges)) continue;
    for (const [setting, { minimum = -Infinity, maximum = Infinity, type }] of Object.entries(settings)) {
      const [least, greatest] = ranges[name].map((score) => Math.min(maximum, Math.max(minimum, score)));
      const isMinimum = setting.startsWith("min_"), start = built[name][setting] ?? (isMinimum ? least : greatest);
      const step = type === "integer" ? 1 : STEP;
      const end = (bound) => +(start + Math.sign(bound - start) * step * Math.ceil(Math.abs(bound - start) / step)).toFixed(6);
      const value = make("output"), id = `${name}.${setting}`;
      const min = end(Math.min(least, start)), max = end(Math.max(greatest, start));
      const slider = make("input", { type: "range", name: id, id, "data-start": start, "data-least": minimum,
        "data-greatest": maximum, step, min, max });
      const text = make("span", {}, labelled(name, setting), value);
      byId("sliders").append(make("label", { htmlFor: id, title: id, hidden: min === max }, text, slider));
    }
  }
  byId("thresholds").hidden = !byId("sliders").querySelector("label:not([hidden])");
}

/** Judge all pairs by the thresholds of the address; count what changes. */
function judgePairs() {
  limits = structuredClone(built);
  for (const slider of byId("sliders").querySelectorAll("input")) {
    const [name, setting] = slider.name.split("."), { start, least, greatest } = slider.dataset;
    const moved = parseFloat(state.get(slider.name)); // NaN: not moved
    const limit = Number.isNaN(moved) ? +start : Math.min(+greatest, Math.max(+least, moved));
    slider.value = limit;
    slider.previousElementSibling.lastElementChild.value = limit;
    if (limit !== +start) limits[name][setting] = limit;
  }
  const counts = { kept: 0, rejected: 0, [UNKNOWN]: 0, "newly kept": 0, "newly rejected": 0 };
  for (const pair of pairs) {
    const rejected = rejecting(pair.scores, limits);
    pair.rejected_by = rejected === pair.before ? pair.built : rejected ?? (isUnscored(pair) ? UNKNOWN : null);
    pair.verdict = pair.rejected_by === null ? "kept" : pair.rejected_by === UNKNOWN ? UNKNOWN : "rejected";
    const was = pair.built === null ? "kept" : "rejected";
    pair.change = pair.verdict === UNKNOWN ? UNKNOWN : pair.verdict === was ? "unchanged" : `newly ${pair.verdict}`;
    counts[pair.verdict]++;
    if (pair.change.startsWith("newly")) counts[pair.change]++;
  }
  byId("outcome").value = `${number(counts.kept)} of the ${number(pairs.length)} pairs in this page are kept. `
    + `Newly kept: ${number(counts["newly kept"])}, newly rejected: ${number(counts["newly rejected"])}, `
    + `unknown: ${number(counts[UNKNOWN])}.`;
}

/** Whether no model, or not the last one, scored a pair, because another filter rejected it in the build. */
const isUnscored = (pair) => pair.built !== null && sliders.models.length
  && (!sliders.models.some((name) => name in pair.scores) || sliders.last.some((name) => !(name in pair.scores)));

/** Return settings as TOML, which `--preset` reads. */
function toml(table, path = "") {
  const isTable = (value) => value !== null && typeof value === "object" && !Array.isArray(value);
  const key = (name) => /^[\w-]+$/.test(name) ? name : JSON.stringify(name);
  const entries = Object.entries(table).filter(([, value]) => value !== null);
  const inline = (value) => Array.isArray(value) ? `[${value.map(inline).join(", ")}]`
    : isTable(value) ? `{ ${Object.entries(value).filter(([, one]) => one !== null).map(([name, one]) => `${key(name)} = ${inline(one)}`).join(", ")} }`
      : JSON.stringify(value);
  const lines = entries.filter(([, value]) => !isTable(value)).map(([name, value]) => `${key(name)} = ${inline(value)}\n`);
  const tables = entries.filter(([, value]) => isTable(value)).map(([name, value]) => toml(value, path + (path && ".") + key(name)));
  return [...(path && lines.length ? [`\n[${path}]\n`] : []), ...lines, ...tables].join("");
}

/** Return the settings of the build with the thresholds of the sliders. */
function currentSettings() {
  const settings = structuredClone(sliders.settings), advanced = ((settings.filters ??= {}).advanced ??= {});
  for (const [name, thresholds] of Object.entries(limits)) {
    for (const [setting, limit] of Object.entries(thresholds)) {
      if (limit !== built[name][setting]) (advanced[name] ??= {})[setting] = limit;
    }
  }
  return settings;
}

byId("sliders").addEventListener("input", ({ target: { name, value, dataset } }) => {
  remember(name);
  set(name, +value === +dataset.start ? "" : value);
  rejudge();
});
byId("reset-thresholds").addEventListener("click", () => {
  remember();
  for (const slider of byId("sliders").querySelectorAll("input")) set(slider.name);
  rejudge();
});
byId("copy").addEventListener("click", async () => {
  const text = byId("toml");
  text.value = toml(currentSettings());
  text.hidden = false;
  text.select();
  try { await navigator.clipboard.writeText(text.value); } catch { /* the text is selected, for the reader to copy */ }
});

function rejudge() {
  judgePairs();
  buildFacets();
  update();
}
