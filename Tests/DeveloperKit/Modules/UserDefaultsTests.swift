import DeviceActivity
import Glibc
import STFrameworkSamples
import STPlatform
import STTestSupport
import Testing

@testable import STFoundationTypes

@Suite("UserDefaults")
struct UserDefaultsTests {
    private let scratch: ScratchDirectory
    private let folders: StateFolders

    init() throws {
        scratch = try ScratchDirectory()
        folders = StateFolders(state: scratch.path)
    }

    private func suite(_ name: String = "group.test") throws -> UserDefaults {
        try UserDefaults(group: name, folders: folders)
    }

    private var path: String { scratch.file("groups/group.test/Library/Preferences/group.test.plist") }

    @Test("UserDefaults returns every kind of value as it was stored")
    func values() throws {
        let defaults = try suite()
        let day = Date(timeIntervalSince1970: 1_700_000_000)
        defaults.set("text", forKey: "string")
        defaults.set(7, forKey: "int")
        defaults.set(2.5, forKey: "double")
        defaults.set(Float(1.5), forKey: "float")
        defaults.set(true, forKey: "bool")
        defaults.set(Data([1, 2]), forKey: "data")
        defaults.set(day, forKey: "date")
        defaults.set(["a", "b"], forKey: "array")
        defaults.set(["k": 1], forKey: "dictionary")
        defaults.set(URL(string: "https://example.com/x"), forKey: "url")

        for reader in [defaults, try suite()] {
            #expect(reader.string(forKey: "string") == "text")
            #expect(reader.integer(forKey: "int") == 7)
            #expect(reader.object(forKey: "int") as? Int == 7)
            #expect(reader.string(forKey: "int") == "7")
            #expect(reader.double(forKey: "double") == 2.5)
            #expect(reader.float(forKey: "float") == 1.5)
            #expect(reader.bool(forKey: "bool"))
            #expect(reader.object(forKey: "bool") as? Bool == true)
            #expect(reader.integer(forKey: "bool") == 1)
            #expect(reader.data(forKey: "data") == Data([1, 2]))
            #expect(reader.object(forKey: "date") as? Date == day)
            #expect(reader.stringArray(forKey: "array") == ["a", "b"])
            #expect(reader.dictionary(forKey: "dictionary")?["k"] as? Int == 1)
            #expect(reader.url(forKey: "url")?.absoluteString == "https://example.com/x")
            #expect(reader.dictionaryRepresentation().count >= 10)
        }
        #expect(defaults.synchronize())
    }

    @Test("A missing default is nil, 0, false or the registered value")
    func missing() throws {
        let defaults = try suite()
        defaults.register(defaults: ["registered": 5])

        #expect(defaults.object(forKey: "none") == nil)
        #expect(defaults.integer(forKey: "none") == 0)
        #expect(!defaults.bool(forKey: "none"))
        #expect(defaults.integer(forKey: "registered") == 5)
        defaults.set(6, forKey: "registered")
        #expect(defaults.integer(forKey: "registered") == 6)
        defaults.removeObject(forKey: "registered")
        #expect(defaults.integer(forKey: "registered") == 5)
    }

    @Test("Assigning nil removes a default, and a value that cannot be stored changes nothing")
    func refused() throws {
        let defaults = try suite()
        defaults.set("x", forKey: "a")
        defaults.set(DateComponents(hour: 1), forKey: "a")
        #expect(defaults.string(forKey: "a") == "x")

        defaults.set(nil as String?, forKey: "a")
        #expect(defaults.object(forKey: "a") == nil)
        defaults.set(Data(count: 5 << 20), forKey: "big")
        #expect(defaults.object(forKey: "big") == nil)
        defaults.set("still", forKey: "b")
        #expect(try suite().string(forKey: "b") == "still")
    }

