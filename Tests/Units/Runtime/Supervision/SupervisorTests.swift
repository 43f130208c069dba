import Glibc
import STPlatform
import STSupervision
import STTestSupport
import Testing

@Suite("Supervisor")
struct SupervisorTests {
    @Test("The supervisor starts services in the order of their dependencies and stops them in reverse")
    func order() throws {
        let scratch = try ScratchDirectory()
        let fixture = try Fixture(
            scratch,
            [
                Fixture.wellBehaved("third", after: ["second"]), Fixture.wellBehaved("first"),
                Fixture.wellBehaved("second", after: ["first"]),
            ]
        )
        try fixture.supervisor.start()
        try fixture.supervisor.waitUntilReady(deadlineMs: 20_000)

        let status = try #require(fixture.status("second"))
        #expect(status.state.isReady)
        #expect(status.statusText == "at work")
        #expect(status.pid != nil)
        #expect(status.readySinceBootMs != nil)
        // The output can arrive after the readiness.
        #expect(comesTrue { fixture.merged.count == 3 })
        #expect(fixture.merged == ["first: hello", "second: hello", "third: hello"])

        let exits = try fixture.supervisor.stop()

        #expect(exits == ["first": .exited(0), "second": .exited(0), "third": .exited(0)])
        #expect(fixture.merged.suffix(3) == ["third: bye", "second: bye", "first: bye"])
        #expect(fixture.status("first")?.state == .stopped)
        #expect(ScratchDirectory.text(fixture.directories.log(service: "first")) == "hello\nbye\n")
    }

    @Test("A killed service restarts with a new pid, and its own children are ended")
    func restart() throws {
        let scratch = try ScratchDirectory()
        let fixture = try Fixture(
            scratch,
            [Fixture.shell("worker", "sleep 60 & echo $!; systemd-notify --ready; wait")]
        )
        try fixture.supervisor.start()
        try fixture.supervisor.waitUntilReady(deadlineMs: 20_000)
        let before = try #require(fixture.supervisor.pid("worker"))
        #expect(comesTrue { !fixture.lines(of: "worker").isEmpty })
        let grandchild = try #require(fixture.lines(of: "worker").first.flatMap(Int32.init))

        try fixture.supervisor.signal("worker", SIGKILL)

        #expect(try fixture.waitUntil("worker") { $0.restarts == 1 && $0.state.isReady })
        let status = try #require(fixture.status("worker"))
        #expect(status.pid != before)
        #expect(status.lastExit == .signaled(SIGKILL))
        #expect(fixture.lines(of: "supervisor").contains { $0.contains("backing_off: ended by SIGKILL") })
        #expect(isGone(grandchild))
        try fixture.supervisor.stop()
    }

    @Test(
        "A service with a `wantedBy` file starts when the file appears, and nothing waits for it"
    )
    func wanted() throws {
        let scratch = try ScratchDirectory()
        let file = scratch.directories.wantedFile(service: "later")
        var spec = Fixture.wellBehaved("later")
        spec.wantedBy = file
        let fixture = try Fixture(scratch, [Fixture.wellBehaved("first"), spec])
        try fixture.supervisor.start()
        #expect(try fixture.waitUntil("first") { $0.state.isReady })
        #expect(fixture.supervisor.status().map(\.name) == ["first"])

        try AtomicFile.write([], to: file)

        #expect(try fixture.waitUntil("later") { $0.state.isReady })
        let exits = try fixture.supervisor.stop()
        #expect(exits == ["first": .exited(0), "later": .exited(0)])
    }

    @Test("A service's own maximum limits its restart delay after any number of failures")
    func ownBackOff() throws {
        let scratch = try ScratchDirectory()
        var options = SupervisorOptions()
        options.times.backOff = .seconds(20)
        var spec = Fixture.shell("needed", "exit 1")
        spec.backOffMsMax = 20
        let fixture = try Fixture(scratch, [spec], options: options)
        try fixture.supervisor.start()

        #expect(try fixture.waitUntil("needed") { $0.restarts >= 5 })
        try fixture.supervisor.stop()
    }

    /// True if the process has ended. A zombie counts as ended.
    private func isGone(_ pid: Int32) -> Bool {
        comesTrue(within: .seconds(10)) {
            let text = ScratchDirectory.text("/proc/\(pid)/stat")
            return text.isEmpty || text.contains(") Z ")
        }
    }

    @Test("The supervisor stops a service that was halted by SIGSTOP")
    func halted() throws {
        let scratch = try ScratchDirectory()
        let fixture = try Fixture(scratch, [Fixture.wellBehaved("halted")])
        try fixture.supervisor.start()
        try fixture.supervisor.waitUntilReady(deadlineMs: 20_000)
        try fixture.supervisor.signal("halted", SIGSTOP)

        #expect(try fixture.supervisor.stop() == ["halted": .exited(0)])
    }

