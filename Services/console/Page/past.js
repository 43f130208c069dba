// Imports the records of other programs. The page shows a preview first, and offers to undo the import afterwards.
import { h, say, change, request, act, show, cancel, tell } from "/page/tools.js";

// Upper bound for one import. A year of records takes a while to read and to store.
const patienceMs = 600000;

export const past = () => [
  h("p", {}, say("past_how")),
  h("div.choices", {}, ["activitywatch", "timekpr", "malcontent"].map((program) =>
    h("button", { id: `past-${program}`, onclick: (event) => look(program, event.target) }, say(`past_${program}`)))),
  h("p.quiet", {}, say("past_files")), h("pre", {}, "screentime import --help"),
];

async function look(program, button) {
  const wait = async (options) => {
    button.disabled = true;
    button.textContent = say("looking");
    try {
      return await change(request(`import ${program}`, options), { patienceMs });
    } finally {
      button.disabled = false;
      button.textContent = say(`past_${program}`);
    }
  };
  try {
    const would = await wait({ "dry-run": true });
    if (would === null) return;
    const goesOn = await show(say(`past_${program}`), (end) => h("div", {},
      h("pre", { tabindex: "0" }, would),
      h("div.buttons", {}, cancel(end), h("button.main", { id: "bring", onclick: () => end(true) }, say("past_bring")))));
    if (!goesOn) return;
    const said = await wait();
    if (said === null) return;
    const back = await show(say("past_done"), (end) => h("div", {},
      h("pre", { tabindex: "0" }, said),
      h("div.buttons", {},
        h("button.plain", { id: "undo", onclick: () => end(true) }, say("past_undo")),
        h("button.main", { id: "keep", onclick: () => end(null) }, say("past_keep")))));
    if (back) await act("import undo");
  } catch (trouble) {
    tell(trouble.message);
  }
}
