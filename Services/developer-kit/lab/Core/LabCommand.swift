import STCommandCore
import STContracts
import STPlatform

/// `screentime app new`. It converts an Xcode project to programs that run on Linux.
enum LabCommand {
    /// The result of a target.
    private struct Outcome {
        var target: String
        var point: ExtensionPoint?
        /// The reason why the target does not run. `nil` if it was built.
        var reason: Message?
        var notes: [Message] = []
        /// True for an extension of another framework, for example a widget. The app works without it.
        var isForeign = false
    }

    private static let projectsMax = 50

    static func run(_ invocation: Invocation) async throws -> ExitCode {
        // Check these before writing anything.
        _ = try frameworks()
        _ = try LabBuild.swift(invocation.environment)
        let folder = try ProjectFolder(try source(invocation))
        let to = try FileTree.absolute(invocation.value("--to") ?? "\(folder.root)-screentime")
        return try await build(folder, to: to, invocation)
    }

    static func build(_ folder: ProjectFolder, to: String, _ invocation: Invocation) async throws -> ExitCode
    {
        let frameworks = try frameworks()
        let package = LabPackage(folder: to, frameworks: frameworks, environment: invocation.environment)
        return try await OwnThread.run("lab") { try make(package, from: folder, invocation) }
    }

    /// Returns the folder of the project. If a name is given, the project is created first.
    private static func source(_ invocation: Invocation) throws(Problem) -> String {
        let named = AppTemplate.Part.allCases.filter { invocation.has("--\($0)") }
        switch (invocation.subjects.first, invocation.value("--from")) {
        case (nil, let from?) where named.isEmpty: return try FileTree.absolute(from)
        case (let name?, nil):
            let folder = try FileTree.absolute(name)
            try AppTemplate(name, named.isEmpty ? AppTemplate.Part.allCases : named).write(to: folder)
            return folder
        default:
            throw Problem(
                "usage.missing_option",
                """
                Name the folder of an existing project with --from, or name a new project. Only a new \
                project can have --monitor, --shield and --report.
                """,
                help: "screentime app new --from FOLDER"
            )
        }
    }

    private static func make(_ package: LabPackage, from folder: ProjectFolder, _ invocation: Invocation)
        throws -> ExitCode
    {
        let (project, found) = try project(in: folder, invocation.environment)
        var outcomes = found.leftOut.map { Outcome(target: $0.target, reason: $0.reason) }
        var extensions: [LabExtension] = []
        var modules: [LabModule] = []
        let stubs = invocation.value("--stub")?.split(separator: ",").map(String.init) ?? []
        for target in found.targets where target.kind == .extension {
            do throws(Problem) {
                var item = try LabExtension(target, in: folder)
                if let other = extensions.first(where: { $0.point == item.point }) {
                    throw Problem(
                        "lab.twice",
                        """
                        An app can have only one extension of this kind, and it already has \
                        \(other.name, "name").
                        """
                    )
                }
                item.rename(besides: extensions.map(\.module))
                let used =
                    try LabModule.all(of: item.products, without: stubs, in: folder, invocation.environment)
                    + LabModule.libraries(of: target, among: found.targets, in: folder)
                let imports = item.certain.union(used.flatMap(\.uses)).subtracting(used.map(\.name))
                let strangers = LabModule.unavailableModules(in: imports)
                let all = imports.union(used.flatMap(\.imports)).subtracting(used.map(\.name))
                let standIns = LabModule.stubs(for: stubs, in: all)
                item.use(used, strangers: strangers, standIns: standIns)
                let users = used.map { module in
                    var module = module
                    module.uses += standIns.map(\.name).filter(module.imports.contains)
                    return module
                }
                for module in users + strangers + standIns
                where !modules.contains(where: { $0.name == module.name }) {
                    modules.append(module)
                }
                extensions.append(item)
            } catch {
                let isForeign = error.code == "lab.other_kind"
                outcomes.append(Outcome(target: target.name, reason: error.text, isForeign: isForeign))
            }
        }
        guard !extensions.isEmpty else {
            throw noExtension(in: project, outcomes)
        }
        let app = try app(found.targets, extensions)
        invocation.terminal.note(note(building: extensions.count))
        var build = try LabBuild(package, extensions: extensions, modules: modules, in: folder)
        var built: [LabExtension] = []
        for item in extensions {
            let refusal = try build.build(item.module)
            if refusal == nil { built.append(item) }
            // The compiler's messages are not translated.
            let reason = refusal.map { Message(key: "", english: $0, values: [:]) }
            outcomes.append(Outcome(target: item.name, point: item.point, reason: reason, notes: item.notes))
        }
        if !built.isEmpty { try build.assemble(app, built, in: folder) }
        // Targets that were not built come last.
        outcomes.sort { $0.point != nil && $1.point == nil }
        return try show(
            app,
            outcomes: outcomes,
            folder: built.isEmpty ? nil : package.folder,
            invocation: invocation
        )
    }

