import Glibc
import STContracts
import STPlatform
import STTestSupport
import Testing

@testable import STLab

@Suite("Reading a project with app new")
struct LabReadingTests {
    private static func sample(_ name: String) throws -> ProjectFolder {
        try ProjectFolder(BuiltTree.source("Tests/DeveloperKit/Samples/Lab/\(name)"))
    }

    private static func project(_ name: String) throws -> [String: ProjectTarget] {
        let folder = try sample(name)
        let found = try XcodeProject("\(folder.root)/\(name).xcodeproj", in: folder).targets()
        #expect(found.leftOut == [])
        return Dictionary(uniqueKeysWithValues: found.targets.map { ($0.name, $0) })
    }

    private static func names(_ files: [String]) -> [String] { files.map(\.file).sorted() }

    // MARK: - Projects

    @Test(
        "A synchronized group contains its files without exceptions, and the files that other targets name"
    )
    func synchronized() throws {
        let folder = try Self.sample("Focus")
        let targets = try Self.project("Focus")
        let monitor = try LabExtension(try #require(targets["FocusMonitor"]), in: folder)
        #expect(Self.names(monitor.sources) == ["FocusBook.swift", "FocusMonitor.swift"])
        #expect(monitor.point == .monitor && monitor.principal == "FocusMonitor")
        #expect(monitor.bundleIdentifier == "dev.example.focus.focusmonitor")
        #expect(monitor.info["FocusGroup"]?.text == "group.dev.example.focus")
        #expect(monitor.groups == ["group.dev.example.focus"])
        #expect(monitor.enabled.contains("MemberImportVisibility") && monitor.languageMode == "v5")
        let shield = try LabExtension(try #require(targets["FocusShield"]), in: folder)
        #expect(shield.isMainActor && !monitor.isMainActor)
        #expect(Self.names(shield.resources) == ["Assets.xcassets"])
        #expect(targets["Focus"]?.embeds == ["FocusMonitor"])
    }

    @Test(
        "Settings are read from included files, and the class overrides the extension point of Info.plist"
    )
    func configured() throws {
        let folder = try Self.sample("Pledge")
        let targets = try Self.project("Pledge")
        let monitor = try LabExtension(try #require(targets["Pledge Monitor"]), in: folder)
        #expect(monitor.point == .monitor && monitor.principal == "PledgeMonitor")
        #expect(monitor.notes.count == 1)
        #expect(monitor.module == "Pledge_Monitor" && monitor.languageMode == "v6")
        #expect(monitor.defines == ["PLEDGE_STRICT"])
        #expect(monitor.bundleIdentifier == "dev.example.pledge.monitor")
        #expect(monitor.info["PledgeGroup"]?.text == "group.dev.example.pledge")
        let problem = #expect(throws: Problem.self) {
            try LabExtension(try #require(targets["PledgeWidget"]), in: folder)
        }
        #expect(problem?.code == "lab.other_kind")
    }

    @Test("Targets are read from an XcodeGen description")
    func generated() throws {
        let folder = try Self.sample("Quiet")
        let found = try XcodeGenProject("\(folder.root)/project.yml", in: folder).targets()
        let targets = Dictionary(uniqueKeysWithValues: found.targets.map { ($0.name, $0) })
        let monitor = try LabExtension(try #require(targets["QuietMonitor"]), in: folder)
        #expect(Self.names(monitor.sources) == ["QuietMonitor.swift", "QuietNames.swift"])
        #expect(monitor.resources == [])
        #expect(monitor.principal == "QuietMonitor" && monitor.enabled == ["ExistentialAny"])
        #expect(monitor.groups == ["group.dev.example.quiet"])
        #expect(monitor.activities == ["evening"])
        let report = try LabExtension(try #require(targets["QuietReport"]), in: folder)
        #expect(report.point == .report && report.principal == nil)
        #expect(targets["Quiet"]?.embeds == ["QuietMonitor", "QuietReport"])
    }

    @Test(
        "A Tuist description is read without running it, and hostile descriptions are rejected"
    )
    func tuist() throws {
        let folder = try Self.sample("Diary")
        let path = "\(folder.root)/Project.swift"
        #expect(TuistProject.isOne(path, in: folder))
        let found = try TuistProject(path, in: folder).targets()
        #expect(found.leftOut == [])
        let targets = Dictionary(uniqueKeysWithValues: found.targets.map { ($0.name, $0) })
        let monitor = try LabExtension(try #require(targets["DiaryMonitor"]), in: folder)
        #expect(Self.names(monitor.sources) == ["Book.swift", "DiaryMonitor.swift"])
        #expect(monitor.point == .monitor && monitor.principal == "DiaryMonitor")
        #expect(monitor.bundleIdentifier == "dev.example.diary.monitor")
        #expect(monitor.groups == ["group.dev.example.diary"] && monitor.macros == ["Model"])
        let shield = try LabExtension(try #require(targets["DiaryShield"]), in: folder)
        #expect(Self.names(shield.sources) == ["Book.swift", "DiaryShield.swift"])
        #expect(targets["Diary"]?.embeds == ["DiaryMonitor", "DiaryShield", "DiaryReport"])
        let problem = #expect(throws: Problem.self) {
            try SwiftLiterals(Array("let a = Project(".utf8) + Array(repeating: 91, count: 100_000), "file")
                .call("Project")
        }
        #expect(problem?.code == "lab.bad_file")
        let bomb =
            (0..<60).map { "let a\($0) = [a\($0 + 1), a\($0 + 1)]\n" }.joined() + "let p = Project(x: a0)"
        #expect(throws: Problem.self) { try SwiftLiterals(Array(bomb.utf8), "file").call("Project") }
        let long = "let a = [x { \(String(repeating: "y ", count: 20_000))}]\n"
        let often = long + "let p = Project(x: [\(String(repeating: "a, ", count: 20_000))])"
        #expect(throws: Problem.self) { try SwiftLiterals(Array(often.utf8), "file").call("Project") }
    }

    @Test("The targets of an Expo app are the folders with a target script, and share the files beside them")
    func expo() throws {
        let folder = try Self.sample("Ember")
        let project = try ExpoProject("\(folder.root)/targets/monitor/\(ExpoProject.file)", in: folder)
        let found = try project.targets()
        let targets = Dictionary(uniqueKeysWithValues: found.targets.map { ($0.name, $0) })
        #expect(targets["Ember"]?.embeds == ["EmberMonitor", "EmberShield", "EmberAction"])
        let monitor = try LabExtension(try #require(targets["EmberMonitor"]), in: folder)
        #expect(Self.names(monitor.sources) == ["Coals.swift", "EmberMonitor.swift"])
        #expect(monitor.bundleIdentifier == "dev.example.ember.monitor")
        #expect(monitor.groups == ["group.dev.example.ember"] && monitor.resources == [])
        let action = try LabExtension(try #require(targets["EmberAction"]), in: folder)
        #expect(action.point == .shieldAction && action.bundleIdentifier == "dev.example.ember.EmberAction")
    }

    @Test(
        "Package targets with a Screen Time class are extensions, and the manifest reads no file outside its package"
    )
    func package() throws {
        let scratch = try ScratchDirectory()
        defer { scratch.remove() }
        try Directories.prepare(scratch.file("P/Sources/Watch"))
        try Directories.prepare(scratch.file("P/Sources/Kit"))
        try scratch.write(
            """
            // swift-tools-version: 6.0
            import PackageDescription
            let package = Package(
                name: "Watching",
                targets: [.target(name: "Kit", exclude: ["Old"]), .target(name: "Watch", dependencies: ["Kit"])]
            )
            """,
            to: "P/Package.swift"
        )
        try Directories.prepare(scratch.file("P/Sources/Kit/Old"))
        for path in ["Kit.swift", "Old/Gone.swift"] {
            try scratch.write("public let word = \"x\"\n", to: "P/Sources/Kit/\(path)")
        }
        try scratch.write(
            "import DeviceActivity\nimport Kit\nclass Watch: DeviceActivityMonitor {}\n",
            to: "P/Sources/Watch/Watch.swift"
        )
        let folder = try ProjectFolder(scratch.file("P"))
        var environment = ProcessEnvironment.current()
        environment["XDG_CACHE_HOME"] = scratch.file("cache")
        let found = try PackageProject("\(folder.root)/Package.swift", in: folder, environment).targets()
        #expect(found.leftOut == [])
        let watch = try #require(found.targets.first { $0.name == "Watch" })
        #expect(watch.kind == .extension && watch.embeds == ["Kit"])
        let kit = try #require(found.targets.first { $0.name == "Kit" })
        #expect(kit.kind == .library && Self.names(kit.files) == ["Kit.swift"])
        #expect(try LabExtension(watch, in: folder).languageMode == "v6")
        // Evaluating the manifest cannot read other files of the account.
        try scratch.write("secret", to: "letter.txt")
        let reads =
            "(try? String(contentsOfFile: \"\(scratch.file("letter.txt"))\", encoding: .utf8)) ?? \"nothing\""
        let curious = ScratchDirectory.text(scratch.file("P/Package.swift"))
            .replacing("import PackageDescription", with: "import Foundation\nimport PackageDescription")
            .replacing("\"Watching\"", with: reads)
        try scratch.write(curious, to: "P/Package.swift")
        let again = try PackageProject("\(folder.root)/Package.swift", in: folder, environment).targets()
        #expect(try again.targets.first?.settings["PROJECT_NAME"] == "nothing")
    }

    @Test("A quoted string stays one literal in generated code, also with combining characters")
    func quoted() {
        let text = "a\u{600}\"), .unsafeFlags([\"b\u{600}\\"
        let quoted = Array(LabPackage.quoted(text).unicodeScalars)
        var isEscaped = false
        var ends: [Int] = []
        for (index, scalar) in quoted.enumerated().dropFirst() {
            if scalar == "\"", !isEscaped { ends.append(index) }
            isEscaped = scalar == "\\" && !isEscaped
        }
        #expect(ends == [quoted.count - 1])
    }

    @Test(
        "A file pattern matches folder by folder",
        arguments: [
            ("Monitor/*.swift", ["A.swift"]), ("Monitor/**", ["A.swift", "B.swift", "C.swift"]),
            ("Monitor/**/*.swift", ["A.swift", "B.swift", "C.swift"]),
            ("Monitor/Deep/**/C.swift", ["C.swift"]),
            ("Monitor/*/B.swift", ["B.swift"]), ("Monitor/A.swift", ["A.swift"]), ("Monitor/*.m", []),
        ]
    )
    func patterns(_ pattern: String, _ files: [String]) throws {
        let scratch = try ScratchDirectory()
        defer { scratch.remove() }
        try Directories.prepare(scratch.file("Monitor/Deep/Deeper"))
        for path in ["Monitor/A.swift", "Monitor/Deep/B.swift", "Monitor/Deep/Deeper/C.swift"] {
            try scratch.write("let x = 1\n", to: path)
        }
        let text = """
            import ProjectDescription
            let project = Project(name: "P", targets: [
                .target(name: "M", product: .appExtension, bundleId: "m", sources: ["\(pattern)"])
            ])
            """
        try scratch.write(text, to: "Project.swift")
        let folder = try ProjectFolder(scratch.path)
        let target = try #require(
            try TuistProject("\(folder.root)/Project.swift", in: folder).targets().targets.first
        )
        #expect(Self.names(target.files) == files)
    }

    @Test("Adapting a source for Linux keeps its lines")
    func adapted() {
        #expect(SourceScan.adapted(Array("class A: DeviceActivityMonitor {}".utf8)) == nil)
        let text =
            "@objc(A)\n@objcMembers class A {\n  @objc var b: DeviceActivity.DeviceActivityReport.Context\n}"
        let adapted = SourceScan.adapted(Array(text.utf8))
        #expect(
            adapted
                == "        \n             class A {\n        var b: DeviceActivityReport.Context\n}"
        )
    }

    @Test("A stand-in declares the names that the compiler did not find, as types or as values")
    func standIn() {
        var standIn = StubModule("Counting")
        let lines = [
            "/a.swift:1:1: error: cannot find 'Analytics' in scope",
            "/a.swift:2:1: error: cannot find type 'Listener' in scope",
            "/a.swift:3:1: error: cannot find 'Listener' in scope",
        ]
        #expect(lines.map { standIn.addDeclaration($0[...]) } == [true, true, true])
        #expect(
            !standIn.addDeclaration(lines[0][...])
                && !standIn.addDeclaration("error: cannot find 'a b' in scope")
        )
        #expect(standIn.source.contains("public let Analytics = StandIn(\"Analytics\")"))
        #expect(standIn.source.contains("public typealias Listener = StandIn"))
        #expect(!standIn.source.contains("public let Listener"))
    }

    @Test("A variant group gives one file for each language, and a string catalogue one table")
    func localized() throws {
        let folder = try Self.sample("Hallo")
        let shield = try LabExtension(try #require(try Self.project("Hallo")["HalloShield"]), in: folder)
        #expect(
            Self.names(shield.resources) == ["Localizable.strings", "Localizable.strings", "More.xcstrings"]
        )
        let german = try #require(shield.resources.first { $0.contains("de.lproj") })
        #expect(
            try PropertyList.parse(try folder.bytes(german), german)
                == .table(["shield.title": .text("Genug für \"heute\"")])
        )
        let catalog = try #require(shield.resources.first { $0.ending == "xcstrings" })
        #expect(
            try StringCatalog.tables(try folder.bytes(catalog), catalog) == [
                "en": ["%@ rests": "%@ is resting", "Close": "Close"], "de": ["%@ rests": "%@ ruht"],
            ]
        )
    }

    // MARK: - Invalid input

    @Test(
        "A damaged or hostile property list is rejected with the fault",
        arguments: [
            ("{ a = (b, c; }", "line 1: it has no comma"), ("{\n a = b\n}", "line 3: it has no semicolon"),
            ("{ a = \"b", "line 1: it has a quote that does not end"),
            ("{ a = b; } c", "continues after its end"),
            (String(repeating: "(", count: 100_000), "nested too deeply"), ("/* ", "has no “*/” after this"),
            ("<?xml version=\"1.0\"?>\n<plist><dict><key>a</key>", "line 2: it has no element"),
            (
                "<!DOCTYPE plist [<!ENTITY a \"&b;&b;\">]><plist><string>&a;</string></plist>",
                "defines entities"
            ),
            ("<plist><string>&a;</string></plist>", "has &a;, which no property list has"),
            (String(repeating: "<array>", count: 100_000), "nested too deeply"),
            ("bplist00abc", "binary property list"),
        ]
    )
    func damaged(_ text: String, _ says: String) {
        let problem = #expect(throws: Problem.self) { try PropertyList.parse(Array(text.utf8), "file") }
        #expect(problem?.message.contains(says) == true, "\(String(describing: problem))")
    }

    @Test("A randomly changed project file is read or rejected", arguments: 0..<200)
    func mutated(_ seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let folder = BuiltTree.source("Tests/DeveloperKit/Samples/Lab")
        let files = [
            "Focus/Focus.xcodeproj/project.pbxproj", "Focus/FocusMonitor/Info.plist",
            "Hallo/Shield/de.lproj/Localizable.strings", "Quiet/project.yml", "Diary/Project.swift",
        ]
        let file = "\(folder)/\(random.pick(files) ?? files[0])"
        var bytes = try AtomicFile.read(file, limitBytes: 1_048_576)
        for _ in 0..<random.number(1...8) {
            let place = random.number(0...(bytes.count - 1))
            switch random.number(0...2) {
            case 0: bytes[place] = UInt8(random.number(0...255))
            case 1: bytes.removeSubrange(place..<min(bytes.count, place + random.number(1...40)))
            default: bytes.insert(contentsOf: Array("({<\"\\;".utf8), at: place)
            }
            guard !bytes.isEmpty else { return }
        }
        do throws(Problem) {
            if file.hasSuffix("yml") {
                _ = try YamlReader.read(bytes, file)
            } else if file.hasSuffix("swift") {
                _ = try SwiftLiterals(bytes, file).call("Project")
            } else {
                _ = try PropertyList.parse(bytes, file)
            }
        } catch {
            #expect(error.code == "lab.bad_file")
            #expect(error.message.contains(", line ") || file.hasSuffix("swift"))
        }
    }

    @Test("YAML with anchors is rejected")
    func anchors() {
        let bomb = "a: &a [x, x]\nb: &b [*a, *a]\nc: [*b, *b]\n"
        let problem = #expect(throws: Problem.self) { try YamlReader.read(Array(bomb.utf8), "project.yml") }
        #expect(
            problem?.message == "project.yml, line 2: anchors are not read; write out what they stand for."
        )
    }

    @Test(
        "A target with files outside the project folder is left out with a reason, and a cyclic group is rejected"
    )
    func outside() throws {
        let scratch = try ScratchDirectory()
        defer { scratch.remove() }
        try Directories.prepare(scratch.file("P/P.xcodeproj"))
        try scratch.write(
            """
            { rootObject = P; objects = {
              P = { isa = PBXProject; mainGroup = G; targets = (T); };
              G = { isa = PBXGroup; children = (F, G); sourceTree = "<group>"; };
              F = { isa = PBXFileReference; path = "../../etc/passwd.swift"; sourceTree = "<group>"; };
              T = { isa = PBXNativeTarget; name = T; productType = "com.apple.product-type.app-extension";
                    buildPhases = (S); };
              S = { isa = PBXSourcesBuildPhase; files = (B); };
              B = { isa = PBXBuildFile; fileRef = F; };
            }; }
            """,
            to: "P/P.xcodeproj/project.pbxproj"
        )
        let folder = try ProjectFolder(scratch.file("P"))
        // The group is also its own child.
        let endless = #expect(throws: Problem.self) {
            try XcodeProject("\(folder.root)/P.xcodeproj", in: folder)
        }
        #expect(endless?.message.contains("nested too deeply") == true)
        let path = "P/P.xcodeproj/project.pbxproj"
        try scratch.write(
            ScratchDirectory.text(scratch.file(path)).replacing("(F, G)", with: "(F)"),
            to: path
        )
        let found = try XcodeProject("\(folder.root)/P.xcodeproj", in: folder).targets()
        #expect(found.targets.isEmpty)
        #expect(found.leftOut.first?.reason.english.contains("is outside") == true)
    }

    @Test("Invalid language names of a catalogue are ignored, equal file names rejected, and app ids cleaned")
    func names() throws {
        let unit = #"{"stringUnit": {"value": "x"}}"#
        let text =
            #"{"sourceLanguage": "../..", "strings": {"a": {"localizations": {"../../etc": U, "de": U}}}}"#
        let tables = try StringCatalog.tables(Array(text.replacing("U", with: unit).utf8), "A.xcstrings")
        #expect(tables == ["en": ["a": "a"], "de": ["a": "x"]])
        let twice = #expect(throws: Problem.self) {
            try LabExtension.sources(among: ["/a/X.swift", "/b/X.swift"])
        }
        #expect(twice?.code == "lab.same_name")
        let app = LabPackage.App(id: "a b/../$(C)", name: String(repeating: "n", count: 90), version: "")
        #expect(app.id == "a-b-..---C-" && app.name.count == 48 && app.version == "1.0")
    }

