// swift-tools-version: 6.2
import Glibc
import PackageDescription

// Lists of targets (shared, frameworks, services, apps, tests, benchmarks) and the helpers that give every target the same
// settings. An import that is not declared here is an error (scripts pass --explicit-target-dependency-import-check
// error), so the lists below are the whole truth about who may know whom. TidyTests follows them to the end: no service
// reaches another one's Core.

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

/// A target's dependencies, written as words: `"STPlatform STStore"`.
func named(_ words: String) -> [Target.Dependency] {
    words.split { $0.isWhitespace }.map { .byName(name: String($0)) }
}

func library(_ name: String, _ path: String, uses: String = "", leaves: [String] = []) -> Target {
    .target(
        name: name,
        dependencies: named(uses),
        path: path,
        exclude: ["README.md"] + leaves,
        swiftSettings: settings
    )
}

/// Something an app developer imports. Apple's modules keep their bare names.
func framework(_ name: String, _ folder: String, uses: String = "") -> Target {
    library(name, "Shared/Frameworks/\(folder)", uses: uses)
}

func system(_ name: String, _ folder: String, apt: String) -> Target {
    // No pkgConfig: libzmq's .pc brings a flag that SwiftPM refuses; `link` in the module map is enough.
    .systemLibrary(name: name, path: "Shared/Base/C/\(folder)", providers: [.apt([apt])])
}

func program(_ name: String, _ path: String, uses: String) -> Target {
    .executableTarget(name: name, dependencies: named(uses), path: path, swiftSettings: settings)
}

/// A service is two targets: Core (rules, never the transport) and Main (the executable, wiring only).
///
/// With `resources` the executable carries these files of the service's folder, whose other folders are then left out by name.
func service(
    _ process: String,
    _ core: String,
    coreUses: String = "",
    mainUses: String = "",
    resources: [Resource] = [],
    without: [String] = []
) -> [Target] {
    [
        .target(
            name: core,
            dependencies: named(
                "STPlatform STStore STDomain STContracts STBus STEngine STFollowing \(coreUses)"
            ),
            path: "Services/\(process)/Core",
            swiftSettings: settings
        ),
        .executableTarget(
            name: process,
            dependencies: named("\(core) STServiceKit STPlatform STContracts STEngine \(mainUses)"),
            path: "Services/\(process)" + (resources.isEmpty ? "/Main" : ""),
            exclude: without,
            sources: resources.isEmpty ? nil : ["Main"],
            resources: resources,
            swiftSettings: settings
        ),
    ]
}

/// An example app: its command, its extension and what both know.
///
/// They import what any app developer can, and one package of their own. With `shields` it also has the two extensions
/// of a shield, with `report` that of a report. An app that is itself a page has nothing to monitor.
func app(_ name: String, _ kit: String, shields: Bool = false, report: Bool = false, isPage: Bool = false)
    -> [Target]
{
    let path = "Services/extensions/\(name)"
    let frameworks = "FamilyControls DeviceActivity ManagedSettings UserNotifications os STAppSupport"
    let views = isPage ? "SwiftUI" : ""
    func part(_ suffix: String, _ folder: String, _ others: String = "") -> Target {
        program(name + suffix, "\(path)/\(folder)", uses: "\(frameworks) \(others) \(kit)")
    }
    let kitTarget = Target.target(
        name: kit,
        dependencies: named("\(frameworks) \(views)"),
        path: "\(path)/Kit",
        swiftSettings: settings
    )
    var parts = [kitTarget, part("", "App", views)]
    if !isPage { parts.append(part("-monitor", "Monitor")) }
    if shields {
        parts += [
            part("-shield", "Shield", "ManagedSettingsUI UIKit"),
            part("-action", "Action", "ManagedSettingsUI"),
        ]
    }
    if report { parts.append(part("-report", "Report", "SwiftUI Charts ExtensionKit")) }
    return parts
}

func tests(_ name: String, _ folder: String, uses: String, leaves: [String] = []) -> Target {
    .testTarget(
        name: name,
        dependencies: named(uses),
        path: "Tests/\(folder)",
        exclude: leaves,
        swiftSettings: settings
    )
}

