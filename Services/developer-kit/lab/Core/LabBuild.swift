import STCommandCore
import STContracts
import STPlatform

/// Builds the targets of a package of the lab, each by itself, so that one that does not compile keeps no other from running.
struct LabBuild {
    private static let deadlineMs: Int64 = 3_600_000
    private static let linesMax = 5
    /// How often a stand-in may learn more names.
    private static let roundsMax = 12

    /// The person's own package, and the same where it is compiled.
    let own: LabPackage
    private let package: LabPackage
    private let environment: [String: String]
    private let lock: InstanceLock
    private let project: ProjectFolder
    private var standIns: [StandIn]

    /// Writes the packages. All of the lab are compiled in one folder of the person's cache, one at a time, so that the frameworks
    /// are compiled once: SwiftPM begins anew where the package lies elsewhere.
    init(
        _ own: LabPackage,
        _ extensions: [LabExtension],
        _ modules: [LabModule],
        in project: ProjectFolder
    ) throws(Problem) {
        var own = own
        environment = own.environment
        self.project = project
        standIns = modules.compactMap(\.standIn)
        let cache = try LabPackage.cache(environment)
        try FileTree.makeFolder(cache)
        do throws(Problem) {
            lock = try InstanceLock(path: "\(cache)/.lock", what: "the lab")
        } catch  where error.code == "instance.already_running" {
            throw Problem(
                "lab.busy",
                "Another `screentime app new` is building. Wait until it has ended.",
                retryable: true
            )
        }
        if !extensions.allSatisfy(\.macros.isEmpty) || !modules.allSatisfy(\.macros.isEmpty) {
            own.plugin = try Self.plugin(own, in: cache) ?? ""
        }
        self.own = own
        package = LabPackage(
            folder: cache,
            frameworks: own.frameworks,
            environment: environment,
            plugin: own.plugin
        )
        let before = (try? DirectoryTree.names(in: "\(cache)/Sources")) ?? []
        for place in [own, package] { try place.write(extensions, modules, in: project) }
        // The compiler would find modules of the last project as well.
        let now = Set(extensions.map(\.module) + modules.map(\.name))
        for name in before where !now.contains(name) {
            try DirectoryTree.remove("\(cache)/.build/debug/Modules/\(name).swiftmodule")
        }
    }

    /// Puts what was built into the bundle, while no other run builds.
    func assemble(_ app: LabPackage.App, _ built: [LabExtension], in project: ProjectFolder) throws(Problem) {
        try own.assemble(app, built, in: project, programs: "\(package.folder)/.build/debug")
        try own.writeScenario(app, built)
        withExtendedLifetime(lock) {}
    }

    /// The compiler's plugin for macros, built with the libraries of Swift's own; nil where it cannot be.
    private static func plugin(_ package: LabPackage, in cache: String) throws(Problem) -> String? {
        let environment = package.environment
        let compiler = "\(try swift(environment).folder)/swiftc"
        let asked = try ProgramRun.run(
            compiler,
            ["-print-target-info"],
            environment: environment,
            deadlineMs: deadlineMs
        )
        guard let info = try? JSONValue(text: Array(asked.output.utf8)),
            let resources = info["paths"]?["runtimeResourcePath"]?.string,
            let version = info["compilerVersion"]?.string
        else { return nil }
        let folder = "\(cache)/.plugins/\(version.asIdentifier)"
        let (library, built) = ("\(folder)/libScreenTimeMacros.so", "\(folder)/Plugin.swift")
        let source = try package.macro("Plugin")
        if FileTree.exists(library), (try? AtomicFile.read(built, limitBytes: source.count)) == source {
            return library
        }
        try FileTree.makeFolder(folder)
        let host = "\(resources)/host"
        let run = try ProgramRun.run(
            compiler,
            [
                "-emit-library", "-parse-as-library", "-module-name", "ScreenTimeMacros", "-I", host, "-L",
                host,
                "-lSwiftSyntax", "-lSwiftSyntaxBuilder", "-lSwiftSyntaxMacros", "-Xlinker", "-rpath",
                "-Xlinker",
                host, "\(package.macros)/Plugin.swift", "-o", "\(library).new",
            ],
            environment: environment,
            isTethered: true,
            deadlineMs: deadlineMs
        )
        guard run.status.isSuccess else { return nil }
        try FileTree.rename("\(library).new", to: library)
        try AtomicFile.write(source, to: built, durable: false)
        return library
    }

    static func swift(_ environment: [String: String]) throws(Problem) -> String {
        if let swift = ProgramRun.path(of: "swift", environment: environment) { return swift }
        throw Problem(
            "lab.no_swift",
            """
            Swift is not in PATH. Install Swift 6.3 from https://www.swift.org/install/linux/, and add its \
            usr/bin to PATH.
            """
        )
    }

    /// The compiler's own words where it refuses; nil where it was built.
    mutating func build(_ target: String) throws(Problem) -> String? {
        var refusal: String?
        for _ in 0..<Self.roundsMax {
            let run = try ProgramRun.run(
                try Self.swift(environment),
                ["build", "--package-path", package.folder, "--product", target],
                environment: environment,
                isTethered: true,
                deadlineMs: Self.deadlineMs
            )
            guard !run.status.isSuccess else { return nil }
            refusal = self.refusal(run)
            guard try learn(run.output) else { break }
        }
        return refusal
    }

    /// Gives the names that the compiler has not found to the stand-in that their file imports; false where there is nothing new.
    private mutating func learn(_ output: String) throws(Problem) -> Bool {
        guard !standIns.isEmpty else { return false }
        let before = standIns
        for line in output.split(separator: "\n") where line.contains(": error: cannot find ") {
            var scan = SourceScan()
            scan.add((try? project.bytes(original(line).prefix { $0 != ":" }.description)) ?? [])
            // A name has one place, where several are imported.
            let mine = standIns.indices.filter { scan.imports.contains(standIns[$0].module) }
            guard let index = mine.first, !standIns.contains(where: { $0.knows(line) }) else { continue }
            _ = standIns[index].learn(line)
        }
        guard standIns != before else { return false }
        for standIn in standIns { for place in [own, package] { try place.write(standIn) } }
        return true
    }

    /// The errors, each once, with the paths of the project's files.
    private func refusal(_ run: ProgramRun) -> String {
        var errors: [String] = []
        for line in run.output.split(separator: "\n") where line.contains(": error: ") && line.first != " " {
            let shown = original(line)
            if !errors.contains(shown) { errors.append(shown) }
        }
        guard !errors.isEmpty else { return String(run.output.suffix(800)) }
        let more = errors.count - Self.linesMax
        return (errors.prefix(Self.linesMax) + (more > 0 ? ["and \(more) more"] : [])).joined(separator: "\n")
    }

    private func original(_ line: Substring) -> String {
        guard let colon = line.firstIndex(of: ":"), let real = DirectoryTree.real(String(line[..<colon]))
        else {
            return String(line)
        }
        return real + line[colon...]
    }
}
