import STContracts
import STDomain
package import STPlatform
import STSimulator

/// Reads a scenario. It reports errors with the line, the place and a solution.
package enum ScenarioReader {
    private static let listMax = 2_000
    /// The maximum number of members, so that one batch has space for all of them and for new observations.
    private static let membersMax = 32
    private static let fields = [
        "name", "about", "zone", "start", "end", "owner", "members", "categories", "apps", "rules",
        "activities",
        "steps", "expect",
    ]

    package static func read(_ bytes: [UInt8], folder: String) throws -> Scenario {
        do {
            return try scenario(try JSONLocations.value(bytes), folder: folder)
        } catch JSONFault.malformed(let index) {
            throw Problem(
                "scenario.not_json",
                """
                Line \(JSONLocations.line(ofByte: index, in: bytes), "line"): the JSON is invalid from here on. \
                Look for a missing or extra comma, quote or bracket.
                """
            )
        } catch JSONFault.tooDeep(let limit) {
            throw Problem(
                "scenario.not_json",
                "The file is nested deeper than \(limit, "most") levels.",
                key: "scenario.not_json.the-file-is"
            )
        } catch let problem as Problem {
            throw located(problem, bytes)
        }
    }

    /// Returns the problem with the line number as a prefix.
    package static func located(_ problem: Problem, _ bytes: [UInt8]) -> Problem {
        guard let field = problem.field, let line = JSONLocations.line(of: field, in: bytes) else {
            return problem
        }
        var problem = problem
        problem.text = Message("scenario.in-a-line", "Line \(line, "line"): \(problem.text, "problem")")
        problem.details["line"] = String(line)
        return problem
    }

    private static func scenario(_ value: JSONValue, folder: String) throws -> Scenario {
        let fields = try ScenarioFields(value, path: "", what: "A scenario")
        try fields.allow(Self.fields)
        let zone = try fields.required("zone", "Name the time zone of the device, such as Europe/Berlin.")
        let rules = try ScenarioFields.zone(zone, fields.pointer("zone"))
        var scenario = Scenario(
            name: try fields.required("name", "Say in a few words what this is about."),
            about: try fields.text("about"),
            zone: zone,
            start: try start(fields, rules),
            end: try fields.civilTime("end").map { .init(text: $0, path: fields.pointer("end")) },
            owner: try fields.text("owner") ?? "me",
            folder: folder
        )
        scenario.members = try fields.list("members", limit: membersMax).map { try member($0, $1) }
        let people = ScenarioPeople(names: scenario.names)
        try people.check()
        let watching = MonitoringReader(people: people)
        let steps = StepReader(people: people, monitoringReader: watching)
        let expectations = ExpectationReader(people: people)
        scenario.categories = try categories(fields)
        scenario.apps = try fields.list("apps", limit: listMax).map { try app($0, path: $1, people: people) }
        scenario.rules = try fields.list("rules", limit: listMax).map { try watching.rule($0, $1) }
        scenario.activities = try fields.list("activities", limit: listMax).map {
            try watching.activity($0, $1)
        }
        scenario.steps = try fields.list("steps", limit: StepReader.stepsMax).map { try steps.step($0, $1) }
        scenario.expectations = try fields.list("expect", limit: listMax).map {
            try expectations.expectation($0, $1)
        }
        return scenario
    }

    private static func start(_ fields: ScenarioFields, _ rules: ZoneRules) throws -> WallTime {
        _ = try fields.required("start", "Say when it begins, such as 2026-10-24 07:00.")
        guard let civil = try fields.civilTime("start"), case .moment = civil else {
            throw Problem(
                "scenario.bad_time",
                "The start needs a day and a time, such as 2026-10-24 07:00.",
                key: "scenario.bad_time.the-start-is",
                field: fields.pointer("start")
            )
        }
        let wall = civil.wall(in: rules)
        guard (0...4_102_444_800_000).contains(wall.ms) else {
            throw Problem(
                "scenario.bad_time",
                "A scenario must begin between 1970 and 2099.",
                key: "scenario.bad_time.a-scenario-begins",
                field: fields.pointer("start")
            )
        }
        return wall
    }

    private static func member(_ value: JSONValue, _ path: String) throws -> ScenarioMember {
        let fields = try ScenarioFields(value, path: path, what: "A member")
        try fields.allow(["name", "role"])
        let roles = MemberRole.known.joined(separator: ", ")
        let text = try fields.required("role", "It is one of \(roles).")
        guard let role = MemberRole(rawValue: text), role != .unknown else {
            throw Problem(
                "scenario.bad_value",
                "A role is one of \(roles, "roles").",
                field: fields.pointer("role")
            )
        }
        return ScenarioMember(name: try fields.required("name", "Give each a short name."), role: role)
    }

    private static func categories(_ fields: ScenarioFields) throws -> [ScenarioCategory] {
        guard let value = fields.value("categories") else { return [] }
        let path = fields.pointer("categories")
        guard case .object(let members) = value else {
            throw Problem(
                "scenario.wrong_type",
                "`categories` must be an object, such as {\"org.example.chess\": \"games\"}.",
                key: "scenario.wrong_type.categories-is-an",
                field: path
            )
        }
        return try members.sorted { $0.key < $1.key }.map { subject, category in
            let place = "\(path)/\(subject)"
            guard case .string(let name) = category, Category(rawValue: name) != nil else {
                let all = Category.allCases.map(\.rawValue).joined(separator: ", ")
                throw Problem(
                    "scenario.bad_value",
                    "A category is one of \(all, "all").",
                    key: "scenario.bad_value.a-category-is",
                    field: place
                )
            }
            return ScenarioCategory(subject: subject, category: name, path: place)
        }
    }

    private static func app(_ value: JSONValue, path: String, people: ScenarioPeople) throws
        -> ScenarioApp
    {
        let fields = try ScenarioFields(value, path: path, what: "An app")
        try fields.allow(["bundle", "programs", "permitted_by", "defaults"])
        let permitted = try fields.texts("permitted_by")
        for name in permitted { try people.check(member: name, fields.pointer("permitted_by")) }
        return ScenarioApp(
            bundle: try fields.required("bundle", "Name the folder with manifest.json."),
            programs: try fields.text("programs"),
            permittedBy: permitted.isEmpty && !fields.has("permitted_by") ? [people.names[0]] : permitted,
            defaults: try fields.value("defaults").map {
                try ScenarioDefaults.all($0, fields.pointer("defaults"))
            } ?? [],
            path: path
        )
    }
}

/// The people that a scenario may name.
struct ScenarioPeople {
    /// The names, starting with the owner of the account.
    let names: [String]

    func check() throws {
        for (index, name) in names.enumerated() where names.firstIndex(of: name) != index {
            throw Problem(
                "scenario.twice",
                """
                Two people are called \(name, "name"). Do not list \(names[0], "names"), the owner of the \
                account.
                """,
                field: "/members/\(index - 1)/name"
            )
        }
    }

    func member(_ fields: ScenarioFields) throws -> String? {
        guard let name = try fields.text("member") else { return nil }
        try check(member: name, fields.pointer("member"))
        return name
    }

    func check(member name: String, _ path: String) throws {
        guard !names.contains(name) else { return }
        let list = names.joined(separator: ", ")
        throw Problem(
            "scenario.unknown_member",
            text: TextFormat.closest(to: name, in: names).map {
                Message(
                    "scenario.unknown_member.did-you-mean",
                    """
                    No member is called \(name, "name"). Did you mean \($0, "near")? Members: \
                    \(list, "members").
                    """
                )
            }
                ?? Message(
                    "scenario.unknown_member.there-are",
                    "No member is called \(name, "name"). Members: \(list, "members")."
                ),
            field: path
        )
    }
}
