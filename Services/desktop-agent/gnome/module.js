// Imports and functions for GNOME Shell 45 and later. `screen.js` is appended to this file.
import Clutter from "gi://Clutter";
import Cogl from "gi://Cogl";
import Gio from "gi://Gio";
import GLib from "gi://GLib";
import Meta from "gi://Meta";
import Shell from "gi://Shell";
import St from "gi://St";
import { Extension } from "resource:///org/gnome/shell/extensions/extension.js";
import { PACKAGE_VERSION } from "resource:///org/gnome/shell/misc/config.js";
import * as Main from "resource:///org/gnome/shell/ui/main.js";
import * as PanelMenu from "resource:///org/gnome/shell/ui/panelMenu.js";
import * as PopupMenu from "resource:///org/gnome/shell/ui/popupMenu.js";

// GNOME Shell 48 moved these functions to the compositor.
const unredirect = global.compositor?.disable_unredirect
  ? {
      hold: () => global.compositor.disable_unredirect(),
      release: () => global.compositor.enable_unredirect(),
    }
  : {
      hold: () => Meta.disable_unredirect_for_display(global.display),
      release: () => Meta.enable_unredirect_for_display(global.display),
    };

// From GNOME Shell 48 on, `set_bytes` also requires the graphics context.
function setPixels(image, bytes, width, height) {
  const context = global.stage.context?.get_backend().get_cogl_context();
  image.set_bytes(...(context ? [context] : []), bytes, Cogl.PixelFormat.BGRA_8888_PRE, width, height, 4 * width);
}

export default class ScreenTime extends Extension {
  enable() {
    this.screen = new Screen(this.metadata, this.path);
    this.screen.enable();
  }

  disable() {
    this.screen?.disable();
    this.screen = null;
  }
}
