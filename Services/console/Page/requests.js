// Requests for more time, and their answers.
import { h, say, duration, ask, request, act, submit, show, cancel, tell, known, aboutField } from "/page/tools.js";

export async function requests() {
  const { requests } = await ask("request list");
  // Newest first, but waiting requests before all others.
  const sorted = [...requests].sort((one, other) => (other.state === "waiting") - (one.state === "waiting"));
  return [
    h("h1", {}, say("requests")), h("p.quiet", {}, say("requests_what")),
    h("div.choices", {}, h("button.main", { id: "ask", onclick: () => askForMore() }, say("ask_more"))),
    sorted.length ? h("ul.cards", { id: "requests" }, sorted.slice(0, 60).map(card)) : h("p", {}, say("no_requests")),
  ];
}

function card(one) {
  const name = one.request;
  const colour = one.state === "granted" ? "good" : one.state === "waiting" ? "wait" : "bad";
  return h("li.card", {},
    h("div.row", {}, h("h2", {}, one.says), h("span.quiet", {}, one.member)),
    one.because && h("div", {}, `“${one.because}”`),
    h(`div.state.${colour}`, {}, one.stands),
    h("div.buttons", {},
      one.state === "waiting" && [
        h("button", { id: `deny-${name}`, onclick: () => act("request deny", [name]) }, say("deny")),
        h("button.main", { id: `approve-${name}`, onclick: () => approve(one) }, say("approve")),
      ],
      one.state === "granted" && h("button.plain", { id: `revoke-${name}`, onclick: () => act("request revoke", [name]) }, say("take_back")),
      one.state === "waiting" && h("button.plain", { id: `code-${name}`, onclick: () => enterCode(name) }, say("have_code")),
      one.state === "waiting" && h("button.plain", { id: `withdraw-${name}`, onclick: () => act("request revoke", [name]) }, say("withdraw"))));
}

async function approve(one) {
  const times = [...new Set([15, 30, 60, Math.round(one.duration_ms / 60000)])].filter((time) => time * 60000 <= one.duration_ms).sort((a, b) => a - b);
  const time = await show(say("approve_how_long", { what: one.says }), (end) =>
    h("div.choices", {}, times.map((time) => h("button", { onclick: () => end(`${time}m`) }, duration(time * 60000))), cancel(end)));
  if (time) await act("request approve", [one.request], { for: time });
}

async function enterCode(name) {
  const said = await show(say("have_code"), (end) => {
    const code = h("input", { id: "code", inputmode: "numeric", autocomplete: "off", required: true, placeholder: "123 456" });
    const trouble = h("p.problem", { hidden: true, role: "alert" });
    return h("form", { onsubmit: submit(end, () => request("request code", [name, code.value.replace(/\s/g, "")]), trouble) },
      h("label", {}, say("code_on_phone"), code), trouble, h("div.buttons", {}, cancel(end), h("button.main", { id: "make" }, say("go_on"))));
  });
  if (said) tell(said);
  dispatchEvent(new Event("screentime"));
}

export async function askForMore({ subject = "", member = null } = {}) {
  const [people, names] = await Promise.all([ask("member list"), known(7)]);
  const label = Object.keys(names).find((name) => names[name] === subject) ?? subject;
  const said = await show(say("ask_more"), (end) => {
    const about = h("input", { id: "about", list: "known", value: label, required: true, autocomplete: "off", placeholder: say("about_example") });
    const length = h("select", { id: "length" }, [15, 30, 60, 120].map((one) => h("option", { value: `${one}m` }, duration(one * 60000))));
    const because = h("input", { id: "because", maxlength: 200, autocomplete: "off" });
    const who = h("select", { id: "who" }, people.members.map((one) => h("option", { value: one.name, selected: one.name === member }, one.name)));
    const trouble = h("p.problem", { hidden: true, role: "alert" });
    const asked = () => request("request add", [names[about.value] ?? about.value.trim(), length.value], {
      because: because.value.trim() || null, member: people.members.length > 1 ? who.value : null,
    });
    return h("form", { onsubmit: submit(end, asked, trouble) },
      aboutField(about, names),
      h("label", {}, say("how_long"), length), h("label", {}, say("because"), because),
      people.members.length > 1 && h("label", {}, say("for_whom"), who), trouble,
      h("div.buttons", {}, cancel(end), h("button.main", { id: "make" }, say("ask_it"))));
  });
  if (said) tell(said);
  dispatchEvent(new Event("screentime"));
}
