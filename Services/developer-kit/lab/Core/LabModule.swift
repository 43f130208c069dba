import STCommandCore
import STContracts
import STPlatform

/// A module of a package in the project's folders. It is built from its sources together with the extensions.
struct LabModule: Sendable {
    let name: String
    let sources: [String]
    let imports: Set<String>
    /// Other modules of the project.
    var uses: [String]
    var macros: Set<String> = []
    var languageMode = "v5"
    /// The products of other packages.
    var products: [ProjectTarget.Product] = []
    /// The stand-in that replaces the module, if it is an external one.
    var stub: StubModule?

    /// The modules that a toolchain contains.
    private static let toolchainModules: Set<String> = [
        "Swift", "Foundation", "FoundationNetworking", "Dispatch", "Observation", "Synchronization", "Glibc",
        "Darwin", "Distributed", "RegexBuilder", "Testing", "XCTest", "STFoundationGaps",
    ]

    /// Modules of Apple that extensions import without need. An empty module lets them compile.
    private static let unavailableModules: Set<String> = [
        "ActivityKit", "AppIntents", "AVFoundation", "BackgroundTasks", "CloudKit", "CryptoKit", "CoreData",
        "CoreGraphics",
        "CoreHaptics", "CoreImage", "CoreLocation", "EventKit", "GameKit", "HealthKit", "Intents",
        "LocalAuthentication",
        "MapKit", "MessageUI", "Network", "NetworkExtension", "PhotosUI", "QuartzCore", "SafariServices",
        "SceneKit",
        "ScreenTime", "SpriteKit", "StoreKit", "TipKit", "UniformTypeIdentifiers",
        "WatchConnectivity",
        "WebKit",
    ]
    private static let timeout = Duration.seconds(120)
    private static let modulesMax = 200
    private static let packagesMax = 20

    /// Returns an empty module for each import that is an unavailable module of Apple.
    static func unavailableModules(in imports: Set<String>) -> [LabModule] {
        imports.intersection(unavailableModules).sorted().map {
            LabModule(name: $0, sources: [], imports: [], uses: [])
        }
    }

    /// Returns stand-ins for the imported external modules whose names begin with one of the wanted names.
    static func stubs(for wanted: [String], in imports: Set<String>) -> [LabModule] {
        imports.subtracting(toolchainModules).subtracting(unavailableModules).subtracting(LabPackage.products)
            .sorted()
            .filter { name in wanted.contains { name.lowercased().hasPrefix($0.lowercased()) } }
            .map { LabModule(name: $0, sources: [], imports: ["os"], uses: [], stub: StubModule($0)) }
    }

    /// Returns the libraries among the project's targets that a target depends on, including indirect dependencies.
    static func libraries(
        of target: ProjectTarget,
        among targets: [ProjectTarget],
        in folder: ProjectFolder
    ) throws(Problem) -> [LabModule] {
        var modules: [LabModule] = []
        var wanted = target.embeds
        while let name = wanted.popFirst() {
            guard let library = targets.first(where: { $0.name == name && $0.kind == .library }) else {
                continue
            }
            let module = try library.settings["PRODUCT_MODULE_NAME"].asIdentifier
            guard !modules.contains(where: { $0.name == module }) else { continue }
            let sources = try LabExtension.sources(among: Set(library.files).filter(folder.has).sorted())
            let scan = try LabExtension.scan(sources, in: folder)
            var uses = unavailableModules(in: scan.certain).map(\.name)
            for other in targets where other.kind == .library && library.embeds.contains(other.name) {
                uses.append(try other.settings["PRODUCT_MODULE_NAME"].asIdentifier)
            }
            modules.append(
                LabModule(
                    name: module,
                    sources: sources,
                    imports: scan.imports,
                    uses: uses,
                    macros: scan.macros,
                    languageMode: try library.settings["SWIFT_VERSION"].hasPrefix("6") ? "v6" : "v5"
                )
            )
            wanted.formUnion(library.embeds)
        }
        return modules
    }