let shared: [Target] = [
    system("STCZeroMQ", "ZeroMQ", apt: "libzmq3-dev"),
    system("STCSQLite", "SQLite", apt: "libsqlite3-dev"),
    system("STCPostgreSQL", "PostgreSQL", apt: "libpq-dev"),
    system("STCSystemd", "Systemd", apt: "libsystemd-dev"),
    system("STCSodium", "Sodium", apt: "libsodium-dev"),
    system("STCOath", "Oath", apt: "liboath-dev"),
    system("STCPublicSuffix", "PublicSuffix", apt: "libpsl-dev"),
    system("STCQRCode", "QRCode", apt: "libqrencode-dev"),
    system("STCYaml", "Yaml", apt: "libyaml-dev"),
    // A target with headers of its own, because those of pango come with flags that SwiftPM refuses.
    .target(
        name: "STCCairo",
        path: "Shared/Base/C/Cairo",
        linkerSettings: ["pangocairo-1.0", "pango-1.0", "cairo", "gobject-2.0", "jpeg"].map {
            .linkedLibrary($0)
        }
    ),
    // xcb, and Wayland's protocols with the scanner's output, which a test generates anew and compares. One module, because
    // both speak of xkbcommon's keys.
    .target(
        name: "STCScreen",
        path: "Shared/Base/C/Screen",
        exclude: ["Protocols"],
        linkerSettings: [
            "wayland-client", "xkbcommon", "xkbcommon-x11", "xcb", "xcb-randr", "xcb-res", "xcb-sync",
            "xcb-screensaver",
            "xcb-shape", "xcb-xkb", "xcb-xtest",
        ].map { .linkedLibrary($0) }
    ),
    .target(
        name: "STCHTTP",
        path: "Shared/Base/C/HTTP",
        linkerSettings: [.linkedLibrary("microhttpd"), .linkedLibrary("gnutls")]
    ),
    .target(
        name: "STPages",
        dependencies: named("STPlatform STWire STCHTTP"),
        path: "Shared/Runtime/Pages",
        exclude: ["README.md"],
        resources: ["console.css", "icon.svg", "tools.js"].map { .embedInCode("Page/\($0)") },
        swiftSettings: settings
    ),
    .target(name: "STCPlatform", path: "Shared/Base/C/Platform"),
    .target(name: "STCVirtualClock", path: "Shared/Base/C/VirtualClock"),
    .target(
        name: "STCClockPreload",
        dependencies: ["STCVirtualClock"],
        path: "Shared/Base/C/ClockPreload"
    ),
    library("STPlatform", "Shared/Base/Platform", uses: "STCPlatform STCVirtualClock STCSystemd"),
    library("STStore", "Shared/Base/Store", uses: "STPlatform STCSQLite", leaves: ["PLANS.md"]),
    library("STPostgres", "Shared/Base/Postgres", uses: "STPlatform STCPostgreSQL"),
    library("STCrypto", "Shared/Base/Crypto", uses: "STPlatform STCSodium STCOath"),
    library("STDomain", "Shared/Wire/Domain", uses: "STPlatform"),
    library("STWire", "Shared/Wire/Frames", uses: "STPlatform"),
    library("STContracts", "Shared/Wire/Contracts", uses: "STPlatform STDomain STWire"),
    library("STBus", "Shared/Runtime/Bus", uses: "STPlatform STContracts"),
    library("STEngine", "Shared/Runtime/Engine", uses: "STPlatform STStore STContracts STBus"),
    library(
        "STFollowing",
        "Shared/Runtime/Following",
        uses: "STPlatform STStore STContracts STEngine"
    ),
    library("STZeroMQ", "Shared/Runtime/ZeroMQ", uses: "STPlatform STContracts STBus STCZeroMQ"),
    library(
        "STServiceKit",
        "Shared/Runtime/ServiceKit",
        uses: "STPlatform STStore STContracts STBus STEngine STZeroMQ STCrypto"
    ),
    library(
        "STExtensions",
        "Shared/Runtime/Extensions",
        uses: "STPlatform STContracts STBus STEngine STZeroMQ STServiceKit"
    ),
    library("STSupervision", "Shared/Runtime/Supervision", uses: "STPlatform"),
    library("STSimulator", "Shared/Runtime/Simulator", uses: "STPlatform STDomain STContracts"),
    library("STRendering", "Shared/Rendering", uses: "STPlatform STDomain STContracts"),
    library("STDBus", "Shared/Desktop/DBus", uses: "STPlatform STCSystemd"),
    library(
        "STDesktop",
        "Shared/Desktop",
        uses: "STPlatform STDomain STContracts",
        leaves: ["DBus", "Notices", "Pausing"]
    ),
    library("STPausing", "Shared/Desktop/Pausing", uses: "STPlatform STContracts STDesktop STDBus"),
    library("STNotices", "Shared/Desktop/Notices", uses: "STPlatform STContracts STBus STDBus STZeroMQ"),
]

