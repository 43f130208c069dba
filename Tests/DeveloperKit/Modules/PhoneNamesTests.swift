import Foundation
import Glibc
import STFrameworkSamples
import STPlatform
import STTestSupport
import Security
import Testing
import UserNotifications

@testable import STFoundationTypes

@Suite("Apple's names outside Screen Time")
struct PhoneNamesTests {
    @Test("A localised text without a translation shows its key with the values")
    func texts() {
        #expect(PhoneNames.said(3) == ["3 apps", "Half, 0.500000", "3 of many", "100% of 3"])
    }

    @Test("A translation can use the values in another order")
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
    @Test("Calls without effect on Linux compile, and their properties keep their values")
    func withoutEffect() {
        #expect(PhoneNames.tell() == "iOS, 3.0")
        #expect(PhoneNames.content().relevanceScore == 0.5)
        #expect(PhoneNames.content().targetContentIdentifier == "focus")
    }

    @Test(
        "Darwin notifications reach other processes of the same app and not those of other apps"
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
        // The process does not report when it observes. As on a phone, it does not receive earlier notifications.
        try await eventually(within: .seconds(20), "the last name is received") {
            #expect(try start("one", ["post"] + names).wait(deadlineMs: 10_000)?.isSuccess == true)
            guard let status = hearing.wait(deadlineMs: 200) else { throw NotYet("it still observes") }
            #expect(status.isSuccess)
        }
        #expect(Set(Program.read(output).split(separator: "\n").map(String.init)) == Set(names))
        #expect(others.wait(deadlineMs: 200) == nil)
    }

    /// Output of a process of that app.
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

    @Test("Core Foundation preferences are the values of UserDefaults")
    func preferences() throws {
        let scratch = try ScratchDirectory()
        defer { scratch.remove() }
        #expect(try Self.say(["old"], app: "one", scratch) == "7 7")
    }

    @Test("A keychain item is shared by the apps of a group, private to the account, and deletable")
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
        // A damaged file is moved aside.
        try AtomicFile.write(Array("no list".utf8), to: file)
        #expect(try secret("load", "other") == "none")
        #expect(try secret("save", "other", "y") == "\(errSecSuccess)")
        #expect(try secret("load", "other") == "y")
    }

    @Test("Unsupported keychain calls return Apple's error codes")
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
    @Test("A timer publisher sends values until its subscription is cancelled", .timeLimit(.minutes(2)))
    func timer() async throws {
        let ticks = Ticks(every: 0.01)
        while ticks.count < 3 { try await Task.sleep(for: .milliseconds(10)) }
        ticks.stop()
        let count = ticks.count
        try await Task.sleep(for: .milliseconds(100))
        #expect(ticks.count == count)
    }
}
