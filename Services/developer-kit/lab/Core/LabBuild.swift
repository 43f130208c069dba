import STCommandCore
import STContracts
import STPlatform

/// Builds the targets of a lab package one by one, so that a target with errors does not prevent the others from running.
struct LabBuild {
    private static let timeout = Duration.seconds(3_600)
    private static let linesMax = 5
    /// The maximum number of builds in which stand-ins receive additional names.
    private static let roundsMax = 12

    /// The person's package. `package` is its copy in the folder where it is compiled.
    let own: LabPackage
    private let package: LabPackage
    private let environment: [String: String]
    private let lock: InstanceLock
    private let project: ProjectFolder
    private var stubs: [StubModule]

    /// Writes the packages. The lab compiles all packages in one folder of the person's cache, one at a time. The frameworks are
    /// therefore compiled only once, because SwiftPM recompiles everything in another folder.
    init(
        _ own: LabPackage,
        extensions: [LabExtension],
        modules: [LabModule],
        in project: ProjectFolder
    ) throws(Problem) {
        var own = own
        environment = own.environment
        self.project = project
        stubs = modules.compactMap(\.stub)
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
        // Remove modules of the previous project, because the compiler would find them.
        let now = Set(extensions.map(\.module) + modules.map(\.name))
        for name in before where !now.contains(name) {
            try DirectoryTree.remove("\(cache)/.build/debug/Modules/\(name).swiftmodule")
        }
    }

    /// Copies the built programs to the bundle, while no other build can run.
    func assemble(_ app: LabPackage.App, _ built: [LabExtension], in project: ProjectFolder) throws(Problem) {
        try own.assemble(app, built, in: project, programs: "\(package.folder)/.build/debug")
        try own.writeScenario(app, built)
        withExtendedLifetime(lock) {}
    }

    /// Returns the compiler's plugin for macros, built with the libraries of Swift's own macros. Returns `nil` if it cannot be
    /// built.
    private static func plugin(_ package: LabPackage, in cache: String) throws(Problem) -> String? {
        let environment = package.environment
        let compiler = "\(try swift(environment).folder)/swiftc"
        let asked = try ProgramRun.run(
            compiler,
            ["-print-target-info"],
            environment: environment,
            timeout: timeout
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
            timeout: timeout
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

    /// Builds a target. Returns the errors of the compiler, or `nil` if the build succeeded.
    mutating func build(_ target: String) throws(Problem) -> String? {
        var refusal: String?
        for _ in 0..<Self.roundsMax {
            let run = try ProgramRun.run(
                try Self.swift(environment),
                ["build", "--package-path", package.folder, "--product", target],
                environment: environment,
                isTethered: true,
                timeout: Self.timeout
            )
            guard !run.status.isSuccess else { return nil }
            refusal = self.refusal(run)
            guard try addMissingDeclarations(run.output) else { break }
        }
        return refusal
    }

    /// Adds the names that the compiler has not found to the stand-in that their file imports. Returns false if there are no new
    /// names.
    private mutating func addMissingDeclarations(_ output: String) throws(Problem) -> Bool {
        guard !stubs.isEmpty else { return false }
        let before = stubs
        for line in output.split(separator: "\n") where line.contains(": error: cannot find ") {
            var scan = SourceScan()
            scan.add((try? project.bytes(original(line).prefix { $0 != ":" }.description)) ?? [])
            // A name is added to only one stand-in, even if the file imports several.
            let mine = stubs.indices.filter { scan.imports.contains(stubs[$0].module) }
            guard let index = mine.first, !stubs.contains(where: { $0.declares(line) }) else { continue }
            _ = stubs[index].addDeclaration(line)
        }
        guard stubs != before else { return false }
        for standIn in stubs { for place in [own, package] { try place.write(standIn) } }
        return true
    }

    /// Returns the errors without duplicates, with the paths of the project's files.
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
