import STCommandCore
import STCommandKit
import STContracts
import STPlatform
import STTestSupport
import Synchronization
import Testing

@Suite("Apps and members on the screen")
struct AppCommandTests {
    private static let manifest = AppManifest(
        id: "promise",
        name: "The \u{1B}[31mPromise",
        version: "1.0",
        protocolVersion: 1,
        entitlements: ["family-controls"],
        groups: [],
        extensions: [
            ManifestExtension(
                point: "com.apple.deviceactivity.monitor-extension",
                executable: "/bundle/monitor",
                protocolVersion: 1,
                entitlements: ["family-controls"]
            )
        ]
    )

    private static func app(_ id: String) -> InstalledApp {
        var manifest = manifest
        manifest.id = id
        return InstalledApp(manifest: manifest, bundle: "/bundle", installedAt: "2026-11-20T17:00:00.000Z")
    }

    private static func known(_ member: String, _ status: AuthorizationStatus, enforce: Bool) -> Authorization
    {
        Authorization(
            app: "promise",
            member: member,
            status: status,
            scope: .individual,
            access: status == .approved,
            enforce: enforce,
            generation: 0
        )
    }

    private func run(
        _ line: [String],
        answer: @escaping @Sendable (_ route: String, _ body: [UInt8]) throws -> [UInt8]
    ) async throws -> (code: ExitCode, output: CommandOutput) {
        let scratch = try ScratchDirectory()
        defer { scratch.remove() }
        let service = try FakeService(.auth, answeringBodies: answer)
        try await service.start(
            Directories(run: scratch.path, state: scratch.path, config: scratch.path)
        )
        let (code, output) = await CommandOutput.run(line, in: scratch.path)
        await service.stop()
        return (code, output)
    }

    @Test("`app list` lists all pages with approvals and extensions, without escape sequences")
    func list() async throws {
        let (code, output) = try await run(["app", "list"]) { route, body in
            switch route {
            case AppList.name:
                let isFirst = try AppList.Request.decodedBody(body).next == nil
                return try AppList.Reply(
                    apps: [Self.app(isFirst ? "promise" : "streaks")],
                    next: isFirst ? "1" : nil
                ).encodedBody()
            default:
                return try AuthorizationList.Reply(authorizations: [
                    Self.known("owner", .approved, enforce: false),
                    Self.known("kid", .denied, enforce: false),
                ]).encodedBody()
            }
        }

        #expect(code == .done)
        let lines = output.standard.split(separator: "\n")
        #expect(lines.count == 3)
        #expect(lines[1].contains("owner (not enforced)") && !lines[1].contains("kid"))
        #expect(lines[1].contains("monitor-extension"))
        #expect(lines[2].contains("streaks") && lines[2].contains("–"))
        #expect(!output.standard.contains("\u{1B}"))
    }

