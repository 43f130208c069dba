// swift-tools-version: 6.2
import PackageDescription

// Three lists (shared, services, tests) and the helpers that give every target the same settings. An import that is
// not declared here is an error (scripts pass --explicit-target-dependency-import-check error), so the lists below
// are the whole truth about who may know whom: nothing under Services/ appears as a dependency of another service.

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

func library(_ name: String, _ path: String, uses: [String] = [], leaves: [String] = []) -> Target {
    .target(
        name: name,
        dependencies: uses.map { .byName(name: $0) },
        path: path,
        exclude: ["README.md"] + leaves,
        swiftSettings: settings
    )
}

/// Something an app developer imports.
///
/// Apple's modules keep their bare names.
func framework(_ name: String, _ folder: String, uses: [String] = []) -> Target {
    library(name, "Shared/Frameworks/\(folder)", uses: uses)
}

func system(_ name: String, _ path: String, apt: String) -> Target {
    // No pkgConfig: libzmq's .pc brings a flag that SwiftPM refuses; `link` in the module map is enough.
    .systemLibrary(name: name, path: path, providers: [.apt([apt])])
}

/// A service is two targets: Core (rules, never the transport) and Main (the executable, wiring only).
func service(_ process: String, _ core: String, coreUses: [String] = [], mainUses: [String] = []) -> [Target]
{
    [
        .target(
            name: core,
            dependencies: [
                "STPlatform", "STTelemetry", "STStore", "STDomain", "STContracts", "STBus", "STEngine",
            ] + coreUses.map { .byName(name: $0) },
            path: "Services/\(process)/Core",
            swiftSettings: settings
        ),
        .executableTarget(
            name: process,
            dependencies: [.byName(name: core), "STServiceKit", "STPlatform", "STContracts", "STEngine"]
                + mainUses.map { .byName(name: $0) },
            path: "Services/\(process)/Main",
            swiftSettings: settings
        ),
    ]
}

/// An example app: its command, its extension and what both know.
///
/// They import what any app developer can, and one package of their own.
/// With `shields` it also has the two extensions of a shield, with `report` that of a report. An app that is itself
/// a page has nothing to monitor.
func app(_ name: String, _ kit: String, shields: Bool = false, report: Bool = false, isPage: Bool = false)
    -> [Target]
{
    let path = "Services/extensions/\(name)"
    let frameworks: [Target.Dependency] = [
        "FamilyControls", "DeviceActivity", "ManagedSettings", "UserNotifications", "os", "STAppSupport",
    ]
    let views: [Target.Dependency] = isPage ? ["SwiftUI"] : []
    func program(_ suffix: String, _ folder: String, _ others: [Target.Dependency] = []) -> Target {
        .executableTarget(
            name: name + suffix,
            dependencies: frameworks + others + [.byName(name: kit)],
            path: "\(path)/\(folder)",
            swiftSettings: settings
        )
    }
    let kitTarget = Target.target(
        name: kit,
        dependencies: frameworks + views,
        path: "\(path)/Kit",
        swiftSettings: settings
    )
    var programs = [kitTarget, program("", "App", views)]
    if !isPage { programs.append(program("-monitor", "Monitor")) }
    if shields {
        programs += [
            program("-shield", "Shield", ["ManagedSettingsUI", "UIKit"]),
            program("-action", "Action", ["ManagedSettingsUI"]),
        ]
    }
    if report { programs.append(program("-report", "Report", ["SwiftUI", "Charts", "ExtensionKit"])) }
    return programs
}

func tests(_ name: String, uses: [String], exclude: [String] = []) -> Target {
    .testTarget(
        name: name,
        dependencies: uses.map { .byName(name: $0) },
        path: "Tests/\(name)",
        exclude: exclude,
        swiftSettings: settings
    )
}

