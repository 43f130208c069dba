// Who belongs here, what each of them is, and what is recorded about whom.
import { h, say, ask, later, act, submit, show, cancel, tell } from "/page/tools.js";

const roles = ["individual", "child", "guardian"];

export async function people() {
  const { members, provers = [] } = await ask("member", "list");
  return [
    h("h1", {}, say("people")), h("p.quiet", {}, say("people_what")),
    h("div.choices", {}, h("button.main", { id: "add-person", onclick: add }, say("add_person"))),
    h("ul.cards", { id: "people" }, members.map((one) => card(one, provers))),
  ];
}

function card(one, provers) {
  const role = h("select", { id: `role-${one.name}`, onchange: () => act("member", "set", one.name, "--role", role.value) },
    roles.map((each) => h("option", { value: each, selected: each === one.role }, say(`role_${each}`))));
  const isGuardian = one.role === "guardian";
  return h("li.card", {},
    h("div.row", {}, h("h2", {}, one.name), one.account && h("span.quiet", {}, say("account_of", { account: one.account }))),
    h("label", {}, say("role"), role),
    isGuardian && (provers.includes(one.name)
      ? h("p.state.good", {}, say("has_passcode"))
      : h("div.note", {}, h("p", {}, say("no_passcode")), h("pre", {}, `screentime member passcode ${one.name}`))),
    later(`recorded-${one.name}`, say("recorded"), "member", "show", one.name));
}

async function add() {
  const said = await show(say("add_person"), (end) => {
    const name = h("input", { id: "person", required: true, autocomplete: "off", maxlength: 64 });
    const role = h("select", { id: "role" }, roles.map((one) => h("option", { value: one }, say(`role_${one}`))));
    const trouble = h("p.problem", { hidden: true, role: "alert" });
    return h("form", { onsubmit: submit(end, () => ["member", "add", name.value.trim(), "--role", role.value], trouble) },
      h("label", {}, say("person_name"), name), h("label", {}, say("role"), role), trouble,
      h("div.buttons", {}, cancel(end), h("button.main", { id: "make" }, say("add_person"))));
  });
  if (said) tell(said);
  dispatchEvent(new Event("screentime"));
}
