// The shield over a page. The page stays beneath as it is: what was typed, how far it was scrolled.
(() => {
  if (globalThis.hasShield) return;
  globalThis.hasShield = true;
  const api = globalThis.browser ?? chrome;
  const page = document.documentElement;
  const isStandIn = location.href.startsWith(api.runtime.getURL(""));
  let box = null;
  let inner = null;
  let root = null;
  let paused = [];
  let drawn = "";

  const color = (pair, fallback) => {
    const isDark = matchMedia("(prefers-color-scheme: dark)").matches;
    const text = pair?.[isDark ? "dark" : "light"] ?? "";
    return /^#[0-9A-Fa-f]{6,8}$/.test(text) ? text : fallback[isDark ? 1 : 0];
  };

  const make = (name, text, style) => {
    const one = document.createElement(name);
    if (text) one.textContent = text;
    Object.assign(one.style, style);
    return one;
  };

  const hourglass = () => {
    const name = "http://www.w3.org/2000/svg";
    const picture = document.createElementNS(name, "svg");
    picture.setAttribute("viewBox", "0 0 24 24");
    picture.setAttribute("width", "72");
    picture.setAttribute("height", "72");
    picture.setAttribute("aria-hidden", "true");
    const path = document.createElementNS(name, "path");
    path.setAttribute("d", "M6 2h12v4l-4.5 6 4.5 6v4H6v-4l4.5-6L6 6zm2 2v1.4L12 11l4-5.6V4zm4 9-4 5.6V20h8v-1.4z");
    path.setAttribute("fill", "currentColor");
    picture.append(path);
    return picture;
  };

  const icon = (look) => {
    const { kind, data } = look.icon ?? {};
    if (kind !== "data" || !/^[A-Za-z0-9+/=]+$/.test(data ?? "")) return hourglass();
    const picture = make("img", "", { width: "80px", height: "80px", objectFit: "contain" });
    picture.alt = "";
    // By its first bytes; what an app has drawn is an SVG, which runs and loads nothing in a picture.
    const type = data.startsWith("/9j/") ? "jpeg" : data.startsWith("PHN2Zy") ? "svg+xml" : "png";
    picture.src = `data:image/${type};base64,${data}`;
    return picture;
  };

  function button(text, name, style, more) {
    const one = make("button", text, {
      font: "600 17px system-ui, sans-serif", padding: "13px 28px", minWidth: "260px", borderRadius: "12px",
      border: "0", cursor: "pointer", ...style,
    });
    one.addEventListener("click", (event) => {
      // A page can make clicks too.
      if (event.isTrusted) more ? more() : api.runtime.sendMessage({ press: name });
    });
    return one;
  }

  function draw(look) {
    const label = color(look.title?.color, ["#1D1D1F", "#F5F5F7"]);
    inner.replaceChildren();
    const title = make("h1", look.title?.text, { font: "700 30px system-ui, sans-serif", margin: "0", color: label });
    title.id = "title";
    const subtitle = make("p", look.subtitle?.text, {
      font: "18px/1.45 system-ui, sans-serif", margin: "0 0 12px", whiteSpace: "pre-line", maxWidth: "34em",
      color: color(look.subtitle?.color, ["#4B4B52", "#CDCDD4"]),
    });
    const parts = [icon(look), title, subtitle];
    const primary = button(look.primary?.text, "primary", {
      background: color(look.primary_background, ["#0A62DB", "#1D6FE5"]),
      color: color(look.primary?.color, ["#FFFFFF", "#FFFFFF"]),
    });
    parts.push(primary);
    if (look.secondary) {
      const style = { background: "transparent", color: color(look.secondary.color, ["#0A62DB", "#6CA8FF"]) };
      const menu = make("div", "", { display: "none", flexDirection: "column", gap: "6px" });
      const names = ["first_submenu", "second_submenu", "third_submenu", "fourth_submenu"];
      (look.submenu ?? []).slice(0, 4).forEach((line, place) => menu.append(button(line, names[place], style)));
      const opens = menu.childElementCount > 0;
      const secondary = button(look.secondary.text, "secondary", style, opens && (() => {
        menu.style.display = menu.style.display === "none" ? "flex" : "none";
        secondary.setAttribute("aria-expanded", String(menu.style.display === "flex"));
        if (menu.style.display === "flex") menu.firstElementChild.focus();
      }));
      if (opens) secondary.setAttribute("aria-expanded", "false");
      parts.push(secondary, menu);
    }
    inner.append(...parts);
    inner.style.background = color(look.background, ["#ECECF1", "#1C1C1F"]);
    inner.style.color = label;
    focus();
  }

  const keep = (event) => {
    if (event.composedPath().includes(box)) return;
    event.stopImmediatePropagation();
    event.preventDefault();
  };
  const keys = ["keydown", "keypress", "keyup", "beforeinput", "paste", "wheel", "touchmove"];

  function quiet() {
    for (const media of document.querySelectorAll("video, audio")) {
      if (media.paused) continue;
      media.pause();
      paused.push(media);
    }
    if (document.body && !document.body.inert) document.body.inert = true;
  }

  // The keyboard is the shield's, also when a person comes back to the tab.
  const focus = () => {
    if (document.visibilityState === "visible" && !root.activeElement) inner.querySelector("button").focus();
  };

  const watch = new MutationObserver(() => {
    if (!box) return;
    if (!box.isConnected) {
      page.append(box);
      box.showPopover();
    }
    quiet();
  });

  function cover(look) {
    if (!box) {
      box = document.createElement("div");
      root = box.attachShadow({ mode: "closed" });
      inner = make("div", "", {
        position: "fixed", inset: "0", display: "flex", flexDirection: "column", alignItems: "center",
        justifyContent: "center", gap: "14px", padding: "24px", textAlign: "center", overflow: "auto", boxSizing: "border-box",
      });
      inner.setAttribute("role", "dialog");
      inner.setAttribute("aria-modal", "true");
      inner.setAttribute("aria-labelledby", "title");
      root.append(inner);
      box.popover = "manual";
      box.style.cssText = "all: initial; position: fixed; inset: 0; width: 100vw; height: 100vh; border: 0; padding: 0; margin: 0; max-width: none; max-height: none; z-index: 2147483647";
      page.append(box);
      if (document.fullscreenElement) document.exitFullscreen().catch(() => {});
      document.exitPointerLock?.();
      box.showPopover();
      for (const name of keys) addEventListener(name, keep, { capture: true, passive: false });
      addEventListener("play", quiet, true);
      addEventListener("focus", focus);
      document.addEventListener("visibilitychange", focus);
      watch.observe(page, { childList: true });
      watch.observe(document, { childList: true, subtree: false });
      document.addEventListener("DOMContentLoaded", quiet);
      quiet();
    }
    // The same look again must not close its menu.
    if (drawn !== JSON.stringify(look)) draw(look);
    drawn = JSON.stringify(look);
  }

  function lift() {
    if (!box) return;
    watch.disconnect();
    for (const name of keys) removeEventListener(name, keep, { capture: true });
    removeEventListener("play", quiet, true);
    removeEventListener("focus", focus);
    document.removeEventListener("visibilitychange", focus);
    document.removeEventListener("DOMContentLoaded", quiet);
    if (document.body) document.body.inert = false;
    box.remove();
    box = null;
    drawn = "";
    for (const media of paused) media.play().catch(() => {});
    paused = [];
  }

  function show(look) {
    page.style.removeProperty("visibility");
    if (!look && isStandIn) return history.length > 1 ? history.back() : location.replace(decodeURIComponent(location.hash.slice(1)));
    look ? cover(look) : lift();
  }

  // Nothing of the page is painted before the word on its site is there.
  page.style.setProperty("visibility", "hidden", "important");
  const late = setTimeout(() => page.style.removeProperty("visibility"), 300);
  const first = (word) => {
    clearTimeout(late);
    show(word?.look);
  };
  // The stand-in hears also what pages ask of the background.
  api.runtime.onMessage.addListener((word) => void ("look" in word && show(word.look)));
  api.runtime.sendMessage({ ask: true }).then(first, () => first(null));
})();
