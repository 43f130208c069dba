// Details of one app, site or category: its usage by day and hour, its rules, and buttons for a limit and an explanation.
import { h, svg, choices, say, dateLocale, ask, clock, duration, daysAgo, nameOf, picture } from "/page/tools.js";
import { addRule, ruleCard } from "/page/rules.js";

const lengths = [7, 30, 90];
const rowsMost = 200;

// Returns the subject of a row in the form that the command accepts: an app's id, `site:reddit.com` or `category:games`.
export const subjectOf = (row) => (row.app ?? (row.site ? `site:${row.site}` : row.category ? `category:${row.category}` : null));

export const thingLink = (row, member) => {
  const of = subjectOf(row);
  return of ? h("a", { href: `/thing?${new URLSearchParams({ of, ...(member ? { member } : {}) })}` }, nameOf(row)) : nameOf(row);
};

export async function thing() {
  const asked = Object.fromEntries(new URLSearchParams(location.search));
  const of = asked.of ?? "";
  const days = lengths.includes(Number(asked.days)) ? Number(asked.days) : 7;
  const kind = of.startsWith("site:") ? "site" : of.startsWith("category:") ? "category" : "app";
  const member = asked.member || null;
  const from = daysAgo(days - 1);
  const [past, hours, rules, facts, categories] = await Promise.all([
    ask("report", { segment: "day", from, by: kind, top: rowsMost, member }),
    ask("report", { segment: "hour", by: kind, top: rowsMost, member }),
    ask("rule list"), kind === "category" ? {} : ask("category show", [of]),
    ask("report", { by: "category", from, member }),
  ]);
  const category = categories.report.segments.flatMap((one) => one.rows).find((row) => row.category === facts.category);
  const mine = (row) => subjectOf(row) === of;
  const sums = (report) => report.segments.map((one) => ({
    atMs: one.start_wall_ms, ms: one.rows.filter(mine).reduce((sum, row) => sum + row.used_ms, 0),
  }));
  const [byDay, byHour] = [sums(past.report), sums(hours.report)];
  const row = past.report.segments.flatMap((one) => one.rows).find(mine);
  const name = row ? nameOf(row) : facts.name ?? of.replace(/^(site|category):/, "");
  document.title = `${name} – ${say("name")}`;
  const used = byDay.filter((day) => day.ms > 0);
  const total = byDay.reduce((sum, day) => sum + day.ms, 0);
  const about = rules.rules.filter(({ rule }) => (rule.targets ?? []).some((target) => targetOf(target) === of));
  const pick = (count) => {
    history.replaceState(null, "", `/thing?${new URLSearchParams({ ...asked, days: count })}`);
    dispatchEvent(new Event("screentime"));
  };
  return [
    h("div.band", {},
      h("div.thing", {}, kind === "app" && picture(of, name), h("div", {},
        h("h1", {}, name), h("div.quiet", {}, [facts.category && say("counted_as", { category: category ? nameOf(category) : facts.category }), asked.member].filter(Boolean).join(" · ")))),
      h("div.buttons", {},
        h("button.main", { id: "thing-limit", onclick: () => addRule({ kind: "limit", subject: of, label: name, member: asked.member ?? null }) }, say("limit_it")),
        h("a.button", { href: `/why?${new URLSearchParams({ of, ...(asked.member ? { member: asked.member } : {}) })}` }, say("why")))),
    h("h2", {}, say("today")), h("div.total", {}, duration(byDay.at(-1)?.ms ?? 0)),
    bars(byHour, clock, 3),
    h("div.band", {}, h("h2", {}, say("last_days", { days })),
      choices(say("by_time"), "days", lengths, days, (count) => say("count_days", { days: count }), pick)),
    bars(byDay, (ms) => new Date(ms).toLocaleDateString(dateLocale(), { month: "numeric", day: "numeric" }), Math.ceil(days / 10)),
    h("p", {}, used.length
      ? say("day_figures", { total: duration(total), mean: duration(total / used.length), used: used.length })
      : say("never_used", { days })),
    about.length > 0 && [h("h2", {}, say("rules")), h("ul.cards", {}, about.map((rule) => ruleCard(rule, "h3")))],
  ];
}

const targetOf = (target) =>
  ({ application: target.id, domain: `site:${target.id}`, category: `category:${target.id}` })[target.kind];

// Draws one bar for each value, with the value in a tooltip. A visually hidden table contains the values for screen readers.
function bars(values, label, every) {
  const most = Math.max(...values.map((one) => one.ms), 1);
  const width = 1000 / Math.max(1, values.length);
  const drawn = values.map((one, index) => {
    const height = (100 * one.ms) / most;
    return svg("rect", { x: index * width + width * 0.1, y: 100 - height, width: width * 0.8, height, rx: Math.min(4, width * 0.2) },
      svg("title", {}, `${label(one.atMs)}: ${duration(one.ms)}`));
  });
  return h("figure.bars", {},
    h("div.scale", { "aria-hidden": "true" }, h("span", {}, duration(most > 1 ? most : 0)), h("span", {}, "0")),
    svg("svg", { viewBox: "0 0 1000 100", preserveAspectRatio: "none", "aria-hidden": "true" }, svg("line", { class: "ground", x1: 0, x2: 1000, y1: 100, y2: 100 }), ...drawn),
    h("div.labels", { "aria-hidden": "true" }, values.map((one, index) => h("span", {}, index % every ? "" : label(one.atMs)))),
    h("table.unseen", {}, values.map((one) => h("tr", {}, h("th", { scope: "row" }, label(one.atMs)), h("td", {}, duration(one.ms))))));
}
