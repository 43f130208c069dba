import Glibc
import STCScreen
import STDesktop

/// The monitors with their scale, and the positions of panes that cover no window.
final class XOutputs {
    private static let marginUnits = 16.0

    /// The monitors, the primary one first. Panes in the corner are shown there.
    private(set) var outputs: [DesktopOutput] = []
    private(set) var isStale = true
    private var hasRead = false
    private let connection: XConnection
    private let environment: [String: String]

    init(_ connection: XConnection, environment: [String: String]) {
        self.connection = connection
        self.environment = environment
    }

    func watch() {
        let mask =
            XCB_RANDR_NOTIFY_MASK_SCREEN_CHANGE.rawValue | XCB_RANDR_NOTIFY_MASK_CRTC_CHANGE.rawValue
            | XCB_RANDR_NOTIFY_MASK_OUTPUT_CHANGE.rawValue | XCB_RANDR_NOTIFY_MASK_RESOURCE_CHANGE.rawValue
        xcb_randr_select_input(connection.raw, connection.root, UInt16(truncatingIfNeeded: mask))
    }

    func mark() { isStale = true }

    /// Reads the monitors, if they are marked. Returns true the first time and after each change.
    func read() -> Bool {
        guard isStale else { return false }
        isStale = false
        let now = Self.read(connection, environment: environment)
        guard now != outputs || !hasRead else { return false }
        hasRead = true
        outputs = now
        return true
    }

    // MARK: - Positions

    func scale(at rect: ScreenRect) -> Double {
        output(at: rect)?.scale ?? outputs.first?.scale ?? 1
    }

    /// Returns the lower right corner of the primary monitor.
    func corner(width: Int, height: Int) -> ScreenRect? {
        guard let output = outputs.first else { return nil }
        let size = Self.pixels(width, height, of: output)
        let margin = Int(Self.marginUnits * output.scale)
        return ScreenRect(
            x: output.frame.x + output.frame.width - size.width - margin,
            y: output.frame.y + output.frame.height - size.height - margin,
            width: size.width,
            height: size.height
        )
    }

    /// Returns the middle of the monitor with the foreground window.
    func middle(width: Int, height: Int, near seen: ScreenRect?) -> ScreenRect? {
        guard let output = seen.flatMap(output(at:)) ?? outputs.first else { return nil }
        let size = Self.pixels(width, height, of: output)
        return ScreenRect(
            x: output.frame.x + (output.frame.width - size.width) / 2,
            y: output.frame.y + (output.frame.height - size.height) / 2,
            width: size.width,
            height: size.height
        )
    }

    private func output(at rect: ScreenRect) -> DesktopOutput? {
        let x = rect.x + rect.width / 2
        let y = rect.y + rect.height / 2
        return outputs.first { $0.frame.contains(x: x, y: y) }
    }

    /// Converts logical units to pixels of an output, limited to its size.
    private static func pixels(_ width: Int, _ height: Int, of output: DesktopOutput)
        -> (width: Int, height: Int)
    {
        func pixels(_ units: Int, _ limit: Int) -> Int {
            let wanted = Double(units) * output.scale
            return min(limit, wanted < Double(limit) ? Int(wanted.rounded()) : limit)
        }
        return (pixels(width, output.frame.width), pixels(height, output.frame.height))
    }

    // MARK: - Reading

    static func read(_ connection: XConnection, environment: [String: String]) -> [DesktopOutput] {
        let resources = connection.property(
            connection.root,
            XCB_ATOM_RESOURCE_MANAGER.rawValue,
            words: 16_384
        )
        let text = resources.map { String(decoding: $0.bytes, as: UTF8.self) } ?? ""
        let scale = XScale.value(resources: text, gdkScale: environment["GDK_SCALE"])
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

/// The pixels per unit of length on this display.
///
/// X has one density for all monitors. Desktops write it as `Xft.dpi` (96 is 1) into the root's resources, and GNOME and KDE keep
/// it current. A user can also set `GDK_SCALE`. The larger of the two counts, rounded to quarters, because shields are drawn in
/// these scales.
enum XScale {
    private static let bounds = 1.0...4.0

    static func value(resources: String, gdkScale: String?) -> Double {
        var scale = 1.0
        for line in resources.split(separator: "\n") {
            let parts = line.split(separator: ":", maxSplits: 1)
            guard parts.count == 2, parts[0].filter({ $0 != " " }) == "Xft.dpi" else { continue }
            let number = parts[1].filter { $0 != " " && $0 != "\t" && $0 != "\r" }
            if let dpi = Double(String(number)), dpi.isFinite { scale = dpi / 96 }
        }
        if let number = gdkScale.flatMap(Double.init), number.isFinite { scale = max(scale, number) }
        let quarters = (min(max(scale, bounds.lowerBound), bounds.upperBound) * 4).rounded()
        return quarters / 4
    }
}
