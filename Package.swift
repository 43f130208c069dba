// swift-tools-version: 6.2
import Glibc
import PackageDescription

// The package contains two products: Screen Time, for users, and the developer kit, for authors of Screen Time apps.
// The kit depends on Screen Time. Screen Time does not depend on the kit: it builds and passes its tests without the kit's folder.
//
// Each row of a table declares a target: its name, its folder and its dependencies. Importing a target that the row does not reach is
// an error (the scripts pass --explicit-target-dependency-import-check error). TidyTests also reads the rows.

/// The default Swift settings of a target.
let settings = ["ExistentialAny", "InternalImportsByDefault", "MemberImportVisibility"].map {
    SwiftSetting.enableUpcomingFeature($0)
}

let kit = "Services/developer-kit"
/// True if the source tree contains Screen Time itself. The Debian package screentime-developer contains only the sources that apps need.
/// SwiftPM reads the manifest of a git dependency where no folder of it is visible, so a missing folder must not remove the frameworks.
let isWhole = exists("Services/screentime")
let hasKit = !isWhole || exists(kit)

// MARK: - Screen Time

/// System libraries: the target, its folder in Shared/Base/C, and the Debian package that provides the library.
let debian = """
    STCZeroMQ        ZeroMQ        libzmq3-dev
    STCSQLite        SQLite        libsqlite3-dev
    STCPostgreSQL    PostgreSQL    libpq-dev
    STCSystemd       Systemd       libsystemd-dev
    STCSodium        Sodium        libsodium-dev
    STCOath          Oath          liboath-dev
    STCPublicSuffix  PublicSuffix  libpsl-dev
    STCQRCode        QRCode        libqrencode-dev
    STCYaml          Yaml          libyaml-dev
    """

/// C targets. The prefix `-l` marks a library to link.
let sharedC = """
    STCPlatform      Shared/Base/C/Platform
    STCVirtualClock  Shared/Base/C/VirtualClock
    STCClockPreload  Shared/Base/C/ClockPreload  STCVirtualClock
    STCHTTP          Shared/Base/C/HTTP          -lmicrohttpd -lgnutls
    STCCairo         Shared/Base/C/Cairo         -lpangocairo-1.0 -lpango-1.0 -lcairo -lgobject-2.0 -ljpeg
    STCScreen        Shared/Base/C/Screen        -lwayland-client -lxkbcommon -lxkbcommon-x11 -lxcb -lxcb-randr -lxcb-res -lxcb-sync -lxcb-screensaver
        -lxcb-shape -lxcb-xkb -lxcb-xtest
    """
let shared = """
    STPlatform     Shared/Base/Platform        STCPlatform STCVirtualClock STCSystemd
    STStore        Shared/Base/Store           STPlatform STCSQLite
    STPostgres     Shared/Base/Postgres        STPlatform STCPostgreSQL
    STCrypto       Shared/Base/Crypto          STPlatform STCSodium STCOath
    STDomain       Shared/Wire/Domain          STPlatform
    STWire         Shared/Wire/Frames          STPlatform
    STContracts    Shared/Wire/Contracts       STPlatform STDomain STWire
    STRules        Shared/Wire/Domain/Rule     STPlatform STDomain STContracts
    STBus          Shared/Runtime/Bus          STPlatform STContracts
    STEngine       Shared/Runtime/Engine       STPlatform STStore STContracts STBus
    STFollowing    Shared/Runtime/Following    STPlatform STStore STContracts STEngine
    STZeroMQ       Shared/Runtime/ZeroMQ       STPlatform STContracts STBus STCZeroMQ
    STServiceKit   Shared/Runtime/ServiceKit   STPlatform STStore STContracts STBus STEngine STZeroMQ STCrypto
    STExtensions   Shared/Runtime/Extensions   STPlatform STContracts STBus STEngine STZeroMQ STServiceKit
    STSupervision  Shared/Runtime/Supervision  STPlatform
    STPages        Shared/Runtime/Pages        STPlatform STWire STCHTTP
    STRendering    Shared/Rendering            STPlatform STDomain STContracts
    STDBus         Shared/Desktop/DBus         STPlatform STCSystemd
    STDesktop      Shared/Desktop              STPlatform STDomain STContracts
    STPausing      Shared/Desktop/Pausing      STPlatform STContracts STDesktop STDBus
    STNotices      Shared/Desktop/Notices      STPlatform STContracts STBus STDBus STZeroMQ
    """

