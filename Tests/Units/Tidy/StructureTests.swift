import Foundation
import Testing

@Suite("Structure")
struct StructureTests {
    @Test("the top level holds what was agreed")
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

    @Test("no service imports another one")
    func services() throws {
        let cores = try Dictionary(
            uniqueKeysWithValues: SourceTree.here.names(in: "Services").compactMap { service in
                try Self.coreName(of: service).map { (service, $0) }
            }
        )
        var crossings: [String] = []
        for file in try SourceTree.here.files(["Services"], ending: ".swift") {
            let service = file.path.split(separator: "/")[1]
            for (other, core) in cores where other != service && file.text.contains("import \(core)\n") {
                crossings.append("\(file.path) imports \(core)")
            }
        }

        #expect(cores.count >= 7)
        #expect(crossings == [])
    }

    @Test("the rules of a service do not know the transport")
    func transport() throws {
        let cores = try SourceTree.here.product().filter {
            $0.path.contains("/Core/") && !$0.path.hasPrefix("Services/screentime/")
        }

        #expect(
            cores.filter { $0.text.contains("import STZeroMQ") || $0.text.contains("import STServiceKit") }
                .isEmpty
        )
    }

    @Test("example apps use what every app developer has, and one package of their own")
    func exampleApps() throws {
        let offered: Set<Substring> = [
            "FamilyControls", "DeviceActivity", "ManagedSettings", "ManagedSettingsUI", "UIKit",
            "UserNotifications", "SwiftUI", "Charts", "ExtensionKit", "Foundation", "os", "STAppSupport",
            "STPromiseKit", "STStreaksKit", "STBarebonesKit", "STWorklogKit", "STUsageChartsKit",
        ]
        let files = try SourceTree.here.files(["Services/extensions"], ending: ".swift")
        let foreign = files.filter { file in
            let imports = file.lines.compactMap { line in
                line.hasPrefix("import ") || line.contains(" import ") && !line.contains("//")
                    ? line.split(separator: " ").last : nil
            }
            return !imports.allSatisfy(offered.contains)
        }

        #expect(files.count > 30)
        #expect(foreign.map(\.path) == [])
    }

    @Test("every folder says what it is")
    func readmes() throws {
        for folder in ["Services", "Shared"] {
            for name in try SourceTree.here.names(in: folder) where name != "C" {
                let text = try SourceTree.here.text("\(folder)/\(name)/README.md")
                #expect(text.split(separator: "\n").count >= 3, "\(folder)/\(name)/README.md")
            }
        }
    }

    @Test("every test file claims something")
    func claims() throws {
        let tests = try SourceTree.here.files(["Tests"], ending: "Tests.swift")
        let empty = tests.filter { !$0.text.contains("#expect") && !$0.text.contains("#require") }

        #expect(tests.count > 20)
        #expect(empty.map(\.path) == [])
    }

    /// The name of a service's Core target, as Package.swift gives it.
    private static func coreName(of service: String) throws -> String? {
        // A call may be broken after its bracket and its commas.
        let package = try SourceTree.here.text("Package.swift").split(separator: "\n").map {
            String($0.drop { $0 == " " })
        }.joined().replacing("\",\"", with: "\", \"")
        guard let start = package.range(of: "service(\"\(service)\", \"") else { return nil }
        return String(package[start.upperBound...].prefix { $0 != "\"" })
    }
}