let shared: [Target] = [
    system("STCZeroMQ", "Shared/C/ZeroMQ", apt: "libzmq3-dev"),
    system("STCSQLite", "Shared/C/SQLite", apt: "libsqlite3-dev"),
    system("STCSystemd", "Shared/C/Systemd", apt: "libsystemd-dev"),
    system("STCSodium", "Shared/C/Sodium", apt: "libsodium-dev"),
    system("STCOath", "Shared/C/Oath", apt: "liboath-dev"),
    system("STCQRCode", "Shared/C/QRCode", apt: "libqrencode-dev"),
    // A target with headers of its own, because those of pango come with flags that SwiftPM refuses.
    .target(
        name: "STCCairo",
        path: "Shared/C/Cairo",
        linkerSettings: ["pangocairo-1.0", "pango-1.0", "cairo", "gobject-2.0", "jpeg"].map {
            .linkedLibrary($0)
        }
    ),
    system("STCXcb", "Shared/C/Xcb", apt: "libxcb1-dev"),
    // Protocols with the scanner's output; a test generates it anew and compares.
    .target(
        name: "STCWayland",
        path: "Shared/C/Wayland",
        exclude: ["Protocols"],
        linkerSettings: [.linkedLibrary("wayland-client"), .linkedLibrary("xkbcommon")]
    ),
    .target(name: "STCPlatform", path: "Shared/C/Platform"),
    .target(name: "STCVirtualClock", path: "Shared/C/VirtualClock"),
    .target(name: "STCClockPreload", dependencies: ["STCVirtualClock"], path: "Shared/C/ClockPreload"),
    .target(
        name: "STCSQLiteFaults",
        path: "Shared/C/SQLiteFaults",
        linkerSettings: [.linkedLibrary("sqlite3")]
    ),
    library("STPlatform", "Shared/Platform", uses: ["STCPlatform", "STCVirtualClock", "STCSystemd"]),
    library("STTelemetry", "Shared/Telemetry", uses: ["STPlatform", "STCSystemd"]),
    library("STStore", "Shared/Store", uses: ["STPlatform", "STCSQLite"]),
    library("STCrypto", "Shared/Crypto", uses: ["STPlatform", "STCSodium", "STCOath"]),
    library("STDomain", "Shared/Domain", uses: ["STPlatform"]),
    library("STContracts", "Shared/Contracts", uses: ["STPlatform", "STDomain"], leaves: ["asyncapi.json"]),
    library("STBus", "Shared/Bus", uses: ["STPlatform", "STContracts"]),
    library(
        "STEngine",
        "Shared/Engine",
        uses: ["STPlatform", "STTelemetry", "STStore", "STContracts", "STBus"]
    ),
    library(
        "STZeroMQ",
        "Shared/ZeroMQ",
        uses: ["STPlatform", "STTelemetry", "STContracts", "STBus", "STCZeroMQ"]
    ),
    library(
        "STServiceKit",
        "Shared/ServiceKit",
        uses: ["STPlatform", "STTelemetry", "STStore", "STContracts", "STBus", "STEngine", "STZeroMQ"]
    ),
    library(
        "STExtensionHost",
        "Shared/ExtensionHost",
        uses: ["STPlatform", "STContracts", "STBus", "STZeroMQ"]
    ),
    library(
        "STExtensionOutput",
        "Shared/ExtensionOutput",
        uses: ["STPlatform", "STContracts", "STStore", "STEngine"]
    ),
    library(
        "STExtensionService",
        "Shared/ExtensionService",
        uses: [
            "STPlatform", "STTelemetry", "STContracts", "STBus", "STZeroMQ", "STServiceKit",
            "STExtensionHost", "STExtensionOutput",
        ]
    ),
    library("STRendering", "Shared/Rendering", uses: ["STPlatform", "STDomain", "STContracts"]),
    library("STDesktopBus", "Shared/DesktopBus", uses: ["STPlatform", "STCSystemd"]),
    // Pango is costly: nothing but a short-lived child links this.
    library("STDrawing", "Shared/Drawing", uses: ["STPlatform", "STContracts", "STRendering", "STCCairo"]),
    library("STDesktop", "Shared/Desktop/Model", uses: ["STPlatform", "STContracts"]),
    library(
        "STX11Screen",
        "Shared/Desktop/X11",
        uses: ["STPlatform", "STContracts", "STDesktop", "STCXcb"]
    ),
    library(
        "STWaylandScreen",
        "Shared/Desktop/Wayland",
        uses: ["STPlatform", "STContracts", "STDesktop", "STCWayland"]
    ),
    library(
        "STSession",
        "Shared/Desktop/Session",
        uses: ["STPlatform", "STContracts", "STDesktop", "STBus", "STDesktopBus"]
    ),
    library(
        "STAccessibility",
        "Shared/Desktop/Access",
        uses: ["STPlatform", "STDesktop", "STDesktopBus"]
    ),
    library(
        "STDesktopApps",
        "Shared/Desktop/Apps",
        uses: ["STPlatform", "STDomain", "STContracts", "STDesktop"]
    ),
    library(
        "STPausing",
        "Shared/Desktop/Pausing",
        uses: ["STPlatform", "STContracts", "STDesktop", "STDesktopBus"]
    ),
    library(
        "STDesktopProbe",
        "Shared/Desktop/Probe",
        uses: ["STPlatform", "STContracts", "STDesktop", "STDesktopBus", "STX11Screen", "STWaylandScreen"]
    ),
    // Real displays, compositors and buses for tests; nothing of it is linked into a service.
    library(
        "STDesktopKit",
        "Shared/DesktopKit",
        uses: ["STPlatform", "STContracts", "STDesktop", "STDesktopBus", "STTestSupport"]
    ),
    library("STSupervision", "Shared/Supervision", uses: ["STPlatform"]),
    library("STTestSupport", "Shared/TestSupport", uses: ["STPlatform", "STCSQLite", "STCSQLiteFaults"]),
    library(
        "STSimulation",
        "Shared/Simulation",
        uses: [
            "STPlatform", "STDomain", "STContracts", "STBus", "STZeroMQ", "STSupervision", "STEngine",
            "STStore",
            "STCrypto",
            // The one shared module that knows the services' cores: it runs them.
            "STAuthCore", "STActivityCore", "STMonitorCore", "STNotifierCore", "STShieldCore",
        ]
    ),
    library(
        "STTestKit",
        "Shared/TestKit",
        uses: [
            "STPlatform", "STTelemetry", "STStore", "STContracts", "STBus", "STEngine", "STZeroMQ",
            "STCZeroMQ", "STServiceKit", "STSupervision", "STTestSupport",
        ]
    ),
]

