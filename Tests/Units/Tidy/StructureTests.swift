import Foundation
import STTestSupport
import Testing

@Suite("Structure")
struct StructureTests {
    @Test("The top-level folder contains only agreed names")
    func topLevel() throws {
        let agreed: Set<String> = [
            "Package.swift", "Package.resolved", "Services", "Shared", "Tests", "deploy", "scripts",
            "README.md",
            "README.ko.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md", "LICENSE", ".ci", ".git",
            ".gitignore",
            ".gitattributes", ".swift-format", ".editorconfig", ".build", ".swiftpm",
        ]

        #expect(try SourceTree.here.names(in: "").filter { !agreed.contains($0) } == [])
    }

    @Test(
        "A suite that needs root gives a reason and has a name that ends with RootTests"
    )
    func rootSuites() throws {
        let files = try SourceTree.here.swift().filter {
            $0.isTest && !$0.path.hasSuffix("StructureTests.swift")
        }.map(\.text)
        let isNamed = /struct \w+RootTests\b/
        let saysWhy = /"needs root: \w/
        let asks = /enabled\([^)]*(RootAccount\.isHere|DebianRoot\.isPossible|uid\(\) == 0)/
        for text in files {
            #expect(text.matches(of: isNamed).count == text.matches(of: saysWhy).count, "\(text.prefix(400))")
            for part in text.split(separator: "@Suite").dropFirst() where part.contains(asks) {
                #expect(part.contains(saysWhy), "\(part.prefix(200))")
            }
        }
        #expect(files.count { $0.contains(isNamed) } > 10)
    }

    @Test("No service is linked with another service, directly or through other targets")
    func services() throws {
        let graph = try Self.graph()

        #expect(Set(graph.targets.values.compactMap(\.service)).count >= 11)
        #expect(graph.reached(from: "simulator")["STAuthCore"] != nil, "the graph is followed to its end")
        let crossings = graph.ways(
            from: { $0.service != nil },
            to: { from, to in
                // The console runs commands, so it may depend on the command.
                to.service != nil && to.service != from.service
                    && !(from.service == "console" && to.service == "screentime")
            }
        )
        #expect(crossings == [])
    }

    @Test("No shared target is linked with a service")
    func shared() throws {
        let graph = try Self.graph()

        let isShared = { (target: TargetGraph.Target) in target.path.hasPrefix("Shared/") }
        #expect(graph.targets.values.count(where: isShared) > 20)
        #expect(graph.ways(from: isShared, to: { $1.service != nil }) == [])
    }

    @Test("Screen Time and its tests do not depend on the developer kit")
    func kit() throws {
        let graph = try Self.graph()
        let isOfKit = { (target: TargetGraph.Target) in
            // The benchmarks measure both products.
            ["Services/developer-kit/", "Tests/DeveloperKit/", "Tests/Bench/"].contains(
                where: target.path.hasPrefix
            )
        }

        #expect(graph.targets.values.count(where: isOfKit) > 50)
        #expect(graph.ways(from: { !isOfKit($0) }, to: { isOfKit($1) }) == [])

        let changed = try SourceTree.here.text("Package.swift").replacing(
            "Services/screentime/Core ",
            with: "Services/screentime/Core STSimulator "
        )
        let ways = TargetGraph(manifest: changed).ways(from: { !isOfKit($0) }, to: { isOfKit($1) })
        #expect(ways.contains("screentime -> STCommandCore -> STSimulator"))
    }

    @Test("The graph of targets covers every source file and finds a forbidden dependency")
    func graph() throws {
        let manifest = try SourceTree.here.text("Package.swift")
        let paths = TargetGraph(manifest: manifest).targets.values.map { $0.path + "/" }
        let without = try SourceTree.here.product().map(\.path).filter { path in
            // The compiler plugin of `app new` is built with the libraries of a toolchain.
            !path.hasPrefix("Services/developer-kit/Frameworks/Macros/")
                && !paths.contains { path.hasPrefix($0) }
        }
        #expect(without == [])

        let changed = manifest.replacing(
            "Shared/Rendering ",
            with: "Shared/Rendering STSimulation "
        )
        try #require(changed != manifest)
        let crossing = TargetGraph(manifest: changed).ways(
            from: { $0.path == "Services/report-service/Main" },
            to: { $1.path == "Services/auth-service/Core" }
        )
        #expect(crossing == ["report-service -> STRendering -> STSimulation -> STAuthCore"])
    }