/// The common dependencies of the services. Core contains the rules and does not depend on the transport. Main connects Core to it.
let core = "STPlatform STStore STDomain STContracts STBus STEngine STFollowing"
let main = "STServiceKit STPlatform STContracts STEngine"

let cores = """
    STAuthCore         Services/auth-service/Core       \(core) STCrypto
    STActivityCore     Services/activity-center/Core    \(core) STCrypto STRules
    STMonitorCore      Services/monitor-runner/Core     \(core)
    STShieldCore       Services/shield-service/Core     \(core) STCrypto
    STReportCore       Services/report-service/Core     \(core) STCPublicSuffix
    STNotifierCore     Services/notifier/Core           \(core)
    STHouseholdCore    Services/household-service/Core  \(core) STCrypto STPostgres STRules
    STLinkCore         Services/link-service/Core       \(core) STCrypto
    STDesktopCore      Services/desktop-agent/Core      \(core) STDesktop
    STScreen           Services/desktop-agent/Screen    STPlatform STWire STContracts STDesktop STBus STDBus STCScreen
    STAccountDoorCore  Services/account-door/Core       STPlatform STContracts
    STDrawing          Services/screentime-draw/Core    STPlatform STContracts STRendering STCCairo
    STCommandCore      Services/screentime/Core         STPlatform STContracts STRules STBus STZeroMQ STSupervision STRendering STDesktop STPausing STCQRCode
    STCommandImport    Services/screentime/Import       STPlatform STContracts STDomain STCommandCore
    STCommandProtect   Services/screentime/Protect      STPlatform STContracts STDomain STCommandCore STDesktop STPausing STCSystemd
    """
let services = """
    auth-service       Services/auth-service/Main       \(main) STAuthCore
    activity-center    Services/activity-center/Main    \(main) STActivityCore STBus STDomain STDesktop
    monitor-runner     Services/monitor-runner/Main     \(main) STMonitorCore STBus STZeroMQ STExtensions
    shield-service     Services/shield-service/Main     \(main) STShieldCore STBus STZeroMQ STExtensions
    report-service     Services/report-service/Main     \(main) STReportCore STBus STZeroMQ STStore STCrypto STRendering STExtensions
    notifier           Services/notifier/Main           \(main) STNotifierCore STBus STZeroMQ STNotices
    household-service  Services/household-service/Main  \(main) STHouseholdCore STBus STCrypto STDomain STZeroMQ STPages STPostgres
    link-service       Services/link-service/Main       \(main) STLinkCore STBus STZeroMQ STWire STCrypto
    desktop-agent      Services/desktop-agent/Main      \(main) STDesktopCore STWire STBus STZeroMQ STDesktop STDomain STDBus STScreen STPausing
        STNotices
    account-door       Services/account-door/Main       STAccountDoorCore STPlatform STContracts STBus STZeroMQ STServiceKit STWire STDBus
    browser-host       Services/browser-host/Main       STContracts STPlatform STRendering STWire STZeroMQ
    screentime-draw    Services/screentime-draw/Main    STDrawing STContracts STPlatform
    screentime         Services/screentime/Main         STPlatform STCommandCore STCommandImport STCommandProtect
    console            Services/console/Main            STPlatform STContracts STCrypto STRendering STZeroMQ STCommandCore STCommandImport STPages
    """

// MARK: - The developer kit

/// Dependencies of most frameworks.
let types = "STFoundationGaps STFoundationTypes STClientLink STContracts STPlatform"
/// Dependencies of the example apps.
let app = "FamilyControls DeviceActivity ManagedSettings UserNotifications os STAppSupport"

