// The script of Screen Time in KWin 5.27 and 6. It reports windows to desktop-agent, and keeps covers over them.
//
// desktop-agent loads this script over the session bus and unloads it when it exits. It defines the constants AGENT (its bus
// name) and PID (its process id) in front of the script. A cover is a window of desktop-agent. Its title contains the id of the
// window beneath.

const isSix = workspace.windowList !== undefined;
const changes = isSix
  ? { added: workspace.windowAdded, removed: workspace.windowRemoved, activated: workspace.windowActivated }
  : { added: workspace.clientAdded, removed: workspace.clientRemoved, activated: workspace.clientActivated };

// Windows are stored by id. While other scripts are loaded and unloaded, KWin passes the same window as several objects.

/** The id of each covered window, with the id of its cover. */
const covers = new Map();
/** New covers. KWin activates them, but that does not change the foreground window. */
const fresh = new Set();
/** Menus of covered windows that were moved aside, with the id of their window and their original frame. */
const aside = new Map();
/** The id of the foreground window, which is never a cover. `null` if there is none. */
let front = null;

const windows = () => (isSix ? workspace.windowList() : workspace.clientList());
const active = () => (isSix ? workspace.activeWindow : workspace.activeClient);
const idOf = (window) => String(window.internalId);
const found = (id) => (id && windows().find((window) => idOf(window) === id)) || null;
const coverOf = (id) => found(covers.get(id));
const isCover = (window) => window.pid === PID && String(window.resourceClass) === "screentime-shield";
/** Returns true for panels, the desktop, notifications, menus and the agent's dialogs, which are never the foreground window. */
const isPart = (window) => window.specialWindow || window.popupWindow || (window.pid === PID && !isCover(window));
const beneath = (cover) => (/^screentime (\S+)$/.exec(cover.caption) ?? [])[1] ?? null;

function activate(window) {
  if (isSix) workspace.activeWindow = window;
  else workspace.activeClient = window;
}

// MARK: - Delayed work

// KWin 5.27 crashes if a cover is raised within a signal while one is being destroyed. Windows are therefore activated from this
// timer.
const waiting = [];
const timer = new QTimer();
timer.singleShot = true;
timer.interval = 0;
timer.timeout.connect(() => {
  for (const act of waiting.splice(0)) act();
});

function soon(act) {
  if (!waiting.includes(act)) waiting.push(act);
  timer.start();
}

// MARK: - Reports

/** Returns true if the window is on the current virtual desktop and not minimised. */
function isShown(window) {
  if (window.minimized) return false;
  if (!isSix) return window.onAllDesktops || window.desktop === workspace.currentDesktop;
  return window.desktops.length === 0 || window.desktops.some((desktop) => desktop.id === workspace.currentDesktop.id);
}

/**
 * Returns the part of the window's frame that the app draws, without the app's shadow and without KWin's title bar. The title bar
 * stays uncovered, as on X11.
 */
function area(window) {
  const [frame, drawn] = [window.frameGeometry, window.bufferGeometry];
  const [x, y] = [Math.max(frame.x, drawn.x), Math.max(frame.y, drawn.y)];
  const width = Math.min(frame.x + frame.width, drawn.x + drawn.width) - x;
  const height = Math.min(frame.y + frame.height, drawn.y + drawn.height) - y;
  return width > 0 && height > 0 ? { x, y, width, height } : { x: frame.x, y: frame.y, width: frame.width, height: frame.height };
}

function describe(window) {
  const { x, y, width, height } = area(window);
  return {
    id: idOf(window),
    pid: window.pid,
    app: String(window.desktopFileName || window.resourceClass),
    frame: [x, y, width, height].map(Math.round),
    away: window.minimized,
    full: window.fullScreen,
    shown: isShown(window),
  };
}

function look() {
  const told = windows().filter((window) => !isCover(window) && !isPart(window)).map(describe);
  const isTold = (id) => told.some((window) => window.id === id);
  const keyed = active() && idOf(active());
  callDBus(AGENT, "/dev/screentime/Screen", "dev.screentime.Screen1", "Heard", JSON.stringify({
    windows: told,
    front: isTold(front) ? front : null,
    keyed: isTold(keyed) ? keyed : null,
  }));
}

const tell = () => soon(look);

// MARK: - Covers

function place(id) {
  const [cover, window] = [coverOf(id), found(id)];
  if (!cover || !window) return;
  const [now, wanted] = [cover.frameGeometry, area(window)];
  if (Object.keys(wanted).some((key) => now[key] !== wanted[key])) cover.frameGeometry = wanted;
  if (cover.minimized !== window.minimized) cover.minimized = window.minimized;
  if (isSix) cover.desktops = window.desktops;
  else if (cover.desktop !== window.desktop) cover.desktop = window.desktop;
  cover.keepAbove = window.keepAbove || window.fullScreen;
}