    /// Returns the problem with the reason for each target.
    private static func noExtension(in project: String, _ outcomes: [Outcome]) -> Problem {
        let none = Message(
            "lab.no_extension",
            "\(project, "project") has no Screen Time extension that can be built."
        )
        let text = outcomes.reduce(none) { text, outcome in
            guard let reason = outcome.reason else { return text }
            return Message(
                "lab.no_extension.of-a-target",
                "\(text, "text") \(outcome.target, "target"): \(reason, "reason")"
            )
        }
        return Problem("lab.no_extension", text: text)
    }

    private static func note(building count: Int) -> String {
        Speech.say(
            "lab.building",
            count: count,
            one: """
                Building 1 extension. The first build also compiles the frameworks, which takes several \
                minutes.
                """,
            other: """
                Building \(count, "count") extensions. The first build also compiles the frameworks, which \
                takes several minutes.
                """
        )
    }

    // MARK: - Project

    /// The files that describe a project, in order of preference. In one folder, `project.pbxproj` was generated from the other
    /// file.
    private static let descriptions = [
        "project.pbxproj", "project.yml", "Project.swift", ExpoProject.file, "Package.swift",
    ]

    /// Returns the project that has extensions and is nearest to the folder.
    private static func project(in folder: ProjectFolder, _ environment: [String: String]) throws(Problem)
        -> (
            name: String, found: (targets: [ProjectTarget], leftOut: [SkippedTarget])
        )
    {
        let all = try folder.files(at: folder.root).compactMap {
            path -> (place: Int, kind: Int, path: String)? in
            let file =
                path.ending == "xcodeproj" && folder.has("\(path)/project.pbxproj")
                ? "project.pbxproj" : path.file
            guard let kind = descriptions.firstIndex(of: file),
                file != "Project.swift" || TuistProject.isOne(path, in: folder)
            else { return nil }
            // A package is used only if there is no other project.
            let depth = file == "Package.swift" ? Int.max : path.split(separator: "/").count
            return (depth, kind, path)
        }
        let nearest = all.sorted { $0 < $1 }.map(\.path)
        var damage: Problem?
        for path in nearest.prefix(projectsMax) {
            do throws(Problem) {
                let found = try targets(of: path, in: folder, environment)
                if found.targets.contains(where: { $0.kind == .extension }) || !found.leftOut.isEmpty {
                    return (path, found)
                }
            } catch {
                damage = damage ?? error
            }
        }
        if let damage { throw damage }
        let list = descriptions.dropFirst().joined(separator: ", ")
        throw Problem(
            "lab.no_project",
            text: nearest.isEmpty
                ? Message(
                    "lab.no_project",
                    """
                    \(folder.root, "folder") contains no project: neither a folder that ends with \
                    .xcodeproj, nor one of the files \(list, "files").
                    """
                )
                : Message(
                    "lab.no_project.with-extensions",
                    "No project in \(folder.root, "folder") has extensions."
                ),
            help: "screentime app new --from FOLDER"
        )
    }

    private static func targets(of path: String, in folder: ProjectFolder, _ environment: [String: String])
        throws(Problem) -> (targets: [ProjectTarget], leftOut: [SkippedTarget])
    {
        switch path.file {
        case "project.yml": try XcodeGenProject(path, in: folder).targets()
        case "Project.swift": try TuistProject(path, in: folder).targets()
        case ExpoProject.file: try ExpoProject(path, in: folder).targets()
        case "Package.swift": try PackageProject(path, in: folder, environment).targets()
        default: try XcodeProject(path, in: folder).targets()
        }
    }

