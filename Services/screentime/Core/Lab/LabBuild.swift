import Glibc
import STPlatform

/// Builds the targets of a package of the lab, each by itself, so that one that does not compile keeps no other from running.
struct LabBuild {
    private static let deadlineMs: Int64 = 3_600_000
    private static let linesMax = 5

    private let package: LabPackage
    private let environment: [String: String]
    private let lock: InstanceLock

    /// All packages of the lab are built in one folder of the person's cache, one at a time, so that the frameworks are compiled
    /// once. SwiftPM begins anew where the package lies elsewhere.
    init(
        _ own: LabPackage,
        _ extensions: [LabExtension],
        _ modules: [LabModule],
        in project: ProjectFolder
    ) throws(Problem) {
        environment = own.environment
        package = LabPackage(
            folder: LabPackage.cache(environment),
            frameworks: own.frameworks,
            environment: environment
        )
        try FileTree.makeFolder(package.folder)
        lock = try InstanceLock(path: "\(package.folder)/.lock", what: "the lab")
        if extensions.contains(where: \.hasPreview) { try makePreviews() }
        try package.write(extensions, modules, in: project)
    }

    /// The compiler's plugin that leaves `#Preview` out, built with the libraries of Swift's own macros.
    private func makePreviews() throws(Problem) {
        let library = LabPackage.previews(environment)
        guard !FileTree.exists(library) else { return }
        let swift = try Self.swift(environment)
        let host = "\((ProjectFolder.real(swift) ?? swift).folder.folder)/lib/swift/host"
        let source = "\(library).swift"
        try FileTree.makeFolder(library.folder)
        try LabPackage.write(Self.previewSource, to: source)
        let run = try ProgramRun.run(
            "\(swift.folder)/swiftc",
            [
                "-emit-library", "-parse-as-library", "-module-name", "ScreenTimePreviews", "-I", host, "-L",
                host,
                "-lSwiftSyntax", "-lSwiftSyntaxMacros", "-Xlinker", "-rpath", "-Xlinker", host, source, "-o",
                library,
            ],
            environment: environment,
            deadlineMs: Self.deadlineMs
        )
        guard run.status.isSuccess else {
            throw Problem(
                "lab.no_previews",
                "The plugin for #Preview was not built: \(run.output.suffix(400))"
            )
        }
    }

    private static let previewSource = """
        import SwiftSyntax
        import SwiftSyntaxMacros

        public struct Preview: DeclarationMacro {
            public static func expansion(
                of node: some FreestandingMacroExpansionSyntax,
                in context: some MacroExpansionContext
            ) throws -> [DeclSyntax] { [] }
        }

        """

    static func swift(_ environment: [String: String]) throws(Problem) -> String {
        if let swift = ProgramRun.path(of: "swift", environment: environment) { return swift }
        throw Problem(
            "lab.no_swift",
            "Swift is not in PATH. Get Swift 6.3 from https://www.swift.org/install/linux/, and put its usr/bin into PATH."
        )
    }

    var programs: String { "\(package.folder)/.build/debug" }

    /// The compiler's own words where it refuses; nil where it was built.
    func build(_ target: String) throws(Problem) -> String? {
        let run = try ProgramRun.run(
            try Self.swift(environment),
            ["build", "--package-path", package.folder, "--product", target],
            environment: environment,
            deadlineMs: Self.deadlineMs
        )
        return run.status.isSuccess ? nil : refusal(run)
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
        guard let colon = line.firstIndex(of: ":"), let real = ProjectFolder.real(String(line[..<colon]))
        else {
            return String(line)
        }
        return real + line[colon...]
    }
}
