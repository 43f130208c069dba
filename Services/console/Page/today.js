// The day so far, and the first minutes with Screen Time.
import { past } from "/page/past.js";
import { h, svg, bar, say, duration, clock, date, ask, nameOf, daysAgo } from "/page/tools.js";
import { addRule, ruleCard } from "/page/rules.js";

const palette = ["#3b78e0", "#c2410c", "#0f8a5f", "#9333c7", "#b58900", "#c2255c", "#0e7490", "#6b7280"];
const usual = 7;
let member = null;

const of = () => (member ? ["--member", member] : []);

export async function today() {
  const [now, people, day, week] = await Promise.all([
    ask(), ask("member", "list"), ask("report", "--context", "timeline", ...of()),
    ask("report", "--segment", "day", "--from", daysAgo(usual), ...of()),
  ]);
  const report = member ? (await ask("report", ...of())).report : now.report;
  const whole = report.segments[0] ?? { rows: [], used_ms: 0 };
  const known = Object.fromEntries(whole.rows.filter((row) => row.label).map((row) => [row.app, row.label]));
  const names = { ...known, ...now.names };
  const mine = now.rules.filter((rule) => !member || rule.rule.member === member);
  return [
    h("div.band", {},
      h("div", {},
        h("h1", {}, say("today")), h("div.quiet", {}, date(Date.now())),
        h("div.total", { id: "total" }, duration(whole.used_ms)), compared(week.report.segments)),
      people.members.length > 1 && pickPerson(people.members)),
    !now.observed && unseen(now.sight),
    h("p", {}, now.now.filter((one) => one.app && (!member || one.member === member)).map((one) => nowLine(one, names, people))),
    h("h2", {}, say("the_day")), timeline(day.stretches ?? [], whole, names),
    h("h2", {}, say("apps")),
    whole.rows.length ? apps(whole.rows) : h("p.quiet", {}, say("nothing_yet")),
    h("h2", {}, say("rules")),
    mine.length ? h("ul.cards", {}, mine.map((rule) => ruleCard(rule, "h3"))) : emptyRules(),
    h("p.quiet", {}, say("small_numbers", { pickups: whole.pickups ?? 0, notifications: whole.notifications ?? 0 })),
  ];
}

function pickPerson(members) {
  const pick = (name) => {
    member = name;
    dispatchEvent(new Event("screentime"));
  };
  return h("div.choices", { role: "group", "aria-label": say("who") },
    [null, ...members.map((one) => one.name)].map((name) =>
      h("button", { id: `who-${name ?? ""}`, "aria-pressed": `${member === name}`, onclick: () => pick(name) }, name ?? say("all_people"))));
}

function compared(days) {
  const before = days.slice(0, -1).filter((day) => day.used_ms > 0);
  if (!before.length) return null;
  const mean = before.reduce((sum, day) => sum + day.used_ms, 0) / before.length;
  return h("div.quiet", {}, say("usual", { time: duration(mean) }));
}

function unseen(sight) {
  return h("div.note", {}, h("p", {}, say("not_seen")), sight && h("p.quiet", {}, sight),
    h("p", {}, h("a", { href: "/welcome" }, say("what_is_missing"))));
}

function nowLine(one, names, people) {
  const app = names[one.app] ?? one.app;
  const what = one.domain ? say("site_in", { site: one.domain, app }) : app;
  return h("span", {}, h("strong", {}, people.members.length > 1 ? `${one.member}: ` : `${say("now")}: `), what, h("br"));
}