let frameworks: [Target] = [
    .systemLibrary(name: "STCOSLog", path: "Shared/C/OSLog"),
    framework("os", "os", uses: ["STPlatform", "STCOSLog"]),
    framework("OSLog", "OSLog", uses: ["os"]),
    framework("Combine", "Combine"),
    .target(name: "STCTasks", path: "Shared/C/Tasks"),
    framework("STFoundationTypes", "FoundationTypes", uses: ["STPlatform", "os"]),
    framework("STFoundationGaps", "FoundationGaps", uses: ["STFoundationTypes"]),
    framework(
        "STClientLink",
        "Link",
        uses: ["STFoundationTypes", "STPlatform", "STDomain", "STContracts", "STBus", "STZeroMQ"]
    ),
    framework(
        "STExtensionMain",
        "ExtensionMain",
        uses: ["STClientLink", "STCTasks", "STContracts", "STFoundationTypes", "STPlatform"]
    ),
    framework(
        "ManagedSettings",
        "ManagedSettings",
        uses: [
            "Combine", "STFoundationGaps", "STFoundationTypes", "STClientLink", "STExtensionMain",
            "STContracts", "STPlatform",
        ]
    ),
    framework(
        "UserNotifications",
        "UserNotifications",
        uses: [
            "STFoundationGaps", "STFoundationTypes", "STClientLink", "STContracts", "STDomain", "STPlatform",
        ]
    ),
    // The compiler looks for it where a file imports UIKit and Testing.
    framework("_Testing_UIKit", "TestingUIKit"),
    framework(
        "UIKit",
        "UIKit",
        uses: [
            "_Testing_UIKit", "STFoundationGaps", "STFoundationTypes", "UserNotifications", "STContracts",
            "STPlatform",
        ]
    ),
    framework(
        "ManagedSettingsUI",
        "ManagedSettingsUI",
        uses: [
            "ManagedSettings", "UIKit", "STExtensionMain", "STFoundationTypes", "STContracts", "STPlatform",
        ]
    ),
    framework(
        "FamilyControls",
        "FamilyControls",
        uses: [
            "Combine", "ManagedSettings", "STFoundationGaps", "STFoundationTypes", "STClientLink",
            "STContracts", "STDomain", "STPlatform",
        ]
    ),
    framework(
        "DeviceActivity",
        "DeviceActivity",
        uses: [
            "Combine", "ManagedSettings", "STFoundationGaps", "STFoundationTypes", "STClientLink",
            "STExtensionMain", "STContracts", "STDomain", "STPlatform",
        ]
    ),
    framework("ExtensionFoundation", "ExtensionFoundation", uses: ["STExtensionMain", "STFoundationGaps"]),
    framework(
        "SwiftUICore",
        "SwiftUICore",
        uses: [
            "Combine", "UIKit", "STFoundationGaps", "STFoundationTypes", "STClientLink", "STRendering",
            "STContracts", "STDomain", "STPlatform",
        ]
    ),
    framework("ExtensionKit", "ExtensionKit", uses: ["ExtensionFoundation", "SwiftUICore"]),
    framework(
        "Charts",
        "Charts",
        uses: ["SwiftUICore", "STRendering", "STFoundationTypes", "STContracts", "STPlatform"]
    ),
    // What Apple has as cross-import overlays: monitors link DeviceActivity and should not carry views.
    framework(
        "_DeviceActivity_SwiftUI",
        "DeviceActivitySwiftUI",
        uses: [
            "DeviceActivity", "FamilyControls", "ManagedSettings", "SwiftUICore", "ExtensionFoundation",
            "ExtensionKit", "STExtensionMain", "STClientLink", "STFoundationTypes", "STContracts",
            "STDomain", "STPlatform",
        ]
    ),
    framework("SwiftUI", "SwiftUI", uses: ["SwiftUICore", "_DeviceActivity_SwiftUI"]),
]

