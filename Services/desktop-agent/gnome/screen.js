// Reports windows and the focus to desktop-agent, and shows its panes over them. This code makes no decisions.

const AGENT = "dev.screentime.DesktopAgent";
const PATH = "/dev/screentime/Screen";
const INTERFACE = "dev.screentime.Screen1";
const XML = `<node><interface name="${INTERFACE}">
  <method name="Look"><arg type="s" direction="out"/></method>
  <method name="Begin"><arg type="u" direction="in"/><arg type="u" direction="in"/></method>
  <method name="Perform"><arg type="s" direction="in"/></method>
  <method name="Idle"><arg type="u" direction="out"/></method>
</interface></node>`;
// The tested major versions of GNOME Shell. On other versions the extension reports windows, but covers nothing.
const TRIED = { first: 43, last: 51 };

const { NORMAL, DIALOG, MODAL_DIALOG, UTILITY, DESKTOP, DOCK, SPLASHSCREEN, NOTIFICATION } = Meta.WindowType;
const APPS = [NORMAL, DIALOG, MODAL_DIALOG, UTILITY];
const CHROME = [DESKTOP, DOCK, SPLASHSCREEN, NOTIFICATION];

const { KEY_Tab, KEY_ISO_Left_Tab, KEY_Left, KEY_Up, KEY_Right, KEY_Down, KEY_Return, KEY_KP_Enter, KEY_Escape, KEY_BackSpace } = Clutter;
const KEYS = new Map([
  [KEY_Tab, "next"], [KEY_Right, "next"], [KEY_Down, "next"],
  [KEY_ISO_Left_Tab, "previous"], [KEY_Left, "previous"], [KEY_Up, "previous"],
  [KEY_Return, "press"], [KEY_KP_Enter, "press"],
  [KEY_Escape, "cancel"], [KEY_BackSpace, "backspace"],
]);
// Time that a covered window may keep the keyboard focus before the extension reports it.
const DOUBT_MS = 300;
// Distance from the corner pane to the edges of its monitor, in stage units.
const MARGIN = 12;

const nowMs = () => Math.floor(GLib.get_monotonic_time() / 1000);
const idOf = (win) => String(win.get_id());

// A set of signal connections that are disconnected together.
class Hooks {
  constructor() {
    this.all = [];
  }

  on(object, signal, hear) {
    this.all.push([object, object.connect(signal, hear)]);
  }

  release() {
    for (const [object, id] of this.all.splice(0)) object.disconnect(id);
  }
}

class Screen {
  constructor(metadata, folder) {
    this.metadata = metadata;
    this.folder = folder;
    const major = parseInt(PACKAGE_VERSION);
    this.covers = TRIED.first <= major && major <= TRIED.last;
    this.hooks = new Hooks();
    this.windows = new Map();
    this.panes = new Map();
    this.events = [];
    this.agent = null;
  }

  enable() {
    this.object = Gio.DBusExportedObject.wrapJSObject(XML, this);
    this.object.export(Gio.DBus.session, PATH);
    this.watch = Gio.bus_watch_name(Gio.BusType.SESSION, AGENT, Gio.BusNameWatcherFlags.NONE, null, () => this.end());
  }

  disable() {
    this.tell({ ended: "The extension in GNOME Shell was switched off." });
    this.flush();
    this.end();
    Gio.bus_unwatch_name(this.watch);
    this.object.unexport();
    this.object = null;
  }

  // ---- Methods on the session bus

  Look() {
    return JSON.stringify({ version: this.metadata["version-name"], shell: PACKAGE_VERSION, covers: this.covers });
  }

  Idle() {
    return this.idleMonitor().get_idletime();
  }

  BeginAsync([quietMs, idleMs], call) {
    const sender = call.get_sender();
    const bus = "org.freedesktop.DBus";
    const name = new GLib.Variant("(s)", [AGENT]);
    Gio.DBus.session.call(bus, "/org/freedesktop/DBus", bus, "GetNameOwner", name, null, 0, 2000, null, (_, reply) => {
      let owner = null;
      try {
        [owner] = Gio.DBus.session.call_finish(reply).deepUnpack();
      } catch {
        // No program owns the name.
      }
      if (owner !== sender || !this.object) return this.refuse(call);
      this.end();
      call.return_value(null);
      this.begin(sender, quietMs, idleMs);
    });
  }