    /// Returns the modules of products, including indirect dependencies.
    static func all(
        of products: [ProjectTarget.Product],
        without standIns: [String],
        in folder: ProjectFolder,
        _ environment: [String: String]
    ) throws(Problem) -> [LabModule] {
        var modules: [LabModule] = []
        // Each product has the index of the module that uses it, or `nil` if an extension uses it.
        var waiting = products.map { (product: $0, user: Int?.none) }[...]
        var manifests: [String: JSONValue] = [:]
        while let (product, user) = waiting.popFirst() {
            guard product.isLocal else {
                if standIns.contains(where: { product.name.lowercased().hasPrefix($0.lowercased()) }) {
                    continue
                }
                throw Problem(
                    "lab.remote_package",
                    """
                    It uses \(product.name, "name") of \(product.package, "package"), an external package, \
                    which Screen Time does not download. To replace it with a stub that does nothing, use \
                    --stub \(product.name, "name").
                    """
                )
            }
            let (package, manifest) = try self.package(of: product, in: folder) { path throws(Problem) in
                if let known = manifests[path] { return known }
                let read = try Self.manifest(path, environment)
                manifests[path] = read
                return read
            }
            var wanted = Self.targets(of: product.name, manifest)
            if let user { modules[user].uses += wanted.filter { !modules[user].uses.contains($0) } }
            while let name = wanted.popLast() {
                guard !modules.contains(where: { $0.name == name }) else { continue }
                guard modules.count < modulesMax else {
                    throw Problem(
                        "lab.too_large",
                        "\(package, "package") has more than \(modulesMax, "most") modules.",
                        key: "lab.too_large.has-more-than"
                    )
                }
                let module = try module(name, manifest: manifest, package: package, in: folder)
                waiting += module.products.map { ($0, modules.count) }
                modules.append(module)
                wanted += module.uses.filter { !unavailableModules.contains($0) }
            }
        }
        return modules
    }

    /// Returns the named package, or the package in the project's folders that has the product.
    private static func package(
        of product: ProjectTarget.Product,
        in folder: ProjectFolder,
        _ manifest: (String) throws(Problem) -> JSONValue
    ) throws(Problem) -> (path: String, manifest: JSONValue) {
        guard product.package.isEmpty else {
            let path = try folder.path(product.package)
            return (path, try manifest(path))
        }
        for file in try folder.files(at: folder.root).filter({ $0.file == "Package.swift" }).prefix(
            packagesMax
        ) {
            let manifest = try manifest(file.folder)
            if !targets(of: product.name, manifest).isEmpty { return (file.folder, manifest) }
        }
        throw Problem(
            "lab.bad_package",
            "No package in \(folder.root, "root") has the product \(product.name, "name")."
        )
    }

    /// Returns the manifest of a package as SwiftPM reads it. It runs the manifest in a sandbox, which can read the system
    /// and the package and can write only to the lab's cache.
    static func manifest(_ package: String, _ environment: [String: String]) throws(Problem)
        -> JSONValue
    {
        let swift = try LabBuild.swift(environment)
        let place = "\(try LabPackage.cache(environment))/.manifests"
        try FileTree.makeFolder("\(place)/tmp")
        var environment = environment
        environment["TMPDIR"] = "\(place)/tmp"
        // The folder in which the compiler caches C modules.
        environment["XDG_CACHE_HOME"] = place
        let folders = ["--cache-path", "--config-path", "--security-path", "--scratch-path"].flatMap {
            [$0, place]
        }
        // The toolchain may be installed in a person's home folder.
        let real = DirectoryTree.real(swift) ?? swift
        let toolchain = [
            "/usr", "/opt", "/lib", "/lib64", "/bin", "/etc", "/proc", "/dev", real.folder.folder,
        ]
        .filter(FileTree.exists)
        let run = try ProgramRun.run(
            swift,
            ["package", "--package-path", package] + folders + ["dump-package"],
            environment: environment,
            bounds: SpawnBounds(
                readable: toolchain + [package, place],
                writable: [place, "/dev/null"]
            ),
            timeout: timeout
        )
        guard run.status.isSuccess, let start = run.output.firstIndex(of: "{"),
            let manifest = try? JSONValue(text: Array(run.output[start...].utf8))
        else {
            throw Problem(
                "lab.bad_package",
                "\(package, "package")/Package.swift cannot be read: \(run.output.prefix(400), "output")",
                key: "lab.bad_package.package-swift-cannot"
            )
        }
        return manifest
    }