let frameworks = """
    os                       kit/Frameworks/os                     STPlatform STCOSLog
    OSLog                    kit/Frameworks/OSLog                  os
    Combine                  kit/Frameworks/Combine
    STFoundationTypes        kit/Frameworks/FoundationTypes        STPlatform os
    STFoundationGaps         kit/Frameworks/FoundationGaps         Combine STFoundationTypes
    STClientLink             kit/Frameworks/Link                   STFoundationTypes STPlatform STDomain STContracts STBus STZeroMQ STCTasks
    ManagedSettings          kit/Frameworks/ManagedSettings        \(types) Combine
    UserNotifications        kit/Frameworks/UserNotifications      \(types) STDomain
    _Testing_UIKit           kit/Frameworks/TestingUIKit
    UIKit                    kit/Frameworks/UIKit                  _Testing_UIKit STFoundationGaps STFoundationTypes UserNotifications STContracts
        STPlatform
    ManagedSettingsUI        kit/Frameworks/ManagedSettingsUI      ManagedSettings UIKit STClientLink STFoundationTypes STContracts STPlatform
    FamilyControls           kit/Frameworks/FamilyControls         \(types) Combine ManagedSettings STDomain
    DeviceActivity           kit/Frameworks/DeviceActivity         \(types) Combine ManagedSettings STDomain
    WidgetKit                kit/Frameworks/WidgetKit              STFoundationGaps STFoundationTypes
    Security                 kit/Frameworks/Security               STFoundationGaps STFoundationTypes STPlatform
    SwiftData                kit/Frameworks/SwiftData              STFoundationGaps STFoundationTypes STCSQLite
    ExtensionFoundation      kit/Frameworks/ExtensionFoundation    STClientLink STFoundationGaps
    SwiftUICore              kit/Frameworks/SwiftUICore            \(types) Combine UIKit STRendering STDomain
    ExtensionKit             kit/Frameworks/ExtensionKit           ExtensionFoundation SwiftUICore
    Charts                   kit/Frameworks/Charts                 SwiftUICore STRendering STFoundationTypes STContracts STPlatform
    _DeviceActivity_SwiftUI  kit/Frameworks/DeviceActivitySwiftUI  DeviceActivity FamilyControls ManagedSettings SwiftUICore ExtensionFoundation
        ExtensionKit STClientLink STFoundationTypes STContracts STDomain STPlatform
    SwiftUI                  kit/Frameworks/SwiftUI                SwiftUICore _DeviceActivity_SwiftUI
    STSimulator              kit/simulator/Wire                    STPlatform STDomain STContracts
    ScreenTimeSimulation     kit/Frameworks/ScreenTimeSimulation   STSimulator STContracts STPlatform
    STAppSupport             kit/examples/support                  FamilyControls DeviceActivity UserNotifications
    STPromiseKit             kit/examples/promise/Kit              \(app)
    STStreaksKit             kit/examples/streaks/Kit              \(app)
    STBarebonesKit           kit/examples/barebones/Kit            \(app)
    STWorklogKit             kit/examples/worklog/Kit              \(app)
    STUsageChartsKit         kit/examples/usage-charts/Kit         \(app) SwiftUI
    """
let examples = """
    promise              kit/examples/promise/App          \(app) STPromiseKit
    promise-monitor      kit/examples/promise/Monitor      \(app) STPromiseKit
    streaks              kit/examples/streaks/App          \(app) STStreaksKit
    streaks-monitor      kit/examples/streaks/Monitor      \(app) STStreaksKit
    barebones            kit/examples/barebones/App        \(app) STBarebonesKit
    barebones-monitor    kit/examples/barebones/Monitor    \(app) STBarebonesKit
    barebones-shield     kit/examples/barebones/Shield     \(app) STBarebonesKit ManagedSettingsUI UIKit
    barebones-action     kit/examples/barebones/Action     \(app) STBarebonesKit ManagedSettingsUI
    barebones-report     kit/examples/barebones/Report     \(app) STBarebonesKit SwiftUI Charts ExtensionKit
    worklog              kit/examples/worklog/App          \(app) STWorklogKit
    worklog-monitor      kit/examples/worklog/Monitor      \(app) STWorklogKit
    worklog-shield       kit/examples/worklog/Shield       \(app) STWorklogKit ManagedSettingsUI UIKit
    worklog-action       kit/examples/worklog/Action       \(app) STWorklogKit ManagedSettingsUI
    worklog-report       kit/examples/worklog/Report       \(app) STWorklogKit SwiftUI Charts ExtensionKit
    usage-charts         kit/examples/usage-charts/App     \(app) STUsageChartsKit SwiftUI
    usage-charts-report  kit/examples/usage-charts/Report  \(app) STUsageChartsKit SwiftUI Charts ExtensionKit
    """

