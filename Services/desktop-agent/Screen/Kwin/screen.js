// Screen Time within KWin 5.27 and 6: tells desktop-agent of windows, and keeps its covers over theirs.
//
// desktop-agent loads this text over the session's bus with its connection (AGENT) and its process (PID) filled in, and takes
// it out when it ends. A cover is a window of desktop-agent whose title names the window beneath.

const isSix = workspace.windowList !== undefined;
const changes = isSix
  ? { added: workspace.windowAdded, removed: workspace.windowRemoved, activated: workspace.windowActivated }
  : { added: workspace.clientAdded, removed: workspace.clientRemoved, activated: workspace.clientActivated };

// Windows are kept by their ids: while other scripts come and go KWin gives one window to us as several objects.

/** The cover of each window. */
const covers = new Map();
/** Covers that KWin has brought in front because they are new. */
const fresh = new Set();
/** Menus of covered windows, with the window and where they were. */
const aside = new Map();
/** The last window of others that was in front. */
let front = null;

const windows = () => (isSix ? workspace.windowList() : workspace.clientList());
const active = () => (isSix ? workspace.activeWindow : workspace.activeClient);
const idOf = (window) => String(window.internalId);
const found = (id) => (id && windows().find((window) => idOf(window) === id)) || null;
const coverOf = (id) => found(covers.get(id));
const isCover = (window) => window.pid === PID && String(window.resourceClass) === "screentime-shield";
/** Panels, the desktop, notifications, menus, our questions: not what a person is at. */
const isPart = (window) => window.specialWindow || window.popupWindow || (window.pid === PID && !isCover(window));
const beneath = (cover) => (/^screentime (\S+)$/.exec(cover.caption) ?? [])[1] ?? null;

function activate(window) {
  if (isSix) workspace.activeWindow = window;
  else workspace.activeClient = window;
}

// MARK: - One timer for all that waits

// Nothing is activated within a signal of KWin: 5.27 ends when a cover is raised while it is being destroyed.
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

// MARK: - Telling

/** On the desktop that is shown. */
function isShown(window) {
  if (window.minimized) return false;
  if (!isSix) return window.onAllDesktops || window.desktop === workspace.currentDesktop;
  return window.desktops.length === 0 || window.desktops.some((desktop) => desktop.id === workspace.currentDesktop.id);
}

/** What a window shows of its own: no shadow that it draws, and no title bar that KWin draws, which stays free as on X11. */
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

/** Menus lie above all covers, and a paused app closes none: they wait beside the screen. */
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

/** The window that a menu, or a menu of a menu, belongs to. */
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
 * A full screen gives up its place above all when KWin 6 activates another window on its monitor. KWin activates a cover where it
 * opens, and it comes to that monitor afterwards.
 */
function bringForward(cover, window) {
  if (isSix && window.fullScreen) activate(window);
  activate(cover);
}

/** A new cover comes to the top of all: it belongs above its window, and below what is above that. */
function settle(id) {
  fresh.delete(covers.get(id));
  const [cover, window] = [coverOf(id), found(id)];
  if (!cover || !window) return;
  if (front === id) return bringForward(cover, window);
  // To activate what is on another desktop would go there.
  if (isShown(window)) {
    for (const other of above(window)) raise(coverOf(idOf(other)) ?? other);
  }
  const first = coverOf(front) ?? found(front);
  if (first && idOf(first) !== (active() && idOf(active()))) activate(first);
}

/** Windows that lie over this one, the lowest first. */
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

// MARK: - What KWin says

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

/** KWin calls nothing active for a moment before it calls a window so: what counts is what holds in the end. */
function decideFront() {
  const window = active();
  if (window && isCover(window)) {
    if (!fresh.has(idOf(window))) front = beneath(window) ?? front;
  } else if (!window || window.desktopWindow) {
    front = null;
  } else if (!isPart(window)) {
    front = idOf(window);
    // A covered window never keeps the keys.
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