    static func items(_ value: JSONValue?) -> [JSONValue] {
        guard case .array(let items) = value else { return [] }
        return items
    }

    private static func targets(of product: String, _ manifest: JSONValue) -> [String] {
        items(manifest["products"]).first { $0["name"]?.string == product }
            .map { items($0["targets"]).compactMap(\.string) } ?? []
    }

    /// Returns the folder of a package's target, and its files without the excluded ones.
    static func files(of name: String, _ target: JSONValue, in package: String, of folder: ProjectFolder)
        throws(Problem) -> (base: String, files: [String])
    {
        let base = "\(package)/\(target["path"]?.string ?? "Sources/\(name)")"
        func paths(_ key: String) throws(Problem) -> [String] {
            try items(target[key]).compactMap(\.string).map { name throws(Problem) in
                try folder.path("\(base)/\(name)")
            }
        }
        let (excluded, only) = (try paths("exclude"), try paths("sources"))
        func isIn(_ places: [String], _ file: String) -> Bool {
            places.contains { file == $0 || file.hasPrefix($0 + "/") }
        }
        let files = try folder.files(at: base).filter { file in
            !isIn(excluded, file) && (only.isEmpty || isIn(only, file))
        }
        return (base, files)
    }

    /// Returns the names of the dependencies, which have the form `{"byName": ["Name", null]}` or `{"target": …}`.
    static func uses(_ target: JSONValue) -> [String] {
        items(target["dependencies"]).compactMap { use in
            (items(use["byName"]).first ?? items(use["target"]).first)?.string
        }
    }

    private static func module(
        _ name: String,
        manifest: JSONValue,
        package: String,
        in folder: ProjectFolder
    ) throws(Problem) -> LabModule {
        // The name must be valid as the name of a folder.
        guard let target = items(manifest["targets"]).first(where: { $0["name"]?.string == name }),
            name.asIdentifier == name
        else {
            throw Problem(
                "lab.bad_package",
                "\(package, "package")/Package.swift has no target \(name, "name") that can be built here.",
                key: "lab.bad_package.package-swift-has"
            )
        }
        let sources = try LabExtension.sources(
            among: try files(of: name, target, in: package, of: folder).files
        )
        let targets = Set(items(manifest["targets"]).compactMap { $0["name"]?.string })
        let named = self.uses(target)
        // A plain `"Name"` is a product of the package with the same name.
        var others = named.filter { !targets.contains($0) }.map { (product: $0, package: $0) }
        for words in items(target["dependencies"]).map({ items($0["product"]).map { $0.string ?? "" } })
        where words.count > 1 { others.append((words[0], words[1].isEmpty ? words[0] : words[1])) }
        let scan = try LabExtension.scan(sources, in: folder)
        let isSix = manifest["toolsVersion"]?["_version"]?.string?.hasPrefix("6") ?? false
        return LabModule(
            name: name,
            sources: sources,
            imports: scan.imports,
            uses: named.filter(targets.contains) + unavailableModules(in: scan.certain).map(\.name),
            macros: scan.macros,
            languageMode: isSix ? "v6" : "v5",
            products: others.map { other in
                let place = folderOfPackage(other.package, manifest)
                return .init(name: other.product, package: place ?? other.package, isLocal: place != nil)
            }
        )
    }

    /// Returns the folder of a local package. Returns `nil` for an external package.
    private static func folderOfPackage(_ name: String, _ manifest: JSONValue) -> String? {
        let packages = items(manifest["dependencies"]).flatMap { items($0["fileSystem"]) }
        let found = packages.first { package in
            package["identity"]?.string == name.lowercased()
                || package["nameForTargetDependencyResolutionOnly"]?.string == name
        }
        return found?["path"]?.string
    }
}