  PerformAsync([acts], call) {
    if (call.get_sender() !== this.agent) return this.refuse(call);
    const failed = [];
    for (const act of JSON.parse(acts)) {
      try {
        this.perform(act);
      } catch (error) {
        failed.push(`${act.do}: ${error}`);
      }
    }
    if (failed.length === 0) return call.return_value(null);
    logError(new Error(failed[0]), "Screen Time");
    call.return_dbus_error(`${INTERFACE}.Error.Failed`, failed.join("; "));
  }

  refuse(call) {
    call.return_dbus_error(`${INTERFACE}.Error.Refused`, `Only the program that has the name ${AGENT} may ask for this.`);
  }

  begin(agent, quietMs, idleMs) {
    this.agent = agent;
    this.front = undefined;
    const { hooks } = this;
    hooks.on(global.display, "window-created", (_, win) => this.add(win));
    hooks.on(global.display, "notify::focus-window", () => this.focusChanged());
    hooks.on(global.workspace_manager, "active-workspace-changed", () => this.lookAgain());
    hooks.on(Shell.WindowTracker.get_default(), "tracked-windows-changed", () => this.lookAgain());
    hooks.on(Main.layoutManager, "monitors-changed", () => {
      this.tellOutputs();
      this.lookAgain();
      for (const pane of this.panes.values()) pane.settle();
    });
    this.tellOutputs();
    for (const actor of global.get_window_actors()) this.add(actor.meta_window);
    this.focusChanged();
    this.tell({ ready: this.covers });
    this.watchIdle(quietMs, idleMs);
  }

  // Removes everything from the screen and stops the reports. Also called when desktop-agent disappears from the bus.
  end() {
    for (const id of [...this.panes.keys()]) this.closePane(id);
    this.showItem(null);
    for (const seen of this.windows.values()) seen.hooks.release();
    this.windows.clear();
    this.hooks.release();
    for (const id of this.idleWatches ?? []) this.idleMonitor().remove_watch(id);
    this.idleWatches = [];
    if (this.keysTimer) GLib.source_remove(this.keysTimer);
    this.keysTimer = 0;
    this.covered = null;
    this.events = [];
    this.agent = null;
  }

  perform(act) {
    const win = act.window ? this.windows.get(act.window)?.win : null;
    const time = global.get_current_time();
    switch (act.do) {
      case "open": return this.openPane(act);
      case "paint": return this.panes.get(act.pane)?.paint(act);
      case "close": return this.closePane(act.pane);
      case "hold": return this.panes.get(act.pane)?.hold();
      case "minimize": return act.windows.forEach((id) => this.windows.get(id)?.win.minimize());
      case "activate": return act.window ? win?.activate(time) : this.nextWindow()?.activate(time);
      case "ask_to_close": return win?.delete(time);
      case "item": return this.showItem(act.item);
    }
  }

  // Returns the window that was in the foreground before. Returns null if the current foreground window is still shown.
  nextWindow() {
    const current = global.display.focus_window ?? this.covered;
    if (current && this.isShown(current)) return null;
    const workspace = global.workspace_manager.get_active_workspace();
    return global.display.get_tab_list(Meta.TabList.NORMAL, workspace).find((win) => win !== current && !win.minimized);
  }

  // ---- Windows and monitors

  tell(event) {
    if (!this.agent || this.events.push(event) > 1) return;
    Promise.resolve().then(() => this.flush());
  }

  flush() {
    const events = this.events.splice(0);
    if (!this.agent || events.length === 0) return;
    const words = new GLib.Variant("(s)", [JSON.stringify(events)]);
    Gio.DBus.session.emit_signal(this.agent, PATH, INTERFACE, "Heard", words);
  }

  tellOutputs() {
    this.tell({
      outputs: Main.layoutManager.monitors.map(({ index, x, y, width, height }) => ({
        name: `Monitor ${index + 1}`,
        frame: [x, y, width, height],
        scale: global.display.get_monitor_scale(index),
      })),
    });
  }

  add(win) {
    const id = idOf(win);
    if (this.windows.has(id)) return;
    const seen = { win, told: "", hooks: new Hooks() };
    this.windows.set(id, seen);
    const changes = ["size-changed", "position-changed", "workspace-changed"];
    const properties = ["minimized", "fullscreen", "wm-class", "gtk-application-id"];
    for (const signal of [...changes, ...properties.map((name) => `notify::${name}`)]) {
      seen.hooks.on(win, signal, () => this.look(id));
    }
    seen.hooks.on(win, "unmanaging", () => this.gone(id));
    this.look(id);
  }

