import STContracts
import STDomain
import STPlatform

/// The names of apps, categories, sites, people and devices in a report.
struct SubjectNames: Sendable {
    private let language: DisplayLanguage
    private let devices: [String: ReportDevice]
    /// True if the person requested the ids of apps.
    private let areIDs: Bool

    init(_ language: DisplayLanguage, _ coverage: ReportCoverage.Reply? = nil, areIDs: Bool = false) {
        self.language = language
        self.areIDs = areIDs
        devices = Dictionary(
            (coverage?.devices ?? []).map { ($0.device, $0) },
            uniquingKeysWith: { first, _ in first }
        )
    }

    /// Returns a name for one line. Control characters are removed, because names come from other programs.
    func name(_ part: ReportPart, _ key: ReportKey) -> String {
        name(id: part.id, label: part.label, key: key)
    }

    func name(id: String?, label: String?, key: ReportKey) -> String {
        let text: String
        switch key {
        case .app: text = id.map { app($0, label) } ?? language.text("report.desktop", "Desktop")
        case .category: text = category(id ?? Category.other.rawValue)
        case .site: text = id.map { label ?? $0 } ?? language.text("report.elsewhere", "No site")
        case .member: text = id ?? "–"
        case .device: text = id.map { device($0, label) } ?? "–"
        case .unknown: text = id ?? "–"
        }
        return DisplayWidth.sanitized(text)
    }

    func category(_ id: String) -> String {
        Category(rawValue: id)?.name(language: language.code) ?? id
    }

    func device(_ id: String, _ label: String? = nil) -> String {
        let isThis = devices[id]?.isThis ?? (id == ReportDevice.this)
        return isThis ? Self.thisDevice(language) : label ?? devices[id]?.name ?? id
    }

    static func thisDevice(_ language: DisplayLanguage) -> String {
        language.text("day.this-computer", "This computer")
    }

    /// Returns the heading for rows of one key.
    func kind(_ key: ReportKey) -> String {
        switch key {
        case .app: language.text("report.app", "App")
        case .category: language.text("report.category", "Category")
        case .site: language.text("report.site", "Site")
        case .member: language.text("report.person", "Person")
        case .device: language.text("report.device", "Device")
        case .unknown: ""
        }
    }

    /// Returns the plural of the heading.
    func kinds(_ key: ReportKey) -> String {
        switch key {
        case .app: language.text("report.apps", "Apps")
        case .category: language.text("report.categories", "Categories")
        case .site: language.text("report.sites", "Sites")
        case .member: language.text("report.people", "People")
        case .device: language.text("report.devices", "Devices")
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
        coverage: ReportCoverage.Reply?,
        members: MemberList.Reply?
    ) throws(Problem) {
        guard let name, let members else { return }
        let names = members.members.map(\.name) + (coverage?.members ?? []).map(\.member)
        try NameCheck.checkMember(name, among: names)
    }

    /// Returns the id of the device with this name.
    static func device(_ name: String?, coverage: ReportCoverage.Reply?, line: String) throws(Problem)
        -> String?
    {
        guard let name, let devices = coverage?.devices else { return name }
        if let found = devices.first(where: { $0.device == name }) { return found.device }
        let names = DisplayLanguage.all.map(SubjectNames.thisDevice)
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
        let list = known.joined(separator: ", ").sanitized
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
