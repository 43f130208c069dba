import Glibc
import STCScreen
import STDesktop
import STPlatform

extension X11Screen {
    private static let probeMs: Int64 = 2_000
    private static let extensionsMax = 128

    /// Looks at the display of an environment once; takes two seconds at most, and every failure is a fact.
    package static func probe(environment: [String: String]) -> X11Facts {
        var facts = X11Facts()
        facts.display = environment["DISPLAY"].flatMap { $0.isEmpty ? nil : DisplayWidth.harmless($0) }
        let started = Stopwatch.milliseconds()
        do {
            let connection = try XConnection(environment: environment)
            let leftMs = max(1, probeMs - (Stopwatch.milliseconds() - started))
            let watchdog = Watchdog(connection.descriptor, afterMs: leftMs)
            look(connection, environment, &facts)
            watchdog.stop()
            facts.isReachable = !connection.hasEnded
            if !facts.isReachable { facts.problem = "The X display stopped answering." }
        } catch {
            facts.problem = error.message
        }
        return facts
    }

    private static func look(
        _ connection: XConnection,
        _ environment: [String: String],
        _ facts: inout X11Facts
    ) {
        facts.serverPid = connection.server
        if let setup = xcb_get_setup(connection.raw) {
            let vendor = UnsafeRawBufferPointer(
                start: xcb_setup_vendor(setup),
                count: Int(xcb_setup_vendor_length(setup))
            )
            facts.vendor = XProperty.safe(Array(vendor)[...], isLatin: false)
            facts.release = Int64(setup.pointee.release_number)
        }
        facts.extensions = extensions(connection)
        let manager = XDesk.manager(connection)
        facts.hasManager = manager.isThere
        facts.keepsHints = manager.keepsHints
        facts.windowManager = manager.name
        facts.tellsProcesses = XDesk.tellsOwners(connection)
        if manager.check != 0, facts.tellsProcesses {
            facts.windowManagerPid = owner(of: manager.check, connection)
        }
        let idle = XDesk.idleMeans(connection)
        facts.knowsIdle = idle != .none
        if case .counter = idle { facts.tellsIdle = true }
        facts.outputs = XDesk.outputs(connection, environment: environment)
        facts.xWaylandSign = sign(facts)
        facts.isXWayland = facts.xWaylandSign != nil
    }

    private static func owner(of window: UInt32, _ connection: XConnection) -> Int32? {
        let cookie = st_ask_client_pid(connection.raw, window)
        guard let reply = xcb_res_query_client_ids_reply(connection.raw, cookie, nil) else { return nil }
        defer { free(reply) }
        let number = st_client_pid(reply)
        return number > 0 ? number : nil
    }

    /// Newer ones have an extension just to be recognised; older ones name their outputs after themselves.
    private static func sign(_ facts: X11Facts) -> String? {
        if facts.extensions.contains("XWAYLAND") { return "The X server has the extension XWAYLAND." }
        if let output = facts.outputs.first(where: { $0.name.hasPrefix("XWAYLAND") }) {
            return "The X server calls a monitor \(output.name)."
        }
        if let vendor = facts.vendor, vendor.lowercased().contains("wayland") {
            return "The X server calls itself \(vendor)."
        }
        return nil
    }

    private static func extensions(_ connection: XConnection) -> [String] {
        let cookie = xcb_list_extensions(connection.raw)
        guard let reply = xcb_list_extensions_reply(connection.raw, cookie, nil) else { return [] }
        defer { free(reply) }
        var each = xcb_list_extensions_names_iterator(reply)
        var names: [String] = []
        while each.rem > 0, names.count < extensionsMax, let data = each.data {
            let bytes = UnsafeRawBufferPointer(
                start: xcb_str_name(data),
                count: Int(xcb_str_name_length(data))
            )
            if let name = XProperty.safe(Array(bytes)[...], isLatin: false) { names.append(name) }
            xcb_str_next(&each)
        }
        return names.sorted()
    }
}
