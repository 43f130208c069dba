// Rules: the list with the progress of each rule, and the forms that create and change a rule.
import { h, bar, say, duration, ask, request, act, submit, show, cancel, tell, known, aboutField, daysAgo } from "/page/tools.js";
import { go } from "/page/console.js";

const kinds = ["limit", "downtime", "window", "goal", "break", "allow"];
const minutes = [15, 30, 45, 60, 90, 120, 180, 240];

export async function rules() {
  const { rules } = await ask("rule list");
  return [
    h("h1", {}, say("rules")), h("p.quiet", {}, say("rules_what")),
    h("div.choices", {}, kinds.map((kind) => h("button", { id: `add-${kind}`, onclick: () => addRule({ kind }) }, say(`add_${kind}`)))),
    rules.length ? h("ul.cards", { id: "rules" }, rules.map((rule) => ruleCard(rule))) : h("p", {}, say("no_rules")),
  ];
}

// `heading` is the tag of the rule's name. It depends on the heading level at that place of the page.
export function ruleCard(view, heading = "h2") {
  const { rule, progress } = view;
  const [first] = rule.targets ?? [];
  const target = first && { application: first.id, domain: `site:${first.id}` }[first.kind];
  const isOver = view.is_shielding || progress?.reached;
  const state = view.problem || !view.is_watched ? "bad" : isOver ? "bad" : view.paused_until ? "wait" : "good";
  return h("li.card", {},
    h("div.row", {}, h(heading, {}, rule.name), h("span.quiet", {}, rule.member)),
    h("div", {}, view.says),
    progress && progress.limit_ms > 0 && bar(progress.used_ms, progress.limit_ms, isOver),
    h(`div.state.${state}`, {}, view.stands),
    h("div.buttons", {},
      isOver && target && h("a.button", { href: `/why?${new URLSearchParams({ of: target, member: rule.member })}` }, say("why")),
      rule.kind !== "allow" && h("button.plain", { id: `pause-${rule.name}`, onclick: () => pause(rule.name) }, say("pause")),
      !["allow", "session"].includes(rule.kind) && h("button.plain", { id: `edit-${rule.name}`, onclick: () => edit(view) }, say("edit")),
      h("button.plain", { id: `remove-${rule.name}`, onclick: () => remove(rule.name) }, say("remove"))));
}

async function pause(name) {
  const time = await show(say("pause_how_long", { name }), (end) =>
    h("div.choices", {}, [15, 60, 240].map((one) => h("button", { onclick: () => end(`${one}m`) }, duration(one * 60000))), cancel(end)));
  if (time) await act("rule pause", [name], { for: time });
}

async function remove(name) {
  const sure = await show(say("remove_sure", { name }), (end) =>
    h("div.buttons", {}, cancel(end), h("button.main", { id: "remove-yes", onclick: () => end(true) }, say("remove"))));
  if (sure) await act("rule remove", [name]);
}

async function edit({ rule: drawn }) {
  // The card can be out of date, so load the current rule.
  const { rules } = await ask("rule list");
  const rule = rules.find((one) => one.rule.name === drawn.name)?.rule ?? drawn;
  // The preview can count days for one target only, without a separate time on weekends. Otherwise `subject` is empty, and the
  // preview counts no days.
  const [first, second] = rule.targets ?? [];
  const subject = first && !second && !rule.weekend_ms ? { domain: `site:${first.id}`, category: `category:${first.id}` }[first.kind] ?? first.id : "";
  const said = await show(say("edit_rule", { name: rule.name }), (end) =>
    form(rule.kind, end, { people: { members: [] }, names: {}, subject, label: rule.name, member: rule.member, rule }));
  if (said) tell(said);
  dispatchEvent(new Event("screentime"));
}

function lengthPicker(chosenMs = 3600000, choices = minutes, id = "length") {
  const all = [...new Set([...choices.map((one) => one * 60000), chosenMs])].sort((one, other) => one - other);
  return h("select", { id }, all.map((ms) => h("option", { value: `${ms / 1000}s`, selected: ms === chosenMs }, duration(ms))));
}

// MARK: creating a rule

// Resolves when the dialog is closed. `subject` is the target of the rule in the form that the command accepts.
export async function addRule({ kind, subject = "", label = "", member = null }) {
  const [people, names] = await Promise.all([ask("member list"), known(30)]);
  const said = await show(say(`add_${kind}`), (end) => form(kind, end, { people, names, subject, label, member }));
  if (said) {
    tell(said);
    dispatchEvent(new Event("screentime"));
    if (location.pathname === "/welcome") go("/today");
  }
}

const spans = { "mon-sun": [1, 2, 3, 4, 5, 6, 7], "mon-fri": [2, 3, 4, 5, 6], "sat,sun": [1, 7] };
const spanTexts = { "mon-sun": "on_every_day", "mon-fri": "on_weekdays", "sat,sun": "on_weekend" };

