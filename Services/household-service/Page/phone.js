// The page for the phone of a guardian or teacher: current usage, requests, computers, and lessons.
import { h, say, duration, clock, bar, answer, show, cancel, tell, language, locale, dateLocale, languageButton, speak } from "/page/tools.js";

const POLL_MS = 3000;
const parts = () => (page?.teaches ? ["lesson"] : ["today", "requests", "people"]);
let page = null;
// The teacher's choices for the next lesson.
const plan = { apps: new Set(), sites: "", endMs: 0 };
let known = "";
const linked = () => (location.hash.length > 60 ? location.hash.slice(1) : null);
let key = linked();

const part = () => (parts().includes(location.hash.slice(1)) ? location.hash.slice(1) : parts()[0]);
const post = (path, body) =>
  answer(`${path}?language=${language}`, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) });

async function act(body) {
  try {
    await post("/do", body);
    tell(say("done"));
  } catch (trouble) {
    tell(trouble.message);
  }
  await look();
}

// Derives a name from an app's id, for example Firefox from org.mozilla.firefox. The page receives no other names of apps.
function appName(id) {
  if (!id) return say("sites");
  const last = id.replace(/\.desktop$/, "").split(".").pop().replaceAll(/[-_]/g, " ");
  return last.charAt(0).toUpperCase() + last.slice(1);
}

function moment(ms) {
  const isToday = new Date(ms).toDateString() === new Date().toDateString();
  return isToday ? clock(ms) : say("yesterday", { date: new Date(ms).toLocaleDateString(dateLocale()), time: clock(ms) });
}

const isLookedAfter = (member) => page.people.some((one) => one.member === member && one.is_looked_after);
const things = (items) => items.map((item) => (item.kind === "application" ? appName(item.id) : item.id)).join(", ") || say("everything");

async function pickTime(title, most = Infinity) {
  const minutes = [...new Set([15, 30, 60, 120, most])].filter((one) => one <= most && one < Infinity).sort((a, b) => a - b);
  return show(title, (end) => [
    h("div.choices", {}, minutes.map((one) => h("button", { onclick: () => end(one * 60000) }, duration(one * 60000)))),
    h("div.buttons", {}, cancel(end)),
  ].reduce((box, child) => (box.append(child), box), h("div")));
}

// MARK: parts

function today() {
  const title = h("h1", {}, say("today"));
  if (!page.machines.length) return [title, h("p.quiet", {}, say("no_machines"))];
  return [title, page.people.map((one) => {
    const most = Math.max(1, ...one.apps.map((app) => app.ms));
    return h("section.card", { id: `person-${one.member}` },
      h("div.row", {}, h("h2", {}, one.member), h("strong", {}, one.used_ms ? say("used", { time: duration(one.used_ms) }) : "")),
      one.stopped_by && h("div.state.bad", {}, say("stopped", { by: one.stopped_by })),
      one.now.map((use) =>
        h("div.state.good", {}, say("now_on", { app: use.site ?? appName(use.app), machine: use.machine, time: clock(use.since_ms) }))),
      one.used_ms
        ? h("ul.things", {}, one.apps.map((app) =>
            h("li", {}, h("span", {}, appName(app.app)), bar(app.ms, most), h("strong", {}, duration(app.ms)))))
        : !one.now.length && h("div.quiet", {}, say("nothing")),
      one.is_looked_after && h("div.buttons", {},
        h("button", { id: `give-${one.member}`, onclick: () => give(one.member) }, say("give")),
        one.stopped_by
          ? h("button.main", { id: `resume-${one.member}`, onclick: () => act({ what: "resume", member: one.member }) }, say("resume"))
          : h("button", { id: `stop-${one.member}`, onclick: () => stop(one.member) }, say("stop"))));
  })];
}

function requests() {
  const open = page.people.flatMap((one) => one.open);
  const [waiting, granted] = ["waiting", "granted"].map((state) => open.filter((one) => one.state === state));
  return [
    h("h1", {}, say("waits")), waiting.length ? waiting.map(asked) : h("p.quiet", {}, say("no_requests")),
    granted.length ? h("h1", {}, say("holds")) : null, granted.map(held),
  ];
}

function asked(one) {
  const what = say("more_of", { time: duration(one.duration_ms), things: things(one.items) });
  return h("section.card", {},
    h("h2", {}, say("asks", { member: one.member, what })),
    one.because && h("div", {}, `“${one.because}”`),
    h("div.quiet", {}, say("on", { machine: one.device, time: moment(one.asked_ms) })),
    h("div.buttons", {},
      h("button", { onclick: () => deny(one) }, say("deny")),
      isLookedAfter(one.member) && h("button.main", { onclick: () => approve(one) }, say("approve"))));
}

