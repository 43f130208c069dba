// The people: their roles, accounts, passcodes and one-time codes, and an overview of their records.
import { h, say, ask, later, act, change, request, submit, show, cancel, tell } from "/page/tools.js";

const roles = ["individual", "child", "guardian"];

export async function people() {
  const { members, provers = [], device } = await ask("member list");
  return [
    h("h1", {}, say("people")), h("p.quiet", {}, say("people_what")),
    h("p", {}, say("this_computer", { name: device.name })),
    h("div.choices", {}, h("button.main", { id: "add-person", onclick: add }, say("add_person"))),
    h("ul.cards", { id: "people" }, members.map((one) => card(one, provers))),
  ];
}

function card(one, provers) {
  const role = h("select", { id: `role-${one.name}`, onchange: () => act("member set", [one.name], { role: role.value }) },
    roles.map((each) => h("option", { value: each, selected: each === one.role }, say(`role_${each}`))));
  return h("li.card", {},
    h("div.row", {}, h("h2", {}, one.name), one.account && h("span.quiet", {}, say("account_of", { account: one.account }))),
    h("label", {}, say("role"), role),
    one.role === "guardian" && h(provers.includes(one.name) ? "p.state.good" : "p.note", {}, say(provers.includes(one.name) ? "has_passcode" : "no_passcode")),
    h("div.buttons", {},
      h("button.plain", { id: `account-${one.name}`, onclick: () => setAccount(one) }, say("account")),
      h("button.plain", { id: `passcode-${one.name}`, onclick: () => setPasscode(one.name) }, say("set_passcode")),
      one.role === "child" && provers.length > 0 && h("button.plain", { id: `codes-${one.name}`, onclick: () => showCodes(one.name) }, say("phone_codes"))),
    later(`recorded-${one.name}`, say("recorded"), "member show", [one.name]));
}

async function add() {
  const said = await show(say("add_person"), (end) => {
    const name = h("input", { id: "person", required: true, autocomplete: "off", maxlength: 64 });
    const role = h("select", { id: "role" }, roles.map((one) => h("option", { value: one }, say(`role_${one}`))));
    const trouble = h("p.problem", { hidden: true, role: "alert" });
    return h("form", { onsubmit: submit(end, () => request("member add", [name.value.trim()], { role: role.value }), trouble) },
      h("label", {}, say("person_name"), name), h("label", {}, say("role"), role), trouble,
      h("div.buttons", {}, cancel(end), h("button.main", { id: "make" }, say("add_person"))));
  });
  if (said) tell(said);
  dispatchEvent(new Event("screentime"));
}

async function setAccount({ name, account }) {
  const said = await show(say("account_whose", { name }), (end) => {
    const field = h("input", { id: "account", value: account ?? "", maxlength: 64, autocomplete: "off", autocapitalize: "none", spellcheck: "false", placeholder: say("account_none") });
    const trouble = h("p.problem", { hidden: true, role: "alert" });
    return h("form", { onsubmit: submit(end, () => request("member account", [name, ...(field.value.trim() ? [field.value.trim()] : [])], { none: !field.value.trim() }), trouble) },
      h("label", {}, say("account_name", { name }), field), trouble,
      h("div.buttons", {}, cancel(end), h("button.main", { id: "make" }, say("save"))));
  });
  if (said) tell(said);
  dispatchEvent(new Event("screentime"));
}

async function setPasscode(name) {
  const said = await show(say("passcode_new_of", { name }), (end) => {
    const [first, second] = ["passcode-new", "passcode-again"].map((id) =>
      h("input", { id, type: "password", required: true, minlength: 4, maxlength: 128, autocomplete: "new-password" }));
    const trouble = h("p.problem", { hidden: true, role: "alert" });
    const check = () => second.setCustomValidity(first.value === second.value ? "" : say("passcode_differs"));
    return h("form", { oninput: check, onsubmit: submit(end, () => request("member passcode", [name]), trouble, () => ({ newPasscode: first.value })) },
      h("label", {}, say("passcode_new"), first, h("small", {}, say("passcode_long"))), h("label", {}, say("passcode_again"), second), trouble,
      h("div.buttons", {}, cancel(end), h("button.main", { id: "make" }, say("set_passcode"))));
  });
  if (said) tell(said);
  dispatchEvent(new Event("screentime"));
}

// Shows the key for one-time codes as a QR code. The page contains the key only while this dialog is open.
async function showCodes(name) {
  const sure = await show(say("phone_codes_of", { name }), (end) =>
    h("div", {}, h("p", {}, say("phone_codes_what", { name })),
      h("div.buttons", {}, cancel(end), h("button.main", { id: "codes-show", onclick: () => end(true) }, say("phone_codes_show")))));
  if (!sure) return;
  const picture = await change(request("request setup", [name], { svg: true })).catch((trouble) => void tell(trouble.message));
  if (!picture) return;
  await show(say("phone_codes_of", { name }), (end) => h("div", {},
    h("img.scan", { id: "scan", src: `data:image/svg+xml,${encodeURIComponent(picture)}`, alt: say("phone_codes_picture") }),
    h("pre", { id: "key" }, new DOMParser().parseFromString(picture, "image/svg+xml").querySelector("text").textContent),
    h("p", {}, say("phone_codes_scan")), h("div.buttons", {}, h("button.main", { onclick: () => end(null) }, say("done")))));
}
