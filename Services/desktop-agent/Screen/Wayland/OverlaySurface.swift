import STCScreen
import STDesktop

/// A surface of a pane on one monitor.
///
/// - A layer surface over a whole monitor. Only its parts are visible and receive input.
/// - A small layer surface in the corner or the middle.
/// - A window that the desktop itself keeps over another window.
///
/// Covers on a layer move with their windows in one frame. The surface keeps its size, so the compositor need not configure it
/// again. Its parts change together with its commit. Areas beneath other floating windows are left out.
final class OverlaySurface {
    private enum Role {
        case layer(OpaquePointer)
        case window(OpaquePointer, toplevel: OpaquePointer)
    }

    /// The app ID by which a script within the desktop finds these windows.
    static let appID = "screentime-shield"

    let surface: OpaquePointer
    private let role: Role
    private let viewport: OpaquePointer
    private(set) var plan: OverlayPlan
    private(set) var parts: [OverlayRegion] = []
    /// The size that the compositor set. `nil` before the first configuration.
    private(set) var size: (width: Int, height: Int)?
    /// The size for the next configuration of a window.
    private var requestedSize = (width: 1, height: 1)
    /// True once the compositor has processed all requests.
    private(set) var isConfigured = false
    private var commits = 0
    private var isMapped = false
    unowned let pane: WaylandPane
    private let surfaces: SurfaceFactory

    init?(_ pane: WaylandPane, plan: OverlayPlan, surfaces: SurfaceFactory, output: OpaquePointer?) {
        guard let surface = wl_compositor_create_surface(surfaces.compositor),
            let viewport = wp_viewporter_get_viewport(surfaces.viewporter, surface),
            let role = Self.role(plan.place, surface: surface, surfaces: surfaces, output: output)
        else { return nil }
        self.surface = surface
        self.role = role
        self.viewport = viewport
        self.plan = plan
        self.pane = pane
        self.surfaces = surfaces
        let data = Unmanaged.passUnretained(self).toOpaque()
        switch role {
        case .layer(let layer):
            zwlr_layer_surface_v1_add_listener(layer, Self.layerListener, data)
            anchor(layer)
            zwlr_layer_surface_v1_set_exclusive_zone(layer, -1)
            setKeyboardInteractivity(plan.takesKeys)
        case .window(let window, let toplevel):
            xdg_surface_add_listener(window, Self.windowListener, data)
            xdg_toplevel_add_listener(toplevel, Self.toplevelListener, data)
            xdg_toplevel_set_app_id(toplevel, Self.appID)
            if case .window(let title) = plan.place { xdg_toplevel_set_title(toplevel, title) }
        }
        surfaces.makeClickThrough(surface)
        wl_surface_commit(surface)
    }

    private static func role(
        _ place: OverlayPlan.Place,
        surface: OpaquePointer,
        surfaces: SurfaceFactory,
        output: OpaquePointer?
    ) -> Role? {
        if case .window = place {
            guard let windows = surfaces.windows,
                let window = xdg_wm_base_get_xdg_surface(windows, surface),
                let toplevel = xdg_surface_get_toplevel(window)
            else { return nil }
            return .window(window, toplevel: toplevel)
        }
        return zwlr_layer_shell_v1_get_layer_surface(
            surfaces.shell,
            surface,
            output,
            ZWLR_LAYER_SHELL_V1_LAYER_OVERLAY.rawValue,
            "screentime"
        ).map { .layer($0) }
    }

    func destroy() {
        for part in parts { part.destroy() }
        switch role {
        case .layer(let layer): zwlr_layer_surface_v1_destroy(layer)
        case .window(let window, let toplevel):
            xdg_toplevel_destroy(toplevel)
            xdg_surface_destroy(window)
        }
        wp_viewport_destroy(viewport)
        wl_surface_destroy(surface)
    }

    /// The frame of the whole picture, relative to the corner of the sheet.
    var frame: ScreenRect {
        guard plan.frame.isEmpty, let size else { return plan.frame }
        return ScreenRect(x: 0, y: 0, width: size.width, height: size.height)
    }

    /// Applies a new plan. Sends nothing if nothing has changed.
    func update(_ new: OverlayPlan) {
        var isChanged = false
        if new.takesKeys != plan.takesKeys {
            setKeyboardInteractivity(new.takesKeys)
            isChanged = true
        }
        plan = new
        guard isMapped else { return }
        if showParts() || isChanged { commit() }
    }

    private func anchor(_ layer: OpaquePointer) {
        let (top, bottom) = (ZWLR_LAYER_SURFACE_V1_ANCHOR_TOP, ZWLR_LAYER_SURFACE_V1_ANCHOR_BOTTOM)
        let (left, right) = (ZWLR_LAYER_SURFACE_V1_ANCHOR_LEFT, ZWLR_LAYER_SURFACE_V1_ANCHOR_RIGHT)
        switch plan.place {
        case .monitor:
            let all = top.rawValue | bottom.rawValue | left.rawValue | right.rawValue
            zwlr_layer_surface_v1_set_anchor(layer, all)
        case .corner(let width, let height):
            zwlr_layer_surface_v1_set_anchor(layer, top.rawValue | right.rawValue)
            zwlr_layer_surface_v1_set_margin(layer, 12, 12, 0, 0)
            zwlr_layer_surface_v1_set_size(layer, UInt32(clamping: width), UInt32(clamping: height))
        case .middle(let width, let height):
            zwlr_layer_surface_v1_set_size(layer, UInt32(clamping: width), UInt32(clamping: height))
        case .window: break
        }
    }

