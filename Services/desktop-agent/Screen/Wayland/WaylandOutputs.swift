import STCScreen
import STDesktop

/// The monitors, as the compositor reports them.
final class WaylandOutputs {
    static let outputsMax = 32

    private(set) var outputs: [WaylandOutput] = []
    private let registry: OpaquePointer
    private let manager: OpaquePointer?
    var onChange: (() -> Void)?
    var onGone: ((WaylandOutput) -> Void)?

    init(_ connection: WaylandConnection) {
        registry = connection.registry
        manager = connection.bind("zxdg_output_manager_v1", upTo: 3) {
            stw_bind_zxdg_output_manager_v1($0, $1, $2)
        }
        for global in connection.globals { add(global) }
    }

    subscript(_ handle: OpaquePointer) -> WaylandOutput? { outputs.first { $0.handle == handle } }

    func named(_ name: String) -> WaylandOutput? { outputs.first { $0.name == name } }

    func add(_ global: WaylandGlobal) {
        guard global.interface == "wl_output", outputs.count < Self.outputsMax,
            let handle = stw_bind_wl_output(registry, global.name, min(global.version, 4))
        else { return }
        let output = WaylandOutput(handle, global: global.name, version: min(global.version, 4), self)
        outputs.append(output)
        let data = Unmanaged.passUnretained(output).toOpaque()
        wl_output_add_listener(handle, Self.outputListener, data)
        guard let manager, let details = zxdg_output_manager_v1_get_xdg_output(manager, handle) else {
            return
        }
        output.details = details
        zxdg_output_v1_add_listener(details, Self.detailsListener, data)
    }

    func remove(global: UInt32) {
        guard let output = outputs.first(where: { $0.global == global }) else { return }
        outputs.removeAll { $0 === output }
        onGone?(output)
        if let details = output.details { zxdg_output_v1_destroy(details) }
        if output.version >= 3 { wl_output_release(output.handle) } else { wl_output_destroy(output.handle) }
        onChange?()
    }

    // MARK: - Listeners

    private static func output(_ data: UnsafeMutableRawPointer?) -> WaylandOutput? {
        data.map { Unmanaged<WaylandOutput>.fromOpaque($0).takeUnretainedValue() }
    }

    // unsafe: written once, before its first use.
    private nonisolated(unsafe) static let outputListener = Listener.keep(
        wl_output_listener(
            geometry: { data, _, x, y, _, _, _, _, _, transform in
                guard let output = WaylandOutputs.output(data) else { return }
                output.isRotated = transform & 1 == 1
                // xdg-output reports a more exact position.
                if output.details == nil { output.position = (Int(x), Int(y)) }
            },
            mode: { data, _, flags, width, height, _ in
                guard flags & WL_OUTPUT_MODE_CURRENT.rawValue != 0 else { return }
                WaylandOutputs.output(data)?.mode = (Int(max(0, width)), Int(max(0, height)))
            },
            done: { data, _ in WaylandOutputs.output(data)?.book.onChange?() },
            scale: { data, _, scale in WaylandOutputs.output(data)?.wholeScale = Int(scale) },
            name: { data, _, name in WaylandOutputs.output(data)?.name = TextSanitizer.sanitized(name) },
            description: { _, _, _ in }
        )
    )

    // unsafe: written once, before its first use.
    private nonisolated(unsafe) static let detailsListener = Listener.keep(
        zxdg_output_v1_listener(
            logical_position: { data, _, x, y in WaylandOutputs.output(data)?.position = (Int(x), Int(y)) },
            logical_size: { data, _, width, height in
                WaylandOutputs.output(data)?.size = (Int(max(0, width)), Int(max(0, height)))
            },
            // Before version 3, this event ended a group of changes. Since then, wl_output's `done` does.
            done: { data, _ in WaylandOutputs.output(data)?.book.onChange?() },
            name: { data, _, name in WaylandOutputs.output(data)?.name = TextSanitizer.sanitized(name) },
            description: { _, _, _ in }
        )
    )
}

/// One monitor.
final class WaylandOutput {
    let handle: OpaquePointer
    let global: UInt32
    let version: UInt32
    var details: OpaquePointer?
    var name: String?
    /// The physical size in pixels, before rotation.
    var mode: (width: Int, height: Int) = (0, 0)
    var isRotated = false
    var wholeScale = 1
    var position: (x: Int, y: Int) = (0, 0)
    var size: (width: Int, height: Int)?
    unowned let book: WaylandOutputs

    init(_ handle: OpaquePointer, global: UInt32, version: UInt32, _ book: WaylandOutputs) {
        self.handle = handle
        self.global = global
        self.version = version
        self.book = book
    }

    /// The size in pixels, after rotation.
    private var pixels: (width: Int, height: Int) { isRotated ? (mode.height, mode.width) : mode }

    /// Exact for fractional scales such as 1.5, which wl_output alone cannot report.
    var scale: Double {
        guard let size, size.width > 0, pixels.width > 0 else { return Double(max(1, wholeScale)) }
        // Logical sizes are rounded down, so a quotient such as 1.50058 means 1.5. The protocol counts in 120ths.
        return ((Double(pixels.width) / Double(size.width)) * 120).rounded() / 120
    }

    var frame: ScreenRect {
        let whole = max(1, wholeScale)
        let size = size ?? (pixels.width / whole, pixels.height / whole)
        return ScreenRect(x: position.x, y: position.y, width: size.width, height: size.height)
    }

    var desktopOutput: DesktopOutput {
        DesktopOutput(name: name ?? "output-\(global)", frame: frame, scale: scale)
    }
}
