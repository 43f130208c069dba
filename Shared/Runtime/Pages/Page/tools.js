// Functions that all pages share: elements, texts, times and durations, dialogs, and requests to Screen Time.
import { words, languages, translations } from "/page/words.js";

const codes = Object.keys(languages).sort();
const wanted = [localStorage.getItem("language"), ...navigator.languages.flatMap((tag) => {
  const [base, ...parts] = tag.split("-");
  return [`${base}_${parts.find((part) => part.length === 2)}`, base];
})];
export let language = wanted.find((code) => codes.includes(code)) ?? "en";

export const locale = () => language.replace("_", "-");

// The locale of dates. English dates have the day before the month, as in reports and in the command.
export const dateLocale = () => (language === "en" ? "en-GB" : locale());

export function speak(other) {
  language = other;
  localStorage.setItem("language", other);
}

// Labels the button with the name of the next language. Hides the button if there is only one language.
export function languageButton(button) {
  const next = codes[(codes.indexOf(language) + 1) % codes.length];
  button.textContent = languages[next];
  button.lang = next.replace("_", "-");
  button.dataset.language = next;
  button.hidden = codes.length < 2;
}

// Creates an element. `kind` is its tag with optional classes, for example "p.quiet". Strings become text nodes, so a name that
// another person has chosen cannot contain HTML.
export function h(kind, props = {}, ...children) {
  const [tag, ...classes] = kind.split(".");
  const element = document.createElement(tag);
  if (classes.length) element.className = classes.join(" ");
  for (const [name, value] of Object.entries(props)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value != null) element.setAttribute(name, value);
  }
  element.append(...children.flat(Infinity).filter((child) => child != null && child !== false));
  return element;
}

