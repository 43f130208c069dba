import STCScreen
import STDesktop

/// The monitors.
final class OutputBook {
    static let outputsMax = 32

    private(set) var all: [Output] = []
    private let registry: OpaquePointer
    private let manager: OpaquePointer?
    var onChange: (() -> Void)?
    var onGone: ((Output) -> Void)?

    init(_ connection: WaylandConnection) {
        registry = connection.registry
        manager = connection.bind("zxdg_output_manager_v1", upTo: 3) {
            stw_bind_zxdg_output_manager_v1($0, $1, $2)
        }
        for global in connection.globals { add(global) }
    }

    subscript(_ handle: OpaquePointer) -> Output? { all.first { $0.handle == handle } }

    func named(_ name: String) -> Output? { all.first { $0.name == name } }

    func add(_ global: WaylandGlobal) {
        guard global.interface == "wl_output", all.count < Self.outputsMax,
            let handle = stw_bind_wl_output(registry, global.name, min(global.version, 4))
        else { return }
        let output = Output(handle, global: global.name, version: min(global.version, 4), self)
        all.append(output)
        let data = Unmanaged.passUnretained(output).toOpaque()
        wl_output_add_listener(handle, Self.outputListener, data)
        guard let manager, let details = zxdg_output_manager_v1_get_xdg_output(manager, handle) else {
            return
        }
        output.details = details
        zxdg_output_v1_add_listener(details, Self.detailsListener, data)
    }

    func remove(global: UInt32) {
        guard let output = all.first(where: { $0.global == global }) else { return }
        all.removeAll { $0 === output }
        onGone?(output)
        if let details = output.details { zxdg_output_v1_destroy(details) }
        if output.version >= 3 { wl_output_release(output.handle) } else { wl_output_destroy(output.handle) }
        onChange?()
    }

    // MARK: - Listeners

    private static func output(_ data: UnsafeMutableRawPointer?) -> Output? {
        data.map { Unmanaged<Output>.fromOpaque($0).takeUnretainedValue() }
    }

    // unsafe: written once, before anybody reads it.

    private nonisolated(unsafe) static let outputListener = Listener.keep(
        wl_output_listener(
            geometry: { data, _, x, y, _, _, _, _, _, transform in
                guard let output = OutputBook.output(data) else { return }
                output.isTurned = transform & 1 == 1
                // What xdg-output says of the position is truer.
                if output.details == nil { output.position = (Int(x), Int(y)) }
            },
            mode: { data, _, flags, width, height, _ in
                guard flags & WL_OUTPUT_MODE_CURRENT.rawValue != 0 else { return }
                OutputBook.output(data)?.mode = (Int(max(0, width)), Int(max(0, height)))
            },
            done: { data, _ in OutputBook.output(data)?.book.onChange?() },
            scale: { data, _, scale in OutputBook.output(data)?.wholeScale = Int(scale) },
            name: { data, _, name in OutputBook.output(data)?.name = TextCare.safe(name) },
            description: { _, _, _ in }
        )
    )

    // unsafe: written once, before anybody reads it.

    private nonisolated(unsafe) static let detailsListener = Listener.keep(
        zxdg_output_v1_listener(
            logical_position: { data, _, x, y in OutputBook.output(data)?.position = (Int(x), Int(y)) },
            logical_size: { data, _, width, height in
                OutputBook.output(data)?.size = (Int(max(0, width)), Int(max(0, height)))
            },
            // Before the third version this one ended what is told; now wl_output's does.
            done: { data, _ in OutputBook.output(data)?.book.onChange?() },
            name: { data, _, name in OutputBook.output(data)?.name = TextCare.safe(name) },
            description: { _, _, _ in }
        )
    )
}
