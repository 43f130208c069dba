// Explains why something is shielded or not: the observations, their consequences, and how to lift the shield.
import { h, bar, say, locale, dateLocale, ask, read, duration, clock } from "/page/tools.js";
import { askForMore } from "/page/requests.js";

// Steps within Screen Time itself. They are folded, because most readers need the other steps first.
const within = ["callback", "setting"];

export async function why() {
  const { of = "", member } = Object.fromEntries(new URLSearchParams(location.search));
  const asked = ["why", [of], { member: member || null }];
  const story = await ask(...asked);
  if (!story.chains) return [h("h1", {}, say("why_of", { name: of })), h("pre", {}, await read(...asked))];
  const { explained } = story;
  const whole = h("a", { href: `/thing?${new URLSearchParams({ of, member: explained.member })}` }, say("by_hour_and_day"));
  return [
    h("h1", {}, story.headline),
    h("p.quiet", {}, explained.member, " · ", whole),
    story.chains.map((chain, index) => h("section.card.story", {},
      h("h2", {}, capitalised(chain.text)),
      steps(chain.steps.filter((step) => !within.includes(step.kind)), capitalised),
      ["clock", "forgotten"].includes(chain.origin) && h("p.quiet", {}, say(`origin_${chain.origin}`)),
      chain.steps.some((step) => within.includes(step.kind)) &&
        h("details", { id: `within-${index}` }, h("summary", {}, say("within")), steps(chain.steps.filter((step) => within.includes(step.kind)))))),
    story.shown.length > 0 && h("section.card.story", {}, h("h2", {}, say("last_shown")), steps(story.shown, capitalised)),
    story.budgets.length > 0 && [h("h2", {}, say("counts_towards")), h("ul.cards", {}, story.budgets.map(budget))],
    explained.lifts.length > 0 && [h("h2", {}, say(explained.decision.is_shielded ? "lifts" : "to_know")),
      h("ul", {}, explained.lifts.map((one) => h("li", {}, one)))],
    explained.decision.is_shielded && h("div.choices", {},
      h("button.main", { id: "ask", onclick: () => askForMore({ subject: of, member: explained.member }) }, say("ask_more")),
      story.chains.some((chain) => chain.cause.app === "screentime.rules") && h("a.button", { href: "/rules" }, say("to_rules"))),
  ];
}

const capitalised = (text) => text.replace(/^./u, (first) => first.toLocaleUpperCase(locale()));

const moment = (ms) => {
  const isToday = new Date(ms).toDateString() === new Date().toDateString();
  return isToday ? clock(ms) : `${new Date(ms).toLocaleDateString(dateLocale(), { month: "short", day: "numeric" })} ${clock(ms)}`;
};

const steps = (all, made = (text) => text) => h("ol", {}, all.map((step) =>
  h("li", {}, h("time", { datetime: new Date(step.wall_ms).toISOString() }, moment(step.wall_ms)), h("span", {}, made(step.text)))));

function budget(one) {
  return h("li.card", {},
    h("h3", {}, capitalised(one.name)), bar(one.counted_ms, one.threshold_ms, one.counted_ms >= one.threshold_ms),
    h("div", {}, say("budget", { counted: duration(one.counted_ms), whole: duration(one.threshold_ms), own: duration(one.own_ms) })));
}
