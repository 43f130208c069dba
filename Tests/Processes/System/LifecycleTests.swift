import Glibc
import STContracts
import STPlatform
import STTestKit
import STTestSupport
import STZeroMQ
import Testing

extension SystemSuite {
    @Suite("Lifecycle of every service")
    struct LifecycleTests {
        @Test("Every service starts and answers the routes that all services have")
        func commonRoutes() async throws {
            try await TestSystem.run(services: ServiceName.all) { system in
                for service in ServiceName.all { try await askAll(service, system) }
            }
        }

        private func askAll(_ service: ServiceName, _ system: TestSystem) async throws {
            let client = system.client
            let ping = try await client.call(HealthPing.self, to: service, Empty())
            #expect(ping.service == service.rawValue)
            #expect(ping.pid == Int64(try system.pid(service)))
            let report = try await client.call(HealthReport.self, to: service, Empty())
            #expect(report.pssKib > 0)
            #expect(report.databaseBytes > 0)
            let description = try await client.call(BusDescribe.self, to: service, Empty())
            let names = Set(description.routes.map(\.name))
            #expect(names.isSuperset(of: Catalogue.common.map(\.name)))
            try await askEvents(service, client: system)
            let copy = system.scratch.file("\(service)-backup.sqlite")
            let backup = try await client.call(DataBackup.self, to: service, .init(path: copy))
            #expect(backup.bytes > 0)
            #expect(access(copy, R_OK) == 0)
        }

        private func askEvents(_ service: ServiceName, client system: TestSystem) async throws {
            let streams = try #require(Catalogue.entry(service)).streams
            for stream in streams {
                let page = try await system.client.call(
                    EventsSince.self,
                    to: service,
                    .init(stream: stream.rawValue)
                )
                #expect(page.head.stream == stream.rawValue)
                let snapshot = try await system.client.call(
                    EventsSnapshot.self,
                    to: service,
                    .init(stream: stream.rawValue)
                )
                #expect(snapshot.head == page.head)
            }
            for code in [
                await refusal {
                    _ = try await system.client.call(EventsSince.self, to: service, .init(stream: "none"))
                },
                await refusal {
                    _ = try await system.client.call(EventsSnapshot.self, to: service, .init(stream: "none"))
                },
            ] { #expect(code == "stream.not_found") }
        }

        // The time depends on the machine's load. After nine seconds services end with another status.
        @Test("Every idle service stops with status 0 at SIGTERM")
        func stopsAtRest() async throws {
            try await TestSystem.run(services: ServiceName.all) { system in
                for service in ServiceName.all.reversed() {
                    let exit = try system.stop(service)
                    #expect(exit == .exited(0), "\(service)")
                }
            }
        }

        @Test("A stopping service answers a request that waits for another service with a retryable problem")
        func stopsWaiting() async throws {
            try await TestSystem.run(services: [.auth, .shield]) { system in
                let path = try system.endpoint(.shield)
                let peer = try RawPeer(.dealer, path)
                defer { peer.close() }
                try system.pause(.auth)
                let asked = RequestAdd.Request(items: [], durationMs: 60_000)
                let header = RequestHeader(id: "waits", route: RequestAdd.name, idempotencyKey: "waits")
                #expect(peer.send([header.encoded(), try asked.encodedBody()]))
                // This request is answered after the first one, which is therefore waiting.
                let other = try RawPeer(.dealer, path)
                defer { other.close() }
                #expect(try other.ask(HealthPing.name).problem == nil)

                #expect(try system.stop(.shield) == .exited(0))

                let reply = try #require(peer.receive(withinMs: 5_000).flatMap { RawReply($0) })
                #expect(reply.problem?.code == "unavailable" && reply.problem?.retryable == true)
                #expect(reply.problem?.message.contains("is stopping") == true)
                try system.resume(.auth)
            }
        }

        @Test("A service under load stops with status 0 at SIGTERM", arguments: ServiceName.all)
        func stopsUnderLoad(_ service: ServiceName) async throws {
            try await TestSystem.run(services: [service]) { system in
                let load = try RequestLoad(endpoint: try system.endpoint(service))
                defer { load.stop() }
                try await eventually("\(service) is under load") {
                    guard load.answered > 2000 else { throw NotYet("\(load.answered) answers") }
                }
                let exit = try system.stop(service)
                #expect(exit == .exited(0))
            }
        }

        @Test("A service refuses to start twice on the same directories and names the process of the first")
        func secondInstance() async throws {
            try await TestSystem.run(services: ServiceName.all) { system in
                for service in ServiceName.all {
                    let second = try LoneService(
                        service,
                        system.directories,
                        logPath: system.scratch.file("second.log")
                    )
                    #expect(try second.waitForExit() == .exited(75))
                    #expect(second.log.contains("instance.already_running"))
                    #expect(second.log.contains("as process \(try system.pid(service))"))
                    _ = try await system.client.call(HealthPing.self, to: service, Empty())
                }
            }
        }

        @Test("A service refuses a database that another instance uses, even with other sockets")
        func secondDatabase() async throws {
            try await TestSystem.run(services: [.auth]) { system in
                var directories = system.directories
                directories.run = system.scratch.file("run2")
                let second = try LoneService(.auth, directories, logPath: system.scratch.file("second.log"))
                #expect(try second.waitForExit() == .exited(75))
                #expect(second.log.contains("instance.already_running"))
                _ = try await system.client.call(HealthPing.self, to: .auth, Empty())
            }
        }

        @Test("A service ends when the process that started it is killed", arguments: ServiceName.all)
        func lifeline(_ service: ServiceName) async throws {
            let scratch = try ScratchDirectory()
            defer { scratch.remove() }
            // The shell holds the lifeline here, and the service is the child that it leaves behind.
            let path = try ServicePrograms.path(service)
            let log = scratch.file("log")
            let pipe = scratch.file("pipe")
            try #require(mkfifo(pipe, 0o600) == 0)
            let script = """
                "\(path)" <&- 3<"\(pipe)" >"\(log)" 2>&1 & echo $! >"\(scratch.file("pid"))"; exec 3>"\(pipe)"; wait
                """
            let shell = try SpawnedProcess(
                SpawnPlan(
                    executable: "/bin/sh",
                    arguments: ["-c", script],
                    environment: ServicePrograms.environment.merging([
                        "SCREENTIME_RUN": scratch.directories.run,
                        "SCREENTIME_STATE": scratch.directories.state,
                        "SCREENTIME_CONFIG": scratch.directories.config, "SCREENTIME_LIFELINE_FD": "3",
                    ]) { $1 }
                )
            )
            defer { shell.signalGroup(SIGKILL) }
            let peer = try RawPeer(.dealer, try scratch.directories.endpoint(service: service.rawValue, .rpc))
            let reply = try peer.ask(HealthPing.name, withinMs: 30_000)
            let pid = Int32(clamping: try HealthPing.Reply.decodedBody(reply.body).pid)

            shell.signal(SIGKILL)

            #expect(shell.wait(deadlineMs: 5000) == .signaled(SIGKILL))
            try await eventually("\(service) ended by itself") {
                guard kill(pid, 0) != 0 || isZombie(pid) else { throw NotYet("it is still running") }
            }
            let text = ScratchDirectory.text(log)
            #expect(text.contains("\"event\":\"stopped\""))
        }

        private func isZombie(_ pid: Int32) -> Bool {
            guard let stat = try? AtomicFile.read("/proc/\(pid)/stat", limitBytes: 4096) else { return true }
            return String(decoding: stat, as: UTF8.self).contains(") Z ")
        }
    }
}