let frameworks: [Target] = [
    .systemLibrary(name: "STCOSLog", path: "Shared/Base/C/OSLog"),
    .target(name: "STCTasks", path: "Shared/Base/C/Tasks"),
    framework("os", "os", uses: "STPlatform STCOSLog"),
    framework("OSLog", "OSLog", uses: "os"),
    framework("Combine", "Combine"),
    framework("STFoundationTypes", "FoundationTypes", uses: "STPlatform os"),
    framework("STFoundationGaps", "FoundationGaps", uses: "Combine STFoundationTypes"),
    framework(
        "STClientLink",
        "Link",
        uses: "STFoundationTypes STPlatform STDomain STContracts STBus STZeroMQ STCTasks"
    ),
    framework(
        "ManagedSettings",
        "ManagedSettings",
        uses: "Combine STFoundationGaps STFoundationTypes STClientLink STContracts STPlatform"
    ),
    framework(
        "UserNotifications",
        "UserNotifications",
        uses: "STFoundationGaps STFoundationTypes STClientLink STContracts STDomain STPlatform"
    ),
    // The compiler looks for it where a file imports UIKit and Testing.
    framework("_Testing_UIKit", "TestingUIKit"),
    framework(
        "UIKit",
        "UIKit",
        uses: "_Testing_UIKit STFoundationGaps STFoundationTypes UserNotifications STContracts STPlatform"
    ),
    framework(
        "ManagedSettingsUI",
        "ManagedSettingsUI",
        uses: "ManagedSettings UIKit STClientLink STFoundationTypes STContracts STPlatform"
    ),
    framework(
        "FamilyControls",
        "FamilyControls",
        uses: """
            Combine ManagedSettings STFoundationGaps STFoundationTypes STClientLink STContracts STDomain STPlatform
            """
    ),
    framework(
        "DeviceActivity",
        "DeviceActivity",
        uses: """
            Combine ManagedSettings STFoundationGaps STFoundationTypes STClientLink STContracts STDomain STPlatform
            """
    ),
    framework("WidgetKit", "WidgetKit", uses: "STFoundationGaps STFoundationTypes"),
    framework("Security", "Security", uses: "STFoundationGaps STFoundationTypes STPlatform"),
    framework("SwiftData", "SwiftData", uses: "STFoundationGaps STFoundationTypes STCSQLite"),
    framework("ExtensionFoundation", "ExtensionFoundation", uses: "STClientLink STFoundationGaps"),
    framework(
        "SwiftUICore",
        "SwiftUICore",
        uses: """
            Combine UIKit STFoundationGaps STFoundationTypes STClientLink STRendering STContracts STDomain STPlatform
            """
    ),
    framework("ExtensionKit", "ExtensionKit", uses: "ExtensionFoundation SwiftUICore"),
    framework("Charts", "Charts", uses: "SwiftUICore STRendering STFoundationTypes STContracts STPlatform"),
    // What Apple has as cross-import overlays: monitors link DeviceActivity and should not carry views.
    framework(
        "_DeviceActivity_SwiftUI",
        "DeviceActivitySwiftUI",
        uses: """
            DeviceActivity FamilyControls ManagedSettings SwiftUICore ExtensionFoundation ExtensionKit STClientLink
            STFoundationTypes STContracts STDomain STPlatform
            """
    ),
    framework("SwiftUI", "SwiftUI", uses: "SwiftUICore _DeviceActivity_SwiftUI"),
]

/// Tests of apps in virtual time.
let simulation: [Target] = [
    framework("ScreenTimeSimulation", "ScreenTimeSimulation", uses: "STSimulator STContracts STPlatform")
]

/// What another package can depend on.
let offered = [
    "FamilyControls", "DeviceActivity", "ManagedSettings", "ManagedSettingsUI", "UIKit", "UserNotifications",
    "SwiftUI", "Charts", "WidgetKit", "Security", "SwiftData", "ExtensionKit", "ExtensionFoundation",
    "Combine", "os", "OSLog", "STFoundationGaps", "ScreenTimeSimulation",
]

