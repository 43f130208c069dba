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

// A page's path and title never leave the browser.
function hostOf(url) {
  try {
    const page = new URL(url.replace(/^(view-source|blob):/, ""));
    return /^https?:$/.test(page.protocol) ? page.hostname : undefined;
  } catch {
    return undefined;
  }
}

async function state() {
  const version = api.runtime.getManifest().version;
  try {
    const front = await api.windows.getLastFocused();
    const tabs = await api.tabs.query({});
    const tab = tabs.find((one) => one.active && one.windowId === front.id);
    const isPrivate = tab?.incognito ?? front.incognito;
    const open = tabs.filter((one) => !one.incognito).map((one) => hostOf(one.url ?? ""));
    const hosts = [...new Set([...waiting.keys(), ...open.filter(Boolean)])].slice(0, 200);
    return {
      tab: { version, focused: front.focused, is_private: isPrivate, host: isPrivate ? undefined : hostOf(tab?.url ?? "") },
      hosts,
    };
  } catch {
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
    setTimeout(tell, waitMs);
    waitMs = Math.min(2 * waitMs, 300000);
  });
}

// What shield-service says of one host.
async function hear(word) {
  waitMs = 1000;
  if ("look" in word || !word.response) looks.set(word.host, word.look ?? null);
  answer(word.host);
  for (const tab of await api.tabs.query({})) {
    if (hostOf(tab.url ?? "") !== word.host) continue;
    const look = looks.get(word.host) ?? null;
    // A page that is older than the extension has no shield of its own yet; once it has, it asks.
    api.tabs.sendMessage(tab.id, { look }).catch(() => {
      if (look) api.scripting.executeScript({ target: { tabId: tab.id }, files: ["shield.js"] }).catch(() => {});
    });
    // The page stays as it is, in its tab.
    if (word.response === "close" && tab.active) api.tabs.create({ windowId: tab.windowId });
  }
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
api.tabs.onUpdated.addListener((_, change) => change.url && tell());
for (const event of [api.tabs.onRemoved, api.tabs.onReplaced, api.tabs.onAttached, api.windows.onRemoved]) {
  event?.addListener(() => tell());
}
api.windows.onFocusChanged.addListener(() => tell());
// These wake it when the browser starts.
api.runtime.onStartup.addListener(() => tell());
api.runtime.onInstalled.addListener(() => tell());
tell();
