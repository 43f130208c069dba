// The timeline of a day, with one lane for each person and three zoom levels.
import { h, svg, choices, say, clock, duration } from "/page/tools.js";

const palette = ["#3b78e0", "#c2410c", "#0f8a5f", "#9333c7", "#b58900", "#c2255c", "#0e7490", "#6b7280"];
const spans = [24, 6, 1];
const laneHeight = 34;
// The zoom in hours and the start of the visible period. They are kept when the day is drawn again.
let span = 24;
let fromMs = null;

// The order of `whole.rows` determines the colours of the apps.
export function timeline(stretches, whole, names) {
  const used = stretches.filter((one) => one.presence === "active" && one.app).sort((one, other) => one.start_wall_ms - other.start_wall_ms).map((one) => ({
    ...one, name: names[one.app] ?? one.app,
    beginMs: Math.max(whole.start_wall_ms, one.start_wall_ms),
    endMs: Math.min(whole.end_wall_ms, one.start_wall_ms + one.end_boot_ms - one.start_boot_ms),
  }));
  if (!used.length) return h("p.quiet", {}, say("nothing_yet"));
  const order = whole.rows.map((row) => row.app);
  const colour = (app) => palette[Math.min(palette.length - 1, Math.max(0, order.indexOf(app)))];
  if (fromMs < whole.start_wall_ms) fromMs = null;
  const people = [...new Set(used.map((one) => one.member))].sort();
  const place = near(used, whole, people, colour);
  const key = whole.rows.slice(0, palette.length - 1).map((row) => h("li", {}, dot(colour(row.app)), names[row.app] ?? row.app));
  return [place, h("ul.key", {}, key)];
}

function dot(colour) {
  const box = h("i");
  box.style.background = colour;
  return box;
}

// Creates the timeline. Moving the slider draws everything else again, but keeps the slider element.
function near(used, whole, people, colour) {
  const slider = h("input", { type: "range", id: "span-from", "aria-label": say("span_from"), step: 300000 });
  const [nearness, lane, marks, below] = [h("div", {}), h("div", {}), h("div", {}), h("div", {})];
  const pick = (hours) => {
    const [beginMs, endMs] = shown();
    fromMs = hours === 24 || span === 24 ? null : (beginMs + endMs - hours * 3600000) / 2;
    span = hours;
    draw();
    document.getElementById(`span-${hours}`).focus();
  };
  // Returns the visible period. When zoomed in, it shows the latest usage until the person selects another time.
  const shown = () => {
    const lengthMs = span === 24 ? whole.end_wall_ms - whole.start_wall_ms : span * 3600000;
    const last = Math.max(...used.map((one) => one.endMs));
    const wanted = span === 24 ? whole.start_wall_ms : fromMs ?? last - lengthMs * 0.9;
    const beginMs = Math.max(whole.start_wall_ms, Math.min(whole.end_wall_ms - lengthMs, wanted));
    return [beginMs, beginMs + lengthMs];
  };
  const draw = () => {
    const [beginMs, endMs] = shown();
    const seen = used.filter((one) => one.endMs > beginMs && one.beginMs < endMs);
    nearness.replaceChildren(choices(say("span"), "span", spans, span, (hours) => say(`span_${hours}`), pick));
    lane.replaceChildren(lanes(seen, people, beginMs, endMs, colour));
    marks.replaceChildren(hours(beginMs, endMs));
    below.replaceChildren(...(span === 24 ? [] : [list(seen, people, colour)]));
    Object.assign(slider, { hidden: span === 24, min: whole.start_wall_ms, max: whole.end_wall_ms - (endMs - beginMs) });
    slider.value = beginMs;
    slider.setAttribute("aria-valuetext", clock(beginMs));
  };
  slider.addEventListener("input", () => {
    fromMs = Number(slider.value);
    draw();
  });
  draw();
  return h("div", { id: "timeline" }, nearness,
    h("div.lanes", {}, people.length > 1 && h("div.names", { "aria-hidden": "true" }, people.map((name) => h("span", {}, name))), lane, marks, slider), below);
}

function lanes(seen, people, beginMs, endMs, colour) {
  const height = Math.max(1, people.length) * laneHeight;
  const x = (ms) => (1000 * (ms - beginMs)) / (endMs - beginMs);
  const grounds = [...Array(height / laneHeight).keys()].map((lane) =>
    svg("rect", { class: "ground", x: 0, y: lane * laneHeight + 3, width: 1000, height: laneHeight - 6, rx: 5 }));
  const strips = seen.map((one) => {
    const [left, right] = [Math.max(0, x(one.beginMs)), Math.min(1000, x(one.endMs))];
    return svg("rect", { x: left, y: people.indexOf(one.member) * laneHeight + 3, width: Math.max(1, right - left), height: laneHeight - 6, fill: colour(one.app) },
      svg("title", {}, line(one)));
  });
  const nowX = x(Date.now());
  const picture = svg("svg", { class: "day", viewBox: `0 0 1000 ${height}`, preserveAspectRatio: "none", role: "img", "aria-label": say("the_day_in_strips", { count: seen.length }) },
    ...grounds, ...strips, svg("line", { class: "now", x1: nowX, x2: nowX, y1: 0, y2: height }));
  picture.style.height = `${(height / laneHeight) * (people.length > 1 ? 2.6 : 4)}rem`;
  return picture;
}

// Labels the time axis every three hours for a day, every hour for 6 hours, and every ten minutes for an hour.
function hours(beginMs, endMs) {
  const stepMs = span === 24 ? 10800000 : span === 6 ? 3600000 : 600000;
  const first = new Date(beginMs);
  first.setMinutes(0, 0, 0);
  if (span === 24) first.setHours(0);
  const marks = [];
  for (let ms = first.getTime(); ms < endMs; ms += stepMs) {
    if (ms < beginMs) continue;
    const mark = h("span", {}, clock(ms));
    mark.style.left = `${(100 * (ms - beginMs)) / (endMs - beginMs)}%`;
    marks.push(mark);
  }
  return h("div.hours", { "aria-hidden": "true" }, marks);
}

const line = (one) =>
  `${clock(one.beginMs)}–${clock(one.endMs)} ${one.domain ? say("site_in", { site: one.domain, app: one.name }) : one.name}`;

function list(seen, people, colour) {
  if (!seen.length) return h("p.quiet", {}, say("span_empty"));
  return h("ul.stretches", { tabindex: "0" }, seen.map((one) =>
    h("li", {}, dot(colour(one.app)), h("span", {}, line(one), people.length > 1 && h("span.quiet", {}, ` ${one.member}`)),
      h("strong", {}, duration(one.endMs - one.beginMs)))));
}