/// Tests of apps in virtual time; beside the services, because it can run their rules by itself.
let simulation: [Target] = [
    framework(
        "ScreenTimeSimulation",
        "ScreenTimeSimulation",
        uses: ["STSimulation", "STContracts", "STPlatform"]
    )
]

/// What another package can depend on.
let offered = [
    "FamilyControls", "DeviceActivity", "ManagedSettings", "ManagedSettingsUI", "UIKit", "UserNotifications",
    "SwiftUI", "Charts", "ExtensionKit", "ExtensionFoundation",
    "Combine", "os", "OSLog", "STFoundationGaps", "ScreenTimeSimulation",
]

let services: [Target] = [
    service("auth-service", "STAuthCore", coreUses: ["STCrypto"]),
    service(
        "activity-center",
        "STActivityCore",
        coreUses: ["STCrypto"],
        mainUses: ["STDomain", "STDesktopApps"]
    ),
    service(
        "monitor-runner",
        "STMonitorCore",
        coreUses: ["STExtensionOutput"],
        mainUses: ["STBus", "STTelemetry", "STZeroMQ", "STExtensionHost", "STExtensionService"]
    ),
    service(
        "shield-service",
        "STShieldCore",
        coreUses: ["STCrypto", "STExtensionOutput"],
        mainUses: ["STBus", "STTelemetry", "STZeroMQ", "STExtensionHost", "STExtensionService"]
    ),
    service(
        "report-service",
        "STReportCore",
        coreUses: ["STExtensionOutput"],
        mainUses: [
            "STBus", "STTelemetry", "STZeroMQ", "STStore", "STCrypto", "STRendering", "STExtensionHost",
            "STExtensionService",
        ]
    ),
    service(
        "notifier",
        "STNotifierCore",
        mainUses: ["STBus", "STTelemetry", "STZeroMQ", "STDesktopBus"]
    ),
    service(
        "desktop-agent",
        "STDesktopCore",
        coreUses: ["STDesktop", "STDesktopApps"],
        mainUses: [
            "STBus", "STTelemetry", "STZeroMQ", "STDesktop", "STDomain", "STDesktopBus", "STX11Screen",
            "STWaylandScreen", "STSession", "STDesktopApps", "STPausing", "STDesktopProbe", "STAccessibility",
        ]
    ),
    [
        // The command is a client of all services, so unlike them it knows the transport and the supervisor.
        .target(
            name: "STCommandCore",
            dependencies: [
                "STPlatform", "STTelemetry", "STContracts", "STDomain", "STBus", "STZeroMQ",
                "STSupervision", "STSimulation", "STRendering", "STPausing", "STCQRCode", "STDesktopApps",
            ],
            path: "Services/screentime/Core",
            swiftSettings: settings
        ),
        // Draws one shield and ends.
        .executableTarget(
            name: "screentime-draw",
            dependencies: ["STDrawing", "STContracts", "STPlatform"],
            path: "Services/screentime-draw/Main",
            swiftSettings: settings
        ),
        // The monitor of activities that a simulation watches for nobody.
        .executableTarget(
            name: "simulated-monitor",
            dependencies: ["STCZeroMQ", "STContracts"],
            path: "Services/simulated-monitor/Main",
            swiftSettings: settings
        ),
        .executableTarget(
            name: "screentime",
            dependencies: ["STCommandCore", "STPlatform"],
            path: "Services/screentime/Main",
            swiftSettings: settings
        ),
    ],
].flatMap { $0 }

let apps: [Target] = [
    [
        library(
            "STAppSupport",
            "Services/extensions/support",
            uses: ["FamilyControls", "DeviceActivity", "UserNotifications"]
        )
    ],
    app("promise", "STPromiseKit"),
    app("streaks", "STStreaksKit"),
    app("barebones", "STBarebonesKit", shields: true, report: true),
    app("worklog", "STWorklogKit", shields: true, report: true),
    app("usage-charts", "STUsageChartsKit", report: true, isPage: true),
].flatMap { $0 }

