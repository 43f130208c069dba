import STCommandCore
import STPlatform

/// A new project for `app new NAME`. It is an XcodeGen project, so that it can also be opened on a Mac.
struct AppTemplate {
    enum Part: String, CaseIterable {
        case monitor, shield, report
    }

    private static let nameMax = 40
    /// The names that would result in the same type names as Apple's or the project's.
    private static let taken = ["Total", "Shield", "DeviceActivity", "ManagedSettings", "App"]

    let name: String
    let parts: [Part]

    init(_ name: String, _ parts: [Part]) throws(Problem) {
        let isName =
            name.count <= Self.nameMax && name.first?.isLetter == true
            && name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
            && !Self.taken.contains(name)
        guard isName else {
            throw Problem(
                "lab.bad_name",
                """
                “\(name, "name")” is not a valid app name. Use at most \(Self.nameMax, "most") letters and \
                digits, begin with a letter, and avoid names that Apple uses.
                """,
                help: "screentime app new Focus"
            )
        }
        self.name = name
        self.parts = parts
    }

    /// Writes the project. It throws if the folder exists.
    func write(to folder: String) throws(Problem) {
        guard !FileTree.exists(folder) else {
            throw Problem(
                "lab.not_empty",
                """
                \(folder, "folder") already exists, and Screen Time does not overwrite it. Choose another \
                name, or build the existing project.
                """,
                help: "screentime app new --from \(name)"
            )
        }
        var files = ["project.yml": project, "Common/\(name)Names.swift": names, "App/\(name)App.swift": app]
        if parts.contains(.monitor) { files["Monitor/\(name)Monitor.swift"] = monitor }
        if parts.contains(.shield) {
            files["Shield/\(name)Shield.swift"] = shield
            files["Action/\(name)Action.swift"] = action
        }
        if parts.contains(.report) { files["Report/\(name)Report.swift"] = report }
        for (path, text) in files {
            try FileTree.makeFolder("\(folder)/\(path)".folder)
            try LabPackage.write(text, to: "\(folder)/\(path)")
        }
    }

    // MARK: - Project

    private var project: String {
        var targets: [(name: String, yaml: String)] = []
        if parts.contains(.monitor) {
            targets.append(target("Monitor", "com.apple.deviceactivity.monitor-extension"))
        }
        if parts.contains(.shield) {
            targets.append(target("Shield", "com.apple.ManagedSettingsUI.shield-configuration-service"))
            targets.append(target("Action", "com.apple.ManagedSettings.shield-action-service"))
        }
        if parts.contains(.report) {
            targets.append(
                (
                    "\(name)Report",
                    """
                      \(name)Report:
                        type: extensionkit-extension
                        platform: iOS
                        sources: [Report, Common]
                        info:
                          path: Report/Info.plist
                          properties:
                            EXAppExtensionAttributes:
                              EXExtensionPointIdentifier: com.apple.deviceactivityui.report-extension

                    """
                )
            )
        }
        return """
            name: \(name)
            options:
              bundleIdPrefix: dev.example
            settings:
              SWIFT_VERSION: "6.0"
            targets:
              \(name):
                type: application
                platform: iOS
                sources: [App, Common]
                dependencies: [\(targets.map { "{target: \($0.name)}" }.joined(separator: ", "))]

            """ + targets.map(\.yaml).joined()
    }

    private func target(_ kind: String, _ point: String) -> (name: String, yaml: String) {
        (
            "\(name)\(kind)",
            """
              \(name)\(kind):
                type: app-extension
                platform: iOS
                sources: [\(kind), Common]
                info:
                  path: \(kind)/Info.plist
                  properties:
                    NSExtension:
                      NSExtensionPointIdentifier: \(point)
                      NSExtensionPrincipalClass: $(PRODUCT_MODULE_NAME).\(name)\(kind)
                entitlements:
                  path: \(kind)/\(kind).entitlements
                  properties:
                    com.apple.developer.family-controls: true
                    com.apple.security.application-groups: [group.dev.example.\(name.lowercased())]

            """
        )
    }