/// The simulator is the only tool that depends on the services' Core targets, because it runs their rules in virtual time.
let toolCores = """
    STSimulation  kit/simulator/Core  STPlatform STDomain STContracts STBus STZeroMQ STSupervision STEngine STStore STCrypto STSimulator STAuthCore
        STActivityCore STMonitorCore STNotifierCore STShieldCore
    STLab         kit/lab/Core        STPlatform STContracts STRendering STSimulator STCommandCore STCYaml
    """
let tools = """
    simulator          kit/simulator/Main     STSimulation STSimulator STContracts STPlatform
    simulated-monitor  kit/simulator/Monitor  STCZeroMQ STContracts
    screentime-lab     kit/lab/Main           STLab STCommandCore STPlatform
    """

/// The modules that other packages can depend on.
let offered = """
    FamilyControls DeviceActivity ManagedSettings ManagedSettingsUI UIKit UserNotifications SwiftUI Charts WidgetKit Security
    SwiftData ExtensionKit ExtensionFoundation Combine os OSLog STFoundationGaps ScreenTimeSimulation
    """

// MARK: - Sets of programs
let serviceNames =
    "auth-service activity-center monitor-runner shield-service report-service notifier desktop-agent household-service link-service"
/// The programs that `run-all.sh` starts, and the command. The command builds any other program on first use.
let startNames =
    "auth-service activity-center monitor-runner shield-service report-service notifier desktop-agent screentime-draw screentime"
let exampleNames = """
    promise promise-monitor streaks streaks-monitor barebones barebones-monitor barebones-shield barebones-action barebones-report
        worklog worklog-monitor worklog-shield worklog-action worklog-report usage-charts usage-charts-report
    """
let simulatorNames = "simulator simulated-monitor"
/// The programs of the kit, and the virtual clock library that `simulate` preloads into apps.
let developerNames = "STCClockPreload screentime-lab \(simulatorNames) \(exampleNames)"
/// All programs of Screen Time.
let productNames = "\(startNames) \(serviceNames) browser-host console account-door"

// MARK: - Tests of Screen Time

/// Dependencies of most tests.
let base = "STContracts STPlatform STTestSupport"
/// Programs of the kit that a few of these tests start. These tests are skipped if the source tree does not contain the kit.
let kitPrograms = """
    screentime-sample-monitor screentime-sample-report screentime-lab simulator simulated-monitor promise worklog worklog-monitor
        worklog-shield worklog-action
    """
let testKitsC = """
    STCSQLiteFaults  Tests/Kits/SQLiteFaults  -lsqlite3
    STBaseline       Tests/Bench/C            STCZeroMQ STCSQLite
    STCTestScreen    Tests/Programs/Desktop/Protocols
    """
let testKits = """
    STTestSupport  Tests/Kits/TestSupport          STPlatform STCSQLite STCSQLiteFaults
    STTestKit      Tests/Kits/TestKit              STPlatform STStore STDomain STContracts STBus STEngine STZeroMQ STCZeroMQ STServiceKit
        STSupervision STExtensions STPostgres STTestSupport
    STDesktopKit   Tests/Kits/DesktopKit           STPlatform STContracts STDesktop STDBus STTestSupport
    STCommandKit   Tests/Kits/CommandKit           STCommandCore STCommandImport STCommandProtect STPlatform STTestSupport
    STTestDisplay  Tests/Programs/Desktop/Display  STCScreen STPlatform
    """