let testTargets: [Target] = [
    tests(
        "TidyTests",
        uses: [
            "auth-service", "activity-center", "shield-service", "report-service", "notifier",
            "desktop-agent",
        ]
    ),
    tests(
        "ExtensionHostTests",
        uses: [
            "STExtensionHost", "STContracts", "STPlatform", "STZeroMQ", "STTestSupport",
            "screentime-test-extension",
        ]
    ),
    tests(
        "MonitorSystemTests",
        // The command too, so that it is built: tests run it.
        uses: ["STTestKit", "STTestSupport", "STContracts", "STEngine", "STPlatform", "STZeroMQ"]
            + [
                "monitor-runner", "shield-service", "screentime", "screentime-test-extension",
                "STCClockPreload",
            ]
    ),
    tests(
        "ShieldSystemTests",
        uses: [
            "STTestKit", "STTestSupport", "STContracts", "STCrypto", "STDomain", "STEngine", "STPlatform",
            "STStore", "STZeroMQ",
            "auth-service", "shield-service", "screentime-test-extension", "STCClockPreload",
        ]
    ),
    tests(
        "PlatformTests",
        uses: ["STPlatform", "STCPlatform", "STTestSupport", "STCClockPreload", "screentime-clock-probe"]
    ),
    tests("SupervisionTests", uses: ["STPlatform", "STSupervision", "STTestSupport"]),
    tests(
        "StoreTests",
        uses: [
            "STStore", "STPlatform", "STTestKit", "STTestSupport", "STCSQLite", "STCSQLiteFaults",
            "screentime-store-filler",
        ]
    ),
    tests(
        "CommandTests",
        uses: [
            "STCommandCore", "STContracts", "STDomain", "STPlatform", "STBus", "STZeroMQ", "STTestSupport",
            "STRendering", "screentime", "screentime-draw",
        ],
        exclude: ["Golden"]
    ),
    tests(
        "ActivityBookTests",
        uses: [
            "STActivityCore", "STContracts", "STDomain", "STPlatform", "STStore", "STTestKit",
            "STTestSupport",
        ]
    ),
    tests(
        "ActivityTests",
        // Reports too: what somebody has forgotten must be gone from them.
        uses: [
            "STActivityCore", "STReportCore", "STContracts", "STStore", "STPlatform", "STTestKit",
            "STTestSupport",
        ]
    ),
    tests(
        "ReportTests",
        uses: [
            "STReportCore", "STContracts", "STDomain", "STEngine", "STStore", "STPlatform", "STTestKit",
            "STTestSupport",
        ]
    ),
    tests(
        "DesktopTests",
        uses: [
            "STDesktopCore", "STDesktop", "STDesktopApps", "STContracts", "STDomain", "STPlatform", "STStore",
            "STTestKit",
            "STTestSupport",
            // The agent itself, in the test's own process, on a screen that the test plays; the others are real.
            "desktop-agent", "STDesktopKit", "STDesktopProbe", "STDesktopBus", "STPausing", "STServiceKit",
            "STEngine",
            "STTelemetry",
            "STZeroMQ", "STCrypto", "auth-service", "activity-center", "shield-service", "screentime-draw",
            "screentime-x11-window",
        ]
    ),
    tests("DesktopModelTests", uses: ["STDesktop", "STContracts", "STPlatform"]),
    tests(
        "X11ScreenTests",
        uses: [
            "STX11Screen", "STDesktop", "STDesktopKit", "STContracts", "STPlatform", "STTestSupport",
            "screentime-x11-window", "screentime-x11-observer",
        ]
    ),
    tests(
        "WaylandScreenTests",
        uses: [
            "STWaylandScreen", "STDesktop", "STDesktopKit", "STContracts", "STPlatform", "STTestSupport",
            "screentime-wayland-window", "screentime-wayland-observer",
        ]
    ),
    tests(
        "SessionTests",
        uses: [
            "STSession", "STDesktop", "STDesktopBus", "STDesktopKit", "STContracts", "STPlatform",
            "STTestSupport",
        ]
    ),
    tests(
        "AccessibilityTests",
        uses: [
            "STAccessibility", "STDesktop", "STDesktopBus", "STDesktopKit", "STPlatform", "STTestSupport",
        ]
    ),
    tests(
        "DesktopAppsTests",
        uses: [
            "STDesktopApps", "STDesktop", "STDomain", "STContracts", "STPlatform", "STTestSupport",
        ]
    ),
    tests(
        "PausingTests",
        uses: [
            "STPausing", "STDesktop", "STDesktopKit", "STDesktopBus", "STContracts", "STPlatform",
            "STSupervision",
            "STTestSupport", "screentime-test-pauser", "screentime",
        ]
    ),
    tests(
        "DesktopProbeTests",
        uses: ["STDesktopProbe", "STDesktop", "STDesktopKit", "STContracts", "STPlatform", "STTestSupport"]
    ),
    tests(
        "DesktopSystemTests",
        // The whole of it: real services, real displays, real apps.
        uses: [
            "STDesktopKit", "STDesktop", "STTestKit", "STTestSupport", "STContracts", "STDomain",
            "STPlatform",
            "STZeroMQ", "STDesktopBus", "STCommandCore",
            "auth-service", "activity-center", "monitor-runner", "shield-service", "report-service",
            "notifier",
            "desktop-agent", "screentime", "screentime-draw", "screentime-x11-window",
            "screentime-x11-observer", "screentime-wayland-window", "screentime-wayland-observer",
        ]
    ),
    tests(
        "ShieldTests",
        uses: [
            "STShieldCore", "STContracts", "STDomain", "STPlatform", "STStore", "STTestKit", "STTestSupport",
        ]
    ),
    tests(
        "RequestTests",
        uses: [
            "STShieldCore", "STContracts", "STCrypto", "STDomain", "STEngine", "STPlatform", "STStore",
            "STTestKit", "STTestSupport",
        ]
    ),
    tests(
        "ShieldShowingTests",
        uses: [
            "STShieldCore", "STContracts", "STCrypto", "STDomain", "STEngine", "STPlatform", "STStore",
            "STTestKit", "STTestSupport",
        ]
    ),
    tests(
        "RulesTests",
        uses: ["STMonitorCore", "STContracts", "STDomain", "STPlatform", "STTestKit"]
    ),
    tests(
        "NotifierTests",
        uses: [
            "STNotifierCore", "STContracts", "STDomain", "STEngine", "STPlatform", "STStore", "STTestKit",
            "STTestSupport",
        ]
    ),
    tests(
        "NotifierSystemTests",
        // The command too, so that it is built: a test runs it in a terminal.
        uses: [
            "STTestKit", "STTestSupport", "STContracts", "STPlatform", "STStore", "STZeroMQ", "STDesktopBus",
            "STDesktopKit", "auth-service", "notifier", "screentime",
        ]
    ),
    tests(
        "MonitorTests",
        uses: [
            "STMonitorCore", "STExtensionOutput", "STContracts", "STPlatform", "STStore", "STTestKit",
            "STTestSupport",
        ]
    ),
    tests(
        "AuthTests",
        uses: [
            "STAuthCore", "STContracts", "STCrypto", "STEngine", "STPlatform", "STStore", "STTestKit",
            "STTestSupport",
        ]
    ),
    tests(
        "DrawingTests",
        uses: [
            "STDrawing", "STContracts", "STPlatform", "STTestSupport", "screentime-draw",
        ]
    ),
    tests(
        "RenderingTests",
        uses: ["STRendering", "STContracts", "STPlatform", "STTestSupport"],
        exclude: ["Golden", "check_html.py"]
    ),
    tests(
        "SwiftUITests",
        uses: [
            "SwiftUICore", "Charts", "STFrameworkSamples", "STFoundationTypes", "STRendering", "STContracts",
            "STPlatform", "STTestSupport",
        ]
    ),
    tests(
        "ReportExtensionTests",
        uses: [
            "DeviceActivity", "FamilyControls", "ManagedSettings", "SwiftUI", "_DeviceActivity_SwiftUI",
            "STBus", "STClientLink", "STContracts", "STExtensionHost", "STFoundationTypes", "STPlatform",
            "STRendering", "STTestSupport", "STZeroMQ", "STFrameworkSamples", "STFrameworkSamplesSix",
            "screentime-sample-report", "screentime-sample-report-six",
        ]
    ),
    tests(
        "ReportSystemTests",
        uses: [
            "STTestKit", "STTestSupport", "STContracts", "STCrypto", "STPlatform", "STStore", "STZeroMQ",
            "auth-service", "activity-center", "report-service", "screentime", "screentime-draw",
            "screentime-test-extension", "screentime-sample-report", "STCClockPreload",
        ]
    ),
    tests("CryptoTests", uses: ["STCrypto", "STCSodium", "STPlatform", "STTestSupport"]),
    tests("DomainTests", uses: ["STDomain", "STContracts", "STPlatform", "STTestSupport"]),
    tests(
        "TelemetryTests",
        uses: ["STTelemetry", "STContracts", "STPlatform", "STTestKit", "STTestSupport"]
    ),
    tests(
        "ServiceKitTests",
        uses: ["STServiceKit", "STContracts", "STEngine", "STPlatform", "STTestKit", "STTestSupport"]
    ),
    tests(
        "FrameworksTests",
        uses: [
            "Combine", "DeviceActivity", "FamilyControls", "ManagedSettings", "OSLog", "STFoundationTypes",
            "os",
            "ManagedSettingsUI", "UIKit", "UserNotifications",
            "STFrameworkSamples", "STFrameworkSamplesSix", "STDomain", "STPlatform", "STTestSupport",
            "STContracts", "STClientLink",
            "STBus", "STZeroMQ", "STExtensionHost",
            "STTestKit", "auth-service", "activity-center", "report-service", "shield-service", "notifier",
            "screentime", "screentime-frameworks-probe", "screentime-sample-monitor",
            "screentime-sample-shield",
        ]
    ),
    tests(
        "ExampleAppTests",
        uses: [
            "STCommandCore", "STCrypto", "STRendering", "screentime-draw", "STSimulation", "STTestKit",
            "STTestSupport", "STContracts", "STPlatform", "STZeroMQ",
            "auth-service", "activity-center", "monitor-runner", "shield-service", "report-service",
            "notifier", "desktop-agent", "STCClockPreload",
            "promise", "promise-monitor", "streaks", "streaks-monitor",
            "barebones", "barebones-monitor", "barebones-shield", "barebones-action", "barebones-report",
            "worklog", "worklog-monitor", "worklog-shield", "worklog-action", "worklog-report",
            "usage-charts", "usage-charts-report",
        ]
    ),
    tests(
        "ExtensionsTests",
        uses: [
            "STAppSupport", "STPromiseKit", "STStreaksKit", "STBarebonesKit", "STWorklogKit",
            "FamilyControls", "DeviceActivity",
            "STFoundationTypes", "STTestSupport",
        ]
    ),
    tests("ContractsTests", uses: ["STContracts", "STPlatform"], exclude: ["Golden"]),
    tests("BusTests", uses: ["STBus", "STContracts", "STPlatform"]),
    tests(
        "EngineTests",
        uses: ["STEngine", "STBus", "STContracts", "STStore", "STPlatform", "STTestSupport"]
    ),
    tests(
        "SimulationTests",
        uses: ["STEngine", "STBus", "STContracts", "STStore", "STPlatform", "STTestSupport"]
    ),
    tests(
        "SimulateTests",
        uses: [
            "STCommandCore", "ScreenTimeSimulation", "STSimulation", "STTestKit", "STTestSupport",
            "STContracts", "STDomain",
            "STPlatform", "STZeroMQ",
            "auth-service", "activity-center", "monitor-runner", "shield-service", "report-service",
            "notifier", "desktop-agent", "simulated-monitor", "STCClockPreload",
            "screentime-test-extension",
            // The apps of some scenarios.
            "promise", "promise-monitor", "streaks", "streaks-monitor",
            "barebones", "barebones-monitor", "barebones-shield", "barebones-action", "barebones-report",
            "worklog", "worklog-monitor", "worklog-shield", "worklog-action", "worklog-report",
            "usage-charts", "usage-charts-report",
        ]
    ),
    tests(
        "SystemCommandTests",
        // All services, so that they are built: the tests run them.
        uses: ["STPlatform", "STContracts", "STZeroMQ", "STCommandCore", "STTestSupport", "screentime"]
            + [
                "auth-service", "activity-center", "monitor-runner", "shield-service", "report-service",
                "notifier",
                "desktop-agent",
            ]
    ),
    tests(
        "SystemTests",
        uses: [
            "STTestKit", "STTestSupport", "STContracts", "STDomain", "STPlatform", "STStore", "STSupervision",
            "STZeroMQ",
            "auth-service",
            "activity-center", "monitor-runner", "shield-service", "report-service", "notifier",
            "desktop-agent", "screentime-sample-monitor",
        ]
    ),
]

