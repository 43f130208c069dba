import STPlatform
import STSupervision
import STTestSupport
import Testing

@Suite("What a supervisor is given")
struct SupervisorInputTests {
    @Test(
        "refuses lists of services that cannot work",
        arguments: [
            [ServiceSpec(name: "a b", executable: "/bin/true")],
            [ServiceSpec(name: "supervisor", executable: "/bin/true")],
            [
                ServiceSpec(name: "a", executable: "/bin/true"),
                ServiceSpec(name: "a", executable: "/bin/true"),
            ],
            [ServiceSpec(name: "a", executable: "/bin/true", startAfter: ["b"])],
            [
                ServiceSpec(name: "a", executable: "/bin/true", startAfter: ["b"]),
                ServiceSpec(name: "b", executable: "/bin/true", startAfter: ["a"]),
            ],
        ]
    )
    func badSpecs(_ specs: [ServiceSpec]) throws {
        let scratch = try ScratchDirectory()
        let problem = #expect(throws: Problem.self) { try Fixture(scratch, specs) }
        #expect(problem?.code == "supervisor.bad_spec")
    }

    @Test("says at once when an executable is missing")
    func missing() throws {
        let scratch = try ScratchDirectory()
        let fixture = try Fixture(scratch, [ServiceSpec(name: "a", executable: "/nonexistent")])
        try fixture.supervisor.start()

        let problem = #expect(throws: Problem.self) {
            try fixture.supervisor.waitUntilReady(deadlineMs: 20_000)
        }

        #expect(problem?.message.contains("cannot start /nonexistent") == true)
        #expect(try fixture.supervisor.stop() == [:])
    }
}
