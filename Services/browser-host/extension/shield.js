// Covers a page with a shield. The page stays unchanged beneath it, including typed text and the scroll position.
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

  // The sizes and colours are those of the shields that screentime-draw draws over the windows of apps. One em is 10 px in a window
  // of 390 × 620 px, and scales with the window.
  const sheet = `
    .shield {
      position: fixed; inset: 0; box-sizing: border-box; padding: 2.8em; overflow: auto; text-align: center;
      display: flex; flex-direction: column; align-items: center;
      --room: min(100vw / 39, 100vh / 62);
      font: 400 calc(clamp(6.2px, var(--room), 10px) + clamp(0px, (var(--room) - 10px) * 0.5, 15px)) system-ui, sans-serif;
      color: #1D1D1F; --second: #4B4B52; --accent: #0A62DB; --card: #FDFDFE; --line: #0000001F;
      --veil: #F7F7FADB; --ground: #C9D8F5;
      --blue: #8FB7FF; --violet: #D9B8FF; --red: #FFC9B5; --green: #B5F0E6;
      background: linear-gradient(var(--own), var(--own)), linear-gradient(var(--veil), var(--veil)),
        radial-gradient(circle at 12% 5%, var(--blue), transparent 70%),
        radial-gradient(circle at 95% 25%, var(--violet), transparent 60%),
        radial-gradient(circle at 75% 105%, var(--red), transparent 70%),
        radial-gradient(circle at 5% 98%, var(--green), transparent 50%), var(--ground);
    }
    @media (prefers-color-scheme: dark) {
      .shield {
        color: #F5F5F7; --second: #CDCDD4; --accent: #6CA8FF; --card: #2E2E33; --line: #FFFFFF1F;
        --veil: #1B1B1FD6; --ground: #1B2038; --blue: #3B4A9C; --violet: #5A2F7E; --red: #7A3350; --green: #12546B;
      }
    }
    .shield::before { content: ""; flex: 47 0 0; }
    .shield::after { content: ""; flex: 53 0 0; }
    .icon { width: 8.8em; height: 8.8em; object-fit: contain; margin-bottom: 2.8em; flex: none; }
    h1 { font-weight: 700; font-size: max(14px, 2.9em); line-height: 1.12; margin: 0; max-width: 15em; text-wrap: balance; }
    p {
      font-size: max(11px, 1.7em); line-height: 1.3; margin: 0.82em 0 2em; max-width: 23.5em; white-space: pre-line;
      text-wrap: balance; color: var(--second);
    }
    button {
      font: 600 max(11.5px, 1.7em) system-ui, sans-serif; color: var(--accent); background: none; border: 0; cursor: pointer;
      padding: 0 1.2em; min-height: 2.6em; border-radius: 0.9em; flex: none;
    }
    .primary { background: #0A62DB; color: #FFF; min-width: 16.5em; min-height: 2.94em; }
    .secondary { font-weight: 500; margin-top: 0.47em; }
    .secondary svg { width: 0.9em; height: 0.9em; margin-left: 0.3em; vertical-align: -0.1em; }
    button:hover { filter: brightness(1.08); }
    button:focus { outline: none; }
    .keys button:focus { outline: 0.18em solid var(--accent); outline-offset: 0.2em; }
    .keys .menu button:focus { outline-offset: -0.2em; }
    .menu {
      position: fixed; min-width: 22em; overflow: hidden; border-radius: 1.3em; background: var(--card);
      box-shadow: 0 0.4em 1.8em #00000038; display: flex; flex-direction: column;
    }
    .menu[hidden] { display: none; }
    .menu button { font-weight: 400; color: inherit; min-height: 2.7em; border-radius: 0; }
    .menu button + button { border-top: 1px solid var(--line); }
  `;

  // Returns the colour for the current light or dark mode. If it is missing or invalid, the result is empty, and the colour of the
  // style sheet applies.
  const color = (pair) => {
    const isDark = matchMedia("(prefers-color-scheme: dark)").matches;
    const text = pair?.[isDark ? "dark" : "light"] ?? "";
    return /^#[0-9A-Fa-f]{6,8}$/.test(text) ? text : "";
  };

  const make = (name, kind, text, ink) => {
    const one = document.createElement(name);
    one.className = kind;
    one.textContent = text ?? "";
    one.style.color = color(ink);
    return one;
  };

  const icon = ({ data, tint }) => {
    if (!/^[A-Za-z0-9+/=]+$/.test(data ?? "")) return "";
    // The first bytes, in Base64, determine the format. An SVG in an image cannot run scripts or load files.
    const type = data.startsWith("/9j/") ? "jpeg" : data.startsWith("PHN2Zy") ? "svg+xml" : "png";
    const source = `data:image/${type};base64,${data}`;
    const ink = color(tint);
    const picture = make(ink ? "div" : "img", "icon");
    if (ink) Object.assign(picture.style, { background: ink, mask: `url("${source}") center / contain no-repeat` });
    else Object.assign(picture, { alt: "", src: source });
    return picture;
  };

  // Draws arrows up and down, which indicate that the button opens a menu.
  const chevrons = () => {
    const space = "http://www.w3.org/2000/svg";
    const picture = document.createElementNS(space, "svg");
    const path = document.createElementNS(space, "path");
    const look = { viewBox: "0 0 100 100", fill: "none", stroke: "currentColor", "stroke-width": 13, "aria-hidden": true };
    for (const [name, value] of Object.entries(look)) picture.setAttribute(name, value);
    path.setAttribute("d", "M24 38 50 12 76 38M24 62 50 88 76 62");
    picture.append(path);
    return picture;
  };

  function button(kind, name, text, ink, more) {
    const one = make("button", kind, text, ink);
    one.addEventListener("click", (event) => {
      // Ignores clicks that scripts of the page create.
      if (event.isTrusted) more ? more() : api.runtime.sendMessage({ press: name });
    });
    return one;
  }

  // Opens or closes the menu. It opens below the button, or above it if there is not enough room below.
  function turn(menu, by) {
    menu.hidden = !menu.hidden;
    by.setAttribute("aria-expanded", String(!menu.hidden));
    if (menu.hidden) return;
    const [at, size] = [by.getBoundingClientRect(), menu.getBoundingClientRect()];
    const isBelow = at.bottom + 8 + size.height < innerHeight;
    menu.style.top = `${Math.max(8, isBelow ? at.bottom + 8 : at.top - 8 - size.height)}px`;
    menu.style.left = `${Math.max(8, (at.left + at.right - size.width) / 2)}px`;
    menu.firstElementChild.focus();
  }

  function draw(look) {
    const title = make("h1", "", look.title?.text, look.title?.color);
    title.id = "title";
    const primary = button("primary", "primary", look.primary?.text, look.primary?.color);
    primary.style.background = color(look.primary_background);
    const subtitle = make("p", "", look.subtitle?.text, look.subtitle?.color);
    const parts = [icon(look.icon ?? {}), title, subtitle, primary];
    if (look.secondary) {
      const menu = make("div", "menu");
      menu.hidden = true;
      const names = ["first_submenu", "second_submenu", "third_submenu", "fourth_submenu"];
      const lines = (look.submenu ?? []).slice(0, 4);
      menu.append(...lines.map((line, place) => button("", names[place], line)));
      const opens = lines.length > 0;
      const { text, color: ink } = look.secondary;
      const secondary = button("secondary", "secondary", text, ink, opens && (() => turn(menu, secondary)));
      parts.push(secondary);
      if (opens) {
        secondary.setAttribute("aria-expanded", "false");
        secondary.append(chevrons());
        parts.push(menu);
      }
    }
    inner.replaceChildren(...parts);
    inner.style.setProperty("--own", color(look.background) || "transparent");
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

  // Moves the keyboard focus to the shield's first button, also after the person returns to the tab.
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
      inner = make("div", "shield");
      // Focus rings appear only after a key press, because people with a pointer do not need them.
      inner.addEventListener("keydown", () => inner.classList.add("keys"));
      inner.setAttribute("role", "dialog");
      inner.setAttribute("aria-modal", "true");
      inner.setAttribute("aria-labelledby", "title");
      const style = document.createElement("style");
      style.textContent = sheet;
      root.append(style, inner);
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
    // Drawing the same appearance again would close an open menu.
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

  // Hides the page until the decision for its host arrives, for at most 300 ms.
  page.style.setProperty("visibility", "hidden", "important");
  const late = setTimeout(() => page.style.removeProperty("visibility"), 300);
  const first = (word) => {
    clearTimeout(late);
    show(word?.look);
  };
  // shield.html is a page of the extension. It therefore also receives the messages from pages to the background script, which
  // have no `look`.
  api.runtime.onMessage.addListener((word) => void ("look" in word && show(word.look)));
  api.runtime.sendMessage({ ask: true }).then(first, () => first(null));
})();
