import STCScreen
import STDesktop

/// A rectangle of a sheet that shows its part of the picture.
final class SheetPart {
    let surface: OpaquePointer
    let subsurface: OpaquePointer
    let viewport: OpaquePointer
    /// From the sheet's corner; nil while it shows nothing.
    private(set) var rect: ScreenRect?
    private var shown: OpaquePointer?
    private var crop: ScreenRect?
    unowned let sheet: Sheet

    init?(_ sheet: Sheet, _ surfaces: Surfaces) {
        guard let surface = wl_compositor_create_surface(surfaces.compositor),
            let subsurface = wl_subcompositor_get_subsurface(surfaces.subcompositor, surface, sheet.surface),
            let viewport = wp_viewporter_get_viewport(surfaces.viewporter, surface)
        else { return nil }
        self.surface = surface
        self.subsurface = subsurface
        self.viewport = viewport
        self.sheet = sheet
    }

    func destroy() {
        wp_viewport_destroy(viewport)
        wl_subsurface_destroy(subsurface)
        wl_surface_destroy(surface)
    }

    /// Takes effect with the sheet's next commit; true when it changes anything.
    func show(_ rect: ScreenRect, of frame: ScreenRect, _ buffer: PaneBuffer) -> Bool {
        let isSame = self.rect == rect && shown == buffer.handle && crop == frame
        guard !isSame, !frame.isEmpty, !rect.isEmpty else { return false }
        self.rect = rect
        shown = buffer.handle
        crop = frame
        wl_subsurface_set_position(subsurface, Int32(clamping: rect.x), Int32(clamping: rect.y))
        let across = Double(buffer.width) / Double(frame.width)
        let down = Double(buffer.height) / Double(frame.height)
        setSource(
            x: Double(rect.x - frame.x) * across,
            y: Double(rect.y - frame.y) * down,
            width: Double(rect.width) * across,
            height: Double(rect.height) * down,
            buffer
        )
        wp_viewport_set_destination(viewport, Int32(clamping: rect.width), Int32(clamping: rect.height))
        wl_surface_attach(surface, buffer.handle, 0, 0)
        wl_surface_damage_buffer(surface, 0, 0, Int32(buffer.width), Int32(buffer.height))
        wl_surface_commit(surface)
        buffer.isInUse = true
        return true
    }

    func hide() -> Bool {
        guard rect != nil else { return false }
        rect = nil
        shown = nil
        wl_surface_attach(surface, nil, 0, 0)
        wl_surface_commit(surface)
        return true
    }

    /// In 256ths, and never a bit beyond the picture: that would be an error which ends the connection.
    private func setSource(x: Double, y: Double, width: Double, height: Double, _ buffer: PaneBuffer) {
        func span(_ start: Double, _ length: Double, _ limit: Int) -> (Int32, Int32) {
            let most = Int32(limit * 256)
            let first = min(max(0, Int32(start * 256)), most - 1)
            return (first, min(max(1, Int32(length * 256)), most - first))
        }
        let (left, across) = span(x, width, buffer.width)
        let (top, down) = span(y, height, buffer.height)
        wp_viewport_set_source(viewport, left, top, across, down)
    }
}