// Creates the form for a new rule, or for changing `rule`. A change keeps the target, the person, and every field left unchanged.
function form(kind, end, { people, names, subject, label, member, rule }) {
  const isAbout = !rule && kind !== "downtime" && kind !== "break";
  const isTimed = kind === "downtime" || kind === "window";
  const about = h("input", { id: "about", list: "known", value: label || subject, required: true, autocomplete: "off", placeholder: say("about_example") });
  const length = kind === "break" ? lengthPicker(rule?.rest_ms ?? 300000, [5, 10, 15, 20, 30]) : lengthPicker(rule?.duration_ms);
  const after = lengthPicker(rule?.duration_ms ?? 3000000, [25, 50, 75, 90], "after");
  const opens = h("input", { id: "opens", list: "known", required: true, autocomplete: "off", placeholder: say("opens_example") });
  const isLong = ["limit", "goal", "break"].includes(kind);
  const window = rule?.window ?? { from: "21:00", to: "07:00" };
  const [from, to] = ["from", "to"].map((id) => h("input", { type: "time", id, value: window[id].replace("24:00", "00:00"), required: true }));
  const who = h("select", { id: "who" }, people.members.map((one) => h("option", { value: one.name, selected: one.name === member }, one.name)));
  const then = h("select", { id: "then" }, ["shield", "notify"].map((one) => h("option", { value: one, selected: one === rule?.then }, say(`then_${one}`))));
  const now = Object.keys(spans).find((span) => `${spans[span]}` === `${[...(rule?.days ?? spans["mon-sun"])].sort()}`);
  const days = h("select", { id: "days" }, [...(now ? [] : [""]), ...Object.keys(spans)].map((span) =>
    h("option", { value: span, selected: span === now }, say(spanTexts[span] ?? "on_as_it_is"))));
  // Applies the command's default: a notification for oneself, a shield for a child.
  const usual = () => (then.value = people.members.find((one) => one.name === who.value)?.role === "child" ? "shield" : "notify");
  who.addEventListener("change", usual);
  const words = h("input", { id: "words", maxlength: 200, autocomplete: "off", value: rule?.say ?? "", placeholder: say("words_example") });
  const sentence = h("p.sentence", { id: "sentence", "aria-live": "polite" });
  const trouble = h("p.problem", { hidden: true, role: "alert" });
  const typedSubject = () => (label && about.value === label ? subject : names[about.value] ?? about.value.trim());
  const before = new Map([length, after, from, to, then, days, words].map((control) => [control, control.value]));
  const isOther = (...controls) => !rule || controls.some((control) => control.value !== before.get(control));
  const subjects = () => [
    ...(rule ? [rule.name] : []), ...(isAbout ? [typedSubject()] : []),
    ...(isLong && isOther(length) ? [length.value] : isTimed && isOther(from, to) ? [`${from.value}-${to.value}`] : []),
  ];
  const options = () => ({
    after: kind === "break" && isOther(after) && after.value,
    opens: kind === "goal" && !rule && (names[opens.value] ?? opens.value.trim()),
    then: kind !== "allow" && isOther(then) && then.value,
    on: kind !== "allow" && days.value !== before.get(days) && days.value,
    weekend: rule?.weekend_ms && days.value === "mon-fri" && isOther(days) ? "0" : null,
    member: people.members.length > 1 && who.value,
    say: kind !== "allow" && words.value !== before.get(words) ? words.value.trim() : null,
  });
  const asked = () => request(`${kind} ${rule ? "edit" : "add"}`, subjects(), options());
  const save = (event) => {
    if (!rule || subjects().length > 1 || Object.keys(asked().options).length) return submit(end, asked, trouble)(event);
    event.preventDefault();
    end(null);
  };
  const whom = () => rule?.member ?? (people.members.length > 1 ? who.value : null);
  const foresee = () => kind === "limit" && preview(sentence, typedSubject(), about.value, parseInt(length.value) * 1000, whom(), spans[days.value]);
  const element = h("form", { onsubmit: save, oninput: foresee, onchange: foresee },
    isAbout && aboutField(about, names),
    isLong && h("label", {}, say({ limit: "a_day", goal: "goal_a_day", break: "break_long" }[kind]), length, rule?.weekend_ms && h("small", {}, say("on_weekends", { time: duration(rule.weekend_ms) }))),
    kind === "break" && h("label", {}, say("break_after"), after),
    kind === "goal" && !rule && h("label", {}, say("goal_opens"), opens),
    isTimed && h("div.pair", {}, h("label", {}, say(kind === "downtime" ? "off_from" : "on_from"), from), h("label", {}, say("until"), to)),
    kind !== "allow" && h("label", {}, say("on_days"), days),
    people.members.length > 1 && h("label", {}, say("for_whom"), who),
    kind !== "allow" && h("label", {}, say({ goal: "goal_then", break: "break_then" }[kind] ?? "then"), then),
    kind !== "allow" && h("label", {}, say("own_words"), words),
    kind === "limit" && sentence, trouble,
    h("div.buttons", {}, cancel(end), h("button.main", { id: "make" }, say(rule ? "save" : "make"))));
  if (!rule) usual();
  foresee();
  return element;
}

// Shows on how many of the last seven days the limit would have been reached, according to the recorded usage.
async function preview(place, subject, name, limitMs, member, week = spans["mon-sun"]) {
  place.textContent = say("foresee", { name: name || say("everything"), time: duration(limitMs) });
  if (!subject) return;
  const days = 7;
  const isCategory = subject.startsWith("category:");
  const isSite = subject.startsWith("site:");
  const filter = isSite ? { site: subject.slice(5) } : { by: isCategory ? "category" : "app" };
  const text = place.textContent;
  try {
    const { report } = await ask("report", { segment: "day", from: daysAgo(days), to: "yesterday", ...filter, member });
    const isIt = (row) => isSite || (isCategory ? `category:${row.category}` === subject : row.app === subject || row.label === name);
    const held = report.segments.filter((day) => week.includes(new Date(day.start_wall_ms).getDay() + 1));
    const over = held.filter((day) => day.rows.filter(isIt).reduce((sum, row) => sum + row.used_ms, 0) >= limitMs);
    if (place.textContent === text) place.textContent += " " + say("foresee_days", { count: over.length, days: held.length });
  } catch {
    // An unknown target has no recorded usage. The command reports the error when the form is sent.
  }
}