    // MARK: - Settings

    @Test("Build settings inherit, refer to each other, and ignore values for other platforms")
    func settings() throws {
        var settings = BuildSettings("a target", ["A": "one", "TARGET_NAME": "My App"])
        settings.add([
            "A": "$(inherited) two", "B": "${A}!", "A[sdk=macosx*]": "mac",
            "C": "$(TARGET_NAME:c99extidentifier)",
        ])
        settings.add([
            "A": "$(inherited) three", "D": "$($(E))", "E": "C", "F": "$(NONE:default=x) $(C:lower)",
        ])
        #expect(try settings["A"] == "one two three")
        #expect(try settings["B"] == "one two three!")
        #expect(try settings["C"] == "My_App")
        #expect(try settings["D"] == "My_App")
        #expect(try settings["F"] == "x my_app")
        #expect(try settings["NONE"] == "")
    }

    @Test("Build settings that are cyclic or grow without limit are rejected")
    func endless() {
        var settings = BuildSettings("a target", [:])
        settings.add(["A": "$(B)", "B": "$(A)", "C0": "0123456789"])
        for level in 1...40 { settings.add(["C\(level)": String(repeating: "$(C\(level - 1))", count: 8)]) }
        // Repeated references without any text.
        settings.add(["E0": ""])
        for level in 1...20 { settings.add(["E\(level)": String(repeating: "$(E\(level - 1))", count: 8)]) }
        for name in ["A", "C20", "C40", "E20"] {
            let problem = #expect(throws: Problem.self) { try settings[name] }
            #expect(problem?.code == "lab.endless_setting", "\(name)")
        }
    }

