// Reports. The address of the page contains the kind, period and person, so a report can be bookmarked and the Back button
// works.
import { h, choices, say, path, request, ask, daysAgo } from "/page/tools.js";
import { subjectOf, thingLink } from "/page/thing.js";

const kinds = {
  apps: { context: "apps" }, categories: { context: "categories" }, sites: { by: "site" }, hours: { context: "hours" },
  days: { context: "days" }, weeks: { context: "weeks" }, timeline: { context: "timeline" }, pickups: { context: "pickups" },
  compare: { context: "compare" }, people: { by: "member" }, devices: { by: "device" }, household: { context: "household" },
};
// Reports that compare days or weeks. They are not offered for a single day or the current week.
const longer = ["days", "weeks"];
const times = {
  today: () => ({ day: "today" }), yesterday: () => ({ day: "yesterday" }), week: () => ({ from: "monday" }),
  month: () => ({ from: daysAgo(29) }), year: () => ({ from: daysAgo(364) }), own: ({ from, to }) => ({ from, to }),
};
// Reports whose rows link to a details page, with the values of the option `by`.
const things = { apps: "app", categories: "category", sites: "site" };
const forms = ["csv", "png", "html", "json"];

export async function reports() {
  const asked = Object.fromEntries(new URLSearchParams(location.search));
  const what = kinds[asked.what] ? asked.what : "apps";
  const spans = Object.keys(times).filter((time) => !longer.includes(what) || ["month", "year", "own"].includes(time));
  const time = spans.includes(asked.time) ? asked.time : spans[0];
  const chosen = { what, time, member: asked.member ?? "", from: asked.from || daysAgo(6), to: asked.to || daysAgo(0) };
  const { members } = await ask("member list");
  const pick = (change) => {
    // Updates `chosen` immediately, because the next choice may come before the page is drawn again.
    Object.assign(chosen, change);
    history.pushState(null, "", `/reports?${new URLSearchParams(chosen)}`);
    dispatchEvent(new Event("screentime"));
  };
  const picker = (key, names, label) =>
    choices(say(`by_${key}`), key, names, chosen[key], label, (one) => pick({ [key]: one }));
  const whom = { ...times[time](chosen), member: chosen.member || null };
  const address = path("report", request("report", { ...kinds[what], ...whom }));
  const parts = things[what] ? await ask("report", { by: things[what], top: 12, ...whom }).catch(() => null) : null;
  const rows = (parts?.report.segments[0]?.rows ?? []).filter(subjectOf);
  return [
    h("h1", {}, say("reports")),
    picker("what", Object.keys(kinds), (one) => say(`what_${one}`)),
    picker("time", spans, (one) => say(`time_${one}`)),
    time === "own" && ownTime(chosen, pick),
    members.length > 1 && picker("member", ["", ...members.map((one) => one.name)], (one) => one || say("all_people")),
    h("p", {}, `${say("keep_as")} `, forms.map((form) =>
      [h("a", { id: `keep-${form}`, href: `${address}&form=${form}`, download: `screen-time.${form}` }, say(`form_${form}`)), " "])),
    rows.length > 0 && h("p.links", {}, say("look_at_one"), rows.map((row) => [" ", thingLink(row, chosen.member || null)])),
    h("iframe", { src: address, title: say("reports"), sandbox: "allow-scripts" }),
  ];
}

function ownTime(chosen, pick) {
  const day = (id) => h("input", { type: "date", id, value: chosen[id], max: daysAgo(0), required: true });
  const [from, to] = [day("from"), day("to")];
  const submit = (event) => {
    event.preventDefault();
    pick({ from: from.value, to: to.value });
  };
  return h("form.line", { onsubmit: submit }, h("label", {}, say("from_day"), from), h("label", {}, say("to_day"), to),
    h("button.main", { id: "show" }, say("show")));
}
