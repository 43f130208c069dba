package import STContracts
package import STPlatform

/// The members and devices that a filter selects.
struct ReportPlan: Equatable {
    struct Person: Equatable {
        var member: String
        var isChild: Bool
    }

    struct Part: Equatable {
        var person: Person
        var device: ReportDevice
    }

    /// The parts, in the order of the reply.
    var parts: [Part]

    /// The members of all parts. Each must have allowed the app to see their usage.
    var members: [String] { Set(parts.map(\.person.member)).sorted() }

    init(
        _ filter: ReportFilter,
        app: String,
        asked member: String,
        devices: [ReportDevice],
        _ apps: ReportApps
    ) throws {
        let people = try Self.people(filter.users, app: app, asked: member, apps: apps)
        let devices = try Self.devices(filter.models, own: apps.installed[app]?.model ?? .mac, known: devices)
        parts = people.flatMap { person in devices.map { Part(person: person, device: $0) } }
    }

    private static func people(
        _ users: ReportUsers?,
        app: String,
        asked: String,
        apps: ReportApps
    ) throws -> [Person] {
        func person(_ member: String) -> Person {
            Person(member: member, isChild: apps.children[member] ?? false)
        }
        guard users == .all || users == .children else { return [person(asked)] }
        // Until the whole stream is read, a permission may have been revoked.
        guard apps.isWhole else {
            throw Problem(
                "unavailable",
                """
                auth-service has not yet reported who allows \(app, "app") to see their usage. Try again in a \
                moment.
                """,
                key: "unavailable.auth-service-has-not",
                retryable: true,
                help: "screentime status"
            )
        }
        // A child does not see a guardian's usage.
        if person(asked).isChild { return [person(asked)] }
        switch users {
        case nil, .current, .unknown: return [person(asked)]
        case .all:
            // auth-service has just confirmed the permission of the requesting member.
            let all = Set(apps.members(of: app)).union([asked])
            return all.sorted().map(person)
        case .children:
            let children = apps.members(of: app).map(person).filter(\.isChild)
            guard !children.isEmpty else {
                throw Problem(
                    "report.no_children",
                    """
                    No child of this household allows \(app, "app") to see their usage, so there is nothing \
                    to show. Ask a guardian to allow it, use .all in the filter, or leave out `users`.
                    """,
                    field: "/filter/users",
                    help: "screentime app access \(app) on --member NAME"
                )
            }
            return children
        }
    }

    /// Returns the devices of the models. `own` is the model of this computer for the app.
    private static func devices(_ models: [ReportModel]?, own: ReportModel, known: [ReportDevice]) throws
        -> [ReportDevice]
    {
        let devices = known.map { device in
            var device = device
            if device.isThis { device.model = own }
            return device
        }.sorted { ($0.isThis ? 0 : 1, $0.name, $0.device) < ($1.isThis ? 0 : 1, $1.name, $1.device) }
        guard let models else { return devices.filter(\.isThis) }
        guard !models.isEmpty else { return devices }
        let found = devices.filter { models.contains($0.model) }
        guard found.isEmpty else { return found }
        let wanted = models.dropFirst().reduce(MessageValue.text(models[0].appleName)) { wanted, model in
            .message(
                Message("report.kind-or-kind", "\(wanted, "kinds") or \(model.appleName, "kind")")
            )
        }
        throw Problem(
            "report.no_device",
            """
            No device of the kind \(wanted, "kinds") is known. Known devices: \
            \(names(of: devices), "devices"). If the app was written for a phone, set "deviceModel": \
            "iPhone" in its manifest.json. Its filters then match this computer.
            """,
            field: "/filter/models",
            help: "screentime app install FOLDER"
        )
    }

    /// Returns the names of the devices, beginning with this computer.
    private static func names(of devices: [ReportDevice]) -> MessageValue {
        let others = devices.filter { !$0.isThis }.map { "\($0.name) (\($0.model.appleName))" }
            .joined(separator: ", ")
        guard let this = devices.first(where: \.isThis) else { return .text(others) }
        let model = this.model.appleName
        return .message(
            others.isEmpty
                ? Message("report.this-computer", "this computer (\(model, "model"))")
                : Message(
                    "report.this-computer-and-others",
                    "this computer (\(model, "model")), \(others, "others")"
                )
        )
    }
}

extension ReportModel {
    /// The name in Apple's spelling.
    var appleName: String {
        switch self {
        case .iPhone: "iPhone"
        case .iPod: "iPod"
        case .iPad: "iPad"
        case .mac: "mac"
        case .unknown: "unknown"
        }
    }
}

/// Checks if an app may see a member's usage.
package enum ReportPermission {
    /// Returns `nil` if the app may see the usage.
    package static func problem(_ word: Authorization) -> Problem? {
        guard word.status != .approved || !word.access else { return nil }
        return Problem(
            "auth.unauthorized",
            "\(word.member, "member") has not allowed \(word.app, "app") to see their usage.",
            key: "auth.unauthorized.has-not-allowed",
            field: "/app",
            help: "screentime app access \(word.app) on --member \(word.member)"
        )
    }

    /// Does the same as `problem` for an app whose extension is to be called.
    static func refusal(_ word: Authorization, _ apps: ReportApps) -> Problem? {
        guard let problem = problem(word) else { return nil }
        return apps.installed[word.app] == nil && apps.isWhole ? notInstalled(word.app, apps) : problem
    }

    static func notInstalled(_ app: String, _ apps: ReportApps) -> Problem {
        guard apps.isWhole else {
            return Problem(
                "unavailable",
                "auth-service has not yet reported which apps are installed. Try again in a moment.",
                key: "unavailable.auth-service-has-not-said",
                retryable: true,
                help: "screentime status"
            )
        }
        let near = TextFormat.closest(to: app, in: apps.installed.keys.sorted())
        return Problem(
            "app.not_installed",
            text: near.map {
                Message(
                    "app.not_installed.did-you-mean",
                    "There is no app \(app.prefix(128), "app"). Did you mean \($0, "near")?"
                )
            } ?? Message("app.not_installed.there-is-no-app", "There is no app \(app.prefix(128), "app")."),
            field: "/app",
            help: near == nil ? "screentime app install FOLDER" : "screentime app list"
        )
    }
}
