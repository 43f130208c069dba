import Foundation
import Glibc
import STFrameworkSamples
import STPlatform
import STTestSupport
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
}