/** Moves the menus of a window beside the screen. They would be above its cover, and a paused app cannot close them. */
function putMenusAside(id) {
  for (const menu of windows().filter((window) => window.popupWindow && !aside.has(idOf(window)) && idOf(owner(window)) === id)) {
    const { x, y, width, height } = menu.frameGeometry;
    aside.set(idOf(menu), { id, frame: { x, y, width, height } });
    menu.frameGeometry = { x: -30000, y, width, height };
  }
}

function bringMenusBack(id) {
  for (const [menu, was] of [...aside].filter(([, was]) => was.id === id)) {
    aside.delete(menu);
    const window = found(menu);
    if (window) window.frameGeometry = was.frame;
  }
}

/** Returns the window that a menu or submenu belongs to. */
function owner(menu) {
  let window = menu;
  while (window.popupWindow && window.transientFor) window = window.transientFor;
  return window;
}

function pair(cover) {
  const id = beneath(cover);
  if (!found(id)) return;
  cover.skipTaskbar = cover.skipSwitcher = cover.skipPager = cover.noBorder = true;
  covers.set(id, idOf(cover));
  fresh.add(idOf(cover));
  place(id);
  putMenusAside(id);
  cover.frameGeometryChanged.connect(() => place(id));
  if (isSix) cover.outputChanged.connect(() => soon(() => settle(id)));
  soon(() => settle(id));
}

/**
 * Activates the cover of the foreground window.
 *
 * KWin 6 keeps a full-screen window on top until another window is activated on the same monitor. A new cover may be activated on
 * another monitor and moved afterwards. The window and the cover are therefore activated again.
 */
function bringForward(cover, window) {
  if (isSix && window.fullScreen) activate(window);
  activate(cover);
}

/** Moves a new cover, which KWin places on top, to its position above its window and below the windows above that one. */
function settle(id) {
  fresh.delete(covers.get(id));
  const [cover, window] = [coverOf(id), found(id)];
  if (!cover || !window) return;
  if (front === id) return bringForward(cover, window);
  // Activating a window on another virtual desktop would switch to that desktop.
  if (isShown(window)) {
    for (const other of above(window)) raise(coverOf(idOf(other)) ?? other);
  }
  const first = coverOf(front) ?? found(front);
  if (first && idOf(first) !== (active() && idOf(active()))) activate(first);
}

/** Returns the windows above this one, lowest first. */
function above(window) {
  const all = windows().filter((other) => !isCover(other) && !isPart(other) && isShown(other));
  return all
    .filter((other) => other.stackingOrder > window.stackingOrder)
    .sort((one, other) => one.stackingOrder - other.stackingOrder);
}

function raise(window) {
  if (isSix) workspace.raiseWindow(window);
  else activate(window);
}

// MARK: - Signals of KWin

function added(window) {
  if (isCover(window)) {
    pair(window);
    window.captionChanged.connect(() => pair(window));
    return;
  }
  if (isPart(window)) {
    if (window.popupWindow && covers.has(idOf(owner(window)))) putMenusAside(idOf(owner(window)));
    return;
  }
  const changed = () => {
    place(idOf(window));
    tell();
  };
  const desktops = isSix ? window.desktopsChanged : window.desktopChanged;
  for (const signal of [window.frameGeometryChanged, window.minimizedChanged, window.fullScreenChanged, desktops]) {
    signal.connect(changed);
  }
  window.keepAboveChanged.connect(changed);
  tell();
}

function removed(window) {
  const gone = idOf(window);
  if (front === gone) front = null;
  aside.delete(gone);
  fresh.delete(gone);
  for (const [id] of [...covers].filter((pair) => pair.includes(gone))) {
    covers.delete(id);
    bringMenusBack(id);
  }
  tell();
}

/**
 * Determines the foreground window. KWin reports for a moment that no window is active before it activates one, so this runs only
 * after its signals.
 */
function decideFront() {
  const window = active();
  if (window && isCover(window)) {
    if (!fresh.has(idOf(window))) front = beneath(window) ?? front;
  } else if (!window || window.desktopWindow) {
    front = null;
  } else if (!isPart(window)) {
    front = idOf(window);
    // The cover gets the keyboard focus instead of its window.
    const cover = coverOf(front);
    if (cover) activate(cover);
  }
  look();
}

changes.added.connect(added);
changes.removed.connect(removed);
changes.activated.connect(() => soon(decideFront));
workspace.currentDesktopChanged.connect(tell);
windows().forEach(added);
soon(decideFront);