let services: [Target] = [
    service("auth-service", "STAuthCore", coreUses: "STCrypto"),
    service("activity-center", "STActivityCore", coreUses: "STCrypto", mainUses: "STBus STDomain STDesktop"),
    service("monitor-runner", "STMonitorCore", mainUses: "STBus STZeroMQ STExtensions"),
    service("shield-service", "STShieldCore", coreUses: "STCrypto", mainUses: "STBus STZeroMQ STExtensions"),
    service(
        "report-service",
        "STReportCore",
        coreUses: "STCPublicSuffix",
        mainUses: "STBus STZeroMQ STStore STCrypto STRendering STExtensions"
    ),
    service("notifier", "STNotifierCore", mainUses: "STBus STZeroMQ STNotices"),
    service(
        "household-service",
        "STHouseholdCore",
        coreUses: "STCrypto STPostgres",
        mainUses: "STBus STCrypto STDomain STZeroMQ STPages STPostgres",
        resources: ["index.html", "phone.js", "words.js"].map { .embedInCode("Page/\($0)") },
        without: ["README.md", "Core"]
    ),
    service("link-service", "STLinkCore", coreUses: "STCrypto", mainUses: "STBus STZeroMQ STWire STCrypto"),
    service(
        "desktop-agent",
        "STDesktopCore",
        coreUses: "STDesktop",
        mainUses: "STWire STBus STZeroMQ STDesktop STDomain STDBus STScreen STPausing STNotices",
        resources: [
            .embedInCode("gnome/legacy.js"), .embedInCode("gnome/module.js"), .embedInCode("gnome/screen.js"),
            .embedInCode("gnome/metadata.json"), .embedInCode("gnome/screentime-symbolic.svg"),
        ],
        without: ["README.md", "Core", "Screen", "gnome/README.md"]
    ),
    [
        // Started by browsers; it carries the extension, so that `screentime browser enable` needs nothing else.
        .executableTarget(
            name: "browser-host",
            dependencies: named("STContracts STPlatform STRendering STWire STZeroMQ"),
            path: "Services/browser-host",
            exclude: ["README.md"],
            sources: ["Main"],
            resources: [
                .embedInCode("extension/manifest.json"), .embedInCode("extension/background.js"),
                .embedInCode("extension/shield.html"), .embedInCode("extension/shield.js"),
            ],
            swiftSettings: settings
        ),
        // What desktop-agent sees and covers: X11, wlroots, the session's buses.
        .target(
            name: "STScreen",
            dependencies: named("STPlatform STWire STContracts STDesktop STBus STDBus STCScreen"),
            path: "Services/desktop-agent/Screen",
            exclude: ["README.md"],
            resources: [.embedInCode("Kwin/screen.js")],
            swiftSettings: settings
        ),
        // The command is a client of all services, so unlike them it knows the transport and the supervisor.
        .target(
            name: "STCommandCore",
            dependencies: named(
                """
                STPlatform STContracts STDomain STBus STZeroMQ STSupervision STSimulator STRendering STPausing
                STCQRCode STCYaml STCSystemd STDesktop
                """
            ),
            path: "Services/screentime/Core",
            swiftSettings: settings
        ),
        program("screentime", "Services/screentime/Main", uses: "STCommandCore STPlatform"),
        // Between an account and the services, where the computer is protected.
        .target(
            name: "STAccountDoorCore",
            dependencies: named("STPlatform STContracts"),
            path: "Services/account-door/Core",
            swiftSettings: settings
        ),
        program(
            "account-door",
            "Services/account-door/Main",
            uses: "STAccountDoorCore STPlatform STContracts STBus STZeroMQ STServiceKit STWire STDBus"
        ),
        // The page that a browser shows; it runs the command's own code.
        .executableTarget(
            name: "console",
            dependencies: named("STPlatform STContracts STCrypto STRendering STZeroMQ STCommandCore STPages"),
            path: "Services/console",
            exclude: ["README.md"],
            sources: ["Main"],
            resources: [
                "index.html", "console.js", "inside.js", "live.js", "past.js", "people.js", "reports.js",
                "requests.js", "rules.js", "thing.js", "timeline.js", "today.js", "why.js", "words.js",
            ].map { .embedInCode("Page/\($0)") },
            swiftSettings: settings
        ),
        // Pango is costly: screentime-draw alone links it.
        .target(
            name: "STDrawing",
            dependencies: named("STPlatform STContracts STRendering STCCairo"),
            path: "Services/screentime-draw/Core",
            swiftSettings: settings
        ),
        program(
            "screentime-draw",
            "Services/screentime-draw/Main",
            uses: "STDrawing STContracts STPlatform"
        ),
        // It runs the services' rules in virtual time, so it alone knows their cores.
        .target(
            name: "STSimulation",
            dependencies: named(
                """
                STPlatform STDomain STContracts STBus STZeroMQ STSupervision STEngine STStore STCrypto STSimulator
                STAuthCore STActivityCore STMonitorCore STNotifierCore STShieldCore
                """
            ),
            path: "Services/simulator/Core",
            swiftSettings: settings
        ),
        program(
            "simulator",
            "Services/simulator/Main",
            uses: "STSimulation STSimulator STContracts STPlatform"
        ),
        // The monitor of a simulation's own app: a program of its own, so that it is as small as an app's.
        program("simulated-monitor", "Services/simulator/Monitor", uses: "STCZeroMQ STContracts"),
    ],
].flatMap { $0 }

