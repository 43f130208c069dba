// Reports the host of the active tab to browser-host, and shields pages. This script makes no decisions: browser-host checks
// each message, desktop-agent matches it with the foreground window, and shield-service decides which sites are shielded.
const api = globalThis.browser ?? chrome;

let port = null;
let told = "";
let isTelling = false;
let isOld = false;
let waitMs = 1000;
// The appearance of each host's shield, or null if the host is not shielded.
const looks = new Map();
// For each host, the reply functions of the pages that wait for its decision.
const waiting = new Map();
// A cached list of all tabs, which is loaded again only after a change. There may be thousands of tabs, and most reports concern
// only the active one.
let known = [];
let isKnownOld = true;
let frontTab = null;
// Timers that report the state again after the window focus has changed.
let later = [];
// The page that replaces pages that permit no script. The fragment of its address contains the original address.
const stand = api.runtime.getURL("shield.html");

// Returns the host of a web page, or undefined for other addresses. Paths and titles never leave the browser.
function hostOf(url) {
  try {
    const page = new URL(url.replace(/^(view-source|blob):/, ""));
    if (url.startsWith(stand)) return hostOf(decodeURIComponent(page.hash.slice(1)));
    if (url.startsWith("about:reader?")) return hostOf(page.searchParams.get("url"));
    return /^https?:$/.test(page.protocol) ? page.hostname : undefined;
  } catch {
    return undefined;
  }
}

async function state() {
  const version = api.runtime.getManifest().version;
  try {
    const front = await api.windows.getLastFocused();
    const [tab] = await api.tabs.query({ active: true, windowId: front.id });
    frontTab = tab?.id;
    const isPrivate = tab?.incognito ?? front.incognito;
    const host = isPrivate ? undefined : hostOf(tab?.url ?? "");
    if (isKnownOld) {
      isKnownOld = false;
      const tabs = await api.tabs.query({});
      known = tabs.map(({ id, windowId, incognito, url }) => ({ id, windowId, incognito, host: hostOf(url ?? "") }));
    }
    const open = known.filter((one) => !one.incognito).map((one) => one.host);
    // Waiting pages and the active tab come first, because at most 200 hosts are sent.
    const hosts = [...new Set([...waiting.keys(), host, ...open])].filter(Boolean).slice(0, 200);
    return { tab: { version, focused: front.focused, is_private: isPrivate, host }, hosts };
  } catch {
    isKnownOld = true;
    return { tab: { version, focused: false, is_private: false } };
  }
}

// Reports the state if it has changed. Events come in bursts, and the last report of a burst contains the final state.
async function tell() {
  isOld = true;
  if (isTelling) return;
  isTelling = true;
  while (isOld) {
    isOld = false;
    const now = await state();
    const text = JSON.stringify(now);
    if (isOld || (port && text === told)) continue;
    if (!port) connect();
    told = text;
    post(now);
  }
  isTelling = false;
}

function changed() {
  isKnownOld = true;
  tell();
}

function post(message) {
  try {
    port?.postMessage(message);
  } catch {
    port = null;
  }
}

function connect() {
  const mine = api.runtime.connectNative("dev.screentime.browser");
  port = mine;
  mine.onMessage.addListener(hear);
  mine.onDisconnect.addListener(() => {
    void api.runtime.lastError;
    if (port === mine) port = null;
    for (const host of waiting.keys()) answer(host);
    // Waits at most 20 seconds. Browsers stop an extension and its timers after 30 seconds without events.
    setTimeout(tell, waitMs);
    waitMs = Math.min(2 * waitMs, 20000);
  });
}

// Handles a message about one host: the appearance of its shield, or the response to a pressed button.
function hear(word) {
  waitMs = 1000;
  if ("look" in word || !word.response) looks.set(word.host, word.look ?? null);
  answer(word.host);
  for (const tab of known.filter((one) => one.host === word.host)) {
    show(tab.id, word.host);
    // The response "close" opens a new tab. The shielded page stays in its own tab.
    if (word.response === "close" && tab.id === frontTab) api.tabs.create({ windowId: tab.windowId });
  }
}

// Shows or removes the shield in one tab. A page that was loaded before the extension has no script, so the script is injected
// and then requests the appearance itself. Some pages permit no script, and on some the injection never ends: PDF viewers, page
// sources, the add-on store. After at most 3 seconds, shield.html replaces such a page. It later returns to the page.
async function show(id, host) {
  const look = looks.get(host) ?? null;
  try {
    await api.tabs.sendMessage(id, { look });
  } catch {
    if (!look) return;
    const script = api.scripting.executeScript({ target: { tabId: id }, files: ["shield.js"] });
    const end = new Promise((_, fail) => setTimeout(fail, 3000));
    await Promise.race([script, end]).catch(() => standIn(id, host).catch(() => {}));
  }
}

async function standIn(id, host) {
  const { url, discarded } = await api.tabs.get(id);
  if (discarded || !looks.get(host) || hostOf(url) !== host || url.startsWith(stand)) return;
  await api.tabs.update(id, { url: `${stand}#${encodeURIComponent(url)}` });
}

function answer(host) {
  for (const say of waiting.get(host) ?? []) say({ look: looks.get(host) ?? null });
  waiting.delete(host);
}

api.runtime.onMessage.addListener((word, sender, say) => {
  const host = sender.tab?.incognito ? undefined : hostOf(sender.url ?? "");
  if (!host || sender.id !== api.runtime.id) return say({ look: null });
  if (word.press) {
    post({ press: { host, button: String(word.press) } });
    return say({});
  }
  if (looks.has(host)) return say({ look: looks.get(host) });
  waiting.set(host, [...(waiting.get(host) ?? []), say]);
  tell();
  return true;
});

api.tabs.onActivated.addListener(() => tell());
api.tabs.onUpdated.addListener((id, change, tab) => {
  if (change.url) changed();
  const host = hostOf(tab.url ?? "");
  if (change.status === "complete" && looks.get(host)) show(id, host);
});
for (const event of [api.tabs.onRemoved, api.tabs.onReplaced, api.tabs.onAttached, api.windows.onRemoved]) {
  event?.addListener(() => changed());
}
// A browser may still report a window as focused when it sends this event. If a private window gets the focus, which extensions
// cannot see, no other event follows. The state is therefore reported again for 3 seconds.
api.windows.onFocusChanged.addListener(() => {
  for (const one of later) clearTimeout(one);
  later = [100, 300, 1000, 3000].map((ms) => setTimeout(tell, ms));
  tell();
});
// These listeners make the browser run this script when the browser starts or the extension is installed.
api.runtime.onStartup.addListener(() => tell());
api.runtime.onInstalled.addListener(() => tell());
tell();