    @Test("A service that ignores SIGTERM is killed")
    func stubborn() throws {
        let scratch = try ScratchDirectory()
        var options = SupervisorOptions()
        options.times.stop = .milliseconds(300)
        let script = "trap '' TERM; systemd-notify --ready; sleep 60; sleep 60"
        let fixture = try Fixture(scratch, [Fixture.shell("stubborn", script)], options: options)
        try fixture.supervisor.start()
        try fixture.supervisor.waitUntilReady(deadlineMs: 20_000)

        #expect(try fixture.supervisor.stop() == ["stubborn": .signaled(SIGKILL)])
    }

    @Test("The problem of a failed start names the services that are not ready, why, and their output")
    func notReady() throws {
        let scratch = try ScratchDirectory()
        var options = SupervisorOptions()
        options.restartsAfterFailure = false
        let fixture = try Fixture(
            scratch,
            [
                Fixture.wellBehaved("good"), Fixture.shell("broken", "echo no such table >&2; exit 3"),
                Fixture.wellBehaved("later", after: ["broken"]),
            ],
            options: options
        )
        try fixture.supervisor.start()

        let problem = #expect(throws: Problem.self) {
            try fixture.supervisor.waitUntilReady(deadlineMs: 20_000)
        }

        let message = problem?.message ?? ""
        #expect(problem?.code == "supervisor.not_ready")
        #expect(message.contains("broken is failed, exited with status 3 before it was ready"))
        #expect(message.contains("    no such table"))
        #expect(message.contains("later is waiting"))
        try fixture.supervisor.stop()
    }

    @Test("A service that sends no READY=1 is killed at the start deadline")
    func startDeadline() throws {
        let scratch = try ScratchDirectory()
        var options = SupervisorOptions()
        options.times.start = .milliseconds(200)
        options.restartsAfterFailure = false
        let fixture = try Fixture(scratch, [Fixture.shell("silent", "sleep 60")], options: options)
        try fixture.supervisor.start()

        #expect(try fixture.waitUntil("silent") { $0.state.isFailed })

        #expect(fixture.status("silent")?.failure?.english == "was not ready within 200 ms")
        #expect(fixture.status("silent")?.lastExit == .signaled(SIGKILL))
        try fixture.supervisor.stop()
    }

    @Test("A service that stops feeding its watchdog is aborted")
    func watchdog() throws {
        let scratch = try ScratchDirectory()
        var options = SupervisorOptions()
        options.restartsAfterFailure = false
        let script = "echo $WATCHDOG_USEC; systemd-notify --ready; exec sleep 60"
        let fixture = try Fixture(
            scratch,
            [Fixture.shell("frozen", script, watchdogMs: 300)],
            options: options
        )
        try fixture.supervisor.start()

        #expect(try fixture.waitUntil("frozen") { $0.state.isFailed })

        #expect(fixture.status("frozen")?.lastExit == .signaled(SIGABRT))
        #expect(fixture.lines(of: "frozen") == ["300000"])
        try fixture.supervisor.stop()
    }

    @Test("A notification from a foreign process does not make a service ready")
    func stranger() throws {
        let scratch = try ScratchDirectory()
        let fixture = try Fixture(scratch, [Fixture.shell("silent", "echo up; exec sleep 60")])
        try fixture.supervisor.start()
        #expect(try fixture.waitUntil("silent") { $0.pid != nil })
        let stranger = try SpawnedProcess(
            SpawnPlan(
                executable: "/usr/bin/systemd-notify",
                arguments: ["--ready"],
                environment: ["NOTIFY_SOCKET": "\(fixture.directories.run)/supervisor.notify"]
            )
        )
        // `systemd-notify` uses a barrier: it ends only after the datagram has been read.
        #expect(stranger.wait(deadlineMs: 20_000)?.isSuccess == true)

        #expect(fixture.status("silent")?.state.name == "starting")
        try fixture.supervisor.stop()
    }

    @Test("The supervisor stops, starts and restarts a named service, and refuses an unknown name")
    func requests() throws {
        let scratch = try ScratchDirectory()
        let fixture = try Fixture(scratch, [Fixture.wellBehaved("worker")])
        try fixture.supervisor.start()
        try fixture.supervisor.waitUntilReady(deadlineMs: 20_000)

        try fixture.supervisor.stop("worker")
        #expect(try fixture.waitUntil("worker") { $0.state == .stopped })
        let notRunning = #expect(throws: Problem.self) { try fixture.supervisor.kill("worker") }
        try fixture.supervisor.start("worker")
        #expect(try fixture.waitUntil("worker") { $0.state.isReady })
        try fixture.supervisor.restart("worker")
        #expect(try fixture.waitUntil("worker") { $0.state.isReady && $0.restarts == 2 })

        let unknown = #expect(throws: Problem.self) { try fixture.supervisor.kill("wroker") }
        #expect(notRunning?.code == "supervisor.not_running")
        #expect(unknown?.message == "There is no service wroker. The services are: worker.")
        try fixture.supervisor.stop()
    }

    @Test("The supervisor writes its status to a file, excludes a second one, and cleans up")
    func report() throws {
        let scratch = try ScratchDirectory()
        var options = SupervisorOptions()
        options.isDemo = true
        let fixture = try Fixture(scratch, [Fixture.wellBehaved("worker")], options: options)
        let second = try Fixture(scratch, [Fixture.wellBehaved("worker")])
        try fixture.supervisor.start()
        try fixture.supervisor.waitUntilReady(deadlineMs: 20_000)
        let path = "\(fixture.directories.run)/supervisor.json"

        let text = ScratchDirectory.text(path)
        let problem = #expect(throws: Problem.self) { try second.supervisor.start() }
        try fixture.supervisor.stop()

        #expect(text.contains("\"pid\": \(getpid()),"))
        #expect(text.contains("\"demo\": true,"))
        #expect(text.contains("\"name\": \"worker\", \"state\": \"ready\", \"pid\": "))
        #expect(text.contains("\"status\": \"at work\""))
        #expect(problem?.code == "instance.already_running")
        #expect(access(path, F_OK) != 0)
        #expect(access("\(fixture.directories.run)/supervisor.notify", F_OK) != 0)
        try second.supervisor.start()
        try second.supervisor.stop()
    }

    @Test("Services get the folders in their environment, and a lifeline")
    func surroundings() throws {
        let scratch = try ScratchDirectory()
        let script = """
            echo "$SCREENTIME_RUN $SCREENTIME_STATE $SCREENTIME_CONFIG"
            test -p /proc/self/fd/$SCREENTIME_LIFELINE_FD && echo alive; exec sleep 60
            """
        let fixture = try Fixture(scratch, [Fixture.shell("worker", script, notify: false)])
        try fixture.supervisor.start()
        #expect(try fixture.waitUntil("worker") { _ in true })
        try fixture.supervisor.waitUntilReady(deadlineMs: 20_000)
        #expect(comesTrue(within: .seconds(10)) { fixture.lines(of: "worker").count >= 2 })

        let places = fixture.directories
        #expect(fixture.lines(of: "worker") == ["\(places.run) \(places.state) \(places.config)", "alive"])
        try fixture.supervisor.stop()
    }

    @Test("A supervisor that is deallocated ends its services")
    func abandoned() throws {
        let scratch = try ScratchDirectory()
        var fixture: Fixture? = try Fixture(scratch, [Fixture.wellBehaved("worker")])
        try fixture?.supervisor.start()
        try fixture?.supervisor.waitUntilReady(deadlineMs: 20_000)
        let pid = try #require(fixture?.supervisor.pid("worker"))

        fixture = nil

        #expect(isGone(pid))
    }
}