let apps: [Target] = [
    [
        library(
            "STAppSupport",
            "Services/extensions/support",
            uses: "FamilyControls DeviceActivity UserNotifications"
        )
    ],
    app("promise", "STPromiseKit"),
    app("streaks", "STStreaksKit"),
    app("barebones", "STBarebonesKit", shields: true, report: true),
    app("worklog", "STWorklogKit", shields: true, report: true),
    app("usage-charts", "STUsageChartsKit", report: true, isPage: true),
].flatMap { $0 }

let serviceNames = """
    auth-service activity-center monitor-runner shield-service report-service notifier desktop-agent
    household-service link-service
    """
let appNames = """
    promise promise-monitor streaks streaks-monitor
    barebones barebones-monitor barebones-shield barebones-action barebones-report
    worklog worklog-monitor worklog-shield worklog-action worklog-report
    usage-charts usage-charts-report
    """
/// What plays scenarios.
let simulatorNames = "simulator simulated-monitor"
/// What `run-all.sh` starts, and the command. The command builds the rest of the programs when they are first used.
let startNames = """
    auth-service activity-center monitor-runner shield-service report-service notifier desktop-agent
    screentime-draw screentime
    """
/// The simulator with the example apps, and the library of the virtual clock that `simulate` preloads into apps.
let developerNames = "STCClockPreload \(simulatorNames) \(appNames)"
/// All programs.
let programNames = "\(startNames) \(serviceNames) browser-host console account-door \(developerNames)"

/// What most tests use.
let base = "STContracts STPlatform STTestSupport"

