import Glibc
import STDesktop
import STPausing
import STPlatform
import STSupervision
import STTestSupport
import Testing

extension RealProcesses {
    @Suite("Crashes while an app is paused")
    struct CrashTests {
        private static let repeats =
            TestScale.count(10, soak: 200)

        private static func thaw(_ scratch: ScratchDirectory, _ words: String...) throws -> (
            STPlatform.ExitStatus?, String
        ) {
            let path = scratch.file("said-\(IdentifierGenerator().span())")
            let number = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
            let file = OwnedDescriptor(number)
            let process = try SpawnedProcess(
                SpawnPlan(
                    executable: try Desk.program("screentime"),
                    arguments: ["thaw"] + words,
                    environment: environment(scratch),
                    standardOutput: file.number,
                    standardError: file.number
                )
            )
            return (process.wait(deadlineMs: 60_000), ScratchDirectory.text(path))
        }

        private static func environment(_ scratch: ScratchDirectory) -> [String: String] {
            [
                "PATH": "/usr/bin:/bin", "SCREENTIME_RUN": scratch.directories.run, "HOME": scratch.path,
                "SCREENTIME_STATE": scratch.directories.state,
                "SCREENTIME_CONFIG": scratch.directories.config,
            ]
        }

        @Test("After the pausing process is killed at any moment, thaw leaves no process stopped")
        func killed() throws {
            let scratch = try ScratchDirectory()
            let state = scratch.directories.state
            try Directories.prepare(state)
            var random = SeededRandom(seed: 5)
            var wasStopped = 0
            for turn in 0..<Self.repeats {
                let app = try ProcessTree("(sleep 600 & sleep 600 & wait) & (sleep 600 & wait) & sleep 600")
                #expect(app.has(6))
                let output = try DescriptorPipe()
                let pauser = try SpawnedProcess(
                    SpawnPlan(
                        executable: try Desk.program("screentime-test-pauser"),
                        arguments: [state, "app", "\(app.root)"],
                        environment: ["PATH": "/usr/bin:/bin"],
                        standardOutput: output.writeEnd.number
                    )
                )
                // Every second time, the moment depends on its progress: a first line, or a first stopped process.
                if turn % 2 == 0 {
                    _ = poll(nil, 0, Int32(random.next() % 40))
                } else if turn % 4 == 1 {
                    #expect(comesTrue { access("\(state)/\(PauseJournal.fileName)", F_OK) == 0 })
                } else {
                    #expect(comesTrue { app.entries.contains(where: \.isStopped) })
                }
                pauser.signal(SIGKILL)
                #expect(pauser.wait(deadlineMs: 20_000) == .signaled(SIGKILL))
                if app.entries.contains(where: \.isStopped) { wasStopped += 1 }

                let (status, said) = try Self.thaw(scratch)

                #expect(status == .exited(0), "\(said)")
                #expect(comesTrue(within: .seconds(5)) { app.isNoneStopped }, "turn \(turn): \(said)")
                #expect(app.entries.count >= 6)
                #expect(access("\(state)/\(PauseJournal.fileName)", F_OK) != 0)
            }
            print("pausing: killed \(Self.repeats) times, \(wasStopped) times with something stopped")
            #expect(wasStopped > 0)
        }

        @Test("Running `screentime thaw` again, in parallel or with nothing paused succeeds")
        func twice() async throws {
            let scratch = try ScratchDirectory()
            // Not even the folder exists.
            #expect(try Self.thaw(scratch) == (.exited(0), "Nothing is paused.\n"))
            try Directories.prepare(scratch.directories.state)
            let app = try ProcessTree("sleep 600 & sleep 600")
            #expect(app.has(3))
            let pauser = try AppPauser(journal: PauseJournal(scratch.directories), environment: [:]) {
                PauseExemptionFacts()
            }
            _ = await pauser.pause(app: "edit\u{1B}or", pids: [app.root])
            #expect(comesTrue { app.isAllStopped })

            await withTaskGroup { group in
                for _ in 0..<4 {
                    group.addTask {
                        let (status, said) = (try? Self.thaw(scratch)) ?? (nil, "")
                        #expect(status == .exited(0), "\(said)")
                        #expect(!said.contains("\u{1B}"))
                    }
                }
            }

            #expect(app.isNoneStopped)
            #expect(try Self.thaw(scratch, "--json").1.contains("\"apps\": []"))
            await pauser.close()
        }

        @Test("While the agent runs, `screentime thaw` refuses unless `--anyway` is given")
        func agentRuns() async throws {
            let scratch = try ScratchDirectory()
            try Directories.prepare(scratch.directories.state)
            try Directories.prepare(scratch.directories.run + "/desktop-agent")
            let app = try ProcessTree("exec sleep 600")
            #expect(app.has(1))
            let pauser = try AppPauser(journal: PauseJournal(scratch.directories), environment: [:]) {
                PauseExemptionFacts()
            }
            _ = await pauser.pause(app: "app", pids: [app.root])
            let lock = try InstanceLock(
                path: scratch.directories.run + "/desktop-agent/lock",
                what: "desktop-agent"
            )

            let (status, said) = try Self.thaw(scratch)
            #expect(status == .exited(1))
            #expect(said.contains("screentime system down"), "\(said)")
            #expect(comesTrue { app.isAllStopped })

            let (anyway, text) = try Self.thaw(scratch, "--anyway")
            #expect(anyway == .exited(0))
            #expect(text.contains("Resumed app ("), "\(text)")
            #expect(app.isNoneStopped)
            withExtendedLifetime(lock) {}
            await pauser.close()
        }

        @Test("The supervisor resumes a paused app each time the agent is killed")
        func supervised() throws {
            let scratch = try ScratchDirectory()
            let app = try ProcessTree("sleep 600 & sleep 600")
            #expect(app.has(3))
            try Directories.prepare(scratch.directories.state)
            try scratch.write("\(app.root)\n", to: "state/pids")
            let agent = ServiceSpec(
                name: "desktop-agent",
                executable: try Desk.program("screentime-test-pauser"),
                arguments: [scratch.directories.state, "app"],
                environment: Self.environment(scratch),
                notify: false,
                afterEnd: AfterEnd(executable: try Desk.program("screentime"), arguments: ["thaw"])
            )
            let supervisor = try Supervisor(directories: scratch.directories, specs: [agent])
            try supervisor.start()
            for turn in 1...3 {
                #expect(comesTrue { app.isAllStopped })
                // Nothing is left to pause, so that thawed processes stay thawed.
                if turn == 3 { try scratch.write("", to: "state/pids") }
                try supervisor.kill("desktop-agent")
                #expect(comesTrue { supervisor.status("desktop-agent")?.restarts == turn })
            }
            #expect(comesTrue { app.isNoneStopped })
            #expect(supervisor.lastLines("desktop-agent").contains("Resumed app (3 processes)."))
            try supervisor.stop()
            #expect(app.isNoneStopped)
        }
    }
}