let testPrograms = """
    screentime-test-pauser       Tests/Programs/Desktop/Pauser           STPausing STDesktop STPlatform
    screentime-x11-window        Tests/Programs/Desktop/X11Window        STTestDisplay STCScreen STPlatform
    screentime-x11-observer      Tests/Programs/Desktop/X11Observer      STCScreen STPlatform
    screentime-wayland-window    Tests/Programs/Desktop/WaylandWindow    STTestDisplay STCScreen STCTestScreen STPlatform
    screentime-wayland-observer  Tests/Programs/Desktop/WaylandObserver  STTestDisplay STCScreen STCTestScreen STPlatform
    screentime-clock-probe       Tests/Programs/ClockProbe
    screentime-store-filler      Tests/Programs/StoreFiller              STStore STPlatform
    """
let productTests = """
    TidyTests           Tests/Units/Tidy        STTestSupport STTestKit STPlatform STStore STCrypto STAuthCore STActivityCore STMonitorCore
        STShieldCore STNotifierCore STReportCore STDesktopCore STHouseholdCore STLinkCore STCommandCore \(serviceNames)
    PlatformTests       Tests/Units/Platform    \(base) STCPlatform STTestKit STCClockPreload screentime-clock-probe
    CryptoTests         Tests/Units/Crypto      STCrypto STCSodium STPlatform STTestSupport
    StoreTests          Tests/Units/Store       STStore STPlatform STTestKit STTestSupport STCSQLite STCSQLiteFaults screentime-store-filler
    DomainTests         Tests/Units/Domain      \(base) STDomain
    ContractsTests      Tests/Units/Contracts   \(base)
    RuntimeTests        Tests/Units/Runtime     \(base) STBus STEngine STStore STServiceKit STSupervision STFollowing STTestKit
    SimulationTests     Tests/Units/Simulation  \(base) STEngine STBus STStore
    RenderingTests      Tests/Units/Rendering   \(base) STRendering
    DrawingTests        Tests/Units/Drawing     \(base) STDrawing screentime-draw
    DoorTests           Tests/Units/Door        \(base) STAccountDoorCore
    HouseholdTests      Tests/Units/Household   \(base) STHouseholdCore STLinkCore STActivityCore STShieldCore STBus STCrypto STDomain STEngine
        STPostgres STStore STTestKit
    AuthTests           Tests/Units/Auth        \(base) STAuthCore STCrypto STEngine STStore STTestKit
    ActivityTests       Tests/Units/Activity    \(base) STActivityCore STReportCore STEngine STFollowing STDomain STStore STTestKit STCSQLite
        STCSQLiteFaults activity-center
    MonitorTests        Tests/Units/Monitor     \(base) STMonitorCore STEngine STStore STTestKit
    ShieldTests         Tests/Units/Shield      \(base) STShieldCore STCrypto STFollowing STDomain STEngine STStore STTestKit
    ReportTests         Tests/Units/Report      \(base) STReportCore STDomain STFollowing STEngine STStore STTestKit
    NotifierTests       Tests/Units/Notifier    \(base) STNotifierCore STDomain STFollowing STEngine STStore STTestKit
    CommandTests        Tests/Units/Command     \(base) STCommandKit STCommandCore STDomain STBus STZeroMQ STRendering screentime screentime-draw
    ProcessTests        Tests/Processes         \(base) STTestKit STDomain STStore STSupervision STZeroMQ STEngine STCrypto STDBus STDesktopKit
        STPostgres STCommandCore STExtensions screentime-test-extension STCClockPreload console screentime screentime-draw \(serviceNames)
        \(hasKit ? kitPrograms : "")
    AgentTests          Tests/Desktops/Agent    \(base) STDesktopCore STDesktop STTestKit STDesktopKit STScreen STDBus STPausing STServiceKit STEngine
        STZeroMQ STCrypto desktop-agent auth-service activity-center shield-service screentime-draw screentime-x11-window
    ScreenTests         Tests/Desktops/Screen   \(base) STScreen STDesktop STDBus STDesktopKit screentime-x11-window screentime-x11-observer
        screentime-wayland-window screentime-wayland-observer
    DesktopTests        Tests/Desktops/Shared   \(base) STDesktop STDomain STPausing STDesktopKit STDBus STSupervision screentime-test-pauser
        screentime
    DesktopSystemTests  Tests/Desktops/System   \(base) STDesktopKit STDesktop STDesktopCore STTestKit STDomain STZeroMQ STDBus STCommandCore
        \(serviceNames) screentime screentime-draw screentime-x11-window screentime-x11-observer screentime-wayland-window screentime-wayland-observer
        browser-host \(hasKit ? kitPrograms : "")
    """

