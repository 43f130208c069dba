import STContracts
import STPlatform
import STSimulation
import Testing

@Suite("Invalid scenarios")
struct ScenarioReaderTests {
    private func problem(_ text: String) throws -> Problem? {
        do {
            _ = try ScenarioFiles.read(text: text)
            return nil
        } catch let problem as Problem {
            return problem
        }
    }

    @Test(
        "An invalid scenario is rejected with a code, the field, the line and a sentence",
        arguments: BadScenarios.formal + BadScenarios.meant
    )
    func refusals(_ bad: BadScenarios.Case) throws {
        let problem = try #require(try problem(bad.text))

        #expect(problem.code == bad.code)
        #expect(problem.field == bad.field)
        #expect(problem.details["line"] == "1")
        #expect(problem.message.hasPrefix("Line 1: "))
        #expect(problem.message.hasSuffix(".") || problem.message.hasSuffix("?"), "\(problem.message)")
    }

    @Test(
        "A scenario with impossible times is rejected before it starts",
        arguments: BadScenarios.timed
    )
    func timed(_ bad: BadScenarios.Case) async throws {
        let scenario = try ScenarioFiles.read(text: bad.text)
        let problem = await refused { _ = try await Simulation.inProcess(scenario) }

        #expect(problem?.code == bad.code)
        #expect(problem?.field == bad.field)
    }

    @Test("The rejection of a scenario names its line in a long file and suggests the right field")
    func lines() throws {
        let text = ScenarioExample.text.replacing("\"site\"", with: "\"sit\"")
        let problem = try #require(try problem(text))

        #expect(problem.details["line"] == "11")
        #expect(problem.message.contains("Did you mean site?"))
    }

    @Test("A scenario that is not JSON is rejected with the line of the error")
    func noJSON() throws {
        let problem = try #require(try problem("{\n  \"name\": \"n\",\n  \"zone\": UTC\n}"))

        #expect(problem.code == "scenario.not_json")
        #expect(problem.message.hasPrefix("Line 3: "))
        #expect(try self.problem("[1]")?.code == "scenario.wrong_type")
        #expect(try self.problem("")?.code == "scenario.not_json")
        #expect(try self.problem(String(repeating: "[", count: 100))?.code == "scenario.not_json")
    }
}

/// Scenarios with one error each.
enum BadScenarios {
    struct Case: Sendable, CustomTestStringConvertible {
        var text: String
        var code: String
        var field: String

        var testDescription: String { "\(code) \(field)" }
    }

    private static func whole(_ members: String) -> String {
        #"{"name": "n", "zone": "UTC", "start": "2026-05-04 10:00", \#(members)}"#
    }