    // MARK: - Sources

    private var names: String {
        """
        import Foundation

        /// Values shared by the app and its extensions.
        enum \(name)Names {
            static let group = "group.dev.example.\(name.lowercased())"
            static let activity = "daily"
            static let event = "used-up"
            static let store = "\(name.lowercased())"
        }

        """
    }

    private var app: String {
        """
        import SwiftUI

        @main
        struct \(name)App: App {
            var body: some Scene { WindowGroup { Text("\(name)") } }
        }

        """
    }

    private var monitor: String {
        """
        import DeviceActivity
        import Foundation
        import ManagedSettings

        final class \(name)Monitor: DeviceActivityMonitor {
            private var store: ManagedSettingsStore { ManagedSettingsStore(named: .init(\(name)Names.store)) }

            override func intervalDidEnd(for activity: DeviceActivityName) {
                super.intervalDidEnd(for: activity)
                store.clearAllSettings()
            }

            override func eventDidReachThreshold(_ event: DeviceActivityEvent.Name, activity: DeviceActivityName) {
                super.eventDidReachThreshold(event, activity: activity)
                store.shield.applicationCategories = .all()
            }
        }

        """
    }

    private var shield: String {
        """
        import ManagedSettings
        import ManagedSettingsUI
        import UIKit

        final class \(name)Shield: ShieldConfigurationDataSource {
            override func configuration(shielding application: Application) -> ShieldConfiguration {
                ShieldConfiguration(
                    icon: UIImage(systemName: "hourglass"),
                    title: .init(text: "Enough for today", color: .label),
                    subtitle: .init(text: application.localizedDisplayName ?? "", color: .secondaryLabel),
                    primaryButtonLabel: .init(text: "Close", color: .white),
                    secondaryButtonLabel: .init(text: "Open it all the same", color: .systemBlue)
                )
            }

            override func configuration(shielding application: Application, in category: ActivityCategory)
                -> ShieldConfiguration
            {
                configuration(shielding: application)
            }
        }

        """
    }

    private var action: String {
        """
        import ManagedSettings

        final class \(name)Action: ShieldActionDelegate {
            override func handle(
                action: ShieldAction,
                for application: ApplicationToken,
                completionHandler: @escaping (ShieldActionResponse) -> Void
            ) {
                answer(action, completionHandler)
            }

            override func handle(
                action: ShieldAction,
                for category: ActivityCategoryToken,
                completionHandler: @escaping (ShieldActionResponse) -> Void
            ) {
                answer(action, completionHandler)
            }

            private func answer(_ action: ShieldAction, _ completionHandler: (ShieldActionResponse) -> Void) {
                guard action == .secondaryButtonPressed else { return completionHandler(.close) }
                ManagedSettingsStore(named: .init(\(name)Names.store)).clearAllSettings()
                completionHandler(.none)
            }
        }

        """
    }

    private var report: String {
        """
        import DeviceActivity
        import SwiftUI

        @main
        struct \(name)Report: DeviceActivityReportExtension {
            var body: some DeviceActivityReportScene {
                TotalReport { total in TotalView(total: total) }
            }
        }

        extension DeviceActivityReport.Context {
            static let total = Self("Total")
        }

        struct TotalReport: DeviceActivityReportScene {
            let context: DeviceActivityReport.Context = .total
            let content: (TimeInterval) -> TotalView

            func makeConfiguration(representing data: DeviceActivityResults<DeviceActivityData>) async
                -> TimeInterval
            {
                await data.flatMap { $0.activitySegments }.reduce(0) { $0 + $1.totalActivityDuration }
            }
        }

        struct TotalView: View {
            let total: TimeInterval

            var body: some View { Text("\\(Int(total) / 60) minutes").font(.largeTitle).padding() }
        }

        #Preview { TotalView(total: 5_400) }

        """
    }
}
