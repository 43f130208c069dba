import STContracts
import STDesktopKit
import STPlatform
import STTestKit
import STTestSupport
import STZeroMQ
import Testing

/// `screentime doctor` with the services: desktop-agent reports what it detects.
@Suite("Doctor of a running system", .serialized)
struct DoctorOfServicesTests {
    @Test("On X11 the doctor reports the session and the settings of the running agent")
    func x11() async throws {
        try await XHouse.run(settings: ["never_pause": "alpha"]) { house in
            let environment = house.display.environment.merging(house.buses.environment) { $1 }
            let said = try CommandRun(
                ["doctor"],
                environment: environment,
                directories: house.system.directories
            )
            #expect(said.code == 0)
            #expect(said.firstLine == "Screen Time sees this desktop through X11.")
            #expect(said.flat.contains("All 7 services answer."))
            #expect(said.flat.contains("Apps in your settings (never_pause): alpha."))
            try await eventually(within: .seconds(20), "the doctor reports the session") {
                let run = try CommandRun(
                    ["doctor", "--json"],
                    environment: environment,
                    directories: house.system.directories
                )
                guard try run.json()["asked"] == "desktop-agent",
                    run.flat.contains("user switches (session c7)"),
                    run.flat.contains("Screen Time counts the notifications")
                else { throw NotYet(run.text) }
            }
            let status = try CommandRun(
                ["status"],
                environment: environment,
                directories: house.system.directories
            )
            #expect(status.firstLine.hasPrefix("No desktop is available to show notifications."))
            #expect(status.flat.contains("Screen Time has been running"))
            #expect(status.flat.contains("Observed by: x11"))
        }
    }

    @Test("A rule for an app that is not installed is reported by the overview and the doctor")
    func deadRule() async throws {
        try await SwayHouse.run { house in
            try house.screentime("limit", "add", "foot", "1h")
            try house.screentime("limit", "add", "firefocks", "1h", "--anyway")
            for command in [nil, "doctor"] {
                try await eventually(
                    within: .seconds(20),
                    "the missing app is reported, once the catalogue is available"
                ) {
                    let said = try house.screentime(command ?? "--ids", isWell: false)
                    let flat = said.split(whereSeparator: \.isWhitespace).joined(separator: " ")
                    guard
                        flat.contains(
                            "The rule firefocks has no effect on firefocks, which is not installed here"
                        )
                    else {
                        throw NotYet(said)
                    }
                    #expect(!flat.contains("The rule foot"))
                }
            }
        }
    }

    @Test(
        "With a compositor that hides windows, commands warn first, and the time is unobserved"
    )
    func blind() async throws {
        let weston = try Weston()
        defer { weston.end() }
        var environment = weston.environment
        environment["XDG_CURRENT_DESKTOP"] = "GNOME"
        let settings = environment.merging(["SCREENTIME_DESKTOP_AGENT_ADAPTER": "auto"]) { $1 }
        try await TestSystem.run(
            services: XHouse.services,
            options: TestSystemOptions(environment: settings)
        ) { system in
            try await eventually(within: .seconds(30), "the agent reports that it observes nothing") {
                let status = try await system.client.call(DesktopStatus.self, Empty())
                guard status.isBlind == true, status.member != nil else { throw NotYet("\(status)") }
            }
            let doctor = try CommandRun(["doctor"], environment: environment, directories: system.directories)
            #expect(doctor.code == 1)
            #expect(doctor.firstLine.hasPrefix("Screen Time cannot see anything on this screen."))
            for command in [["status"], []] {
                let run = try CommandRun(command, environment: environment, directories: system.directories)
                #expect(run.code == 0)
                #expect(run.firstLine.hasPrefix("Screen Time cannot see anything on this screen."))
                #expect(run.flat.contains("screentime desktop enable gnome"))
            }
            let report = try CommandRun(["report"], environment: environment, directories: system.directories)
            #expect(report.firstLine.hasPrefix("Screen Time cannot see anything on this screen."))
            #expect(report.flat.contains("screentime desktop enable gnome"))

            try await eventually(within: .seconds(30), "the ledger contains unobserved time") {
                let open = try await system.client.call(UsageNow.self, Empty()).open
                let rows = try await system.client.call(UsageList.self, .init()).rows
                guard (rows + open).contains(where: { $0.presence == .unobserved }) else {
                    throw NotYet("\(rows) \(open)")
                }
            }
            // The next observation follows after five minutes. Until then a report must not claim that nothing was missed.
            #expect(report.flat.contains("Screen Time does not detect current usage."))
            #expect(!report.flat.contains("observed the whole period"))
            let korean = try CommandRun(
                ["report", "--language", "ko"],
                environment: environment,
                directories: system.directories
            )
            #expect(korean.flat.contains("지금 지나가는 시간은 보지 못합니다."))
        }
    }

    @Test("The doctor reports that its terminal has a display that the agent lacks")
    func elsewhere() async throws {
        let scratch = try ScratchDirectory()
        let display = try XDisplay(scratch)
        defer { display.stop() }
        try await TestSystem.run(
            services: [.auth, .activity, .desktop],
            options: TestSystemOptions(environment: ["SCREENTIME_DESKTOP_AGENT_ADAPTER": "auto"])
        ) { system in
            try await eventually(within: .seconds(30), "the agent reports that it observes nothing") {
                let status = try await system.client.call(DesktopStatus.self, Empty())
                guard status.isBlind == true else { throw NotYet("\(status)") }
            }
            let run = try CommandRun(
                ["doctor"],
                environment: display.environment,
                directories: system.directories
            )
            #expect(run.code == 1)
            #expect(run.flat.contains("Screen Time can see the desktop from this terminal"))
            #expect(run.flat.contains("These services do not answer"))
        }
    }
}