  gone(id) {
    const seen = this.windows.get(id);
    seen.hooks.release();
    this.windows.delete(id);
    for (const pane of this.panes.values()) {
      pane.menus.delete(seen.win);
      if (pane.win === seen.win) this.closePane(pane.id);
    }
    if (this.covered === seen.win) this.covered = null;
    if (seen.told) this.tell({ gone: id });
    this.tellFront();
  }

  lookAgain() {
    for (const id of this.windows.keys()) this.look(id);
  }

  look(id) {
    const seen = this.windows.get(id);
    if (!seen) return;
    const { win } = seen;
    this.coveredBy(win)?.hideMenu(win);
    for (const pane of this.panes.values()) if (pane.win === win) pane.settle();
    if (win.minimized && this.covered === win) {
      // The cover had the keyboard focus, so GNOME Shell activates no other window by itself.
      this.covered = null;
      this.nextWindow()?.activate(global.get_current_time());
    }
    if (!APPS.includes(win.get_window_type()) && !CHROME.includes(win.get_window_type())) return;
    const words = this.describe(win);
    const text = JSON.stringify(words);
    const [, , width] = words.frame;
    // A window that has not been drawn yet has no size, and usually no name. It is not reported yet.
    if (text === seen.told || (!seen.told && width === 0)) return;
    seen.told = text;
    this.tell({ window: words });
    this.tellFront();
  }

  // The title of a window is never reported.
  describe(win) {
    const app = Shell.WindowTracker.get_default().get_window_app(win);
    const entry = app && !app.is_window_backed() ? app.get_id().replace(/\.desktop$/, "") : null;
    const { x, y, width, height } = win.get_frame_rect();
    return {
      id: idOf(win),
      pid: win.get_pid(),
      class: win.get_wm_class(),
      instance: win.get_wm_class_instance(),
      entry: win.get_sandboxed_app_id() ?? entry ?? win.get_gtk_application_id(),
      frame: [x, y, width, height],
      minimized: win.minimized,
      fullscreen: win.is_fullscreen(),
      shown: this.isShown(win),
      chrome: CHROME.includes(win.get_window_type()),
    };
  }

  // Returns true if the window is not minimised and is on the current workspace. The overview does not count as hiding it, although
  // no window is mapped then.
  isShown(win) {
    const { width, height } = win.get_frame_rect();
    const workspace = global.workspace_manager.get_active_workspace();
    return !win.minimized && width > 0 && height > 0 && win.located_on_workspace(workspace);
  }

  idleMonitor() {
    return global.backend.get_core_idle_monitor();
  }

  watchIdle(quietMs, idleMs) {
    const monitor = this.idleMonitor();
    let isWaiting = false;
    const watch = (ms, word) =>
      monitor.add_idle_watch(ms, () => {
        this.tell({ [word]: nowMs() - ms });
        if (isWaiting) return;
        isWaiting = true;
        // The monitor removes this watch after its first call.
        monitor.add_user_active_watch(() => {
          isWaiting = false;
          this.tell({ touched: nowMs() });
        });
      });
    this.idleWatches = [watch(quietMs, "quiet"), watch(idleMs, "idle")];
  }

  // ---- Foreground and keyboard

  focusChanged() {
    if (global.display.focus_window) this.covered = null;
    if (this.keyPane()) this.takeKeysSoon();
    this.tellFront();
    for (const pane of this.panes.values()) pane.settleHold();
  }

  tellFront() {
    // A covered window remains the foreground window while its cover has the keyboard, but only on the current workspace.
    const covered = this.covered && this.isShown(this.covered) ? this.covered : null;
    const win = global.display.focus_window ?? covered;
    const id = win ? idOf(win) : null;
    if (id === this.front || (id && !this.windows.get(id)?.told)) return;
    this.front = id;
    this.tell({ focus: id, at: nowMs() });
  }

  // Returns the pane that should have the keyboard focus now.
  keyPane() {
    const panes = [...this.panes.values()].filter((pane) => pane.takesKeys);
    const win = global.display.focus_window;
    return panes.find((pane) => !pane.win) ?? (win && panes.find((pane) => pane.win === win));
  }

  // Returns true while GNOME Shell itself has the keyboard: the overview, a menu, a switcher or the lock screen. Windows receive no
  // keys then.
  shellHasKeys() {
    return Main.overview.visible || Main.modalCount > 0;
  }