let testTargets: [Target] = [
    // Helpers of tests. Real displays, compositors and buses are in DesktopKit.
    .target(
        name: "STCSQLiteFaults",
        path: "Tests/Kits/SQLiteFaults",
        linkerSettings: [.linkedLibrary("sqlite3")]
    ),
    library("STTestSupport", "Tests/Kits/TestSupport", uses: "STPlatform STCSQLite STCSQLiteFaults"),
    library(
        "STTestKit",
        "Tests/Kits/TestKit",
        uses: """
            STPlatform STStore STDomain STContracts STBus STEngine STZeroMQ STCZeroMQ STServiceKit STSupervision
            STExtensions STPostgres STTestSupport
            """
    ),
    library(
        "STDesktopKit",
        "Tests/Kits/DesktopKit",
        uses: "STPlatform STContracts STDesktop STDBus STTestSupport"
    ),

    tests(
        "TidyTests",
        "Units/Tidy",
        uses: """
            STTestSupport STTestKit STPlatform STStore STCrypto STAuthCore STActivityCore STMonitorCore STShieldCore STNotifierCore STReportCore
            STDesktopCore STHouseholdCore STLinkCore STCommandCore \(serviceNames)
            """
    ),
    tests(
        "PlatformTests",
        "Units/Platform",
        uses: "\(base) STCPlatform STTestKit STCClockPreload screentime-clock-probe"
    ),
    tests("CryptoTests", "Units/Crypto", uses: "STCrypto STCSodium STPlatform STTestSupport"),
    tests(
        "StoreTests",
        "Units/Store",
        uses: "STStore STPlatform STTestKit STTestSupport STCSQLite STCSQLiteFaults screentime-store-filler"
    ),
    tests("DomainTests", "Units/Domain", uses: "\(base) STDomain"),
    tests("ContractsTests", "Units/Contracts", uses: base),
    tests(
        "RuntimeTests",
        "Units/Runtime",
        uses: "\(base) STBus STEngine STStore STServiceKit STSupervision STFollowing STTestKit"
    ),
    tests("SimulationTests", "Units/Simulation", uses: "\(base) STEngine STBus STStore"),
    tests("RenderingTests", "Units/Rendering", uses: "\(base) STRendering", leaves: ["check_html.py"]),
    tests("DrawingTests", "Units/Drawing", uses: "\(base) STDrawing screentime-draw"),
    tests("DoorTests", "Units/Door", uses: "\(base) STAccountDoorCore"),
    tests(
        "HouseholdTests",
        "Units/Household",
        uses: """
            \(base) STHouseholdCore STLinkCore STActivityCore STShieldCore STBus STCrypto STDomain STEngine
            STPostgres STStore STTestKit
            """
    ),
    tests("AuthTests", "Units/Auth", uses: "\(base) STAuthCore STCrypto STEngine STStore STTestKit"),
    tests(
        "ActivityTests",
        "Units/Activity",
        // Reports too: what a person has forgotten must be gone from them.
        uses: """
            \(base) STActivityCore STReportCore STEngine STFollowing STDomain STStore STTestKit STCSQLite
            STCSQLiteFaults activity-center
            """
    ),
    tests(
        "MonitorTests",
        "Units/Monitor",
        uses: "\(base) STMonitorCore STEngine STStore STTestKit"
    ),
    tests(
        "ShieldTests",
        "Units/Shield",
        uses: "\(base) STShieldCore STCrypto STFollowing STDomain STEngine STStore STTestKit"
    ),
    tests(
        "ReportTests",
        "Units/Report",
        uses: "\(base) STReportCore STDomain STFollowing STEngine STStore STTestKit"
    ),
    tests(
        "NotifierTests",
        "Units/Notifier",
        uses: "\(base) STNotifierCore STDomain STFollowing STEngine STStore STTestKit"
    ),
    tests(
        "CommandTests",
        "Units/Command",
        uses: "\(base) STCommandCore STDomain STBus STZeroMQ STRendering screentime screentime-draw simulator"
    ),
    tests(
        "ProcessTests",
        "Processes",
        // All services, so that they are built: the tests run them.
        uses: """
            \(base) STTestKit STDomain STStore STSupervision STZeroMQ STEngine STCrypto STDBus STDesktopKit STPostgres
            STCommandCore STExtensions screentime-sample-monitor screentime-sample-report screentime-test-extension
            STCClockPreload console screentime screentime-draw \(serviceNames)
            """,
        leaves: ["simulator"]
    ),
    tests(
        "SimulateTests",
        "Processes/simulator",
        uses: """
            \(base) STCommandCore ScreenTimeSimulation STSimulation STSimulator STTestKit STDomain STZeroMQ
            \(simulatorNames) STCClockPreload screentime-test-extension screentime \(serviceNames) \(appNames)
            """
    ),
    tests(
        "AgentTests",
        "Desktops/Agent",
        // The agent itself, in the test's own process, on a screen that the test plays; the others are real.
        uses: """
            \(base) STDesktopCore STDesktop STDomain STFollowing STStore STTestKit desktop-agent STDesktopKit STScreen STDBus
            STPausing STServiceKit STEngine STZeroMQ STCrypto auth-service activity-center shield-service
            screentime-draw screentime-x11-window
            """
    ),
    tests(
        "ScreenTests",
        "Desktops/Screen",
        uses: """
            \(base) STScreen STDesktop STDBus STDesktopKit screentime-x11-window screentime-x11-observer
            screentime-wayland-window screentime-wayland-observer
            """
    ),
    tests(
        "DesktopTests",
        "Desktops/Shared",
        uses: """
            \(base) STDesktop STDomain STPausing STDesktopKit STDBus STSupervision screentime-test-pauser
            screentime
            """
    ),
    tests(
        "DesktopSystemTests",
        "Desktops/System",
        // The whole of it: real services, real displays, real apps.
        uses: """
            \(base) STDesktopKit STDesktop STDesktopCore STTestKit STDomain STZeroMQ STDBus STCommandCore \(serviceNames)
            screentime screentime-draw screentime-x11-window screentime-x11-observer screentime-wayland-window
            screentime-wayland-observer browser-host worklog worklog-monitor worklog-shield worklog-action
            """
    ),
    tests(
        "FrameworksTests",
        "Frameworks/Modules",
        uses: """
            \(base) Combine DeviceActivity FamilyControls ManagedSettings OSLog STFoundationTypes os ManagedSettingsUI
            UIKit UserNotifications Security SwiftData STFrameworkSamples STFrameworkSamplesSix STDomain STClientLink STBus STZeroMQ STDrawing
            STExtensions STTestKit auth-service activity-center report-service shield-service notifier screentime
            screentime-frameworks-probe screentime-sample-monitor screentime-sample-shield
            """
    ),
    tests(
        "SwiftUITests",
        "Frameworks/SwiftUI",
        uses: "\(base) SwiftUICore Charts STFrameworkSamples STFoundationTypes STRendering"
    ),
    tests(
        "ReportExtensionTests",
        "Frameworks/Reports",
        uses: """
            \(base) DeviceActivity FamilyControls ManagedSettings SwiftUI _DeviceActivity_SwiftUI STBus STClientLink
            STExtensions STFoundationTypes STRendering STZeroMQ STFrameworkSamples STFrameworkSamplesSix STTestKit
            screentime-sample-report screentime-sample-report-six
            """
    ),
    tests(
        "AppTests",
        "Frameworks/Apps",
        uses: """
            \(base) STAppSupport STPromiseKit STStreaksKit STBarebonesKit STWorklogKit FamilyControls DeviceActivity
            STFoundationTypes STCommandCore STCrypto STRendering screentime-draw STSimulation STTestKit STZeroMQ
            STCClockPreload \(serviceNames) \(appNames)
            """
    ),
]

