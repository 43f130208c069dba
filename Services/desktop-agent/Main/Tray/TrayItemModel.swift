import STDBus
import STDesktopCore
import STPlatform

/// The D-Bus form of a `TrayContent`: KDE's StatusNotifierItem, which most desktops support, and Canonical's menu for it.
struct TrayItemModel: Sendable {
    static let item = "org.kde.StatusNotifierItem"
    static let menu = "com.canonical.dbusmenu"
    static let itemPath = "/StatusNotifierItem"
    static let menuPath = "/MenuBar"
    static let properties = "org.freedesktop.DBus.Properties"
    /// The name of the installed icon.
    static let icon = "dev.screentime.ScreenTime"

    var content: TrayContent
    /// The number of the present menu. It increases with each change of the menu.
    var revision: UInt32 = 1
    var isInstalled = false

    // MARK: - The item

    private var itemProperties: [(key: String, value: DBusValue)] {
        let none = DBusValue.array(element: "(iiay)", [])
        let icon = isInstalled ? Self.icon : ""
        return [
            ("Category", .string("ApplicationStatus")), ("Id", .string("screentime")),
            ("Title", .string(content.title)), ("Status", .string("Active")), ("WindowId", .int32(0)),
            ("IconName", .string(icon)), ("IconThemePath", .string("")),
            ("IconPixmap", isInstalled ? none : .array(element: "(iiay)", Self.pictures)),
            ("OverlayIconName", .string("")), ("OverlayIconPixmap", none),
            ("AttentionIconName", .string("")), ("AttentionIconPixmap", none),
            (
                "ToolTip",
                .structure([.string(icon), none, .string(content.title), .string(escaped(content.tip))])
            ),
            ("ItemIsMenu", .bool(false)), ("Menu", .objectPath(Self.menuPath)),
            ("XAyatanaLabel", .string(content.label)), ("XAyatanaLabelGuide", .string("")),
        ]
    }