  // Moves the keyboard focus to the pane from a timer. Within `notify::focus-window`, or while GNOME Shell has the keyboard, the
  // focus would alternate endlessly.
  takeKeysSoon(ms = 0) {
    if (this.keysTimer) return;
    this.keysTimer = GLib.timeout_add(GLib.PRIORITY_HIGH, ms, () => {
      this.keysTimer = 0;
      const pane = this.keyPane();
      if (pane && this.shellHasKeys()) this.takeKeysSoon(50);
      else pane?.takeKeys();
      return GLib.SOURCE_REMOVE;
    });
  }

  // ---- Panes

  openPane(order) {
    this.closePane(order.pane);
    const win = order.over ? this.windows.get(order.over)?.win : null;
    if (!this.covers) return this.tell({ pane: order.pane, failed: `GNOME Shell ${PACKAGE_VERSION} is not known yet, so nothing is covered.` });
    if (order.over && !win) return;
    if (this.panes.size === 0) unredirect.hold();
    const pane = new Pane(this, order, win);
    this.panes.set(order.pane, pane);
    for (const { win: other } of this.windows.values()) this.coveredBy(other)?.hideMenu(other);
    pane.settle();
    if (this.keyPane() === pane) this.takeKeysSoon();
  }

  closePane(id) {
    const pane = this.panes.get(id);
    if (!pane) return;
    this.panes.delete(id);
    const hadKeys = global.stage.key_focus === pane.actor;
    pane.destroy();
    if (this.panes.size === 0) unredirect.release();
    const beneath = this.covered;
    // Applies also while a menu of GNOME Shell has the keyboard. The window gets the focus when the menu closes.
    if (!beneath || !this.agent || !(hadKeys || pane.win === beneath)) return;
    if (pane.win === beneath) this.covered = null;
    beneath.focus(global.get_current_time());
  }

  showItem(item) {
    if (item) {
      this.item ??= new Item(this);
      this.item.show(item);
    } else {
      this.item?.destroy();
      this.item = null;
    }
  }

  // Returns the pane over the window that a menu or tooltip belongs to.
  coveredBy(win) {
    if (APPS.includes(win.get_window_type()) || CHROME.includes(win.get_window_type())) return null;
    let root = win.get_transient_for();
    for (let steps = 0; root && steps < 20; steps++) {
      for (const pane of this.panes.values()) if (pane.win === root) return pane;
      root = root.get_transient_for();
    }
    return null;
  }
}

// A pane of desktop-agent: over a window, in the corner of the primary monitor, or in its middle.
class Pane {
  constructor(screen, order, win) {
    this.screen = screen;
    this.id = order.pane;
    this.win = win;
    this.size = order.corner ?? order.middle;
    this.isInCorner = Boolean(order.corner);
    this.takesKeys = order.keys || Boolean(win);
    this.spots = [];
    this.menus = new Set();
    this.hooks = new Hooks();
    this.actor = new St.Widget({ reactive: !this.isInCorner, can_focus: this.takesKeys, accessible_name: order.name });
    this.actor.set_style(`background-color: ${order.background};`);
    this.picture = new Clutter.Actor();
    this.actor.add_child(this.picture);
    if (win) {
      // A child actor follows its window when it moves, is minimised, or appears in the overview or a switcher.
      this.parent = win.get_compositor_private();
      this.parent.add_child(this.actor);
      // Keeps the pane above surfaces that the app adds later.
      this.hooks.on(this.parent, "notify::last-child", () => this.rise());
    } else {
      Main.layoutManager.uiGroup.add_child(this.actor);
    }
    this.listen();
  }

  destroy() {
    this.hooks.release();
    if (this.holdTimer) GLib.source_remove(this.holdTimer);
    for (const win of this.menus) this.showMenu(win);
    this.actor.destroy();
  }

  tell(event) {
    this.screen.tell({ pane: this.id, ...event });
  }

  rise() {
    if (this.parent.get_last_child() !== this.actor) this.parent.set_child_above_sibling(this.actor, null);
  }

  // ---- Position and size

  // Returns the scale of the monitor, and the number of pixels in one stage unit.
  density() {
    const monitor = this.win?.get_monitor() ?? Main.layoutManager.primaryIndex;
    const scale = global.display.get_monitor_scale(Math.max(0, monitor));
    return { scale, pixels: scale / St.ThemeContext.get_for_stage(global.stage).scale_factor };
  }

