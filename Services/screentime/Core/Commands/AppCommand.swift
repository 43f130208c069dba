import Glibc
import STContracts
import STPlatform

/// `screentime app …`: what is installed, and the two switches.
enum AppCommands {
    private static let byOption = Command.Option(
        "--by",
        "NAME",
        "which guardian decides, where there are several"
    )

    static let commands: [Command] = [
        Command(
            ["app", "install"],
            "Checks an app with its extensions and installs it",
            subjects: [.init("FOLDER", "the app's bundle: a folder with a manifest.json")],
            options: [
                .init("--programs", "DIR", "where executables are that are not in the bundle"), .json,
            ],
            example: "screentime app install ./Promise"
        ) { try await install($0) },
        Command(
            ["app", "list"],
            "The apps installed, and who lets them use Screen Time",
            options: [.json],
            example: "screentime app list"
        ) { try await list($0) },
        Command(
            ["app", "remove"],
            "Forgets an app; what it was allowed and what it watched ends",
            subjects: [.init("APP", "its id")],
            options: [byOption, .json],
            example: "screentime app remove promise"
        ) { try await remove($0) },
        AccessCommand.command,
        Command(
            ["app", "enforce"],
            "Puts what an app has set into force, or not",
            subjects: [
                .init("APP", "its id"), .init("on|off", "without it, how it stands", isOptional: true),
            ],
            options: [
                .init("--member", "NAME", "for whom; the owner of this account without it"), byOption, .json,
            ],
            example: "screentime app enforce promise off"
        ) { try await enforce($0) },
    ]

    // MARK: - Installing

    private static func install(_ invocation: Invocation) async throws -> ExitCode {
        var programs = try SystemPlaces(invocation).binaries
        if let folder = invocation.value("--programs") { programs = try absolute(folder) }
        let request = AppInstall.Request(bundle: try absolute(invocation.subjects[0]), programs: programs)
        let reply = try await ServiceClients.with(invocation.directories) {
            try await $0.call(AppInstall.self, request)
        }
        let terminal = invocation.terminal
        if invocation.wantsJSON {
            terminal.write(JSONOutput.pretty(try JSONOutput.value(of: reply)))
            return .done
        }
        let manifest = reply.app.manifest
        let count = manifest.extensions.count
        var text =
            "\(reply.replaced ? "Replaced" : "Installed") \(DisplayWidth.harmless(manifest.name)) "
            + "(\(manifest.id)) \(DisplayWidth.harmless(manifest.version)), with "
            + (count == 1 ? "1 extension" : "\(count) extensions")
        text += count == 0 ? "." : ": \(points(manifest))."
        terminal.write(text)
        if !reply.replaced {
            terminal.write("It may do nothing yet. To let it: screentime app access \(manifest.id) on")
        }
        return .done
    }

    static func absolute(_ path: String) throws(Problem) -> String {
        if path.hasPrefix("/") { return path }
        guard let buffer = getcwd(nil, 0) else { throw SystemError.last("getcwd") }
        defer { free(buffer) }
        return String(cString: buffer) + "/" + path
    }

    /// The last part of each identifier says enough.
    private static func points(_ manifest: AppManifest) -> String {
        manifest.extensions.map { item in
            item.point.split(separator: ".").last.map { DisplayWidth.harmless(String($0)) } ?? ""
        }.joined(separator: ", ")
    }

    private static func list(_ invocation: Invocation) async throws -> ExitCode {
        let (apps, permissions) = try await ServiceClients.with(invocation.directories) {
            (try await everyApp($0), try await everyPermission($0))
        }
        let terminal = invocation.terminal
        if invocation.wantsJSON {
            terminal.write(
                JSONOutput.pretty([
                    "apps": .array(try apps.map { try JSONOutput.value(of: $0) }),
                    "authorizations": .array(try permissions.map { try JSONOutput.value(of: $0) }),
                ])
            )
            return .done
        }
        guard !apps.isEmpty else {
            terminal.write("No app is installed. To install one: screentime app install FOLDER")
            return .done
        }
        var table = TextTable([
            ("APP", .left), ("NAME", .left), ("VERSION", .left), ("ALLOWED BY", .left), ("EXTENSIONS", .left),
        ])
        for app in apps {
            let manifest = app.manifest
            let members = permissions.filter { $0.app == manifest.id && $0.access }.map {
                $0.enforce ? $0.member : "\($0.member) (not enforced)"
            }
            table.add([
                .init(manifest.id), .init(manifest.name), .init(manifest.version),
                .init(members.isEmpty ? "nobody" : members.joined(separator: ", ")), .init(points(manifest)),
            ])
        }
        let lines = table.lines(columns: terminal.columns, expendable: ["VERSION", "EXTENSIONS"], terminal)
        terminal.write(lines.joined(separator: "\n"))
        return .done
    }

