// Diagnostics, for developers of apps with Screen Time extensions and of Screen Time itself.
import { h, say, ask, later, live, act, duration, path, request } from "/page/tools.js";
import { condition, findings } from "/page/today.js";

export async function inside() {
  const [status, installed, { deliveries }, { members }] =
    await Promise.all([ask("status"), ask("app list"), ask("app deliveries"), ask("member list")]);
  return [
    h("h1", {}, say("inside")), h("p.quiet", {}, say("inside_what")), status.conditions.map(condition),
    h("h2", {}, say("extending_apps")),
    installed.apps.length ? h("ul.cards", { id: "extending" }, installed.apps.map((app) => card(app, installed.authorizations, members)))
      : h("p.quiet", {}, say("no_apps"), " ", h("code", {}, "screentime app install FOLDER")),
    h("h2", {}, say("callbacks")),
    deliveries.length ? table("callbacks", ["callback", "app", "activity", "state", "took", "memory"], deliveries.map(callback))
      : h("p.quiet", {}, say("no_callbacks")),
    h("h2", {}, say("processes")), table("processes", ["process", "state", "memory", "records", "runs_for", "restarts", "slowest"], status.services.map(process)),
    h("h2", {}, say("followers")),
    table("followers", ["process", "follows", "behind", "state"], status.cursors.map((one) =>
      [one.service, `${one.stream} (${one.source})`, one.behind ?? "", one.state])),
    h("h2", {}, say("trace")), trace(),
    h("h2", {}, say("seen_here")), findings(),
    h("h2", {}, say("history")), later("history", say("history_what"), "history", { count: 100 }),
  ];
}

function card({ manifest }, authorizations, members) {
  const kinds = manifest.extensions.map((one) => one.point.split(".").at(-1));
  return h("li.card", {},
    h("h3", {}, manifest.name), h("p.quiet", {}, `${manifest.id} ${manifest.version} · ${kinds.join(", ")}`),
    members.map(({ name }) => {
      const known = authorizations.find((one) => one.app === manifest.id && one.member === name) ?? {};
      const both = ["access", "enforce"].map((kind) => {
        const isOn = known[kind] === true;
        return h("label.switch", {}, h("input", { type: "checkbox", id: `${kind}-${manifest.id}-${name}`, checked: isOn, disabled: kind === "enforce" && !known.access,
          onchange: () => act(`app ${kind}`, [manifest.id, isOn ? "off" : "on"], { member: name }) }), say(`app_${kind}`, { name }));
      });
      return h("div", {}, both);
    }),
    week(manifest.id),
    ["show", "log"].map((kind) => live(`${kind}-${manifest.id}`, say(`app_${kind}`), `app ${kind}`, [manifest.id])));
}

// Simulates a week for an app when the section is opened. The simulation has its own clock and uses none of the real records.
function week(id) {
  const place = h("div", {}, h("p.quiet", {}, say("app_try_runs")));
  const open = ({ target }) => {
    if (!target.open || place.querySelector("iframe")) return;
    const frame = h("iframe", { src: path("report", request("app try", [id])), title: say("app_try"), sandbox: "allow-scripts" });
    frame.addEventListener("load", () => place.querySelector("p").replaceChildren());
    place.append(frame);
  };
  return h("details", { id: `try-${id}`, ontoggle: open }, h("summary", {}, say("app_try")), place);
}

// Contains the received messages, and is reused when the part is drawn again.
const stories = h("div.wide", { tabindex: "0", role: "region" });
let source;

// Shows messages, newest first. The connection exists only while the section is open and the page is visible. Browsers allow few
// connections, and services send traces only while someone receives them.
function trace() {
  const box = h("details", { id: "trace" }, h("summary", {}, say("trace_what")), stories);
  stories.setAttribute("aria-label", say("trace"));
  const listen = () => {
    if (!box.isConnected) return;
    const wanted = box.open && !document.hidden;
    if (wanted === Boolean(source)) return;
    source?.close();
    source = wanted ? new EventSource("/trace") : null;
    if (!source) return;
    if (!stories.childElementCount) stories.append(h("p.quiet", {}, say("trace_waits")));
    source.addEventListener("story", ({ data }) => {
      if (!stories.isConnected) return hangUp();
      stories.querySelector("p")?.remove();
      stories.prepend(h("pre", {}, data));
      if (stories.childElementCount > 100) stories.lastElementChild.remove();
    });
    source.onerror = () => {
      if (source?.readyState === EventSource.CLOSED) stories.prepend(h("p.quiet", {}, say("closed_how")));
    };
  };
  box.addEventListener("toggle", listen);
  document.onvisibilitychange = listen;
  return box;
}

function hangUp() {
  source?.close();
  source = null;
}

function callback(one) {
  const state = one.state !== "parked" ? one.state
    : [one.message ?? one.reason ?? one.state, " ", h("button", { id: `retry-${one.delivery}`, onclick: () => act("app retry", [one.delivery]) }, say("retry"))];
  return [`${one.delivery} ${one.method}`, one.app, [one.activity, one.event].filter(Boolean).join(" "), state,
    one.took_ms == null ? "" : `${one.took_ms} ms`, size(one.private_kib)];
}

function process({ name, report, problem, restarts }) {
  if (!report) return [name, problem?.message ?? "", "", "", "", restarts ?? "", ""];
  const slowest = report.routes.toSorted((one, other) => other.p99_us - one.p99_us)[0];
  return [name, report.state, size(report.pss_kib), size(report.database_bytes / 1024), duration(report.uptime_ms), restarts ?? "",
    slowest ? `${slowest.route} ${(slowest.p99_us / 1000).toFixed(1)} ms` : ""];
}

const size = (kib) => (kib == null ? "" : `${(kib / 1024).toFixed(1)} MiB`);

// A wide table scrolls within its own box. The box is focusable, so that the arrow keys can scroll it.
function table(name, heads, rows) {
  return h("div.wide", { tabindex: "0", role: "region", "aria-label": say(name) },
    h("table", { id: name }, h("thead", {}, h("tr", {}, heads.map((one) => h("th", { scope: "col" }, say(`head_${one}`))))),
      h("tbody", {}, rows.map((row) => h("tr", {}, row.map((cell) => h("td", {}, cell)))))));
}