  frame() {
    if (this.win) {
      const frame = this.win.get_frame_rect();
      const buffer = this.win.get_buffer_rect();
      return { x: frame.x - buffer.x, y: frame.y - buffer.y, width: frame.width, height: frame.height };
    }
    // For a moment there may be no monitor.
    const { x, y, width, height } = Main.layoutManager.primaryMonitor ?? { x: 0, y: 0, width: 0, height: 0 };
    const [w, h] = this.size;
    if (!this.isInCorner) return { x: x + ((width - w) >> 1), y: y + ((height - h) >> 1), width: w, height: h };
    return { x: x + width - w - MARGIN, y: y + Main.panel.height + MARGIN, width: w, height: h };
  }

  settle() {
    if (this.win && !this.screen.isShown(this.win)) {
      if (this.state !== "hidden") this.tell({ hidden: true });
      this.state = "hidden";
      return this.settleHold();
    }
    const { x, y, width, height } = this.frame();
    this.actor.set_position(x, y);
    this.actor.set_size(width, height);
    const { scale, pixels } = this.density();
    const shown = { shown: [Math.ceil(width * pixels), Math.ceil(height * pixels)], scale };
    const state = JSON.stringify(shown);
    if (state === this.state) return;
    this.state = state;
    // After this signal, the frame that contains the pane is on its way to the screen.
    const stage = global.stage;
    const hook = stage.connect("after-paint", () => {
      stage.disconnect(hook);
      if (this.state === state) this.tell({ ...shown, at: nowMs() });
    });
    stage.queue_redraw();
    this.settleHold();
  }

  paint({ path, width, height, spots }) {
    const bytes = GLib.MappedFile.new(path, false).get_bytes();
    const image = St.ImageContent.new_with_preferred_size(width, height);
    setPixels(image, bytes, width, height);
    const { pixels } = this.density();
    this.picture.set_content(image);
    // A pane over a window must hide everything beneath it. Other panes have round corners, so their background is transparent.
    if (!this.win) this.actor.set_style("background-color: transparent;");
    this.picture.set_size(width / pixels, height / pixels);
    this.pixels = pixels;
    this.spots = spots;
  }

  // ---- Keys and pointer

  listen() {
    if (this.isInCorner) return;
    const hear = (signal, act) =>
      this.hooks.on(this.actor, signal, (_, event) => {
        act(event);
        return Clutter.EVENT_STOP;
      });
    hear("motion-event", (event) => this.hover(this.spotAt(event)));
    hear("leave-event", () => this.hover(null));
    hear("scroll-event", () => {});
    hear("button-press-event", (event) => this.press(event));
    hear("button-release-event", (event) => this.release(event));
    hear("touch-event", (event) => {
      if (event.type() === Clutter.EventType.TOUCH_BEGIN) this.press(event);
      if (event.type() === Clutter.EventType.TOUCH_END) this.release(event);
    });
    hear("key-press-event", (event) => this.key(event));
    hear("key-release-event", () => {});
  }

  spotAt(event) {
    const [x, y] = event.get_coords();
    const [isThere, left, top] = this.actor.transform_stage_point(x, y);
    const across = left * (this.pixels ?? 1);
    const down = top * (this.pixels ?? 1);
    const isIn = ({ frame: [x, y, width, height] }) => x <= across && across < x + width && y <= down && down < y + height;
    return (isThere && [...this.spots].reverse().find(isIn)?.id) || null;
  }

  hover(spot) {
    if (spot === this.hovered) return;
    this.hovered = spot;
    this.tell({ hovered: spot });
  }

  press(event) {
    this.hover(this.spotAt(event));
    this.pressed = this.hovered;
    // A press on a cover activates its window, as a press on the window would.
    if (this.win) this.win.activate(global.get_current_time());
    else this.takeKeys();
  }

  release(event) {
    const spot = this.spotAt(event);
    if (spot && spot === this.pressed) this.tell({ pressed: spot });
    this.pressed = null;
  }

  key(event) {
    const { CONTROL_MASK, MOD1_MASK, SUPER_MASK, SHIFT_MASK } = Clutter.ModifierType;
    const state = event.get_state();
    // A key with one of these modifiers is a shortcut, not input for the pane.
    if (state & (CONTROL_MASK | MOD1_MASK | SUPER_MASK)) return;
    const symbol = event.get_key_symbol();
    const word = symbol === Clutter.KEY_Tab && state & SHIFT_MASK ? "previous" : KEYS.get(symbol);
    if (word) return this.tell({ key: word });
    const letter = String.fromCodePoint(Clutter.keysym_to_unicode(symbol));
    if (letter >= " " && letter !== "\u007f") this.tell({ text: letter });
  }