// MARK: - Tests of the developer kit
/// Modules that the samples of app sources import.
let sampled =
    "DeviceActivity FamilyControls ManagedSettings ManagedSettingsUI UIKit UserNotifications SwiftUI Charts WidgetKit Security OSLog os"
/// Modules that a report extension imports.
let reported = "DeviceActivity ManagedSettings SwiftUI Charts"

/// Samples of app sources. They are built as in an app developer's package: without the default settings, and in both language modes.
let samplesFive = """
    STFrameworkSamples  Tests/DeveloperKit/Samples/Sources  \(sampled)
    """
let samplesSix = """
    STFrameworkSamplesSix  Tests/DeveloperKit/Samples/SourcesSix  \(sampled)
    """
let sampleProgramsFive = """
    screentime-sample-report  Tests/DeveloperKit/Samples/Report  \(reported)
    """
let sampleProgramsSix = """
    screentime-sample-report-six  Tests/DeveloperKit/Samples/ReportSix  \(reported)
    screentime-sample-monitor     Tests/DeveloperKit/Samples/Monitor    DeviceActivity FamilyControls ManagedSettings os
    screentime-sample-shield      Tests/DeveloperKit/Samples/Shield     ManagedSettingsUI STFrameworkSamples
    screentime-frameworks-probe   Tests/DeveloperKit/Samples/Probe      DeviceActivity STFrameworkSamples
    """
let kitTests = """
    FrameworksTests       Tests/DeveloperKit/Modules    \(base) Combine DeviceActivity FamilyControls ManagedSettings OSLog STFoundationTypes os
        ManagedSettingsUI UIKit UserNotifications Security SwiftData STFrameworkSamples STFrameworkSamplesSix STDomain STClientLink STBus STZeroMQ
        STDrawing STExtensions STTestKit auth-service activity-center report-service shield-service notifier screentime screentime-frameworks-probe
        screentime-sample-monitor screentime-sample-shield
    SwiftUITests          Tests/DeveloperKit/SwiftUI    \(base) SwiftUICore Charts STFrameworkSamples STFoundationTypes STRendering
    ReportExtensionTests  Tests/DeveloperKit/Reports    \(base) DeviceActivity FamilyControls ManagedSettings SwiftUI _DeviceActivity_SwiftUI STBus
        STClientLink STExtensions STFoundationTypes STRendering STZeroMQ STFrameworkSamples STFrameworkSamplesSix STTestKit screentime-sample-report
        screentime-sample-report-six
    AppTests              Tests/DeveloperKit/Apps       \(base) STAppSupport STPromiseKit STStreaksKit STBarebonesKit STWorklogKit FamilyControls
        DeviceActivity STFoundationTypes STCommandCore STCrypto STRendering screentime-draw STSimulation STTestKit STZeroMQ STCClockPreload
        \(serviceNames) \(exampleNames)
    LabTests              Tests/DeveloperKit/Lab        \(base) STLab STCommandKit STCommandCore STSimulator STRendering screentime screentime-draw
        screentime-lab STCClockPreload promise \(simulatorNames) \(serviceNames)
    SimulateTests         Tests/DeveloperKit/Simulator  \(base) STCommandCore ScreenTimeSimulation STSimulation STSimulator
        STTestKit STDomain STZeroMQ STCClockPreload screentime-test-extension screentime screentime-lab \(simulatorNames) \(serviceNames)
        \(exampleNames)
    """
let benchmarks = """
    screentime-bench-monitor  Tests/Bench/Monitor  DeviceActivity
    screentime-bench-setter   Tests/Bench/Setter   DeviceActivity ManagedSettings
    screentime-bench          Tests/Bench/Main     STSimulation STBaseline STPlatform STStore STContracts STBus STEngine STZeroMQ STDomain
        STServiceKit STTestKit STTestSupport STDesktopKit STPostgres STCrypto screentime-x11-window
    """