    private static func everyApp(_ clients: ServiceClients) async throws -> [InstalledApp] {
        var apps: [InstalledApp] = []
        var next: String?
        repeat {
            let page = try await clients.call(AppList.self, .init(next: next))
            apps += page.apps
            next = page.next
        } while next != nil
        return apps
    }

    private static func everyPermission(_ clients: ServiceClients) async throws -> [Authorization] {
        var all: [Authorization] = []
        var next: String?
        repeat {
            let page = try await clients.call(AuthorizationList.self, .init(next: next))
            all += page.authorizations
            next = page.next
        } while next != nil
        return all
    }

    private static func remove(_ invocation: Invocation) async throws -> ExitCode {
        let app = invocation.subjects[0]
        let removed = try await ServiceClients.with(invocation.directories) { clients in
            try await ProofPrompt(invocation).run { by, passcode in
                let reply = try await clients.call(
                    AppRemove.self,
                    .init(app: app, by: by, passcode: passcode)
                )
                return (reply.removed, reply.refusal)
            }
        }
        let terminal = invocation.terminal
        if invocation.wantsJSON {
            terminal.write(JSONOutput.pretty(["app": .string(app), "removed": .bool(removed)]))
        } else {
            let name = DisplayWidth.harmless(app)
            terminal.write(removed ? "Removed \(name)." : "\(name) was not installed; nothing was removed.")
        }
        return removed ? .done : .no
    }

    // MARK: - Switches

    private static func enforce(_ invocation: Invocation) async throws -> ExitCode {
        let isOn = try onOrOff(invocation, "enforce")
        let app = invocation.subjects[0]
        let member = invocation.value("--member")
        return try await ServiceClients.with(invocation.directories) { clients in
            guard let isOn else {
                let known = try await clients.call(AuthStatus.self, .init(app: app, member: member))
                return try await tell(known, invocation, clients)
            }
            let known = try await ProofPrompt(invocation).run { by, passcode in
                let reply = try await clients.call(
                    AuthSwitch.self,
                    .init(app: app, member: member, enforce: isOn, by: by, passcode: passcode)
                )
                return (reply.authorization, reply.refusal)
            }
            return try await tell(known, invocation, clients)
        }
    }

    static func onOrOff(_ invocation: Invocation, _ verb: String) throws(Problem) -> Bool? {
        let words = invocation.subjects
        guard words.count > 1 else {
            guard words[0] == "on" || words[0] == "off" else { return nil }
            throw Problem(
                "usage.subject_missing",
                "Say which app is switched \(words[0]).",
                help: "screentime app \(verb) APP \(words[0])"
            )
        }
        switch words[1] {
        case "on": return true
        case "off": return false
        default:
            let isSwapped = words[0] == "on" || words[0] == "off"
            throw Problem(
                "usage.bad_choice",
                isSwapped
                    ? "The app comes first, then \(words[0])."
                    : "“\(words[1])” is neither on nor off.",
                help: isSwapped
                    ? "screentime app \(verb) \(words[1]) \(words[0])"
                    : "screentime app \(verb) \(words[0]) on"
            )
        }
    }

    /// How it stands, in one sentence.
    static func tell(
        _ known: Authorization,
        _ invocation: Invocation,
        _ clients: ServiceClients
    ) async throws -> ExitCode {
        if invocation.wantsJSON {
            invocation.terminal.write(JSONOutput.pretty(try JSONOutput.value(of: known)))
            return .done
        }
        invocation.terminal.write(sentence(known))
        return .done
    }

    static func sentence(_ known: Authorization) -> String {
        let app = DisplayWidth.harmless(known.app)
        let member = DisplayWidth.harmless(known.member)
        return switch known.status {
        case .approved where known.enforce: "\(app) may use Screen Time with \(member)."
        case .approved:
            "\(app) may use Screen Time with \(member), but what it sets is not in force. "
                + "To change that: screentime app enforce \(app) on"
        case .denied: "\(app) may not use Screen Time with \(member)."
        case .notDetermined, .unknown:
            "\(app) has not been allowed to use Screen Time with \(member), nor refused."
        }
    }
}