  // Moves the keyboard focus to the pane. The window beneath remains the foreground window, but receives no keys.
  takeKeys() {
    this.screen.covered = global.display.focus_window ?? this.screen.covered;
    global.display.unset_input_focus(global.get_current_time());
    global.stage.set_key_focus(this.actor);
    this.settleHold();
  }

  // ---- Blocking input to the covered window

  hold() {
    this.isHeld = null;
    this.wantsHold = true;
    this.settleHold();
  }

  // Reports if the covered window has lost the keyboard focus. A cover gets the keyboard slightly later than the pointer, so a
  // failure is reported only after DOUBT_MS.
  settleHold() {
    if (!this.wantsHold) return;
    const isSafe = () => global.display.focus_window !== this.win || this.state === "hidden" || this.screen.shellHasKeys();
    if (isSafe()) this.tellHold(true, null);
    if (isSafe() || this.holdTimer) return;
    this.holdTimer = GLib.timeout_add(GLib.PRIORITY_DEFAULT, DOUBT_MS, () => {
      this.holdTimer = 0;
      if (!isSafe()) this.tellHold(false, "Another window keeps the keyboard; close it.");
      return GLib.SOURCE_REMOVE;
    });
  }

  tellHold(isHeld, why) {
    if (this.isHeld === isHeld) return;
    this.isHeld = isHeld;
    this.tell({ held: isHeld, why });
  }

  // Hides a menu of a covered window. A menu is a separate window and would appear above the cover.
  hideMenu(win) {
    const actor = win.get_compositor_private();
    if (!actor || this.menus.has(win)) return;
    this.menus.add(win);
    actor.opacity = 0;
    Shell.util_set_hidden_from_pick(actor, true);
  }

  showMenu(win) {
    const actor = win.get_compositor_private();
    if (!actor) return;
    actor.opacity = 255;
    Shell.util_set_hidden_from_pick(actor, false);
  }
}

// The item on the panel of GNOME Shell. Other desktops show it in their tray.
class Item {
  constructor(screen) {
    this.screen = screen;
    this.hooks = new Hooks();
    this.button = new PanelMenu.Button(0, "Screen Time");
    const row = new St.BoxLayout({ style_class: "panel-status-menu-box" });
    const picture = Gio.File.new_for_path(`${screen.folder}/screentime-symbolic.svg`);
    row.add_child(new St.Icon({ gicon: Gio.FileIcon.new(picture), style_class: "system-status-icon" }));
    this.label = new St.Label({ y_align: Clutter.ActorAlign.CENTER });
    row.add_child(this.label);
    this.button.add_child(row);
    this.hooks.on(this.button.menu, "open-state-changed", (_, isOpen) => {
      // Waits until the press that closes the menu has been handled.
      if (!isOpen) Promise.resolve().then(() => this.fill());
    });
    this.hooks.on(Main.sessionMode, "updated", () => this.settle());
    Main.panel.addToStatusArea("screentime", this.button);
    this.settle();
  }

  destroy() {
    this.hooks.release();
    this.button.destroy();
    this.button = null;
  }

  // Hides the item while the screen is locked, because another person may see it.
  settle() {
    this.button.visible = !Main.sessionMode.isLocked;
  }

  show(item) {
    this.item = item;
    this.label.text = item.label;
    this.label.visible = item.label !== "";
    this.button.accessible_name = [item.name, item.label].filter(Boolean).join(", ");
    this.fill();
  }

  // Updates the menu, but not while it is open.
  fill() {
    if (!this.button || this.button.menu.isOpen || this.filled === this.item) return;
    this.filled = this.item;
    const { menu } = this.button;
    menu.removeAll();
    for (const line of this.item.lines) menu.addMenuItem(new PopupMenu.PopupMenuItem(line, { activate: false, hover: false }));
    menu.addMenuItem(new PopupMenu.PopupSeparatorMenuItem());
    for (const { id, text } of this.item.choices) {
      const entry = new PopupMenu.PopupMenuItem(text);
      entry.connect("activate", () => this.screen.tell({ chosen: id }));
      menu.addMenuItem(entry);
    }
  }
}