// MARK: - Tables
/// The folder and the files that are embedded in each target. A program's folder is in the folder of its service.
let embedded = [
    "STPages": "Page console.css icon.svg tools.js",
    "STScreen": "Kwin screen.js",
    "household-service": "Page index.html phone.js words.js",
    "browser-host": "extension manifest.json background.js shield.html shield.js",
    "desktop-agent": "gnome legacy.js module.js screen.js metadata.json screentime-symbolic.svg",
    "console":
        "Page index.html console.js help.js inside.js live.js past.js people.js reports.js requests.js rules.js thing.js timeline.js today.js why.js words.js",
]
/// Other files in the folders of targets. The modules in `described` also have a README.
let documents = [
    "STStore": "PLANS.md", "STCScreen": "Protocols", "STCTestScreen": "Protocols",
    "RenderingTests": "check_html.py", "desktop-agent": "gnome/README.md", "STScreen": "README.md",
    "STSimulator": "README.md", "STAppSupport": "README.md",
]
let described = ["Shared/", "Tests/Kits/", "\(kit)/Frameworks"]

func exists(_ path: String) -> Bool { access("\(Context.packageDirectory)/\(path)", F_OK) == 0 }

func words(_ text: String) -> [String] { text.split { $0.isWhitespace }.map(String.init) }

/// The rows of a table. An indented line continues the previous row, and `kit` stands for the folder of the developer kit.
func rows(_ table: String) -> [[String]] {
    let text = table.replacing("\n  ", with: " ").replacing(" kit/", with: " \(kit)/")
    return text.split(separator: "\n").map { words(String($0)) }
}

func dependencies(_ row: [String]) -> [Target.Dependency] {
    row.dropFirst(2).filter { !$0.hasPrefix("-l") }.map { .byName(name: $0) }
}

func linked(_ row: [String]) -> [LinkerSetting] {
    row.dropFirst(2).filter { $0.hasPrefix("-l") }.map { .linkedLibrary(String($0.dropFirst(2))) }
}

/// In these rows, the name of a Debian package takes the place of the dependencies.
func systemLibraries(_ folder: String, _ table: String) -> [Target] {
    rows(table).map {
        // pkgConfig is not used, because libzmq's .pc file contains a flag that SwiftPM rejects. `link` in the module map is sufficient.
        .systemLibrary(name: $0[0], path: "\(folder)/\($0[1])", providers: [.apt([$0[2]])])
    }
}

func libraries(_ table: String, _ settings: [SwiftSetting]? = settings) -> [Target] {
    rows(table).map {
        .target(
            name: $0[0],
            dependencies: dependencies($0),
            path: $0[1],
            swiftSettings: settings,
            linkerSettings: linked($0)
        )
    }
}

func programs(_ table: String, _ settings: [SwiftSetting]? = settings) -> [Target] {
    rows(table).map {
        .executableTarget(
            name: $0[0],
            dependencies: dependencies($0),
            path: $0[1],
            swiftSettings: settings,
            linkerSettings: linked($0)
        )
    }
}

func tests(_ table: String) -> [Target] {
    rows(table).map {
        .testTarget(name: $0[0], dependencies: dependencies($0), path: $0[1], swiftSettings: settings)
    }
}

// MARK: - Build selection
/// `SCREENTIME_ONLY` limits the build to the named sets (such as `start`) and targets (such as `ActivityTests`), and their dependencies.
func wanted(_ all: [Target]) -> [Target] {
    guard let only = Context.environment["SCREENTIME_ONLY"], !only.isEmpty else { return all }
    let sets = [
        "start": startNames,
        "developer": developerNames,
        "product": ([productNames] + rows(productTests).map { $0[0] }).joined(separator: " "),
        "programs": "\(productNames) \(developerNames)",
        "bench": ([productNames, developerNames] + rows(benchmarks).map { $0[0] }).joined(separator: " "),
    ]
    var names = Set(only.split(separator: ",").map(String.init).flatMap { words(sets[$0] ?? $0) })
    while true {
        let needed = all.filter { names.contains($0.name) }.flatMap(\.dependencies).compactMap {
            if case .byNameItem(let name, _) = $0 { name } else { String?.none }
        }
        if names.isSuperset(of: needed) { break }
        names.formUnion(needed)
    }
    return all.filter { names.contains($0.name) }
}

