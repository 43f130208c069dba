import Glibc
import STContracts
import STPlatform
import STTestKit
import STTestSupport
import Testing

@testable import STAuthCore

@Suite("Installing an app")
struct AppInstallTests {
    private let home: Home
    private let bundle: AppBundle

    init() throws {
        home = try Home(hasPasscodes: false)
        bundle = try AppBundle(in: home.bundles, id: Home.app)
    }

    private static func named(_ id: String) -> String {
        AppBundle.manifest(id: Home.app).replacing("\"id\": \"promise\"", with: "\"id\": \"\(id)\"")
    }

    private func install(programs: String? = nil) throws -> AppInstall.Reply {
        try home.bench.ask(AppInstall.self, .init(bundle: bundle.path, programs: programs))
    }

    private func refusal(programs: String? = nil) throws -> Problem? {
        try home.bench.refusal(AppInstall.self, .init(bundle: bundle.path, programs: programs))
    }

    private func refusal(_ manifest: String) throws -> Problem? {
        try bundle.write(manifest)
        return try refusal()
    }

    @Test("An installed app is stored with absolute paths, announced, and listed after a restart")
    func installed() throws {
        let reply = try install()

        #expect(!reply.replaced)
        #expect(reply.app.bundle == bundle.path)
        #expect(reply.app.manifest.executable == bundle.file("app"))
        #expect(reply.app.manifest.extensions.map(\.executable) == [bundle.file("monitor")])
        #expect(reply.app.manifest.groups == ["group.promise"])
        #expect(home.told.last == "authorization.app.installed app/promise")
        #expect(try home.bench.events.last?.decoded(AppInstalled.self) == reply.app)
        try home.reopen()
        #expect(try home.bench.ask(AppList.self, .init()).apps == [reply.app])
    }

    @Test("Installing the same app again changes nothing, and another version replaces it")
    func again() throws {
        _ = try install()
        let told = home.told.count

        #expect(try install().replaced)
        #expect(home.told.count == told)
        try bundle.write(AppBundle.manifest(id: Home.app).replacing("1.0", with: "1.1"))
        #expect(try install().app.manifest.version == "1.1")
        #expect(home.told.count == told + 1)
        #expect(try home.bench.ask(AppList.self, .init()).apps.count == 1)
    }

    @Test("Executables are searched in the bundle first and then in the folder of programs")
    func programs() throws {
        let folder = try AppBundle(in: home.bundles, id: "bin", executables: ["app", "only-here"])
        try bundle.write(AppBundle.manifest(id: Home.app, monitor: "only-here"))

        let manifest = try install(programs: folder.path).app.manifest

        #expect(manifest.executable == bundle.file("app"))
        #expect(manifest.extensions.map(\.executable) == [folder.file("only-here")])
        #expect(try refusal()?.code == "app.executable_missing")
    }

    @Test(
        "An extension point that Apple does not call is rejected with the intended one",
        arguments: [
            (
                "com.apple.ManagedSettingsUI.shield-action-service",
                "com.apple.ManagedSettings.shield-action-service"
            ),
            (
                "com.apple.ManagedSettings.shield-configuration-service",
                "com.apple.ManagedSettingsUI.shield-configuration-service"
            ),
            ("com.apple.DeviceActivity.monitor-extension", AppBundle.monitorPoint),
            ("com.apple.deviceactivity.monitor", AppBundle.monitorPoint),
            ("com.apple.deviceactivity.report-extension", "com.apple.deviceactivityui.report-extension"),
            ("monitor-extension", AppBundle.monitorPoint),
        ]
    )
    func wrongPoint(point: String, meant: String) throws {
        let problem = try refusal(AppBundle.manifest(id: Home.app, point: point))

        #expect(problem?.code == "app.unknown_point")
        #expect(problem?.field == "/extensions/0/point")
        #expect(problem?.message.contains("Did you mean \(meant)?") == true)
    }

    @Test("A known device model in a manifest is accepted, and an unknown one is rejected")
    func deviceModel() throws {
        func manifest(_ model: String) -> String {
            AppBundle.manifest(id: Home.app).replacing(
                "\"protocol\": 1,",
                with: "\"protocol\": 1, \"deviceModel\": \"\(model)\",",
                maxReplacements: 1
            )
        }
        let problem = try refusal(manifest("toaster"))
        #expect(problem?.code == "app.unknown_device_model")
        #expect(problem?.field == "/deviceModel")
        try bundle.write(manifest("iPhone"))
        #expect(try install().app.manifest.deviceModel == "iPhone")
    }