    @Test("The rules of a service do not import the transport")
    func transport() throws {
        let cores = try SourceTree.here.cores()

        #expect(
            cores.filter { $0.text.contains("import STZeroMQ") || $0.text.contains("import STServiceKit") }
                .isEmpty
        )
    }

    @Test("A route without access is sent only to a service's own worker and is not served")
    func companions() throws {
        let files = try SourceTree.here.product()
        var names: [String] = []
        for file in files {
            var name = ""
            for line in file.lines {
                if let word = line.split(separator: " ").last(where: { $0.hasSuffix(":") }),
                    line.contains("enum ")
                {
                    name = String(word.dropLast())
                }
                if line.contains("let access: Access = []") { names.append(name) }
            }
        }
        let text = files.map(\.text).joined().split(whereSeparator: \.isWhitespace).joined(separator: " ")

        #expect(names.count >= 5)
        for name in names {
            #expect(
                text.contains("after: \(name).self, of: .worker")
                    || text.contains("of(\(name).self, source: .worker")
                    || text.contains("source: .worker, route: \(name).name")
            )
            for work in ["read", "query", "write"] {
                #expect(!text.contains(".\(work)(\(name).self"), "\(name)")
            }
        }
    }

    @Test(
        "Example apps import only the modules that are offered to apps, and their own module",
        .enabled(if: BuiltTree.hasKit, "reads the sources of the developer kit")
    )
    func exampleApps() throws {
        let manifest = try SourceTree.here.text("Package.swift")
        let list = try #require(manifest.range(of: "let offered = \"\"\""))
        let words = manifest[list.upperBound...].prefix { $0 != "\"" }.split { $0.isWhitespace }
        let offered = Set(words).union([
            "Foundation", "STAppSupport", "STPromiseKit", "STStreaksKit", "STBarebonesKit", "STWorklogKit",
            "STUsageChartsKit",
        ])
        let files = try SourceTree.here.files(["Services/developer-kit/examples"], ending: ".swift")
        let foreign = files.filter { file in
            let imports = file.lines.compactMap { line in
                line.hasPrefix("import ") || line.contains(" import ") && !line.contains("//")
                    ? line.split(separator: " ").last : nil
            }
            return !imports.allSatisfy(offered.contains)
        }

        #expect(files.count > 10 && offered.contains("FamilyControls"))
        #expect(foreign.map(\.path) == [])
    }

    @Test("The sets of programs contain every program of Services and the preloaded library")
    func programs() throws {
        let manifest = try SourceTree.here.text("Package.swift")
        let start = try #require(manifest.range(of: "let serviceNames")).lowerBound
        let end = try #require(manifest.range(of: "let base =")).lowerBound
        let words = Set(manifest[start..<end].split { !$0.isLetter && $0 != "-" }.map(String.init))
        let programs = try Self.graph().targets.filter {
            $0.value.path.hasPrefix("Services/")
                && ["/Main", "/Monitor"].contains(where: $0.value.path.hasSuffix)
        }
        .keys.sorted()

        #expect(programs.count >= 20 && manifest.contains("type: .dynamic, targets: [\"STCClockPreload\"]"))
        #expect((programs + ["STCClockPreload"]).filter { !words.contains($0) } == [])
    }

    @Test("Every service, shared folder and shared module has a README")
    func readmes() throws {
        var folders = try SourceTree.here.names(in: "Services").filter { $0 != "README.md" }.map {
            "Services/\($0)"
        }
        folders += try SourceTree.here.names(in: "Shared").map { "Shared/\($0)" }
        // Headers of libraries, which have their own documentation.
        folders += try Self.graph().targets.values.map(\.path).filter {
            $0.hasPrefix("Shared/") && !$0.hasPrefix("Shared/Base/C/")
        }
        for folder in folders {
            let text = try SourceTree.here.text("\(folder)/README.md")
            #expect(text.split(separator: "\n").count >= 2, "\(folder)/README.md")
        }
    }

    @Test("The page server reads every query parameter that a page uses")
    func addresses() throws {
        let server = try SourceTree.here.text("Shared/Runtime/Pages/PageServer.swift")
        let start = try #require(server.range(of: "queryNames = [")).upperBound
        let known = server[start...].prefix { $0 != "]" }
        var used = 0
        for file in try SourceTree.here.product() {
            for line in file.lines {
                guard let place = line.range(of: "request.query[") else { continue }
                let name = line[place.upperBound...].prefix { $0 != "]" }
                used += 1
                #expect(known.contains(name), "\(file.path) reads \(name), which PageServer leaves out")
            }
        }
        #expect(used >= 8)
    }

    private static func graph() throws -> TargetGraph {
        TargetGraph(manifest: try SourceTree.here.text("Package.swift"))
    }
}
