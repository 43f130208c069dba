// The frame of the console: navigation, the current part, and its updates.
import { h, say, locale, languageButton, speak, start, lock, Trouble, ask, tell } from "/page/tools.js";
import { today, welcome } from "/page/today.js";
import { rules } from "/page/rules.js";
import { requests } from "/page/requests.js";
import { people } from "/page/people.js";
import { reports } from "/page/reports.js";
import { inside } from "/page/inside.js";
import { thing } from "/page/thing.js";
import { why } from "/page/why.js";
import { help } from "/page/help.js";

const parts = { today, rules, requests, reports, people, inside, help, why, thing, welcome, closed };
const inNav = ["today", "reports", "rules", "requests", "people", "inside", "help"];
// Parts that are not redrawn after a change. A report would lose its scroll position, the `doctor` command would run for seconds,
// and unfinished choices would be lost.
const still = ["reports", "people", "inside", "help", "why", "thing", "welcome", "closed"];
const main = document.getElementById("main");
const banner = document.getElementById("banner");
let isDemo = false;
let here = null;
let drawing = null;

const name = () => location.pathname.slice(1) || "today";

function frame() {
  document.documentElement.lang = locale();
  document.getElementById("skip").textContent = say("skip");
  document.getElementById("name").textContent = say("name");
  languageButton(document.getElementById("language"));
  lockButton.textContent = say("lock");
  document.getElementById("nav").setAttribute("aria-label", say("parts"));
  document.getElementById("nav").replaceChildren(
    ...inNav.map((part) =>
      h("a", { href: `/${part}`, id: `nav-${part}`, "aria-current": part === name() ? "page" : null }, say(part))));
  document.title = `${say(name())} – ${say("name")}`;
}

// Draws the current part. If data changes while it loads, it is drawn again afterwards. If the person opens another part, the
// unfinished one is discarded.
async function draw() {
  const part = name();
  if (drawing?.part === part) return void (drawing.isOld = true);
  const mine = (drawing = { part, isOld: true });
  try {
    while (mine.isOld && drawing === mine) {
      mine.isOld = false;
      const made = await (parts[part] ?? today)();
      if (drawing !== mine) return;
      if (made) show(part, made);
      banner.textContent = isDemo ? say("demo") : "";
      count().catch(() => {});
    }
  } catch (trouble) {
    if (!(trouble instanceof Trouble)) throw trouble;
    if (drawing === mine) fail(trouble);
  } finally {
    if (drawing === mine) drawing = null;
  }
}

// Replaces the content of the page. Unfolded sections stay open. The focus stays if the part is the same.
function show(part, made) {
  const focused = document.activeElement?.id;
  const open = [...main.querySelectorAll("details[open][id]")].map((one) => one.id);
  main.replaceChildren(...[made].flat(Infinity).filter((part) => part && part !== true));
  for (const id of open) main.querySelector(`#${CSS.escape(id)}`)?.setAttribute("open", "");
  if (here === part && focused) document.getElementById(focused)?.focus();
  here = part;
}

let again;

function isAway(trouble) {
  return ["service.not_running", "system.not_running", "console.away"].includes(trouble.code);
}

function fail(trouble) {
  if (trouble.code === "console.closed") return show("closed", closed());
  if (isAway(trouble)) {
    banner.textContent = trouble.code === "console.away" ? say("away") : say("not_running");
    if (!main.hasChildNodes()) show("none", [h("h1", {}, say("name")), h("p", {}, say("comes_back"))]);
    clearTimeout(again);
    again = setTimeout(draw, 2000);
    return;
  }
  show("trouble", [h("h1", {}, say("trouble")), h("p.problem", {}, trouble.message)]);
}

async function count() {
  const waiting = (await ask("request list")).requests.filter((one) => one.state === "waiting").length;
  const link = document.getElementById("nav-requests");
  link.replaceChildren(say("requests"), ...(waiting ? [h("span.count", { "aria-label": say("waiting_count", { count: waiting }) }, `${waiting}`)] : []));
}

export function go(address) {
  history.pushState(null, "", address);
  arrive();
}

function arrive() {
  frame();
  here = null;
  main.replaceChildren();
  main.focus();
  scrollTo(0, 0);
  return draw();
}

document.addEventListener("click", (event) => {
  const link = event.target.closest("a[href^='/']");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
  event.preventDefault();
  go(link.getAttribute("href"));
});
addEventListener("popstate", arrive);
addEventListener("screentime", draw);
document.getElementById("language").addEventListener("click", ({ target }) => {
  speak(target.dataset.language);
  arrive();
});

const lockButton = document.getElementById("lock");
let closing;
lockButton.addEventListener("click", () => lock().catch((trouble) => tell(trouble.message)));
addEventListener("opened", ({ detail }) => {
  lockButton.hidden = !(detail > 0);
  clearTimeout(closing);
  if (detail > 0) closing = setTimeout(() => (lockButton.hidden = true), detail);
});

// MARK: short parts

function closed() {
  return [h("h1", {}, say("closed")), h("p", {}, say("closed_how")), h("pre", {}, "screentime console")];
}

// MARK: start

// Starts the session, draws the current part, and subscribes to changes.
async function begin() {
  frame();
  try {
    isDemo = (await start()).demo;
  } catch (trouble) {
    fail(trouble);
    if (trouble.code === "console.closed") return;
  }
  await draw();
  const worker = new SharedWorker("/page/live.js");
  worker.port.onmessage = ({ data }) => {
    if (data === "changed" && !still.includes(name())) draw();
    if (data === "away") banner.textContent = say("away");
    if (data === "open" && banner.textContent === say("away")) banner.textContent = isDemo ? say("demo") : "";
  };
  worker.port.start();
  // Continuous usage sends no events, so a visible page is redrawn every 20 s.
  setInterval(() => document.visibilityState === "visible" && !still.includes(name()) && draw(), 20000);
  // The services send no event when they stop, so a visible page checks every 3 s.
  setInterval(() => document.visibilityState === "visible" && count().catch((trouble) => isAway(trouble) && fail(trouble)), 3000);
  addEventListener("pagehide", () => worker.port.postMessage("bye"));
}

begin().catch((error) => tell(String(error)));
