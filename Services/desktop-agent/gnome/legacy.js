// Imports and functions for GNOME Shell 43 and 44. `screen.js` is appended to this file.
const { Clutter, Cogl, Gio, GLib, Meta, Shell, St } = imports.gi;
const { main: Main, panelMenu: PanelMenu, popupMenu: PopupMenu } = imports.ui;
const { PACKAGE_VERSION } = imports.misc.config;

const unredirect = {
  hold: () => Meta.disable_unredirect_for_display(global.display),
  release: () => Meta.enable_unredirect_for_display(global.display),
};

function setPixels(image, bytes, width, height) {
  image.set_bytes(bytes, Cogl.PixelFormat.BGRA_8888_PRE, width, height, 4 * width);
}

function init() {
  const { metadata, path } = imports.misc.extensionUtils.getCurrentExtension();
  return new Screen(metadata, path);
}
