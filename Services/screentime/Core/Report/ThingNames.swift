import STContracts
import STDomain
import STPlatform

/// The names of apps, categories, sites, people and devices in a report.
struct ThingNames: Sendable {
    private let language: WordLanguage
    private let devices: [String: ReportDevice]
    /// True if the person requested the ids of apps.
    private let areIDs: Bool

    init(_ language: WordLanguage, _ coverage: ReportCoverage.Reply? = nil, areIDs: Bool = false) {
        self.language = language
        self.areIDs = areIDs
        devices = Dictionary(
            (coverage?.devices ?? []).map { ($0.device, $0) },
            uniquingKeysWith: { first, _ in first }
        )
    }

    /// Returns a name for one line. Control characters are removed, because names come from other programs.
    func name(_ part: ReportPart, _ key: ReportKey) -> String { name(part.id, part.label, key) }

    func name(_ id: String?, _ label: String?, _ key: ReportKey) -> String {
        let text: String
        switch key {
        case .app: text = id.map { app($0, label) } ?? language.say("report.desktop", "Desktop")
        case .category: text = category(id ?? Category.other.rawValue)
        case .site: text = id.map { label ?? $0 } ?? language.say("report.elsewhere", "No site")
        case .member: text = id ?? "–"
        case .device: text = id.map { device($0, label) } ?? "–"
        case .unknown: text = id ?? "–"
        }
        return DisplayWidth.harmless(text)
    }

    func category(_ id: String) -> String {
        Category(rawValue: id)?.name(language: language.code) ?? id
    }

    func device(_ id: String, _ label: String? = nil) -> String {
        let isThis = devices[id]?.isThis ?? (id == ReportDevice.this)
        return isThis ? Self.this(language) : label ?? devices[id]?.name ?? id
    }

    static func this(_ language: WordLanguage) -> String {
        language.say("day.this-computer", "This computer")
    }

    /// Returns the heading for rows of one key.
    func kind(_ key: ReportKey) -> String {
        switch key {
        case .app: language.say("report.app", "App")
        case .category: language.say("report.category", "Category")
        case .site: language.say("report.site", "Site")
        case .member: language.say("report.person", "Person")
        case .device: language.say("report.device", "Device")
        case .unknown: ""
        }
    }

    /// Returns the plural of the heading.
    func kinds(_ key: ReportKey) -> String {
        switch key {
        case .app: language.say("report.apps", "Apps")
        case .category: language.say("report.categories", "Categories")
        case .site: language.say("report.sites", "Sites")
        case .member: language.say("report.people", "People")
        case .device: language.say("report.devices", "Devices")
        case .unknown: ""
        }
    }

    /// report-service returns the id if it has no name.
    private func app(_ id: String, _ label: String?) -> String {
        areIDs ? id : label.flatMap { $0 == id ? nil : $0 } ?? DisplayNames.short(id)
    }
}

/// Checks the people and devices of a report's options against the known names.
enum ReportNamesCheck {
    static func member(
        _ name: String?,
        _ coverage: ReportCoverage.Reply?,
        _ members: MemberList.Reply?
    ) throws(Problem) {
        guard let name, let members else { return }
        let names = members.members.map(\.name) + (coverage?.members ?? []).map(\.member)
        try KnownNames.checkMember(name, among: names)
    }

    /// Returns the id of the device with this name.
    static func device(_ name: String?, _ coverage: ReportCoverage.Reply?, _ line: String) throws(Problem)
        -> String?
    {
        guard let name, let devices = coverage?.devices else { return name }
        if let found = devices.first(where: { $0.device == name }) { return found.device }
        let names = WordLanguage.all.map(ThingNames.this)
        let called = devices.filter {
            $0.name.lowercased() == name.lowercased() || ($0.isThis && names.contains(name))
        }
        if called.count == 1 { return called[0].device }
        if called.count > 1 {
            let ids = called.map(\.device).joined(separator: ", ")
            throw Problem(
                "device.not_unique",
                """
                \(called.count, "count") devices are called “\(name, "name")”. Use one of these IDs: \
                \(ids, "ids").
                """,
                help: "\(line) --device \(called[0].device)"
            )
        }
        let known = devices.map { $0.name.isEmpty ? $0.device : $0.name }
        let near = TextFormat.closest(to: name, in: known + devices.map(\.device))
        let list = known.joined(separator: ", ").harmless
        throw Problem(
            "device.not_found",
            text: near.map {
                Message(
                    "device.not_found.did-you-mean",
                    """
                    No device is called “\(name, "name")”. Did you mean \($0, "near")? Devices with recorded \
                    usage: \(list, "devices").
                    """
                )
            }
                ?? (known.isEmpty
                    ? Message(
                        "device.not_found.none-yet",
                        "No device is called “\(name, "name")”. No device has recorded usage yet."
                    )
                    : Message(
                        "device.not_found.devices-with",
                        "No device is called “\(name, "name")”. Devices with recorded usage: \(list, "devices")."
                    )),
            help: near.map { "\(line) --device '\($0)'" } ?? line
        )
    }
}