    /// Returns the app that contains the extensions. Without one, it returns an app with the name of the first extension.
    private static func app(_ targets: [ProjectTarget], _ extensions: [LabExtension]) throws(Problem)
        -> LabPackage.App
    {
        let names = Set(extensions.map(\.name))
        let apps = targets.filter { $0.kind == .app }
        let own = extensions[0]
        guard let app = apps.first(where: { !$0.embeds.isDisjoint(with: names) }) ?? apps.first else {
            return .init(
                id: own.bundleIdentifier,
                name: own.name,
                version: own.info["CFBundleShortVersionString"]?.text ?? ""
            )
        }
        let title = try app.settings["INFOPLIST_KEY_CFBundleDisplayName"]
        return .init(
            id: try app.settings["PRODUCT_BUNDLE_IDENTIFIER"],
            name: title.isEmpty ? app.name : title,
            version: try app.settings["MARKETING_VERSION"]
        )
    }

    /// Returns the package with the frameworks: the source tree of this program, or the files installed by screentime-developer.
    private static func frameworks() throws(Problem) -> String {
        var folder = FileTree.parent(of: try SystemPlaces.executable())
        while !folder.isEmpty {
            for place in [folder, "\(folder)/share/screentime/package"]
            where FileTree.exists("\(place)/Services/developer-kit/Frameworks") {
                return place
            }
            folder = FileTree.parent(of: folder)
        }
        throw Problem(
            "lab.no_frameworks",
            "The frameworks are not installed. They are in the Debian package screentime-developer.",
            help: "sudo apt install ./screentime-developer_*.deb"
        )
    }

    // MARK: - Output

    private static func show(
        _ app: LabPackage.App,
        outcomes: [Outcome],
        folder: String?,
        invocation: Invocation
    )
        throws -> ExitCode
    {
        let terminal = invocation.terminal
        let isWhole = outcomes.allSatisfy { $0.isForeign || $0.reason == nil }
        if invocation.wantsJSON {
            terminal.write(
                JSONOutput.pretty([
                    "app": .string(app.id),
                    "bundle": folder.map { .string("\($0)/\(LabPackage.bundle)") } ?? .null,
                    "targets": .array(
                        outcomes.map {
                            [
                                "target": .string($0.target), "built": .bool($0.reason == nil),
                                "point": $0.point.map { .string($0.rawValue) } ?? .null,
                                "reason": $0.reason.map { .string($0.english) } ?? .null,
                                "notes": .array($0.notes.map { .string($0.english) }),
                            ]
                        }
                    ),
                ])
            )
            return isWhole ? .done : .no
        }
        var lines = [terminal.styled("\(app.name) (\(app.id))", .bold)]
        for outcome in outcomes {
            let kind = outcome.point.map { " (\($0.rawValue.split(separator: ".").last ?? ""))" } ?? ""
            lines.append("  \(outcome.target)\(kind): \(state(of: outcome))")
            let reason = outcome.reason.map { [$0] } ?? []
            for said in (reason + outcome.notes).map({ Speech.say($0) }) {
                lines += said.split(separator: "\n").map { "    \($0)" }
            }
        }
        if let folder {
            let bundle = ShellText.quote("\(folder)/\(LabPackage.bundle)")
            lines += [
                Speech.say("lab.a-week-of-it", "To simulate a week: ")
                    + "screentime app try \(ShellText.quote(folder))",
                Speech.say("lab.on-the-real-clock", "To run it in real time: ")
                    + "screentime app install \(bundle)",
            ].map { ProblemText.asTyped($0) }
        }
        terminal.write(lines.map { DisplayWidth.sanitized($0) }.joined(separator: "\n"))
        return isWhole ? .done : .no
    }

    private static func state(of outcome: Outcome) -> String {
        guard outcome.reason != nil else { return Speech.say("lab.built", "built") }
        return outcome.point == nil
            ? Speech.say("lab.left-out", "left out") : Speech.say("lab.does-not-compile", "does not compile")
    }
}
