import STCommandCore
import STContracts
import STPlatform
import STSimulator

/// `screentime app seed`. It writes the defaults that an app would have stored in its groups, by the real clock.
enum SeedCommand {
    private static let bytesMax = 1 << 20

    static func run(_ invocation: Invocation) async throws -> ExitCode {
        guard !ProtectedComputer.isOn else {
            throw Problem(
                "lab.protected",
                """
                This computer is protected, so only the services can write to the folders of apps. Try the \
                app on a computer that is not protected, or with `app try`.
                """,
                help: "screentime app try APP"
            )
        }
        let id = invocation.subjects[0]
        let (values, path) = try await ServiceClients.with(invocation.directories) { clients in
            try await NameCheck.checkApp(id, clients)
            let app = try await clients.installedApps().first { $0.manifest.id == id }
            let path =
                try invocation.value("--from").map(FileTree.absolute)
                ?? "\((app?.bundle ?? "").folder)/\(LabPackage.scenario)"
            let values = try self.values(path)
            let all = try ScenarioDefaults.all(values, "")
            try check(all, of: app?.manifest, isFree: invocation.has("--replace"), invocation)
            try await ScenarioDefaults.write(all, state: invocation.directories.state) {
                try await clients.call(TokenIssue.self, .init(app: id, items: $0)).tokens
            }
            return (values, path)
        }
        return invocation.show(json: JSONOutput.pretty(values)) {
            lines(values, path: path, terminal: invocation.terminal)
        }
    }

    /// Returns the defaults in a file, which contains either only defaults or a scenario.
    private static func values(_ path: String) throws(Problem) -> JSONValue {
        guard let bytes = try? AtomicFile.read(path, limitBytes: bytesMax),
            let file = try? JSONValue(text: bytes)
        else {
            throw Problem(
                "lab.no_seed",
                """
                \(path, "path") does not exist, or is not JSON. Write the app's defaults to a file, and name \
                the file with --from.
                """,
                help: "screentime app seed APP --from FILE"
            )
        }
        guard case .array(let apps) = file["apps"] else { return file }
        let found = apps.lazy.compactMap { $0["defaults"] }.first
        guard let found, found != [:] else {
            throw Problem(
                "lab.no_seed",
                """
                \(path, "path") contains no defaults, because the app's code reads none from a group. If the \
                app needs defaults, write them to a file and name it with --from.
                """,
                key: "lab.no_seed.has-no-defaults",
                help: "screentime app seed APP --from FILE"
            )
        }
        return found
    }

    private static func check(
        _ all: [ScenarioDefaults],
        of app: AppManifest?,
        isFree: Bool,
        _ invocation: Invocation
    ) throws(Problem) {
        let groups = app?.groups ?? []
        let list = groups.joined(separator: ", ")
        for defaults in all {
            guard groups.contains(defaults.group) else {
                throw Problem(
                    "lab.not_its_group",
                    "\(defaults.group, "group") is not a group of this app. Its groups: \(list, "groups")."
                )
            }
            guard isFree || !FileTree.exists(defaults.path(invocation.directories.state)) else {
                throw Problem(
                    "lab.seeded",
                    "\(defaults.group, "group") already has defaults. To overwrite them, use --replace.",
                    help: "screentime app seed APP --replace"
                )
            }
        }
    }

    private static func lines(_ values: JSONValue, path: String, terminal: Terminal) -> [String] {
        guard case .object(let groups) = values else { return [] }
        var lines: [String] = []
        for (group, entries) in groups.sorted(by: { $0.key < $1.key }) {
            guard case .object(let entries) = entries else { continue }
            lines.append(group)
            var table = TextTable([
                (Speech.say("lab.key", "KEY"), .left), (Speech.say("lab.value", "VALUE"), .left),
            ])
            for (key, value) in entries.sorted(by: { $0.key < $1.key }) {
                table.add([.init(key), .init(String(decoding: value.text, as: UTF8.self))])
            }
            lines += table.lines(columns: terminal.columns, terminal).map { "  \($0)" }
        }
        return lines
            + TextWrap.lines(
                Speech.say(
                    "lab.they-come-from-change",
                    "These values come from \(path, "path"). To change them, edit the file and use --replace."
                ),
                terminal
            )
    }
}
