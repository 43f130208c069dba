import STContracts
import STDomain
import STTestKit
import STTestSupport
import STZeroMQ
import Testing

extension ConsolePageTests {
    @Suite("Developer part of the page")
    struct Inside {
        @Test(
            "The developer part shows extensions, processes, followers, history and traces, and withdraws access",
            arguments: WebDriver.Kind.allCases
        )
        func inside(kind: WebDriver.Kind) async throws {
            try await ConsoleHouse.run { house in
                let app = try await house.system.approve("pauser")
                let driver = try await house.browser("inside", kind)
                defer { driver.end() }
                try driver.click("#nav-inside")
                try driver.shows("pauser", "monitor", in: "#extending")
                try driver.shows("activity-center", "desktop-agent", "MiB", in: "#processes")
                try driver.shows("usage (activity-center)", "live", in: "#followers")
                try driver.click("#history summary")
                try driver.shows("activity-center created a new database.", in: "#history")
                try driver.keepPicture("page-inside")
                // The progress of its activities is updated while it is displayed.
                try driver.click("#show-pauser summary")
                try driver.shows("pauser", in: "#show-pauser")
                let schedule = Schedule(
                    start: DateFields(hour: 0, minute: 0),
                    end: DateFields(hour: 23, minute: 59),
                    repeats: true
                )
                _ = try await house.system.client.call(
                    ActivityStart.self,
                    .init(app: "pauser", activity: "evening", schedule: schedule, events: [])
                )
                try driver.shows("evening", in: "#show-pauser")

                // Each message is below the one that caused it.
                try driver.click("#trace summary")
                try await eventually("a trace appears") {
                    _ = try await house.system.client.call(
                        ActivityStop.self,
                        .init(app: "pauser", activities: ["evening"])
                    )
                    try driver.shows("activity.stop", "─ commit", in: "#trace", within: .seconds(2))
                }
                try driver.keepPicture("page-trace")
                #expect(try driver.violations() == "[]")
                try driver.click("#trace summary")

                func access() async throws -> Bool? {
                    try await house.system.client.call(AuthorizationList.self, .init()).authorizations
                        .first { $0.app == "pauser" }?.access
                }
                #expect(try await access() == true)
                try driver.click("#access-pauser-\(app.member)")
                try await eventually("the app has no access") {
                    if try await access() != false { throw NotYet("it may") }
                }
                try eventuallyBlocking(within: .seconds(30), "the page shows it") {
                    let isOn = try driver.run(
                        "return document.querySelector('#access-pauser-\(app.member)').checked"
                    )
                    if isOn != .bool(false) { throw NotYet("\(isOn)") }
                }
            }
        }

        @Test(
            "A week of an installed app is played in virtual time on the page, with its callbacks",
            .enabled(if: BuiltTree.hasKit, "uses a program of the developer kit"),
            arguments: WebDriver.Kind.allCases
        )
        func tries(kind: WebDriver.Kind) async throws {
            try await ConsoleHouse.run { house in
                let programs = try BuiltTree.program("worklog")
                _ = try await house.system.approve(
                    "worklog",
                    bundle: BuiltTree.source("Services/developer-kit/examples/worklog"),
                    programs: String(programs.dropLast("/worklog".count))
                )
                let driver = try await house.browser("try", kind)
                defer { driver.end() }
                try driver.click("#nav-inside")
                try driver.shows("Worklog", in: "#extending")
                try driver.click("#try-worklog summary")
                let frame = "document.querySelector('#try-worklog iframe')"
                try eventuallyBlocking(within: .seconds(60), "the week is there") {
                    let isThere = try driver.run("return \(frame)?.previousSibling.textContent === ''")
                    guard isThere == true else { throw NotYet("not yet") }
                }
                try driver.keepPicture("page-try")
                let answer = try driver.runAsync(
                    """
                    const done = arguments[arguments.length - 1];
                    fetch(\(frame).src).then(async (reply) => done([reply.status, await reply.text()]));
                    """
                )
                guard case .array(let parts) = answer, parts.count == 2 else { throw NotYet("\(answer)") }
                #expect(parts[0] == 200)
                #expect(parts[1].string?.contains("intervalDidStart") == true)
                let folder = try driver.runAsync(
                    """
                    const done = arguments[arguments.length - 1];
                    fetch(\(frame).src.replace('worklog', '%2Ftmp')).then(async (reply) => done([reply.status, await reply.text()]));
                    """
                )
                guard case .array(let refusal) = folder, refusal.count == 2 else { throw NotYet("\(folder)") }
                #expect(
                    refusal[0] == 403 && refusal[1].string?.contains("Type it in a terminal") == true
                )
            }
        }
    }
}