    @Test("The rejection of an unknown extension point lists all points if none is similar")
    func farPoint() throws {
        let problem = try refusal(AppBundle.manifest(id: Home.app, point: "org.example.lights"))

        for point in ExtensionPoint.all { #expect(problem?.message.contains(point.rawValue) == true) }
    }

    @Test(
        "An app that could never be called is rejected with a code and the field",
        arguments: [
            (named("a b"), "app.bad_id", "/id"),
            (named(String(repeating: "x", count: 129)), "app.bad_id", "/id"),
            (named("screentime.rules"), "app.reserved_id", "/id"),
            (
                AppBundle.manifest(id: "promise", version: 2), "app.protocol_unsupported",
                "/extensions/0/protocol"
            ),
            (
                AppBundle.manifest(id: "promise", entitlements: ""), "app.entitlement_missing",
                "/extensions/0/entitlements"
            ),
            (
                AppBundle.manifest(
                    id: "promise",
                    entitlements: "\"family-controls\", \"com.apple.developer.deviceactivity\""
                ), "app.unknown_entitlement", "/extensions/0/entitlements"
            ),
            (
                AppBundle.manifest(id: "promise", monitor: "nowhere"), "app.executable_missing",
                "/extensions/0/executable"
            ),
            (
                AppBundle.manifest(id: "promise", monitor: "folder"), "app.executable_no_file",
                "/extensions/0/executable"
            ),
            (
                AppBundle.manifest(id: "promise", monitor: "text"), "app.executable_not_executable",
                "/extensions/0/executable"
            ),
            (
                AppBundle.manifest(id: "promise", monitor: "/bin/sh"), "app.path_outside",
                "/extensions/0/executable"
            ),
            (
                AppBundle.manifest(id: "promise", monitor: "../x"), "app.path_outside",
                "/extensions/0/executable"
            ),
            (
                AppBundle.manifest(id: "promise", monitor: "a//b"), "app.path_outside",
                "/extensions/0/executable"
            ),
            (
                AppBundle.manifest(id: "promise", monitor: "link"), "app.path_outside",
                "/extensions/0/executable"
            ),
        ]
    )
    func refused(manifest: String, code: String, field: String) throws {
        try bundle.addExecutable("text", mode: 0o644)
        #expect(mkdir(bundle.file("folder"), 0o755) == 0)
        #expect(symlink("/bin/sh", bundle.file("link")) == 0)

        let problem = try refusal(manifest)

        #expect(problem?.code == code)
        #expect(problem?.field == field)
        #expect(problem?.message.hasSuffix(".") == true || problem?.message.contains("chmod") == true)
        #expect(try home.bench.ask(AppList.self, .init()).apps.isEmpty)
    }

    @Test("Installing requires the absolute path of a folder with a manifest")
    func folder() throws {
        func code(_ path: String) throws -> String? {
            try home.bench.refusal(AppInstall.self, .init(bundle: path))?.code
        }

        #expect(try code("relative") == "app.bad_folder")
        #expect(try code("") == "app.bad_folder")
        #expect(try code("/nowhere/at/all") == "app.no_folder")
        #expect(try code(bundle.file("app")) == "app.no_folder")
        #expect(try code(home.bundles.path) == "app.no_manifest")
        unlink(bundle.file("manifest.json"))
        #expect(mkfifo(bundle.file("manifest.json"), 0o600) == 0)
        #expect(try code(bundle.path) == "app.no_manifest")
        #expect(
            try home.bench.refusal(AppInstall.self, .init(bundle: bundle.path, programs: "/nowhere"))?.field
                == "/programs"
        )
    }

    @Test("Two hundred apps can be installed, and a further one is rejected")
    func tooMany() throws {
        _ = try install()
        for number in 2...200 {
            try bundle.write(AppBundle.manifest(id: "app\(number)"))
            _ = try install()
        }

        #expect(try refusal(AppBundle.manifest(id: "app201"))?.code == "app.too_many")
        try bundle.write(AppBundle.manifest(id: "app200").replacing("1.0", with: "2.0"))
        #expect(try install().replaced)
    }

    // MARK: - Removing

    @Test("Removing an app ends its permission and tokens, also after it is installed again")
    func remove() throws {
        let home = try Home()
        try home.approve()
        let tokens = try home.issue(["firefox"])
        home.bench.forgetEvents()

        #expect(try home.bench.ask(AppRemove.self, .init(app: Home.app)).removed)

        #expect(
            home.told == [
                "authorization.changed permission/promise/owner", "authorization.app.removed app/promise",
            ]
        )
        #expect(try home.status().status == .notDetermined)
        #expect(try !home.bench.ask(AppRemove.self, .init(app: Home.app)).removed)
        try home.reopen()
        try home.approve()
        #expect(throws: Problem.self) { try home.resolve(tokens) }
    }

    @Test("An app that a guardian approved for a child can be removed only with the guardian's passcode")
    func removeChilds() throws {
        let home = try Home()
        try home.approve(Home.app, Home.child)

        #expect(try home.bench.refusal(AppRemove.self, .init(app: Home.app))?.code == "auth.proof_needed")
        let wrong = try home.bench.ask(AppRemove.self, .init(app: Home.app, passcode: "wrong"))
        #expect(!wrong.removed)
        #expect(wrong.refusal?.code == "auth.wrong_passcode")
        #expect(try home.bench.ask(AppRemove.self, .init(app: Home.app, passcode: "guardian's")).removed)
    }
}