@Suite("Output of services")
struct SupervisorOutputTests {
    @Test("An overlong line is cut, a last line without an end is kept, and the log is rotated")
    func output() throws {
        let scratch = try ScratchDirectory()
        var options = SupervisorOptions()
        options.logBytesMax = 100_000
        options.restartsAfterFailure = false
        let script = "head -c 200000 /dev/zero | tr '\\0' x; echo; echo short; echo err >&2; printf last"
        let fixture = try Fixture(scratch, [Fixture.shell("chatty", script, notify: false)], options: options)
        try fixture.supervisor.start()
        #expect(try fixture.waitUntil("chatty") { $0.state.isFailed })

        let lines = fixture.lines(of: "chatty")
        #expect(lines.count == 4)
        #expect(lines.first?.hasPrefix(String(repeating: "x", count: 65_536) + " … [cut here") == true)
        #expect(lines.suffix(3) == ["short", "err", "last"])
        try fixture.supervisor.stop()

        let again = try Fixture(scratch, [Fixture.shell("chatty", script, notify: false)], options: options)
        try again.supervisor.start()
        #expect(try again.waitUntil("chatty") { $0.state.isFailed })
        try again.supervisor.stop()
        let log = again.directories.log(service: "chatty")
        #expect(ScratchDirectory.text(log + ".1").hasSuffix("\nshort\nerr\nlast\n"))
        #expect(ScratchDirectory.text(log).hasSuffix("\nshort\nerr\nlast\n"))
    }
}

@Suite("Lists of services")
struct SupervisorInputTests {
    @Test(
        "The supervisor refuses a list of services that cannot work",
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

    @Test("The supervisor reports a missing executable")
    func missing() throws {
        let scratch = try ScratchDirectory()
        let fixture = try Fixture(scratch, [ServiceSpec(name: "a", executable: "/nonexistent")])
        try fixture.supervisor.start()

        let problem = #expect(throws: Problem.self) {
            try fixture.supervisor.waitUntilReady(deadlineMs: 20_000)
        }

        #expect(problem?.message.contains("cannot be started: No such file") == true)
        #expect(try fixture.supervisor.stop() == [:])
    }
}