    /// Requests the keyboard for a layer surface. A window receives the keyboard from the desktop when it is activated.
    private func setKeyboardInteractivity(_ takes: Bool) {
        guard case .layer(let layer) = role else { return }
        let wish =
            takes
            ? ZWLR_LAYER_SURFACE_V1_KEYBOARD_INTERACTIVITY_EXCLUSIVE
            : ZWLR_LAYER_SURFACE_V1_KEYBOARD_INTERACTIVITY_NONE
        zwlr_layer_surface_v1_set_keyboard_interactivity(layer, wish.rawValue)
    }

    private func configure(_ width: Int, _ height: Int) {
        guard width > 0, height > 0 else { return }
        size = (width, height)
        wp_viewport_set_destination(viewport, Int32(clamping: width), Int32(clamping: height))
        if !isMapped {
            isMapped = true
            wl_surface_attach(surface, pane.transparentBuffer.handle, 0, 0)
            wl_surface_damage_buffer(surface, 0, 0, 1, 1)
        }
        _ = showParts()
        commit()
    }

    private func showParts() -> Bool {
        let frame = frame
        let wanted = plan.frame.isEmpty ? [frame] : plan.parts
        var isChanged = false
        for (index, rect) in wanted.enumerated() {
            guard let part = part(index) else { break }
            if part.show(rect, of: frame, pane.pixels) { isChanged = true }
        }
        for part in parts.dropFirst(wanted.count) where part.hide() { isChanged = true }
        return isChanged
    }

    private func part(_ index: Int) -> OverlayRegion? {
        if index < parts.count { return parts[index] }
        guard let part = OverlayRegion(self, surfaces) else { return nil }
        if !plan.takesPointer { surfaces.makeClickThrough(part.surface) }
        parts.append(part)
        return part
    }

    private func commit() {
        wl_surface_commit(surface)
        isConfigured = false
        commits += 1
        let number = commits
        pane.panes.connection.sync { [weak self] in
            // Of several commits, only the last one counts.
            guard let self, commits == number else { return }
            isConfigured = true
            pane.reconcile()
        }
    }

    // MARK: - Listeners

    private static func sheet(_ data: UnsafeMutableRawPointer?) -> OverlaySurface? {
        data.map { Unmanaged<OverlaySurface>.fromOpaque($0).takeUnretainedValue() }
    }

    // unsafe: written once, before its first use.
    private nonisolated(unsafe) static let layerListener = Listener.keep(
        zwlr_layer_surface_v1_listener(
            configure: { data, layer, serial, width, height in
                zwlr_layer_surface_v1_ack_configure(layer, serial)
                OverlaySurface.sheet(data)?.configure(Int(width), Int(height))
            },
            closed: { data, _ in
                guard let sheet = OverlaySurface.sheet(data) else { return }
                sheet.pane.surfaceDidClose(sheet)
            }
        )
    )

    // unsafe: written once, before its first use.
    private nonisolated(unsafe) static let windowListener = Listener.keep(
        xdg_surface_listener(configure: { data, window, serial in
            xdg_surface_ack_configure(window, serial)
            guard let sheet = OverlaySurface.sheet(data) else { return }
            sheet.configure(sheet.requestedSize.width, sheet.requestedSize.height)
        })
    )

    // unsafe: written once, before its first use.
    private nonisolated(unsafe) static let toplevelListener: UnsafePointer<xdg_toplevel_listener> = {
        var listener = xdg_toplevel_listener()
        listener.configure = { data, _, width, height, _ in
            guard let sheet = OverlaySurface.sheet(data) else { return }
            // 0 by 0: the client chooses the size.
            if width > 0, height > 0 {
                sheet.requestedSize = (Int(width), Int(height))
            } else if let beneath = sheet.plan.beneath {
                sheet.requestedSize = (beneath.width, beneath.height)
            }
        }
        // The window beneath determines when the cover closes.
        listener.close = { _, _ in }
        return Listener.keep(listener)
    }()
}

/// A rectangle of a sheet that shows its part of the picture.
final class OverlayRegion {
    let surface: OpaquePointer
    let subsurface: OpaquePointer
    let viewport: OpaquePointer
    /// The rectangle, relative to the corner of the sheet. `nil` while the part is hidden.
    private(set) var rect: ScreenRect?
    private var attachedBuffer: OpaquePointer?
    private var crop: ScreenRect?
    unowned let sheet: OverlaySurface

    init?(_ sheet: OverlaySurface, _ surfaces: SurfaceFactory) {
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

    /// Shows a rectangle of the picture with the sheet's next commit. Returns false if nothing changes.
    func show(_ rect: ScreenRect, of frame: ScreenRect, _ buffer: PaneBuffer) -> Bool {
        let isSame = self.rect == rect && attachedBuffer == buffer.handle && crop == frame
        guard !isSame, !frame.isEmpty, !rect.isEmpty else { return false }
        self.rect = rect
        attachedBuffer = buffer.handle
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
        attachedBuffer = nil
        wl_surface_attach(surface, nil, 0, 0)
        wl_surface_commit(surface)
        return true
    }

    /// Sets the source rectangle in 256ths of a pixel. It must not exceed the picture, because that error ends the connection.
    private func setSource(x: Double, y: Double, width: Double, height: Double, _ buffer: PaneBuffer) {
        func span(from start: Double, length: Double, limit: Int) -> (Int32, Int32) {
            let most = Int32(limit * 256)
            let first = min(max(0, Int32(start * 256)), most - 1)
            return (first, min(max(1, Int32(length * 256)), most - first))
        }
        let (left, across) = span(from: x, length: width, limit: buffer.width)
        let (top, down) = span(from: y, length: height, limit: buffer.height)
        wp_viewport_set_source(viewport, left, top, across, down)
    }
}