/// As an app's developer has it: none of our settings, only what products give.
func foreign(
    _ name: String,
    _ folder: String,
    uses: String,
    mode: SwiftLanguageMode? = nil,
    isProgram: Bool = true
)
    -> Target
{
    let settings: [SwiftSetting] = mode.map { [.swiftLanguageMode($0)] } ?? []
    let path = "Tests/Samples/\(folder)"
    return isProgram
        ? .executableTarget(name: name, dependencies: named(uses), path: path, swiftSettings: settings)
        : .target(name: name, dependencies: named(uses), path: path, swiftSettings: settings)
}

/// What the samples of apps' sources import.
let sampled = """
    DeviceActivity FamilyControls ManagedSettings ManagedSettingsUI UIKit UserNotifications SwiftUI Charts WidgetKit Security
    OSLog os
    """

/// What a report extension imports.
let reported = "DeviceActivity ManagedSettings SwiftUI Charts"

let testPrograms: [Target] = [
    // Pauses an app and is killed.
    program(
        "screentime-test-pauser",
        "Tests/Programs/Desktop/Pauser",
        uses: "STPausing STDesktop STPlatform"
    ),
    // Windows that do what standard input says, and programs that look at the screen by themselves.
    program(
        "screentime-x11-window",
        "Tests/Programs/Desktop/X11Window",
        uses: "STTestDisplay STCScreen STPlatform"
    ),
    program("screentime-x11-observer", "Tests/Programs/Desktop/X11Observer", uses: "STCScreen STPlatform"),
    .target(
        name: "STTestDisplay",
        dependencies: named("STCScreen STPlatform"),
        path: "Tests/Programs/Desktop/Display",
        swiftSettings: settings
    ),
    program(
        "screentime-wayland-window",
        "Tests/Programs/Desktop/WaylandWindow",
        uses: "STTestDisplay STCScreen STPlatform"
    ),
    program(
        "screentime-wayland-observer",
        "Tests/Programs/Desktop/WaylandObserver",
        uses: "STTestDisplay STCScreen STPlatform"
    ),
    // A program as an app's developer would write it, for tests of what it sees of the clock.
    program("screentime-clock-probe", "Tests/Programs/ClockProbe", uses: ""),
    // Something with a limit of its own on the size of its files.
    program("screentime-store-filler", "Tests/Programs/StoreFiller", uses: "STStore STPlatform"),
    // An extension in C that keeps the protocol, and breaks it on request.
    .executableTarget(
        name: "screentime-test-extension",
        dependencies: ["STCZeroMQ"],
        path: "Tests/Programs/Extension",
        linkerSettings: [.linkedLibrary("zmq")]
    ),
    // Apps' sources in both language modes: the newer one has the same files by another path.
    foreign("STFrameworkSamples", "Sources", uses: sampled, mode: .v5, isProgram: false),
    foreign("STFrameworkSamplesSix", "SourcesSix", uses: sampled, mode: .v6, isProgram: false),
    foreign("screentime-sample-monitor", "Monitor", uses: "DeviceActivity FamilyControls ManagedSettings os"),
    foreign("screentime-sample-shield", "Shield", uses: "ManagedSettingsUI STFrameworkSamples"),
    foreign("screentime-sample-report", "Report", uses: reported, mode: .v5),
    foreign("screentime-sample-report-six", "ReportSix", uses: reported, mode: .v6),
    .executableTarget(
        name: "screentime-frameworks-probe",
        dependencies: named("DeviceActivity STFrameworkSamples"),
        path: "Tests/Programs/FrameworkProbe"
    ),
]

let benchmarks: [Target] = [
    .target(name: "STBaseline", dependencies: named("STCZeroMQ STCSQLite"), path: "Tests/Bench/C"),
    // The monitor extension of the apps that `crossings` installs: as an app developer's own.
    program("screentime-bench-monitor", "Tests/Bench/Monitor", uses: "DeviceActivity"),
    // The monitor extension of the app that `policy` installs.
    program("screentime-bench-setter", "Tests/Bench/Setter", uses: "DeviceActivity ManagedSettings"),
    program(
        "screentime-bench",
        "Tests/Bench/Main",
        uses: """
            STSimulation STBaseline STPlatform STStore STContracts STBus STEngine STZeroMQ STDomain STServiceKit
            STTestKit STTestSupport STDesktopKit STPostgres STCrypto screentime-x11-window
            """
    ),
]

