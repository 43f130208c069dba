import STPlatform
import STTestSupport
import Testing

@testable import STCommandCore

@Suite("The table of Apple's names")
struct NamesTableTests {
    @Test("The table of Apple's names matches the built modules")
    func current() throws {
        let run = try ProgramRun.run(
            "/usr/bin/python3",
            [BuiltTree.source("scripts/names.py"), "--check"],
            environment: ProcessEnvironment.current(),
            timeout: .seconds(300)
        )
        #expect(run.output.contains("that of the modules that were built"), "\(run.output)")
    }
}