    private static func step(_ step: String) -> String { whole(#""steps": [\#(step)]"#) }

    /// Formal errors, which an editor can detect with the schema.
    static let formal: [Case] = [
        Case(
            text: #"{"zone": "UTC", "start": "2026-05-04 10:00"}"#,
            code: "scenario.missing_field",
            field: "/name"
        ),
        Case(
            text: #"{"name": "n", "zone": "UTC", "start": "10:00"}"#,
            code: "scenario.bad_time",
            field: "/start"
        ),
        Case(
            text: #"{"name": 5, "zone": "UTC", "start": "2026-05-04 10:00"}"#,
            code: "scenario.wrong_type",
            field: "/name"
        ),
        Case(text: whole(#""stepps": []"#), code: "scenario.unknown_field", field: "/stepps"),
        Case(text: whole(#""steps": {}"#), code: "scenario.wrong_type", field: "/steps"),
        Case(
            text: whole(#""members": [{"name": "kid", "role": "toddler"}]"#),
            code: "scenario.bad_value",
            field: "/members/0/role"
        ),
        Case(text: whole(#""categories": {"a": "fun"}"#), code: "scenario.bad_value", field: "/categories/a"),
        Case(text: whole(#""rules": [{"name": "x"}]"#), code: "scenario.bad_rule", field: "/rules/0"),
        Case(
            text: whole(#""rules": [{"limit": ["a"], "allow": ["b"], "of": "1h"}]"#),
            code: "scenario.bad_rule",
            field: "/rules/0"
        ),
        Case(
            text: whole(#""rules": [{"downtime": "9pm"}]"#),
            code: "scenario.bad_time",
            field: "/rules/0/downtime"
        ),
        Case(
            text: whole(#""rules": [{"limit": ["a"], "of": "1h", "on": "monday"}]"#),
            code: "scenario.bad_days",
            field: "/rules/0/on"
        ),
        Case(
            text: whole(#""activities": [{"name": "a", "from": "8:00", "to": "09:00"}]"#),
            code: "scenario.bad_time",
            field: "/activities/0/from"
        ),
        Case(
            text: whole(
                #""activities": [{"name": "a", "from": "08:00", "to": "09:00", "events": [{"name": "e"}]}]"#
            ),
            code: "scenario.missing_field",
            field: "/activities/0/events/0/after"
        ),
        Case(text: step(#"{"member": "me"}"#), code: "scenario.bad_step", field: "/steps/0"),
        Case(text: step(#"{"idle": "1m", "lock": "1m"}"#), code: "scenario.bad_step", field: "/steps/0"),
        Case(text: step(#"{"idle": "5"}"#), code: "scenario.bad_duration", field: "/steps/0/idle"),
        Case(
            text: step(#"{"use": "a", "for": "1m", "at": "tomorrow"}"#),
            code: "scenario.bad_time",
            field: "/steps/0/at"
        ),
        Case(
            text: step(#"{"use": "a", "for": "1m", "ap": "b"}"#),
            code: "scenario.unknown_field",
            field: "/steps/0/ap"
        ),
        Case(text: step(#"{"days": 0, "steps": []}"#), code: "scenario.wrong_type", field: "/steps/0/days"),
        Case(
            text: whole(#""expect": [{"at": "2026-05-04 10:00"}]"#),
            code: "scenario.bad_expectation",
            field: "/expect/0"
        ),
        Case(
            text: whole(#""expect": [{"callback": "intervalDidBegin"}]"#),
            code: "scenario.unknown_callback",
            field: "/expect/0/callback"
        ),
        Case(
            text: whole(#""expect": [{"callback": "intervalDidStart", "at": "10:00"}]"#),
            code: "scenario.bad_time",
            field: "/expect/0/at"
        ),
        Case(
            text: whole(#""expect": [{"shielded": "a", "not_shielded": "b"}]"#),
            code: "scenario.bad_expectation",
            field: "/expect/0"
        ),
        Case(
            text: whole(#""expect": [{"store": "a/b", "empty": "yes"}]"#),
            code: "scenario.wrong_type",
            field: "/expect/0/empty"
        ),
        Case(
            text: whole(#""rules": [{"limit": ["a"], "of": "1h", "then": "shout"}]"#),
            code: "scenario.bad_value",
            field: "/rules/0/then"
        ),
        Case(
            text: whole(#""apps": [{"bundle": "b", "defaults": {"group.a": {"a": null}}}]"#),
            code: "scenario.wrong_type",
            field: "/apps/0/defaults/group.a/a"
        ),
        Case(text: step(#"{"press": "third"}"#), code: "scenario.bad_value", field: "/steps/0/press"),
        Case(
            text: step(#"{"request": [5], "for": "5m"}"#),
            code: "scenario.wrong_type",
            field: "/steps/0/request/0"
        ),
    ]

    /// Errors in the meaning of values.
    static let meant: [Case] = [
        Case(
            text: whole(#""apps": [{"bundle": "b", "defaults": {"../etc": {"a": 1}}}]"#),
            code: "scenario.wrong_type",
            field: "/apps/0/defaults/../etc"
        ),
        Case(
            text: whole(
                #""apps": [{"bundle": "b", "defaults": {"group.a": {"a": {"selection": ["category:no"]}}}}]"#
            ),
            code: "scenario.bad_value",
            field: "/apps/0/defaults/group.a/a"
        ),
        Case(
            text: #"{"name": "n", "zone": "Europe/Atlantis", "start": "2026-05-04 10:00"}"#,
            code: "scenario.unknown_zone",
            field: "/zone"
        ),
        Case(
            text: #"{"name": "n", "zone": "UTC", "start": "2026-02-30 10:00"}"#,
            code: "scenario.bad_time",
            field: "/start"
        ),
        Case(
            text: whole(#""members": [{"name": "me", "role": "child"}]"#),
            code: "scenario.twice",
            field: "/members/0/name"
        ),
        Case(
            text: whole(#""rules": [{"limit": ["category:fun"], "of": "1h"}]"#),
            code: "scenario.bad_subject",
            field: "/rules/0/limit"
        ),
        Case(
            text: whole(#""rules": [{"limit": ["a"]}]"#),
            code: "scenario.missing_field",
            field: "/rules/0/of"
        ),
        Case(text: step(#"{"use": "a"}"#), code: "scenario.missing_field", field: "/steps/0/for"),
        Case(
            text: step(#"{"use": "site:example.org", "for": "1m"}"#),
            code: "scenario.bad_subject",
            field: "/steps/0/use"
        ),
        Case(
            text: step(#"{"use": "a", "for": "1m", "member": "mee"}"#),
            code: "scenario.unknown_member",
            field: "/steps/0/member"
        ),
        Case(text: step(#"{"zone": "Nowhere"}"#), code: "scenario.unknown_zone", field: "/steps/0/zone"),
        Case(text: step(#"{"kill": "desktop-agent"}"#), code: "scenario.bad_value", field: "/steps/0/kill"),
        Case(text: step(#"{"set_clock": "1h"}"#), code: "scenario.bad_time", field: "/steps/0/set_clock"),
        Case(text: step(#"{"use": "a", "for": "0s"}"#), code: "scenario.bad_duration", field: "/steps/0/for"),
        Case(
            text: step(#"{"days": 2, "steps": [{"use": "a", "for": "1m", "at": "2026-05-04 11:00"}]}"#),
            code: "scenario.bad_time",
            field: "/steps/0/steps/0/at"
        ),
        Case(
            text: step(#"{"days": 2, "steps": [{"days": 2, "steps": []}]}"#),
            code: "scenario.bad_step",
            field: "/steps/0/steps/0/days"
        ),
        Case(
            text: step(#"{"after": "1m", "at": "11:00", "idle": "1m"}"#),
            code: "scenario.bad_step",
            field: "/steps/0/after"
        ),
        Case(
            text: whole(#""expect": [{"shielded": "category:fun"}]"#),
            code: "scenario.bad_subject",
            field: "/expect/0/shielded"
        ),
        Case(
            text: whole(#""expect": [{"not_shielded": "site:a.example", "site": "b.example"}]"#),
            code: "scenario.bad_subject",
            field: "/expect/0/site"
        ),
        Case(
            text: whole(#""expect": [{"shield_shown": "a", "member": "mee"}]"#),
            code: "scenario.unknown_member",
            field: "/expect/0/member"
        ),
        Case(
            text: whole(#""expect": [{"store": "worklog/gaming"}]"#),
            code: "scenario.missing_field",
            field: "/expect/0/setting"
        ),
        Case(
            text: whole(#""expect": [{"store": "/gaming", "empty": true}]"#),
            code: "scenario.bad_subject",
            field: "/expect/0/store"
        ),
        Case(text: step(#"{"request": "a"}"#), code: "scenario.missing_field", field: "/steps/0/for"),
        Case(
            text: step(#"{"request": "category:fun", "for": "5m"}"#),
            code: "scenario.bad_subject",
            field: "/steps/0/request"
        ),
        Case(text: step(#"{"approve": "mee"}"#), code: "scenario.unknown_member", field: "/steps/0/approve"),
    ]

    /// Errors that appear only when the times are calculated.
    static let timed: [Case] = [
        Case(
            text: step(#"{"use": "a", "for": "2h"}, {"use": "b", "for": "1m", "at": "2026-05-04 11:00"}"#),
            code: "scenario.overlap",
            field: "/steps/1"
        ),
        Case(
            text: step(#"{"use": "a", "for": "2h", "at": "2026-05-04 09:00"}"#),
            code: "scenario.bad_time",
            field: "/steps/0/at"
        ),
        Case(text: step(#"{"use": "a", "for": "1900d"}"#), code: "scenario.too_long", field: "/steps/0"),
        Case(
            text: whole(#""end": "2026-05-04 10:30", "steps": [{"use": "a", "for": "1h"}]"#),
            code: "scenario.bad_time",
            field: "/end"
        ),
    ]
}
