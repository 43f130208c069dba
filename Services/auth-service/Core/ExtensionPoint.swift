import STPlatform

/// The places at which Apple's system calls an app's extensions.
enum ExtensionPoint: String, CaseIterable {
    case monitor = "com.apple.deviceactivity.monitor-extension"
    case shieldConfiguration = "com.apple.ManagedSettingsUI.shield-configuration-service"
    case shieldAction = "com.apple.ManagedSettings.shield-action-service"
    case report = "com.apple.deviceactivityui.report-extension"

    /// What an app with such an extension can do, as a person is told who is asked for permission.
    var reason: String {
        switch self {
        case .monitor:
            "Be told when times that it agreed on with you begin, end or are used up, and act on it."
        case .shieldConfiguration: "Say what a shield looks like that it has put up."
        case .shieldAction: "Act when a button on its shield is pressed."
        case .report: "Draw reports of your use on this computer."
        }
    }

    /// What was meant by an identifier that is none: a wrong one is silently never called on a phone.
    static func near(_ text: String) -> String? {
        if let same = allCases.first(where: { $0.rawValue.lowercased() == text.lowercased() }) {
            return same.rawValue
        }
        if let near = TextFormat.closest(to: text, in: allCases.map(\.rawValue)) { return near }
        // Some know only the last part by heart, or mix up the frameworks in front of it.
        let last = text.split(separator: ".").last.map { $0.lowercased() } ?? ""
        let tails = allCases.map {
            (tail: $0.rawValue.split(separator: ".").last.map { $0.lowercased() } ?? "", $0)
        }
        guard let tail = TextFormat.closest(to: last, in: tails.map(\.tail)) else { return nil }
        return tails.first { $0.tail == tail }?.1.rawValue
    }
}