    @Test("Settings files with exponential includes are rejected, and cyclic setting groups end")
    func included() throws {
        let scratch = try ScratchDirectory()
        defer { scratch.remove() }
        for level in 0..<30 {
            let next = "#include \"\(level + 1).xcconfig\"\n"
            try scratch.write(next + next, to: "\(level).xcconfig")
        }
        try scratch.write("A = 1\n", to: "30.xcconfig")
        let folder = try ProjectFolder(scratch.path)
        let problem = #expect(throws: Problem.self) {
            try BuildSettings.file("\(folder.root)/0.xcconfig", in: folder)
        }
        #expect(problem?.code == "lab.endless_setting")

        let names = (0..<20).map {
            "g\($0): {groups: [\((0..<20).map { "g\($0)" }.joined(separator: ", "))]}"
        }
        try scratch.write(
            """
            name: P
            settingGroups:
              \(names.joined(separator: "\n  "))
            targets:
              T: {type: app-extension, sources: [], settings: {groups: [g0]}}
            """,
            to: "project.yml"
        )
        let found = try XcodeGenProject("\(folder.root)/project.yml", in: folder).targets()
        #expect(found.targets.count == 1)
    }

    @Test("Groups that contain the same group twice at each level are read")
    func shared() throws {
        let scratch = try ScratchDirectory()
        defer { scratch.remove() }
        try Directories.prepare(scratch.file("P.xcodeproj"))
        let groups = (0..<50).map { level in
            "G\(level) = { isa = PBXGroup; children = (G\(level + 1), G\(level + 1)); sourceTree = \"<group>\"; };"
        }
        try scratch.write(
            "{ rootObject = P; objects = { P = { mainGroup = G0; targets = (); }; \(groups.joined()) }; }",
            to: "P.xcodeproj/project.pbxproj"
        )
        let folder = try ProjectFolder(scratch.path)
        let found = try XcodeProject("\(folder.root)/P.xcodeproj", in: folder).targets()
        #expect(found.targets.isEmpty && found.leftOut == [])
    }

    // MARK: - Sources

    @Test("Classes are found through intermediate classes, and comments and strings are ignored")
    func sources() {
        let source = """
            import struct Foundation.URL
            import DeviceActivity // import UIKit
            /* class No: DeviceActivityMonitor /* nested */ {} */
            let text = "class Neither: DeviceActivityMonitor \\(name("x")) \\" {"
            class Base<T>: Other {}
            class Middle: DeviceActivity.DeviceActivityMonitor, Sendable {}
            final class Own: Middle {}
            extension DeviceActivityName { static let daily = Self("daily"); static let two = Self(rawValue: "two") }
            func name() -> DeviceActivityName { return DeviceActivityName("three") }
            let event = DeviceActivityEvent.Name("used-up")
            #if canImport(WebKit)
            import WebKit
            #endif
            """
        var scan = SourceScan()
        scan.add(Array(source.utf8))
        #expect(scan.imports == ["Foundation", "DeviceActivity", "WebKit"] && scan.guarded == ["WebKit"])
        #expect(scan.descendants(of: "DeviceActivityMonitor") == ["Own"])
        #expect(!scan.hasMain)
        #expect(scan.names["DeviceActivityName"] == ["daily", "two", "three"])
        #expect(scan.names["DeviceActivityEvent.Name"] == ["used-up"])
    }

    @Test("Scanning hostile sources ends within a minute")
    func hostile() {
        let sources = [
            String(repeating: "\"\\(", count: 300_000), String(repeating: "a ", count: 400_000) + "(\"x\")",
            String(repeating: "extension ", count: 200_000),
            (0..<20_000).map { "class A\($0): A\($0 + 1) {}\n" }.joined(),
            (0..<20_000).map { "class B\($0): DeviceActivityMonitor {}\n" }.joined(),
        ]
        let start = Stopwatch.milliseconds()
        for source in sources {
            var scan = SourceScan()
            scan.add(Array(source.utf8))
            _ = scan.descendants(of: "DeviceActivityMonitor")
        }
        #expect(Stopwatch.milliseconds() - start < 60_000)
    }

    @Test("Links in a project lead neither to files outside it nor into folders that are written")
    func links() throws {
        let scratch = try ScratchDirectory()
        defer { scratch.remove() }
        try Directories.prepare(scratch.file("outside"))
        try scratch.write("secret", to: "outside/secret.txt")
        try Directories.prepare(scratch.file("P/A"))
        try Directories.prepare(scratch.file("P/B/en.lproj"))
        try scratch.write("mine", to: "P/B/en.lproj/x.strings")
        #expect(symlink(scratch.file("outside"), scratch.file("P/A/en.lproj")) == 0)
        #expect(symlink(scratch.file("outside/secret.txt"), scratch.file("P/A/secret.txt")) == 0)
        #expect(symlink(scratch.file("P/B/en.lproj/x.strings"), scratch.file("P/A/own.strings")) == 0)
        let folder = try ProjectFolder(scratch.file("P"))
        let files = try folder.files(at: folder.root)
        #expect(Self.names(files) == ["own.strings", "x.strings"])
        for file in files { try folder.copy(file, into: scratch.file("target")) }
        #expect(try DirectoryTree.names(in: scratch.file("outside")) == ["secret.txt"])
        var about = stat()
        #expect(lstat(scratch.file("target/own.strings"), &about) == 0 && about.st_mode & S_IFMT == S_IFREG)
    }

    @Test("Swift names of assets match those of Xcode")
    func symbols() {
        let names = [
            "Warm Light", "AccentColor", "DSAction", "favicon-32x32", "lamp-on", "URL", "9lives", "Red",
        ]
        #expect(
            names.map { AssetSymbols.symbol($0, "Color") }
                == ["warmLight", "accent", "dsAction", "favicon32X32", "lampOn", "url", "_9Lives", "red"]
        )
    }

    @Test("A settings file with Windows line endings is read completely")
    func windows() throws {
        let scratch = try ScratchDirectory()
        defer { scratch.remove() }
        try scratch.write("A = 1\r\nB = $(A)\r\nC[sdk=iphoneos*,arch=*] = 2\r\n", to: "a.xcconfig")
        let folder = try ProjectFolder(scratch.path)
        var settings = BuildSettings("a target", [:])
        settings.add(try BuildSettings.file("\(folder.root)/a.xcconfig", in: folder))
        #expect(try settings["A"] == "1" && settings["B"] == "1" && settings["C"] == "2")
    }

    @Test("A package is not written into a folder with other files")
    func occupied() throws {
        let scratch = try ScratchDirectory()
        defer { scratch.remove() }
        try scratch.write("mine", to: "letter.txt")
        let package = LabPackage(folder: scratch.path, frameworks: "/", environment: [:])
        let problem = #expect(throws: Problem.self) {
            try package.write([], [], in: ProjectFolder(scratch.path))
        }
        #expect(problem?.code == "lab.not_empty")
        #expect(try DirectoryTree.names(in: scratch.path) == ["letter.txt"])
    }
}