/// What the samples of apps' sources import.
let sampled: [Target.Dependency] = [
    "DeviceActivity", "FamilyControls", "ManagedSettings", "ManagedSettingsUI", "UIKit", "UserNotifications",
    "SwiftUI", "Charts", "OSLog", "os",
]

/// What a report extension imports.
let reported: [Target.Dependency] = ["DeviceActivity", "ManagedSettings", "SwiftUI", "Charts"]

/// An extension in C that keeps the protocol, and breaks it when it is told to.
let testPrograms: [Target] = [
    // Pauses an app and is killed.
    .executableTarget(
        name: "screentime-test-pauser",
        dependencies: ["STPausing", "STDesktop", "STPlatform"],
        path: "Tests/DesktopPrograms/Pauser",
        swiftSettings: settings
    ),
    // Windows that do what they are told on standard input, and programs that look at the screen by themselves.
    .executableTarget(
        name: "screentime-x11-window",
        dependencies: ["STCXcb", "STPlatform"],
        path: "Tests/DesktopPrograms/X11Window",
        swiftSettings: settings
    ),
    .executableTarget(
        name: "screentime-x11-observer",
        dependencies: ["STCXcb", "STPlatform"],
        path: "Tests/DesktopPrograms/X11Observer",
        swiftSettings: settings
    ),
    .target(
        name: "STWaylandWire",
        dependencies: ["STCWayland", "STPlatform"],
        path: "Tests/DesktopPrograms/WaylandWire",
        swiftSettings: settings
    ),
    .executableTarget(
        name: "screentime-wayland-window",
        dependencies: ["STWaylandWire", "STCWayland", "STPlatform"],
        path: "Tests/DesktopPrograms/WaylandWindow",
        swiftSettings: settings
    ),
    .executableTarget(
        name: "screentime-wayland-observer",
        dependencies: ["STWaylandWire", "STCWayland", "STPlatform"],
        path: "Tests/DesktopPrograms/WaylandObserver",
        swiftSettings: settings
    ),
    // A program as an app's developer would write it, for tests of what it sees of the clock.
    .executableTarget(name: "screentime-clock-probe", path: "Tests/ClockProbe", swiftSettings: settings),
    // Something with a limit of its own on the size of its files.
    .executableTarget(
        name: "screentime-store-filler",
        dependencies: ["STStore", "STPlatform"],
        path: "Tests/StoreFiller",
        swiftSettings: settings
    ),
    .executableTarget(
        name: "screentime-test-extension",
        dependencies: ["STCZeroMQ"],
        path: "Tests/ExtensionPrograms",
        linkerSettings: [.linkedLibrary("zmq")]
    ),
    // As an app developer's target is: an older language mode, none of our settings, only what products give.
    .target(
        name: "STFrameworkSamples",
        dependencies: sampled,
        path: "Tests/FrameworkSamples",
        swiftSettings: [.swiftLanguageMode(.v5)]
    ),
    // The same files by another path, as a developer with the newer language mode compiles them.
    .target(
        name: "STFrameworkSamplesSix",
        dependencies: sampled,
        path: "Tests/FrameworkSamplesSix",
        swiftSettings: [.swiftLanguageMode(.v6)]
    ),
    .executableTarget(
        name: "screentime-sample-monitor",
        dependencies: ["DeviceActivity", "FamilyControls", "ManagedSettings", "os"],
        path: "Tests/FrameworkMonitor"
    ),
    .executableTarget(
        name: "screentime-sample-shield",
        dependencies: ["ManagedSettingsUI", "STFrameworkSamples"],
        path: "Tests/FrameworkShield"
    ),
    // A report extension as an app's developer would write it, and the same with the newer language mode.
    .executableTarget(
        name: "screentime-sample-report",
        dependencies: reported,
        path: "Tests/FrameworkReport",
        swiftSettings: [.swiftLanguageMode(.v5)]
    ),
    .executableTarget(
        name: "screentime-sample-report-six",
        dependencies: reported,
        path: "Tests/FrameworkReportSix",
        swiftSettings: [.swiftLanguageMode(.v6)]
    ),
    .executableTarget(
        name: "screentime-frameworks-probe",
        dependencies: ["DeviceActivity", "STFrameworkSamples"],
        path: "Tests/FrameworkProbe"
    ),
]

