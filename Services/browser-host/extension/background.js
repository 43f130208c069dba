// Says which site is in front. It decides nothing: browser-host checks what comes, desktop-agent joins it with the window.
const api = globalThis.browser ?? chrome;

let port = null;
let told = "";
let isTelling = false;
let isOld = false;
let waitMs = 1000;

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
  const front = await api.windows.getLastFocused();
  const [tab] = await api.tabs.query({ active: true, windowId: front.id });
  const isPrivate = tab?.incognito ?? front.incognito;
  return {
    version: api.runtime.getManifest().version,
    focused: front.focused,
    is_private: isPrivate,
    host: tab && !isPrivate ? hostOf(tab.url ?? "") : undefined,
  };
}

// Events come in bursts; each burst ends with what is so at its end.
async function tell() {
  isOld = true;
  if (isTelling) return;
  isTelling = true;
  while (isOld) {
    isOld = false;
    let text;
    try {
      text = JSON.stringify(await state());
    } catch {
      text = JSON.stringify({ version: api.runtime.getManifest().version, focused: false, is_private: false });
    }
    if (isOld || (port && text === told)) continue;
    if (!port) connect();
    told = text;
    try {
      port?.postMessage(JSON.parse(text));
    } catch {
      port = null;
    }
  }
  isTelling = false;
}

function connect() {
  const mine = api.runtime.connectNative("dev.screentime.browser");
  port = mine;
  mine.onMessage.addListener(() => (waitMs = 1000));
  mine.onDisconnect.addListener(() => {
    void api.runtime.lastError;
    if (port === mine) port = null;
    setTimeout(tell, waitMs);
    waitMs = Math.min(2 * waitMs, 300000);
  });
}

api.tabs.onActivated.addListener(tell);
api.tabs.onUpdated.addListener((_, change) => change.url && tell());
for (const event of [api.tabs.onRemoved, api.tabs.onReplaced, api.tabs.onAttached, api.windows.onRemoved]) {
  event?.addListener(() => tell());
}
api.windows.onFocusChanged.addListener(() => tell());
// These wake it when the browser starts.
api.runtime.onStartup.addListener(() => tell());
api.runtime.onInstalled.addListener(() => tell());
tell();