export function svg(tag, props = {}, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(props)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

export function bar(part, whole, isFull = false) {
  const inner = h("i");
  inner.style.width = `${whole > 0 ? Math.min(100, (100 * part) / whole) : 0}%`;
  return h(isFull ? "div.bar.full" : "div.bar", { "aria-hidden": "true" }, inner);
}

// Returns a text in the current language. Replaces each {placeholder} by its value.
export function say(name, values = {}) {
  const text = translations[language][name] ?? words[name];
  return text.replace(/\{(\w+)\}/g, (_, key) => values[key] ?? "");
}

export function duration(ms) {
  const minutes = Math.floor(ms / 60000);
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  if (minutes === 0) return say("seconds", { count: Math.floor(ms / 1000) });
  return [hours && say("hours", { count: hours }), rest && say("minutes", { count: rest })].filter(Boolean).join(" ");
}

// Formats a time of day with 24 hours in every language (20:44), as in reports, shields and the command.
export const clock = (ms) => new Date(ms).toLocaleTimeString(locale(), { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });

export const date = (ms) =>
  new Date(ms).toLocaleDateString(dateLocale(), { weekday: "long", year: "numeric", month: "long", day: "numeric" });

// Returns the local date of a past day as YYYY-MM-DD, the form that the command accepts.
export function daysAgo(count) {
  const day = new Date();
  day.setDate(day.getDate() - count);
  return [day.getFullYear(), day.getMonth() + 1, day.getDate()].map((part) => `${part}`.padStart(2, "0")).join("-");
}

export class Trouble extends Error {
  constructor(problem) {
    super(problem.message);
    Object.assign(this, { code: problem.code, details: problem.details ?? {} });
  }
}

export async function answer(path, options = {}, patienceMs = 30000) {
  let response;
  try {
    response = await fetch(path, { credentials: "same-origin", signal: AbortSignal.timeout(patienceMs), ...options });
  } catch {
    throw new Trouble({ code: "console.away", message: say("away") });
  }
  const body = await response.json();
  if (!response.ok) throw new Trouble(body);
  return body;
}

// Creates a request from a command, its subjects and its options: request("limit add", ["firefox", "30m"], { member: "kim" }).
// The value true sets a switch. The values null, undefined and false omit the option. Subjects can be omitted.
export function request(command, subjects, options) {
  if (!Array.isArray(subjects)) [subjects, options] = [[], subjects];
  const given = Object.entries(options ?? {}).filter(([, value]) => value != null && value !== false);
  return { command, subjects, options: Object.fromEntries(given.map(([name, value]) => [name, value === true ? "" : `${value}`])) };
}

export const path = (kind, asked) =>
  `/${kind}?${new URLSearchParams({ request: JSON.stringify(asked), language })}`;

export const ask = (...parts) => answer(path("ask", request(...parts)));

export const read = async (...parts) => (await answer(path("read", request(...parts)))).text;

let token = null;

export async function start() {
  const begun = await answer("/start");
  opened(begun.open_ms);
  return begun;
}

// Announces how many milliseconds the guardian's passcode stays valid in this browser. The frame shows the lock button for that
// time.
const opened = (ms) => dispatchEvent(new CustomEvent("opened", { detail: ms }));

const post = (path, body, patienceMs) =>
  answer(`${path}?language=${language}`, {
    method: "POST", headers: { "content-type": "application/json", "x-screen-time": token }, body: JSON.stringify(body),
  }, patienceMs);

export async function lock() {
  token ??= (await start()).token;
  opened((await post("/lock", {})).open_ms);
}

// Sends a change. If Screen Time requires a guardian's passcode, the page asks for it. Resolves to Screen Time's message,
// or to null if the person cancels.
export async function change(asked, { passcode, prover = "", newPasscode, patienceMs } = {}) {
  token ??= (await start()).token;
  try {
    const { said, open_ms } = await post("/change", { request: asked, language, passcode, new_passcode: newPasscode }, patienceMs);
    opened(open_ms);
    return said;
  } catch (trouble) {
    if (trouble.code === "console.other_page") token = null;
    if (trouble.code === "auth.who_proves" && asked.options.by == null) {
      const provers = trouble.details.provers.split("/");
      const by = provers.length === 1 ? provers[0] : await pickOne(say("who_decides"), provers);
      return by === null ? null : change({ ...asked, options: { ...asked.options, by } }, { passcode, prover: by, newPasscode, patienceMs });
    }
    if (trouble.code !== "auth.proof_needed" && trouble.code !== "auth.wrong_passcode") throw trouble;
    const again = trouble.code === "auth.wrong_passcode" ? trouble.message : null;
    const name = trouble.details.prover ?? prover;
    const given = await secret(say("passcode_of", { name }), again);
    return given === null ? null : change(asked, { passcode: given, prover: name, newPasscode, patienceMs });
  }
}

// MARK: dialogs

// Shows a dialog and resolves to its value. `make` receives a function that closes the dialog with a value. If the dialog is closed
// in another way, the value is null. A dialog can open another one.
export function show(title, make) {
  const box = h("dialog", { "aria-labelledby": "dialog-title" });
  return new Promise((resolve) => {
    let value = null;
    const end = (given) => {
      value = given;
      box.close();
    };
    box.onclose = () => {
      box.remove();
      resolve(value);
    };
    box.append(h("h2", { id: "dialog-title" }, title), make(end));
    document.body.append(box);
    box.showModal();
  });
}

function pickOne(title, names) {
  return show(title, (end) => h("div.choices", {}, names.map((name) => h("button", { onclick: () => end(name) }, name))));
}

function secret(title, trouble) {
  return show(title, (end) => {
    const field = h("input", { type: "password", autocomplete: "off", required: true, id: "passcode" });
    const submit = (event) => {
      event.preventDefault();
      end(field.value);
    };
    return h("form", { onsubmit: submit },
      trouble && h("p.problem", {}, trouble),
      h("label", {}, say("passcode"), field),
      h("div.buttons", {}, cancel(end), h("button.main", {}, say("go_on"))));
  });
}

export const cancel = (end) => h("button", { type: "button", onclick: () => end(null) }, say("cancel"));

let fading;

// The message is above the page and lets clicks pass through. The next click removes it. A click within 600 ms does not, because
// it may be the second of a double click.
let toldAt = 0;
addEventListener("click", () => performance.now() - toldAt > 600 && tell(""), { capture: true });

export function tell(text) {
  const place = document.getElementById("said");
  place.textContent = text;
  toldAt = performance.now();
  clearTimeout(fading);
  fading = setTimeout(() => (place.textContent = ""), 9000);
}

// Sends a change, shows the result or the problem, and redraws the page.
export async function act(...parts) {
  const said = await change(request(...parts)).catch((trouble) => trouble.message);
  if (said) tell(said);
  dispatchEvent(new Event("screentime"));
}

// Sends the form's change and closes the form. The form stays open after a problem, or if no passcode is entered.
export const submit = (end, asked, trouble, options = () => ({})) => async (event) => {
  event.preventDefault();
  try {
    const said = await change(asked(), options());
    if (said !== null) end(said);
  } catch (error) {
    trouble.hidden = false;
    trouble.textContent = error.message;
  }
};

// A group of buttons of which one is selected. `pick` is called with the name of the pressed button.
export const choices = (label, id, names, chosen, text, pick) =>
  h("div.choices", { role: "group", "aria-label": label }, names.map((name) =>
    h("button", { type: "button", id: `${id}-${name ?? ""}`, "aria-pressed": `${name === chosen}`, onclick: () => pick(name) }, text(name))));

// MARK: apps and sites

// The ids of recently used apps, by name.
export async function known(days) {
  const { report } = await ask("report", { from: daysAgo(days), top: 40 });
  const rows = report.segments.flatMap((one) => one.rows);
  return Object.fromEntries(rows.filter((row) => row.app).map((row) => [nameOf(row), row.app]));
}

export const aboutField = (about, names) =>
  h("label", {}, say("about"), about, h("datalist", { id: "known" }, Object.keys(names).map((name) => h("option", { value: name }))));

// A section that loads the output of a command when it is opened.
export const later = (id, title, ...parts) => unfolding(id, title, parts, 0);

// Like `later`, but reloads the output every two seconds while the section is open.
export const live = (id, title, ...parts) => unfolding(id, title, parts, 2000);

function unfolding(id, title, parts, everyMs) {
  const place = h("pre", { tabindex: "0" }, say("looking"));
  let asking = 0;
  const open = async ({ target }) => {
    const mine = ++asking;
    while (target.open && target.isConnected && mine === asking) {
      const text = (await read(...parts).catch((trouble) => trouble.message)) || say("nothing_said");
      if (text !== place.textContent) place.textContent = text;
      if (!everyMs) return;
      await new Promise((done) => setTimeout(done, everyMs));
    }
  };
  return h("details", { id, ontoggle: open }, h("summary", {}, title), place);
}

// The ids of apps that have no picture.
const bare = new Set();

// Shows an app's picture. Until the picture is loaded, or if there is none, the first letter of the app's name is shown.
export function picture(app, name) {
  if (bare.has(app)) return h("span.picture", { "aria-hidden": "true" }, [...name][0] ?? "");
  const image = h("img", { src: `/icon?${new URLSearchParams({ app })}`, alt: "", loading: "lazy", width: 24, height: 24 });
  image.addEventListener("load", () => image.parentElement.classList.add("drawn"));
  image.addEventListener("error", () => bare.add(app) && image.remove());
  return h("span.picture", { "aria-hidden": "true" }, [...name][0] ?? "", image);
}

export const nameOf = (row) => row.label ?? row.site ?? row.domain ?? row.app ?? row.category ?? "";