// The whole day, with a strip for each stretch.
function timeline(stretches, whole, names) {
  const used = stretches.filter((one) => one.presence === "active" && one.app);
  if (!used.length) return h("p.quiet", {}, say("nothing_yet"));
  const beginMs = whole.start_wall_ms;
  const lengthMs = whole.end_wall_ms - beginMs;
  const order = whole.rows.map((row) => row.app);
  const colour = (app) => palette[Math.min(palette.length - 1, Math.max(0, order.indexOf(app)))];
  const x = (ms) => (1000 * (ms - beginMs)) / lengthMs;
  const strips = used.map((one) => {
    const startMs = Math.max(beginMs, one.start_wall_ms);
    const endMs = Math.min(whole.end_wall_ms, one.start_wall_ms + one.end_boot_ms - one.start_boot_ms);
    const title = `${clock(startMs)}–${clock(endMs)} ${names[one.app] ?? one.app}${one.domain ? ` (${one.domain})` : ""}`;
    return svg("rect", { x: x(startMs), y: 6, width: Math.max(1, x(endMs) - x(startMs)), height: 44, fill: colour(one.app) },
      svg("title", {}, title));
  });
  const hours = h("div.hours", { "aria-hidden": "true" }, [0, 3, 6, 9, 12, 15, 18, 21, 24].map((hour) => h("span", {}, `${hour}`)));
  const nowX = x(Date.now());
  const picture = svg("svg", { class: "day", viewBox: "0 0 1000 56", preserveAspectRatio: "none", role: "img", "aria-label": say("the_day_in_strips", { count: used.length }) },
    svg("rect", { class: "ground", x: 0, y: 6, width: 1000, height: 44, rx: 6 }), ...strips,
    svg("line", { class: "now", x1: nowX, x2: nowX, y1: 2, y2: 54 }));
  const key = whole.rows.slice(0, palette.length - 1).map((row) => {
    const box = h("i");
    box.style.background = colour(row.app);
    return h("li", {}, box, nameOf(row));
  });
  return [picture, hours, h("ul.key", {}, key)];
}

function apps(rows) {
  const most = rows[0].used_ms;
  return h("ul.things", {}, rows.slice(0, 12).map((row) =>
    h("li", {}, h("span", {}, nameOf(row)), bar(row.used_ms, most), h("strong", {}, duration(row.used_ms)),
      h("button", { id: `limit-${row.app}`, "aria-label": say("limit_of", { name: nameOf(row) }),
        onclick: () => addRule({ kind: "limit", subject: row.app, label: nameOf(row), member }) }, say("limit")))));
}

function emptyRules() {
  return h("p", {}, say("no_rules"), " ", h("button", { id: "first-rule", onclick: () => addRule({ kind: "limit", member }) }, say("first_rule")));
}

// MARK: welcome

export async function welcome() {
  const [people, rules] = await Promise.all([ask("member", "list"), ask("rule", "list")]);
  const children = people.members.filter((one) => one.role === "child");
  return [
    h("h1", {}, say("welcome")), h("p", {}, say("welcome_what")),
    h("ol.steps", {},
      h("li.card", {}, h("h2", {}, say("step_rule")),
        rules.rules.length ? h("p.state.good", {}, say("rules_there", { count: rules.rules.length })) : h("p", {}, say("step_rule_how")),
        h("div", {}, h("button.main", { id: "welcome-rule", onclick: () => addRule({ kind: "limit" }) }, say("first_rule")))),
      h("li.card", {}, h("h2", {}, say("step_seen")), findings()),
      h("li.card", {}, h("h2", {}, say("step_children")),
        children.length ? h("p.state.good", {}, children.map((one) => one.name).join(", ")) : h("p", {}, say("step_children_how")),
        h("div", {}, h("a", { href: "/people" }, say("people")))),
      h("li.card", {}, h("h2", {}, say("step_past")), past())),
    h("p", {}, h("a", { href: "/today" }, say("to_today"))),
  ];
}

// The doctor looks at the desktop itself, which may take some seconds; the rest is there meanwhile.
export function findings() {
  const place = h("div", { id: "findings", "aria-busy": "true" }, h("p.quiet", {}, say("looking")));
  ask("doctor").then(({ report }) => {
    const missing = report.findings.filter((one) => one.state !== "fine");
    const works = report.findings.filter((one) => one.state === "fine");
    place.replaceChildren(
      ...(missing.length ? missing.map((one) => h("div.note", {}, h("p", {}, one.text), one.mend && h("p.quiet", {}, one.mend)))
        : [h("p.state.good", {}, say("all_seen"))]),
      h("details", { id: "seen" }, h("summary", {}, say("what_works")), h("ul", {}, works.map((one) => h("li", {}, one.text)))));
  }).catch((trouble) => place.replaceChildren(h("p.problem", {}, trouble.message)))
    .finally(() => place.removeAttribute("aria-busy"));
  return place;
}