/// `SCREENTIME_ONLY` names the targets to build with all that they need, and nothing else: a set (below) or a target such as
/// `ActivityTests`.
func wanted(_ all: [Target]) -> [Target] {
    guard let only = Context.environment["SCREENTIME_ONLY"], !only.isEmpty else { return all }
    let sets = [
        "start": startNames,
        "developer": developerNames,
        "programs": programNames,
        "bench": "\(programNames) screentime-bench screentime-bench-monitor screentime-bench-setter",
    ]
    var names = Set<String>()
    for word in only.split(separator: ",").map(String.init) {
        names.formUnion((sets[word] ?? word).split { $0.isWhitespace }.map(String.init))
    }
    var added = true
    while added {
        let needed = all.filter { names.contains($0.name) }.flatMap(\.dependencies).compactMap {
            if case .byNameItem(let name, _) = $0 { name } else { String?.none }
        }
        added = !names.isSuperset(of: needed)
        names.formUnion(needed)
    }
    return all.filter { names.contains($0.name) }
}

/// The developer's package carries what apps need, and no more.
let isWhole = access("\(Context.packageDirectory)/Services/screentime", F_OK) == 0
let everything = wanted(
    shared + frameworks + simulation + apps
        + (isWhole ? services + testPrograms + testTargets + benchmarks : [])
)

/// What every message, row and window passes through. Optimising is four fifths of a build, so the rest does without; benches are no
/// slower than what they measure.
let hot = Set(
    named(
        """
        STPlatform STStore STCrypto STDomain STWire STBus STEngine STZeroMQ STServiceKit STActivityCore STMonitorCore
        STShieldCore STReportCore STHouseholdCore STPostgres STSimulation STClientLink STBaseline STTestSupport STTestKit screentime-bench
        """
    ).compactMap { if case .byNameItem(let name, _) = $0 { name } else { String?.none } }
)

/// What is large and waits for others most of the time, or is no slower for it, as measured: it costs disk and memory.
let small: Set = [
    "STContracts", "STRendering", "STCommandCore", "STDesktop", "STDesktopCore", "STScreen", "STDBus",
    "STPausing", "STFollowing",
    "STExtensions",
    "STAuthCore", "STNotifierCore", "STSupervision", "STDrawing", "STSimulator", "console", "browser-host",
    "STAccountDoorCore", "account-door",
]

// For the scripts' release builds alone: SwiftPM refuses a tagged dependency whose targets have flags of their own.
let own = Context.environment["SCREENTIME_ONLY"] == nil ? [] : everything.filter { $0.type != .system }
for target in own {
    // A section for each function, so that the linker leaves out what a program never calls.
    var flags = ["-Xfrontend", "-function-sections"]
    if small.contains(target.name) {
        flags.append("-Osize")
    } else if !hot.contains(target.name) {
        flags.append("-Onone")
    }
    target.swiftSettings =
        (target.swiftSettings ?? []) + [.unsafeFlags(flags, .when(configuration: .release))]
    guard target.type == .executable else { continue }
    var linker = [
        // A sixth smaller: functions alike to the byte stand once, and addresses within a program take a bit each.
        "-use-ld=lld", "-Xlinker", "--icf=all", "-Xlinker", "-z", "-Xlinker", "pack-relative-relocs",
    ]
    // The command runs for milliseconds: with Swift's libraries inside it starts in three quarters of the time.
    if target.name == "screentime", Context.environment["SCREENTIME_STATIC"] != nil {
        // Names that no library looks up are a fifth of it, and of the time.
        linker += ["-static-stdlib", "-Xlinker", "--no-export-dynamic"]
    }
    let settings: [LinkerSetting] = [.unsafeFlags(linker, .when(configuration: .release))]
    target.linkerSettings = (target.linkerSettings ?? []) + settings
}

/// What others may use; with `SCREENTIME_ONLY` those alone of which all is built.
let products: [Product] = {
    let built = Set(everything.map(\.name))
    let all: [(name: String, type: Product.Library.LibraryType?, targets: [String])] =
        [
            // Preloaded into extension processes, so that foreign code sees the virtual clock.
            ("screentime-clock", .dynamic, ["STCClockPreload"])
        ] + offered.map { ($0, nil, [$0]) }
    return all.filter { built.isSuperset(of: $0.targets) }.map {
        .library(name: $0.name, type: $0.type, targets: $0.targets)
    }
}()

let package = Package(
    name: "screentime",
    products: products,
    targets: everything,
    swiftLanguageModes: [.v6]
)
