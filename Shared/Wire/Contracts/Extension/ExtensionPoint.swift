/// What an extension is for, by the identifier that Apple's Info.plist gives it.
package struct ExtensionPoint: Sendable, Hashable, RawRepresentable, Codable, CustomStringConvertible {
    package let rawValue: String

    package init(rawValue: String) { self.rawValue = rawValue }

    package init(_ rawValue: String) { self.rawValue = rawValue }

    package var description: String { rawValue }

    package static let monitor = ExtensionPoint("com.apple.deviceactivity.monitor-extension")
    package static let shieldConfiguration = ExtensionPoint(
        "com.apple.ManagedSettingsUI.shield-configuration-service"
    )
    package static let shieldAction = ExtensionPoint("com.apple.ManagedSettings.shield-action-service")
    package static let report = ExtensionPoint("com.apple.deviceactivityui.report-extension")

    package static let all: [ExtensionPoint] = [monitor, shieldConfiguration, shieldAction, report]

    /// The routes that extensions of this point may call through their host.
    ///
    /// A shield's texts are made without asking anybody, and what a report sees may not leave it.
    package var routes: Set<String> {
        switch self {
        case .monitor: Self.acting
        case .shieldAction: Self.acting
        case .report: ["report.data"]
        default: []
        }
    }

    /// Whether its processes have no network: what they see of somebody's day may not leave the computer.
    package var isOffline: Bool { self == .report || self == .shieldConfiguration }

    /// Of what a call returns.
    package var returnedBytes: Int { self == .report ? PageLimits.bytes : ExtensionProtocol.returnedBytes }

    private static let acting: Set<String> = [
        "auth.status", "activity.start", "activity.stop", "activity.list", "activity.schedule",
        "activity.events", "activity.preview", "settings.get", "settings.set", "settings.clear",
        "settings.delete",
        "settings.list", "settings.effective", "notify.post", "notify.list", "notify.withdraw", "request.add",
    ]
}