    /// Escapes the text of the tip, because trays may interpret it as markup.
    private func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
    }

    private static let menuProperties: [(key: String, value: DBusValue)] = [
        ("Version", .uint32(3)), ("TextDirection", .string("ltr")), ("Status", .string("normal")),
        ("IconThemePath", .strings([])),
    ]

    // MARK: - The icon

    private static let icons = [22, 32, 48].map { (side: Int32($0), bytes: pixels($0)) }

    /// The icon as D-Bus values. They are created for each request, because they need forty times the memory of the pixels.
    private static var pictures: [DBusValue] {
        icons.map {
            .structure([.int32($0.side), .int32($0.side), .array(element: "y", $0.bytes.map { .byte($0) })])
        }
    }

    /// Draws the hourglass of the icon, for trays that do not find the icon. Each pixel has the bytes alpha, red, green and blue.
    static func pixels(_ side: Int) -> [UInt8] {
        let parts = 4
        return (0..<side * side).flatMap { place -> [UInt8] in
            var sums = [0.0, 0.0, 0.0, 0.0]
            for part in 0..<parts * parts {
                let x = (Double(place % side) + (Double(part % parts) + 0.5) / Double(parts)) / Double(side)
                let y = (Double(place / side) + (Double(part / parts) + 0.5) / Double(parts)) / Double(side)
                guard isGround(x, y) else { continue }
                let colour =
                    isGlass(x, y) ? [255, 255, 255] : [122 - 48 * y, 140 - 58 * y, 240 - 44 * y]
                sums = zip(sums, [255] + colour).map { $0 + $1 }
            }
            let covered = max(1, sums[0] / 255)
            return [UInt8(sums[0] / Double(parts * parts))] + sums.dropFirst().map { UInt8($0 / covered) }
        }
    }

    private static func isGround(_ x: Double, _ y: Double) -> Bool {
        let (radius, inset) = (0.21, 0.06)
        let (dx, dy) = (
            max(0, abs(x - 0.5) - 0.5 + inset + radius), max(0, abs(y - 0.5) - 0.5 + inset + radius)
        )
        return dx * dx + dy * dy <= radius * radius
    }

    private static func isGlass(_ x: Double, _ y: Double) -> Bool {
        let (away, height) = (abs(x - 0.5), abs(y - 0.5))
        if (0.24...0.31).contains(height) { return away < 0.22 }
        return height < 0.24 && away < 0.03 + 0.14 * height / 0.24
    }

    // MARK: - The menu

    private func entry(_ choice: TrayContent.Choice) -> DBusValue {
        .structure([
            .int32(choice.rawValue), .dictionary(value: "v", properties(of: choice)),
            .array(element: "v", []),
        ])
    }

    private func properties(of choice: TrayContent.Choice) -> [(key: String, value: DBusValue)] {
        // A single underscore would mark the access key of the menu entry.
        [("label", .variant(.string(content.text(choice).replacing("_", with: "__"))))]
    }

    private var layout: DBusValue {
        .structure([
            .int32(0), .dictionary(value: "v", [("children-display", .variant(.string("submenu")))]),
            .array(element: "v", content.choices.map { .variant(entry($0)) }),
        ])
    }

    private func groups(_ ids: [Int32]) -> DBusValue {
        let wanted = content.choices.filter { ids.isEmpty || ids.contains($0.rawValue) }
        return .array(
            element: "(ia{sv})",
            wanted.map {
                .structure([.int32($0.rawValue), .dictionary(value: "v", properties(of: $0))])
            }
        )
    }

    // MARK: - Calls

    /// Returns the reply to a call, and the choice that the call contains.
    func answer(_ call: DBusMessage) -> (reply: Result<[DBusValue], Problem>, choice: TrayContent.Choice?) {
        switch (call.interface, call.member) {
        case (Self.properties, "Get"), (Self.properties, "GetAll"): (read(call), nil)
        case (Self.item, "Activate"), (Self.item, "SecondaryActivate"): (.success([]), .open)
        case (Self.item, "ContextMenu"), (Self.item, "Scroll"), (Self.item, "ProvideXdgActivationToken"):
            (.success([]), nil)
        case (Self.menu, "GetLayout"): (.success([.uint32(revision), layout]), nil)
        case (Self.menu, "GetGroupProperties"):
            (
                .success([
                    groups(
                        (call.arguments.first?.elements ?? []).compactMap {
                            $0.number.map(Int32.init(clamping:))
                        }
                    )
                ]), nil
            )
        case (Self.menu, "AboutToShow"): (.success([.bool(false)]), nil)
        case (Self.menu, "AboutToShowGroup"):
            (.success([.array(element: "i", []), .array(element: "i", [])]), nil)
        case (Self.menu, "Event"): (.success([]), chosen(call.arguments))
        case (Self.menu, "EventGroup"):
            (
                .success([.array(element: "i", [])]),
                (call.arguments.first?.elements ?? []).compactMap { chosen($0.elements ?? []) }.first
            )
        default: (.failure(call.unknown), nil)
        }
    }

    private func chosen(_ event: [DBusValue]) -> TrayContent.Choice? {
        guard event.count > 1, event[1].text == "clicked", let id = event[0].number else { return nil }
        return TrayContent.Choice(rawValue: Int32(clamping: id)).flatMap {
            content.choices.contains($0) ? $0 : nil
        }
    }

    private func read(_ call: DBusMessage) -> Result<[DBusValue], Problem> {
        let all = call.path == Self.menuPath ? Self.menuProperties : itemProperties
        if call.member == "GetAll" {
            return .success([.dictionary(value: "v", all.map { ($0.key, .variant($0.value)) })])
        }
        let name = call.arguments.last?.text
        guard let found = all.first(where: { $0.key == name }) else { return .failure(call.unknown) }
        return .success([.variant(found.value)])
    }
}