    @Test(
        "A group name that leads to another folder is rejected",
        arguments: ["", "..", "a/b", "a\u{0}b", "NSGlobalDomain", "é"]
    )
    func names(_ name: String) {
        #expect(throws: Problem.self) { try suite(name) }
        #expect(throws: Problem.self) { try folders.group(name == "NSGlobalDomain" ? "/" : name) }
    }

    @Test(
        "Every read is current, also after the file is replaced by one with the same size and time"
    )
    func fresh() throws {
        let mine = try suite()
        // A separate object for the same file, like another process.
        let other = DefaultsFile(path: path)
        for number in 0..<500 {
            other.change { $0["n"] = number % 10 }
            // The time resolution of the coarsest file system.
            var times = [timespec(tv_sec: 1, tv_nsec: 0), timespec(tv_sec: 1, tv_nsec: 0)]
            utimensat(AT_FDCWD, path, &times, 0)
            #expect(mine.integer(forKey: "n") == number % 10)
        }
        unlink(path)
        #expect(mine.object(forKey: "n") == nil)
    }

    @Test("Processes that add keys to one suite simultaneously lose none")
    func processes() throws {
        let environment = Program.environment.merging(["SCREENTIME_STATE": scratch.path]) { $1 }
        let processes = try ["one", "two"].map { prefix in
            try SpawnedProcess(
                SpawnPlan(
                    executable: Program.probe,
                    arguments: ["defaults", "group.test", prefix, "200"],
                    environment: environment
                )
            )
        }
        let mine = try suite()
        for number in 0..<200 { mine.set(number, forKey: "three.\(number)") }
        for process in processes { #expect(process.wait(deadlineMs: 60_000) == .exited(0)) }

        let all = try suite().persistent(path)
        for prefix in ["one", "two", "three"] {
            #expect(all.keys.filter { $0.hasPrefix(prefix) }.count == 200, "\(prefix)")
        }
    }

    @Test("A defaults file that is not a property list is kept under another name")
    func broken() throws {
        let defaults = try suite()
        defaults.set(1, forKey: "a")
        try AtomicFile.write(Array("rubbish".utf8), to: path)

        #expect(defaults.object(forKey: "a") == nil)
        #expect(ScratchDirectory.text(path + ".broken") == "rubbish")
        defaults.set(2, forKey: "a")
        #expect(defaults.integer(forKey: "a") == 2)
    }

    @Test("The standard defaults of an app are stored under its id")
    func standard() throws {
        let pipe = try DescriptorPipe()
        let process = try SpawnedProcess(
            SpawnPlan(
                executable: Program.probe,
                arguments: ["standard"],
                environment: Program.environment.merging([
                    "SCREENTIME_STATE": scratch.path, "SCREENTIME_APP": "com.example.promise",
                ]) { $1 },
                standardOutput: pipe.writeEnd.number
            )
        )
        #expect(process.wait(deadlineMs: 20_000) == .exited(0))

        let file = scratch.file("apps/com.example.promise/Library/Preferences/com.example.promise.plist")
        #expect(DefaultsFile(path: file).current()["where"] as? String == "here")
    }

    @Test("The types of the frameworks take precedence in a file that also imports Foundation")
    func shadowing() {
        #expect(defaultsIsOurs() == "STFoundationTypes.UserDefaults")
        #expect(formatterIsOurs() == "1h 5m")
    }

    @Test("An app's identity is its SCREENTIME_APP, or else the name of its program")
    func identity() {
        #expect(AppIdentity(environment: [:], executable: "/usr/bin/promise").app == "promise")
        #expect(AppIdentity(environment: ["SCREENTIME_APP": "a.b"], executable: "x").app == "a.b")
        #expect(AppIdentity(environment: ["SCREENTIME_MEMBER": "kid"], executable: "x").member == "kid")
        #expect(AppIdentity(environment: ["SCREENTIME_MEMBER": ""], executable: "x").member == nil)
    }
}

extension UserDefaults {
    fileprivate func persistent(_ path: String) -> [String: Any] { DefaultsFile(path: path).current() }
}