let benchmarks: [Target] = [
    .target(name: "STBaseline", dependencies: ["STCZeroMQ", "STCSQLite"], path: "Tests/Benchmarks/C"),
    // The monitor extension of the apps that `crossings` installs: as an app developer's own.
    .executableTarget(
        name: "screentime-bench-monitor",
        dependencies: ["DeviceActivity"],
        path: "Tests/Benchmarks/Monitor",
        swiftSettings: settings
    ),
    // The monitor extension of the app that `policy` installs.
    .executableTarget(
        name: "screentime-bench-setter",
        dependencies: ["DeviceActivity", "ManagedSettings"],
        path: "Tests/Benchmarks/Setter",
        swiftSettings: settings
    ),
    .executableTarget(
        name: "screentime-bench",
        dependencies: [
            "STSimulation", "STBaseline", "STPlatform", "STStore", "STContracts", "STBus", "STEngine",
            "STZeroMQ",
            "STDomain", "STServiceKit", "STTestKit", "STTestSupport", "STDesktopKit",
            "screentime-x11-window",
        ],
        path: "Tests/Benchmarks/Main",
        swiftSettings: settings
    ),
]

/// `SCREENTIME_ONLY=ActivityTests swift test` builds those targets and what they need, and nothing else, which is
/// what to use while working on one part.
func wanted(_ all: [Target]) -> [Target] {
    guard let only = Context.environment["SCREENTIME_ONLY"], !only.isEmpty else { return all }
    var names = Set(only.split(separator: ",").map(String.init))
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

let everything = wanted(
    shared + frameworks + simulation + services + apps + testPrograms + testTargets + benchmarks
)

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
