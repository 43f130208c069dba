import STContracts
import STPlatform

/// `screentime app install|list|remove|enforce`. The other verbs are in separate files.
enum AppInstallCommand {
    static let commands: [Command] = [
        Command(
            ["app", "install"],
            "Checks an app with its extensions and installs it",
            subjects: [
                .init(
                    .folder,
                    "the app's bundle: a folder with a manifest.json",
                    key: "help.arg-folder.the-apps-bundle-a-folder"
                )
            ],
            options: [
                .init(
                    "--programs",
                    place: .folder,
                    summary: "the folder of executables that are not in the bundle"
                ), .json,
            ],
            example: "screentime app install ./Promise"
        ) { try await install($0) },
        Command(
            ["app", "list"],
            "Lists the installed apps, and which people let them use Screen Time",
            options: [.json],
            example: "screentime app list"
        ) { try await list($0) },
        Command(
            ["app", "remove"],
            "Removes an app; this ends its permissions and its monitoring",
            subjects: [.init("APP", "the app's id", key: "help.arg-app.its-id")],
            options: [ProofPrompt.option, .json],
            example: "screentime app remove promise"
        ) { try await remove($0) },
        AppAccessCommand.command,
        Command(
            ["app", "enforce"],
            "Switches enforcement of an app's settings on or off",
            subjects: [
                .init("APP", "the app's id", key: "help.arg-app.its-id"),
                .init("on|off", "`on` or `off`; without it, shows the current setting", isOptional: true),
            ],
            options: [
                .init(
                    "--member",
                    value: "NAME",
                    summary: "the person; by default the owner of this account",
                    key: "help.--member.for-whom-by-default-the"
                ),
                ProofPrompt.option, .json,
            ],
            example: "screentime app enforce promise off"
        ) { try await enforce($0) },
    ]

    // MARK: - Installing

    private static func install(_ invocation: Invocation) async throws -> ExitCode {
        var programs = try SystemPlaces(invocation).binaries
        if let folder = invocation.value("--programs") { programs = try FileTree.absolute(folder) }
        let bundle = try FileTree.absolute(invocation.subjects[0])
        if FileTree.parent(of: bundle).hasSuffix("/Services/developer-kit/examples") {
            try SourceTree.buildDeveloperPrograms(invocation.terminal)
        }
        let request = AppInstall.Request(bundle: bundle, programs: programs)
        let reply = try await ServiceClients.with(invocation.directories) {
            try await $0.call(AppInstall.self, request)
        }
        let manifest = reply.app.manifest
        let count = manifest.extensions.count
        let title =
            "\(DisplayWidth.sanitized(manifest.name)) (\(manifest.id)) \(DisplayWidth.sanitized(manifest.version))"
        var text =
            reply.replaced
            ? Speech.say(
                "app.replaced-with",
                count: count,
                one: "Replaced \(title, "app"), with 1 extension",
                other: "Replaced \(title, "app"), with \(count, "count") extensions"
            )
            : Speech.say(
                "app.installed-with",
                count: count,
                one: "Installed \(title, "app"), with 1 extension",
                other: "Installed \(title, "app"), with \(count, "count") extensions"
            )
        text += count == 0 ? "." : ": \(points(manifest))."
        if !reply.replaced {
            text +=
                "\n"
                + ProblemText.asTyped(
                    Speech.say("app.it-may-not-do", "It has no permissions yet. To allow it: ")
                        + "screentime app access \(manifest.id) on"
                )
        }
        return try invocation.show(json: try JSONOutput.pretty(of: reply), text: text)
    }

    /// Returns the last part of each extension point.
    private static func points(_ manifest: AppManifest) -> String {
        manifest.extensions.map { item in
            item.point.split(separator: ".").last.map { DisplayWidth.sanitized(String($0)) } ?? ""
        }.joined(separator: ", ")
    }

