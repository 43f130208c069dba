import Glibc
import STCScreen
import STDesktop

/// Monitors, and how dense they are.
extension XDesk {
    func watchOutputs() {
        let mask =
            XCB_RANDR_NOTIFY_MASK_SCREEN_CHANGE.rawValue | XCB_RANDR_NOTIFY_MASK_CRTC_CHANGE.rawValue
            | XCB_RANDR_NOTIFY_MASK_OUTPUT_CHANGE.rawValue | XCB_RANDR_NOTIFY_MASK_RESOURCE_CHANGE.rawValue
        xcb_randr_select_input(connection.raw, connection.root, UInt16(truncatingIfNeeded: mask))
    }

    func readOutputs() {
        wantsOutputs = false
        let now = Self.outputs(connection, environment: environment)
        guard now != outputs || !isReady else { return }
        outputs = now
        heard(.outputs(now))
        wantsPlacing.formUnion(panes.keys)
    }

    static func outputs(_ connection: XConnection, environment: [String: String]) -> [DesktopOutput] {
        let resources = connection.property(
            connection.root,
            XCB_ATOM_RESOURCE_MANAGER.rawValue,
            words: 16_384
        )
        let text = resources.map { String(decoding: $0.bytes, as: UTF8.self) } ?? ""
        let scale = XScale.of(resources: text, gdkScale: environment["GDK_SCALE"])
        let monitors = connection.firstEvent(of: ST_RANDR) == nil ? [] : monitors(connection, scale)
        guard monitors.isEmpty else { return monitors }
        let cookie = xcb_get_geometry(connection.raw, connection.root)
        guard let reply = xcb_get_geometry_reply(connection.raw, cookie, nil) else { return [] }
        defer { free(reply) }
        let frame = ScreenRect(x: 0, y: 0, width: Int(reply.pointee.width), height: Int(reply.pointee.height))
        return [DesktopOutput(name: "screen", frame: frame, scale: scale)]
    }

    private static func monitors(_ connection: XConnection, _ scale: Double) -> [DesktopOutput] {
        let version = xcb_randr_query_version(connection.raw, 1, 5)
        guard let known = xcb_randr_query_version_reply(connection.raw, version, nil) else { return [] }
        let isRecent = (known.pointee.major_version, known.pointee.minor_version) >= (1, 5)
        free(known)
        guard isRecent else { return [] }
        let cookie = xcb_randr_get_monitors(connection.raw, connection.root, 1)
        guard let reply = xcb_randr_get_monitors_reply(connection.raw, cookie, nil) else { return [] }
        defer { free(reply) }
        var each = xcb_randr_get_monitors_monitors_iterator(reply)
        var found: [(isPrimary: Bool, output: DesktopOutput)] = []
        while each.rem > 0, let monitor = each.data?.pointee {
            let frame = ScreenRect(
                x: Int(monitor.x),
                y: Int(monitor.y),
                width: Int(monitor.width),
                height: Int(monitor.height)
            )
            let name = name(connection, monitor.name) ?? "monitor"
            found.append((monitor.primary != 0, DesktopOutput(name: name, frame: frame, scale: scale)))
            xcb_randr_monitor_info_next(&each)
        }
        // The first one is where what belongs to no window is shown.
        return (found.filter(\.isPrimary) + found.filter { !$0.isPrimary }).map(\.output).filter {
            !$0.frame.isEmpty
        }
    }

    private static func name(_ connection: XConnection, _ atom: UInt32) -> String? {
        guard
            let reply = xcb_get_atom_name_reply(connection.raw, xcb_get_atom_name(connection.raw, atom), nil)
        else { return nil }
        defer { free(reply) }
        let bytes = UnsafeRawBufferPointer(
            start: xcb_get_atom_name_name(reply),
            count: Int(xcb_get_atom_name_name_length(reply))
        )
        return XProperty.safe(Array(bytes)[...], isLatin: false)
    }
}