    @Test("`app install` shows the next command to run and sends an absolute path for a relative folder")
    func install() async throws {
        let asked = Mutex<AppInstall.Request?>(nil)
        let (code, output) = try await run(["app", "install", "./Promise"]) { _, body in
            let request = try AppInstall.Request.decodedBody(body)
            asked.withLock { $0 = request }
            return try AppInstall.Reply(app: Self.app("promise"), replaced: false).encodedBody()
        }

        #expect(code == .done)
        #expect(output.standard.contains("with 1 extension: monitor-extension."))
        #expect(output.standard.contains("screentime app access promise on"))
        let request = try #require(asked.withLock { $0 })
        #expect(
            request.bundle.hasPrefix("/") && request.bundle.hasSuffix("/Promise")
                && !request.bundle.contains("/./")
        )
        // Beside the command, where the build puts them.
        #expect(request.programs?.hasPrefix("/") == true)
    }

    @Test("`app install` prints every reason for a refusal on standard error and exits with code 1")
    func refused() async throws {
        let (code, output) = try await run(["app", "install", "/x"]) { _, _ in
            throw Problem("app.refused", "/x cannot be installed, for 2 reasons:\n- One.\n- Two.")
        }

        #expect(code == .no)
        #expect(output.error.contains("- One.\n- Two."))
    }

    @Test("`app show` lists each ineffective call once and omits similar lines that the app logged")
    func idle() async throws {
        let scratch = try ScratchDirectory()
        defer { scratch.remove() }
        func line(_ row: Int64, _ text: String, _ category: String = "screentime:extension") -> AppLogLine {
            AppLogLine(
                row: row,
                at: "",
                wallMs: row,
                app: "promise",
                level: "notice",
                source: "logger",
                category: category,
                text: text
            )
        }
        let lines = [
            line(1, "WidgetCenter.reloadAllTimelines has no effect on Linux (at Promise.swift:12)"),
            line(2, "WidgetCenter.reloadAllTimelines has no effect on Linux (at Promise.swift:12)"),
            line(3, "Analytics.log does nothing here: Counting is a stand-in"),
            line(4, "a line of the app that has no effect on Linux", "promise:own"),
        ]
        let answers: [ServiceName: @Sendable (String, [UInt8]) throws -> [UInt8]] = [
            .auth: { _, _ in
                try AuthorizationList.Reply(authorizations: [Self.known("owner", .approved, enforce: true)])
                    .encodedBody()
            },
            .activity: { _, _ in try ActivityExplain.Reply(activities: []).encodedBody() },
            .monitor: { _, _ in try MonitorLog.Reply(lines: lines, next: "4", more: false).encodedBody() },
        ]
        let directories = Directories(run: scratch.path, state: scratch.path, config: scratch.path)
        var services: [FakeService] = []
        for (name, answer) in answers {
            let service = try FakeService(name, answeringBodies: answer)
            try await service.start(directories)
            services.append(service)
        }
        let (code, output) = await CommandOutput.run(["app", "show", "promise"], in: scratch.path)
        for service in services { await service.stop() }
        #expect(code == .done)
        let shown = output.standard.split(separator: "\n").drop { !$0.hasPrefix("Calls by this app") }
        #expect(
            shown.dropFirst() == [
                "  Analytics.log (Counting is a stand-in)",
                "  WidgetCenter.reloadAllTimelines (at Promise.swift:12)",
            ],
            "\(output.standard)"
        )
    }

    @Test("`app remove` reports that an app is not installed and exits with code 1")
    func remove() async throws {
        let (code, output) = try await run(["app", "remove", "promiss"]) { _, _ in
            try AppRemove.Reply(removed: false).encodedBody()
        }

        #expect(code == .no)
        #expect(output.standard == "promiss was not installed; nothing was removed.\n")
    }

    @Test("`app access` and `app enforce` without on or off show that settings are not enforced")
    func stands() async throws {
        for verb in ["access", "enforce"] {
            let (code, output) = try await run(["app", verb, "promise"]) { _, _ in
                try Self.known("owner", .approved, enforce: false).encodedBody()
            }
            #expect(code == .done)
            #expect(output.standard.contains("its settings are not enforced"))
        }
    }

    @Test("`member show` prints the passcode state, records, permissions and notices of a member")
    func member() async throws {
        let (code, output) = try await run(["member", "show", "kid"]) { _, _ in
            try MemberShow.Reply(
                member: Member(name: "kid", role: .child),
                passcode: PasscodeView(
                    isSet: true,
                    changedAt: "2026-11-20T16:00:00.000Z",
                    wrong: 5,
                    lockedForMs: 60_000,
                    attempts: [
                        PasscodeAttempt(
                            at: "2026-11-20T17:00:00.000Z",
                            purpose: Message(verbatim: "allow promise for kid")
                        )
                    ]
                ),
                records: [
                    MemberRecord(
                        service: "activity-center",
                        what: Message(verbatim: "Use."),
                        kept: Message(verbatim: "For ever."),
                        seenBy: Message(verbatim: "kid.")
                    )
                ],
                authorizations: [Self.known("kid", .denied, enforce: false)],
                notices: [
                    AuthorizationNotice(
                        id: "1",
                        at: "2026-11-20T17:00:00.000Z",
                        kind: .passcodeReset,
                        member: "kid",
                        text: Message(verbatim: "The passcode of kid was set again.")
                    )
                ]
            ).encodedBody()
        }

        #expect(code == .done)
        for part in [
            "kid, child", "A wrong passcode was typed 5 times in a row. Try again in 1 min.",
            "to allow promise for kid",
            "  Seen by: kid.\n\n  activity-center\n  Use.\n  Kept: For ever.\n",
            "promise is not allowed to use Screen Time for kid.",
            "The passcode of kid was set again.",
        ] { #expect(output.standard.contains(part), "\(part)") }
    }
}