    private static func list(_ invocation: Invocation) async throws -> ExitCode {
        let (apps, permissions) = try await ServiceClients.with(invocation.directories) {
            (try await $0.installedApps(), try await $0.authorizations())
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
            terminal.write(
                ProblemText.asTyped(
                    Speech.say("app.no-app-is-installed", "No app is installed. To install one: ")
                        + "screentime app install FOLDER"
                )
            )
            return .done
        }
        let titles = [
            Speech.say("app.app", "APP"), Speech.say("app.name", "NAME"),
            Speech.say("app.version", "VERSION"),
            Speech.say("app.allowed-by", "ALLOWED BY"), Speech.say("app.extensions", "EXTENSIONS"),
        ]
        var table = TextTable(titles.map { ($0, .left) })
        for app in apps {
            let manifest = app.manifest
            let members = permissions.filter { $0.app == manifest.id && $0.access }.map {
                $0.enforce ? $0.member : $0.member + Speech.say("app.not-enforced", " (not enforced)")
            }
            table.add([
                .init(manifest.id), .init(manifest.name), .init(manifest.version),
                .init(members.isEmpty ? "–" : members.joined(separator: ", ")), .init(points(manifest)),
            ])
        }
        let lines = table.lines(columns: terminal.columns, expendable: [titles[2], titles[4]], terminal)
        terminal.write(lines.joined(separator: "\n"))
        return .done
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
            let name = DisplayWidth.sanitized(app)
            terminal.write(
                removed
                    ? Speech.say("app.removed", "Removed \(name, "name").")
                    : Speech.say(
                        "app.was-not-installed-nothing",
                        "\(name, "name") was not installed; nothing was removed."
                    )
            )
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
                return try show(known, invocation)
            }
            let known = try await ProofPrompt(invocation).run { by, passcode in
                let reply = try await clients.call(
                    AuthSwitch.self,
                    .init(app: app, member: member, enforce: isOn, by: by, passcode: passcode)
                )
                return (reply.authorization, reply.refusal)
            }
            return try show(known, invocation)
        }
    }

    static func onOrOff(_ invocation: Invocation, _ verb: String) throws(Problem) -> Bool? {
        let words = invocation.subjects
        guard words.count > 1 else {
            guard words[0] == "on" || words[0] == "off" else { return nil }
            throw Problem(
                "usage.subject_missing",
                "Name the app to switch \(words[0], "words").",
                key: "usage.subject_missing.say-which-app",
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
                text: isSwapped
                    ? Message(
                        "usage.bad_choice.the-app-comes-first",
                        "The app comes first, then \(words[0], "word")."
                    )
                    : Message(
                        "usage.bad_choice.is-neither-on-nor-off",
                        "“\(words[1], "word")” is neither on nor off."
                    ),
                help: isSwapped
                    ? "screentime app \(verb) \(words[1]) \(words[0])"
                    : "screentime app \(verb) \(words[0]) on"
            )
        }
    }

    /// Shows in one sentence what the app may do.
    static func show(_ known: Authorization, _ invocation: Invocation) throws -> ExitCode {
        try invocation.show(json: try JSONOutput.pretty(of: known), text: sentence(known))
    }

    static func sentence(_ known: Authorization, name: String? = nil) -> String {
        let app = name ?? DisplayWidth.sanitized(known.app)
        let member = DisplayWidth.sanitized(known.member)
        return switch known.status {
        case .approved where known.enforce:
            Speech.say(
                "app.may-use-screen-time",
                "\(app, "app") may use Screen Time for \(member, "member")."
            )
        case .approved:
            Speech.say(
                "app.may-use-screen-time-with",
                "\(app, "app") may use Screen Time for \(member, "member"), but its settings are not enforced. "
            )
                + ProblemText.asTyped(
                    Speech.say("app.to-change-that", "To change that: ")
                        + "screentime app enforce \(DisplayWidth.sanitized(known.app)) on"
                )
        case .denied:
            Speech.say(
                "app.may-not-use-screen",
                "\(app, "app") is not allowed to use Screen Time for \(member, "member")."
            )
        case .notDetermined, .unknown:
            Speech.say(
                "app.has-no-answer-yet",
                "Nobody has decided yet whether \(app, "app") may use Screen Time for \(member, "member")."
            )
        }
    }
}
