import Foundation
import Glibc
import STFrameworkSamples
import STPlatform
import STTestSupport
import Security
import Testing
import UserNotifications

@testable import STFoundationTypes

@Suite("What a phone has besides Screen Time")
struct PhoneNamesTests {
    @Test("texts without a translation are what they say, with their values")
    func texts() {
        #expect(PhoneNames.said(3) == ["3 apps", "Half, 0.500000", "3 of many", "100% of 3"])
    }

    @Test("a translation takes the values in its own order")
    func order() {
        var interpolation = String.LocalizationValue.StringInterpolation(
            literalCapacity: 0,
            interpolationCount: 2
        )
        interpolation.appendInterpolation(2)
        interpolation.appendLiteral(" of ")
        interpolation.appendInterpolation("ten")
        let value = String.LocalizationValue(stringInterpolation: interpolation)
        #expect(value.key == "%lld of %@")
        #expect(value.filled("%2$@: %1$lld (%%)", Locale(identifier: "en_GB")) == "ten: 2 (%)")
        #expect(value.filled("%3$@%", Locale(identifier: "en_GB")) == "%")
    }

    @MainActor
    @Test("what has no effect here can be called, and properties keep what is set")
    func withoutEffect() {
        #expect(PhoneNames.tell() == "iOS, 3.0")
        #expect(PhoneNames.content().relevanceScore == 0.5)
        #expect(PhoneNames.content().targetContentIdentifier == "focus")
    }

    @Test(
        "two processes of one app hear each other by the Darwin centre, and those of another app hear nothing"
    )
    func darwin() async throws {
        let scratch = try ScratchDirectory()
        defer { scratch.remove() }
        func start(_ app: String, _ arguments: [String], output: OwnedDescriptor? = nil) throws
            -> SpawnedProcess
        {
            var environment = Program.environment
            environment["SCREENTIME_STATE"] = scratch.path
            environment["SCREENTIME_APP"] = app
            return try SpawnedProcess(
                SpawnPlan(
                    executable: Program.probe,
                    arguments: arguments,
                    environment: environment,
                    standardOutput: output?.number
                )
            )
        }
        let names = ["dev.example/a change", "dev.example.last"]
        let output = try DescriptorPipe()
        let hearing = try start("one", ["hear"] + names, output: output.writeEnd)
        let others = try start("other", ["hear"] + names)
        defer {
            others.signal(SIGKILL)
            _ = others.wait(deadlineMs: 1_000)
        }
        // Nothing says when it observes; what is posted before is not heard, as on a phone.
        try await eventually(within: .seconds(20), "the last name is heard") {
            #expect(try start("one", ["post"] + names).wait(deadlineMs: 10_000)?.isSuccess == true)
            guard let status = hearing.wait(deadlineMs: 200) else { throw NotYet("it still observes") }
            #expect(status.isSuccess)
        }
        #expect(Set(Program.read(output).split(separator: "\n").map(String.init)) == Set(names))
        #expect(others.wait(deadlineMs: 200) == nil)
    }

    /// What a process of that app says.
    private static func say(_ arguments: [String], app: String, _ scratch: ScratchDirectory) throws -> String
    {
        let output = try DescriptorPipe()
        var environment = Program.environment
        environment["SCREENTIME_STATE"] = scratch.path
        environment["SCREENTIME_APP"] = app
        let process = try SpawnedProcess(
            SpawnPlan(
                executable: Program.probe,
                arguments: arguments,
                environment: environment,
                standardOutput: output.writeEnd.number
            )
        )
        #expect(process.wait(deadlineMs: 20_000)?.isSuccess == true)
        return Program.read(output).filter { !$0.isNewline }
    }

    @Test("preferences as in C are those of UserDefaults")
    func preferences() throws {
        let scratch = try ScratchDirectory()
        defer { scratch.remove() }
        #expect(try Self.say(["old"], app: "one", scratch) == "7 7")
    }

    @Test("a secret that one app of a group keeps is there for the others of it, until it is forgotten")
    func keychain() throws {
        let scratch = try ScratchDirectory()
        defer { scratch.remove() }
        func secret(_ arguments: String..., app: String = "one") throws -> String {
            try Self.say(["secret"] + arguments, app: app, scratch)
        }
        #expect(try secret("load", "pin") == "none")
        #expect(try secret("save", "pin", "1234") == "\(errSecSuccess)")
        #expect(try secret("load", "pin", app: "two") == "1234")
        #expect(try secret("save", "pin", "5678", app: "two") == "\(errSecSuccess)")
        #expect(try secret("save", "other", "x") == "\(errSecSuccess)")
        #expect(try secret("load", "pin") == "5678")
        #expect(try secret("list", "") == "other pin")
        #expect(try secret("forget", "pin", app: "two") == "true")
        #expect(try secret("load", "pin") == "none")
        #expect(try secret("forget", "pin") == "false")
        let file = scratch.file("groups/group.dev.example.secrets/Library/Keychains/items.plist")
        var about = stat()
        #expect(stat(file, &about) == 0 && about.st_mode & 0o077 == 0, "others may read it")
        // What is no list of items is set aside.
        try AtomicFile.write(Array("no list".utf8), to: file)
        #expect(try secret("load", "other") == "none")
        #expect(try secret("save", "other", "y") == "\(errSecSuccess)")
        #expect(try secret("load", "other") == "y")
    }

    @Test("what a keychain cannot do, it refuses by Apple's numbers")
    func refusals() {
        let twice = [kSecAttrAccount: "a"] as CFDictionary
        #expect(SecItemAdd(twice, nil) == errSecParam)
        #expect(SecItemCopyMatching(twice, nil) == errSecParam)
        #expect(SecItemDelete(twice) == errSecParam)
        let key = [kSecClass: kSecClassKey] as CFDictionary
        #expect(SecItemAdd(key, nil) == errSecUnimplemented)
        let item = [kSecClass: kSecClassGenericPassword, kSecValueData: NSObject()] as CFDictionary
        #expect(SecItemAdd(item, nil) == errSecParam)
        let reference = [kSecClass: kSecClassGenericPassword, kSecReturnRef: true] as CFDictionary
        #expect(SecItemCopyMatching(reference, nil) == errSecUnimplemented)
        let both: CFDictionary = [
            kSecClass: kSecClassGenericPassword, kSecReturnRef: false, kSecReturnPersistentRef: true,
        ]
        #expect(SecItemCopyMatching(both, nil) == errSecUnimplemented)
        #expect(SecCopyErrorMessageString(errSecItemNotFound, nil)?.isEmpty == false)
        var bytes = [UInt8](repeating: 0, count: 64)
        #expect(SecRandomCopyBytes(kSecRandomDefault, 64, &bytes) == errSecSuccess)
        #expect(Set(bytes).count > 8)
    }

    @MainActor
    @Test("a timer sends the time until its subscriber leaves", .timeLimit(.minutes(2)))
    func timer() async throws {
        let ticks = Ticks(every: 0.01)
        while ticks.count < 3 { try await Task.sleep(for: .milliseconds(10)) }
        ticks.stop()
        let count = ticks.count
        try await Task.sleep(for: .milliseconds(100))
        #expect(ticks.count == count)
    }
}