function held(one) {
  const by = one.by === "own rule" ? say("own_rule") : one.by === "code" ? say("code") : one.by;
  return h("section.card", {},
    h("h2", {}, `${one.member}: ${say("granted_until", { things: things(one.items), time: moment(one.until_ms) })}`),
    h("div.quiet", {}, say("by", { by, machine: one.device })),
    h("div.buttons", {}, h("button", { onclick: () => act({ what: "back", key: one.key }) }, say("take_back"))));
}

function people() {
  const title = h("h1", {}, say("people"));
  if (!page.machines.length) return [title, h("p.quiet", {}, say("no_machines"))];
  return [title, page.machines.map((one) =>
    h("section.card", {},
      h("div.row", {}, h("h2", {}, one.name), h("span.quiet", {}, one.people.join(", "))),
      one.is_connected
        ? h("div.state.good", {}, say("connected"))
        : h("div.state.wait", {}, one.seen_ms ? say("last_heard", { time: moment(one.seen_ms) }) : say("never")),
      one.clock_off_ms && h("div.state.wait", {}, say("clock_off", { time: duration(Math.abs(one.clock_off_ms)) }))))];
}

function lesson() {
  const own = page.teaches;
  return [h("h1", {}, own.name ?? say("lesson")), own.lesson_end_ms ? underWay(own) : own.hours_end_ms ? planned(own)
    : h("p.quiet", {}, say("no_hours", { ...own.window, days: weekdays(own.days) })), own.hours_end_ms && pupils()];
}

// Day 1 is Sunday, and the first day of 2023 was a Sunday.
const weekdays = (days) => days?.map((day) => new Date(2023, 0, day).toLocaleDateString(dateLocale(), { weekday: "short" })).join(" ") ?? say("every_day");

function underWay(own) {
  return h("section.card", { id: "lesson" },
    h("div.state.good", {}, own.opens.length
      ? say("only_until", { things: things(own.opens), time: clock(own.lesson_end_ms) })
      : say("nothing_until", { time: clock(own.lesson_end_ms) })),
    h("div.buttons", {}, h("button.main", { id: "over", onclick: () => act({ what: "over" }) }, say("over"))));
}

function planned(own) {
  const quarter = 15 * 60000;
  const ends = [];
  for (let end = Math.ceil((Date.now() + 5 * 60000) / quarter) * quarter; end < own.hours_end_ms && ends.length < 7; end += quarter) ends.push(end);
  ends.push(own.hours_end_ms);
  if (!ends.includes(plan.endMs)) plan.endMs = ends[Math.min(2, ends.length - 1)];
  const choice = (isChosen, text, onclick) => h(isChosen ? "button.main" : "button", { "aria-pressed": `${isChosen}`, onclick: () => (onclick(), redraw()) }, text);
  const sites = h("input", { id: "sites", autocomplete: "off", value: plan.sites, placeholder: "example.org", oninput: () => (plan.sites = sites.value) });
  return h("section.card", { id: "plan" },
    h("h2", {}, say("open_for_class")),
    h("div.choices", {}, own.apps.map((app) => choice(plan.apps.has(app), appName(app),
      () => (plan.apps.has(app) ? plan.apps.delete(app) : plan.apps.add(app))))),
    !own.apps.length && h("p.quiet", {}, say("no_apps")),
    h("label", {}, say("and_sites"), sites),
    h("h2", {}, say("until_when")),
    h("div.choices", {}, ends.map((end) => choice(plan.endMs === end, clock(end), () => (plan.endMs = end)))),
    h("div.buttons", {}, h("button.main", { id: "begin", onclick: begin }, say("begin"))));
}

function pupils() {
  const isOn = (member) => page.machines.some((one) => one.is_connected && one.people.includes(member));
  return h("section.card", { id: "pupils" },
    h("div.row", {}, h("h2", {}, say("class")), h("span.quiet", {}, say("so_many", { on: page.people.filter((one) => isOn(one.member)).length, all: page.people.length }))),
    page.people.map((one) => h("div.row", {}, h("span", {}, one.member),
      h("span.quiet", {}, one.now.map((use) => use.site ?? appName(use.app)).join(", ") || (isOn(one.member) ? say("connected") : say("not_here"))))));
}

