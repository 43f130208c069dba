// The usage of the current day, and the welcome page for new users.
import { past } from "/page/past.js";
import { h, bar, choices, say, duration, date, ask, nameOf, daysAgo, picture } from "/page/tools.js";
import { addRule, ruleCard } from "/page/rules.js";
import { subjectOf, thingLink } from "/page/thing.js";
import { timeline } from "/page/timeline.js";

const usual = 7;
let member = null;

export async function today() {
  const [now, people, day, week, categories, sites] = await Promise.all([
    ask(""), ask("member list"), ask("report", { context: "timeline", member }),
    ask("report", { segment: "day", from: daysAgo(usual), member }),
    ask("report", { by: "category", member }), ask("report", { by: "site", member }),
  ]);
  const report = member ? (await ask("report", { member })).report : now.report;
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
    now.conditions.filter((one) => one.severity === "high").map(condition),
    h("p", {}, now.now.filter((one) => one.app && (!member || one.member === member)).map((one) => nowLine(one, names, people))),
    h("h2", {}, say("the_day")), timeline(day.stretches ?? [], whole, names),
    h("h2", {}, say("what_for")),
    things({ app: whole, category: categories.report.segments[0] ?? { rows: [] }, site: sites.report.segments[0] ?? { rows: [] } }),
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
  return choices(say("who"), "who", [null, ...members.map((one) => one.name)], member, (name) => name ?? say("all_people"), pick);
}

function compared(days) {
  const before = days.slice(0, -1).filter((day) => day.used_ms > 0);
  if (!before.length) return null;
  const mean = before.reduce((sum, day) => sum + day.used_ms, 0) / before.length;
  return h("div.quiet", {}, say("usual", { time: duration(mean) }));
}

export function condition({ title, text, remedy }) {
  return h("div.note", {}, h("p", {}, h("strong", {}, title)), h("p", {}, text), remedy && h("p.quiet", {}, remedy));
}

function nowLine(one, names, people) {
  const app = names[one.app] ?? one.app;
  const what = one.domain ? say("site_in", { site: one.domain, app }) : app;
  return h("span", {}, h("strong", {}, people.members.length > 1 ? `${one.member}: ` : `${say("now")}: `), what, h("br"));
}

const most = 12;

// The selected view of the usage. It is kept when the day is drawn again.
let by = "app";

function things(parts) {
  const place = h("div", {});
  const draw = () => {
    const rows = parts[by].rows;
    place.replaceChildren(
      choices(say("by_what"), "by", Object.keys(parts), by, (kind) => say(`by_${kind}s`), pick),
      rows.length ? h("ul.things", {}, rows.slice(0, most).map((row) => line(row, rows[0].used_ms))) : h("p.quiet", {}, say("nothing_yet")));
  };
  const pick = (kind) => {
    by = kind;
    draw();
    document.getElementById(`by-${kind}`).focus();
  };
  draw();
  return place;
}

function line(row, mostMs) {
  const subject = subjectOf(row);
  return h("li", {}, h("span.thing", {}, row.app && picture(row.app, nameOf(row)), thingLink(row, member)),
    bar(row.used_ms, mostMs), h("strong", {}, duration(row.used_ms)),
    subject && h("button", { id: `limit-${subject}`, "aria-label": say("limit_of", { name: nameOf(row) }),
      onclick: () => addRule({ kind: "limit", subject, label: nameOf(row), member }) }, say("limit")));
}

function emptyRules() {
  return h("p", {}, say("no_rules"), " ", h("button", { id: "first-rule", onclick: () => addRule({ kind: "limit", member }) }, say("first_rule")));
}

// MARK: welcome

export async function welcome() {
  const [people, rules] = await Promise.all([ask("member list"), ask("rule list")]);
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
      h("li.card", {}, h("h2", {}, say("step_past")), past()),
      h("li.card", {}, h("h2", {}, say("step_school")), h("p", {}, say("step_school_how")),
        h("pre", { tabindex: "0" }, "sudo screentime protect on --guardian ms-lee --child pupil1,pupil2"))),
    h("p", {}, h("a", { href: "/today" }, say("to_today"))),
  ];
}

// Runs the `doctor` command, which examines the desktop for several seconds. The rest of the page does not wait for it.
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