let (five, six): ([SwiftSetting], [SwiftSetting]) = ([.swiftLanguageMode(.v5)], [.swiftLanguageMode(.v6)])
var all = systemLibraries("Shared/Base/C", debian) + libraries(sharedC, nil) + libraries(shared)
if isWhole {
    all += libraries(cores) + programs(services) + libraries(testKitsC, nil) + libraries(testKits)
    all += programs("screentime-test-extension Tests/Programs/Extension STCZeroMQ -lzmq", nil)
    all += programs(testPrograms) + tests(productTests)
}
if hasKit {
    all += systemLibraries("\(kit)/Frameworks/C", "STCOSLog OSLog libc6-dev")
    all += libraries("STCTasks kit/Frameworks/C/Tasks", nil) + libraries(frameworks) + programs(examples)
}
if isWhole && hasKit {
    all += libraries(toolCores) + programs(tools) + tests(kitTests) + programs(benchmarks)
    all += libraries(samplesFive, five) + libraries(samplesSix, six)
    all += programs(sampleProgramsFive, five) + programs(sampleProgramsSix, six)
}
let everything = wanted(all)
let folders = all.compactMap(\.path)
for target in everything where target.type != .system {
    var path = target.path ?? ""
    let files = words(embedded[target.name] ?? "")
    let isMain = !files.isEmpty && path.hasSuffix("/Main")
    if isMain {
        path.removeLast("/Main".count)
        (target.path, target.sources) = (path, ["Main"])
    }
    if !files.isEmpty { target.resources = files.dropFirst().map { .embedInCode("\(files[0])/\($0)") } }
    // A folder can contain the folders of other targets.
    let inner = folders.filter { $0.hasPrefix("\(path)/") }.map {
        String($0.dropFirst(path.count + 1).prefix { $0 != "/" })
    }
    target.exclude = words(documents[target.name] ?? "") + Set(inner).subtracting(["Main"])
    if isMain || described.contains(where: path.hasPrefix) && !path.contains("/C/") {
        target.exclude.append("README.md")
    }
}

/// What every message, row and window passes through. Optimising is four fifths of a build, so the rest does without; benches are no
/// slower than what they measure.
let hot = """
    STPlatform STStore STCrypto STDomain STWire STBus STEngine STZeroMQ STServiceKit STActivityCore STMonitorCore STShieldCore
    STReportCore STHouseholdCore STPostgres STSimulation STClientLink STBaseline STTestSupport STTestKit screentime-bench
    """
/// What is large and waits for others most of the time, or is no slower for it, as measured: it costs disk and memory.
let small = """
    STContracts STRules STRendering STCommandCore STDesktop STDesktopCore STScreen STDBus STPausing STFollowing STExtensions STAuthCore
    STNotifierCore STSupervision STDrawing STSimulator STLab STAccountDoorCore STCommandImport STCommandProtect console browser-host account-door
    """

// For the scripts' release builds alone: SwiftPM refuses a tagged dependency whose targets have flags of their own.
let own = Context.environment["SCREENTIME_ONLY"] == nil ? [] : everything.filter { $0.type != .system }
for target in own {
    // Put each function in its own section and internalise symbols at link time, so that the linker can remove unused code.
    var flags = ["-Xfrontend", "-function-sections", "-Xfrontend", "-internalize-at-link"]
    if words(small).contains(target.name) {
        flags.append("-Osize")
    } else if !words(hot).contains(target.name) {
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
let built = everything.map(\.name)
var products: [Product] = words(offered).filter(built.contains).map { .library(name: $0, targets: [$0]) }
// Extension processes preload this library, so that the code of apps reads the virtual clock.
if built.contains("STCClockPreload") {
    products.append(.library(name: "screentime-clock", type: .dynamic, targets: ["STCClockPreload"]))
}

let package = Package(name: "screentime", products: products, targets: everything, swiftLanguageModes: [.v6])