async function begin() {
  document.activeElement?.blur();
  const items = [...plan.apps].map((id) => ({ kind: "application", id }));
  for (const id of plan.sites.toLowerCase().split(/[\s,]+/).filter(Boolean)) items.push({ kind: "domain", id });
  await act({ what: "lesson", items, until_ms: plan.endMs });
}

// MARK: actions

async function give(member) {
  const ms = await pickTime(say("give_how_long", { member }));
  if (ms) await act({ what: "give", member, ms });
}

async function approve(one) {
  const ms = await pickTime(say("how_long"), Math.max(1, Math.round(one.duration_ms / 60000)));
  if (ms) await act({ what: "approve", key: one.key, ms });
}

async function deny(one) {
  const because = await show(say("asks", { member: one.member, what: things(one.items) }), (end) => {
    const field = h("input", { maxlength: 160, autocomplete: "off" });
    const submit = (event) => {
      event.preventDefault();
      end(field.value.trim());
    };
    return h("form", { onsubmit: submit }, h("label", {}, say("because"), field),
      h("div.buttons", {}, cancel(end), h("button.main", {}, say("deny"))));
  });
  if (because !== null) await act({ what: "deny", key: one.key, because: because || null });
}

async function stop(member) {
  const sure = await show(say("stop_sure", { member }), (end) =>
    h("div", {}, h("p", {}, say("stop_what")),
      h("div.buttons", {}, cancel(end), h("button.main", { onclick: () => end(true) }, say("stop")))));
  if (sure) await act({ what: "stop", member });
}

// MARK: frame

function draw(...children) {
  document.documentElement.lang = locale();
  document.getElementById("name").textContent = say("name");
  languageButton(document.getElementById("language"));
  const waiting = page?.people.flatMap((one) => one.open).filter((one) => one.state === "waiting").length;
  const nav = document.getElementById("nav");
  nav.setAttribute("aria-label", say("parts"));
  nav.replaceChildren(...(page && parts().length > 1 ? parts() : []).map((one) =>
    h("a", { href: `#${one}`, "aria-current": part() === one ? "page" : null }, say(one),
      one === "requests" && waiting ? h("span.count", {}, `${waiting}`) : null)));
  document.getElementById("main").replaceChildren(h("div.phone", {}, children));
}

const redraw = () => page && draw({ today, requests, people, lesson }[part()]());

async function look() {
  if (key) return;
  const banner = document.getElementById("banner");
  try {
    const found = await fetch(`/all?known=${known}&language=${language}`, { signal: AbortSignal.timeout(10000) });
    banner.textContent = "";
    const isTyping = document.activeElement?.id === "sites";
    // The selected end of the lesson may have passed.
    if (found.status === 204) return page?.teaches && plan.endMs <= Date.now() && !isTyping ? redraw() : undefined;
    const body = await found.json();
    if (found.status === 401) {
      page = null;
      return draw(h("h1", {}, say("closed")), h("p", {}, say("closed_how")), h("pre", {}, "screentime household phone NAME"));
    }
    if (!found.ok) throw body;
    // Drawing the page again would replace the field in which the person is typing.
    if (isTyping) return;
    page = body;
    for (const one of page.people.flatMap((person) => person.open)) one.until_ms = Date.now() + one.left_ms;
    known = found.headers.get("etag") ?? "";
    redraw();
  } catch (trouble) {
    banner.textContent = typeof trouble.code === "string" ? trouble.message : say("away");
  }
}

function welcome(trouble) {
  draw(h("h1", {}, say("pair")), h("p", {}, say("pair_what")), h("p.quiet", {}, say("pair_check")),
    trouble && h("p.problem", { role: "alert" }, trouble.message),
    h("div.buttons", {}, h("button.main", { id: "pair", onclick: pair }, say("pair_now"))));
}

async function pair() {
  try {
    await post("/pair", { key });
    [key, known] = [null, ""];
    history.replaceState(null, "", "/");
    await look();
  } catch (trouble) {
    // The phone may already have access, if the person opens its link a second time.
    if (trouble.code !== "phone.link_over" || !(await fetch("/all")).ok) return welcome(trouble);
    key = null;
    history.replaceState(null, "", "/");
    await look();
  }
}

document.getElementById("language").onclick = ({ target }) => {
  speak(target.dataset.language);
  if (key) welcome();
  else redraw();
};
addEventListener("hashchange", () => {
  // The browser does not reload the page for another link to it in the same tab.
  key = linked();
  if (key) welcome();
  else redraw();
});
document.addEventListener("visibilitychange", () => document.hidden || look());
setInterval(() => document.hidden || document.querySelector("dialog[open]") || look(), POLL_MS);
if (key) welcome();
else await look();
