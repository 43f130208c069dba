// Says which site is in front, and covers the sites that are shielded. It decides nothing: browser-host checks what comes,
// desktop-agent joins it with the window in front, shield-service decides.
const api = globalThis.browser ?? chrome;

let port = null;
let told = "";
let isTelling = false;
let isOld = false;
let waitMs = 1000;
// The look of each host's shield; null where there is none.
const looks = new Map();
// Pages that wait for the word on their host.
const waiting = new Map();
// The tabs that show a site, and whether they have changed: there may be thousands, and most words are of the one in front.
let known = [];
let isKnownOld = true;
let frontTab = null;
// When to ask again which window is in front.
let later = [];
// Stands in for pages that take no script; the page's address is behind its #.
const stand = api.runtime.getURL("shield.html");

// A page's path and title never leave the browser.
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
    // What a person looks at goes before the tabs behind it.
    const hosts = [...new Set([...waiting.keys(), host, ...open])].filter(Boolean).slice(0, 200);
    return { tab: { version, focused: front.focused, is_private: isPrivate, host }, hosts };
  } catch {
    isKnownOld = true;
    return { tab: { version, focused: false, is_private: false } };
  }
}

// Events come in bursts; each burst ends with what is so at its end.
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
    // Browsers end an extension after 30 seconds without events, and its timers with it.
    setTimeout(tell, waitMs);
    waitMs = Math.min(2 * waitMs, 20000);
  });
}

// What shield-service says of one host.
function hear(word) {
  waitMs = 1000;
  if ("look" in word || !word.response) looks.set(word.host, word.look ?? null);
  answer(word.host);
  for (const tab of known.filter((one) => one.host === word.host)) {
    show(tab.id, word.host);
    // The page stays as it is, in its tab.
    if (word.response === "close" && tab.id === frontTab) api.tabs.create({ windowId: tab.windowId });
  }
}

// A page that is older than the extension gets the script, which asks by itself. Some pages take none, or never say so: the
// viewer of a PDF, a page's source, the browser's shop of add-ons. The stand-in comes in place of such a page, and leads back.
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
// The browser may still call a window focused when it says that it was left. Where a private window comes in front, which
// extensions do not see, no other event follows; so it is asked again, until it must know.
api.windows.onFocusChanged.addListener(() => {
  for (const one of later) clearTimeout(one);
  later = [100, 300, 1000, 3000].map((ms) => setTimeout(tell, ms));
  tell();
});
// These wake it when the browser starts.
api.runtime.onStartup.addListener(() => tell());
api.runtime.onInstalled.addListener(() => tell());
tell();
