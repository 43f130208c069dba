import Glibc
import STContracts
import STDBus
import STDesktop
import STPausing
import STPlatform
import STTestSupport
import Synchronization
import Testing

extension RealProcesses {
    @Suite(
        "Pausing with the cgroup freezer",
        .enabled(if: ScopeGround.mount != nil, "no cgroups of version 2 to write here")
    )
    struct FreezerTests {
        @Test("An app with its own scope is paused by the freezer with all its processes, and resumed")
        func ownScope() async throws {
            let desk = try Desk()
            let ground = try ScopeGround()
            let unit = "app-gnome-editor-17.scope"
            let app = try ProcessTree(
                "while :; do /bin/true; done & sleep 600",
                before: try ground.scope(unit)
            )
            #expect(app.has(3))

            var outcome: PauseOutcome?
            var pauseMs = 0.0
            // If the freezer takes more than half a second, the pauser uses signals instead, which is also correct.
            for _ in 0..<10 {
                pauseMs = await Desk.milliseconds {
                    outcome = await desk.pauser.pause(app: "org.example.Editor", pids: [app.root])
                }
                guard case .paused(.signal, _) = outcome else { break }
                await desk.pauser.thaw(app: "org.example.Editor")
            }

            guard case .paused(.freezer, let count) = outcome else {
                Issue.record("\(String(describing: outcome))")
                return
            }
            #expect(count >= 3)
            #expect(ground.isFrozen(unit))
            #expect(desk.journal.entries().first?.cgroup == ground.cgroup(unit))
            let thawMs = await Desk.milliseconds { await desk.pauser.thaw(app: "org.example.Editor") }
            #expect(comesTrue { !ground.isFrozen(unit) })
            #expect(desk.journal.entries() == [])
            print("pausing: by the freezer \(pauseMs) ms, thawed in \(thawMs) ms")
            await desk.pauser.close()
        }

        @Test("An app in a shared scope is paused by signals, and other apps in the scope continue")
        func sharedScope() async throws {
            let desk = try Desk()
            let ground = try ScopeGround()
            let unit = "app-launcher-17.scope"
            let other = try ProcessTree("sleep 600", before: try ground.scope(unit))
            let app = try ProcessTree("sleep 600 & sleep 600", before: try ground.scope(unit))
            #expect(other.has(2) && app.has(3))

            #expect(await desk.pauser.verdict(app: "game", pids: [app.root]) == .allowed(.signal))
            #expect(await desk.pauser.pause(app: "game", pids: [app.root]) == .paused(.signal, processes: 3))
            #expect(other.isNoneStopped && !ground.isFrozen(unit))
            // The scope was made for the other app. Its content counts as part of it, except for processes with another app's
            // windows.
            desk.set(PauseExemptionFacts(windowOwners: [app.root: ["game"]]))
            #expect(await desk.pauser.verdict(app: "launcher", pids: [other.root]) == .allowed(.signal))
            await desk.pauser.close()
            #expect(app.isNoneStopped)
        }

        @Test(
            "Every process in the app's own unit is paused with the app, including unrelated helpers"
        )
        func siblings() async throws {
            let desk = try Desk()
            let ground = try ScopeGround()
            let unit = "app-flatpak-org.example.Chat-4711.scope"
            let helper = try ProcessTree("sleep 600", before: try ground.scope(unit))
            let app = try ProcessTree("sleep 600", before: try ground.scope(unit))
            #expect(helper.has(2) && app.has(2))

            #expect(
                await desk.pauser.verdict(app: "org.example.Chat", pids: [app.root]) == .allowed(.freezer)
            )
            #expect(
                await desk.pauser.pause(app: "org.example.Chat", pids: [app.root])
                    == .paused(.freezer, processes: 4)
            )
            await desk.pauser.close()
            #expect(comesTrue { !ground.isFrozen(unit) })
        }

        @Test("Pausing an app that another program has frozen is refused and leaves it frozen")
        func foreign() async throws {
            let desk = try Desk()
            let ground = try ScopeGround()
            let unit = "app-editor-17.scope"
            let app = try ProcessTree("sleep 600", before: try ground.scope(unit))
            #expect(app.has(2))
            let tree = try #require(CgroupTree())
            #expect(tree.setFreeze(true, ground.cgroup(unit)) == 0)
            #expect(tree.waitUntilFrozen(ground.cgroup(unit), withinMs: 20_000))

            let outcome = await desk.pauser.pause(app: "editor", pids: [app.root])
            await desk.pauser.thawAll()

            guard case .refused(let reason) = outcome else {
                Issue.record("\(outcome)")
                return
            }
            #expect(reason.english == "Another program has already frozen this app.")
            #expect(ground.isFrozen(unit))
            _ = tree.setFreeze(false, ground.cgroup(unit))
            await desk.pauser.close()
        }

        @Test("An app that is killed while frozen leaves no journal entry")
        func killed() async throws {
            let desk = try Desk()
            let ground = try ScopeGround()
            let app = try ProcessTree("sleep 600", before: try ground.scope("app-editor-17.scope"))
            #expect(app.has(2))
            _ = await desk.pauser.pause(app: "editor", pids: [app.root])

            for pid in app.pids { kill(pid, SIGKILL) }

            #expect(comesTrue { app.entries.isEmpty })
            await desk.pauser.thaw(app: "editor")
            #expect(desk.journal.entries() == [])
            await desk.pauser.close()
        }

        @Test("A unit is frozen through systemd by name, and a refusal or a missing systemd returns false")
        func units() async throws {
            let folder = try ScratchDirectory()
            let address = "unix:path=" + folder.file("bus")
            let daemon = try ProcessTree(
                "exec dbus-daemon --session --nofork --nopidfile --address=\(address)"
            )
            #expect(comesTrue { access(folder.file("bus"), F_OK) == 0 })
            #expect(daemon.has(1))
            let units = try #require(SystemdUnits(environment: ["DBUS_SESSION_BUS_ADDRESS": address]))
            #expect(!units.setFrozen(true, unit: "app-x-1.scope"), "no unit has that name")
            let systemd = try DBusConnection(address: address)
            let calls = Calls()
            try await systemd.requestName("org.freedesktop.systemd1", withinMs: 20_000)
            try await systemd.serve(path: "/org/freedesktop/systemd1") { message in
                let unit = message.arguments.first?.text ?? ""
                calls.all.withLock { $0.append("\(message.member) \(unit)") }
                return unit == "app-x-1.scope"
                    ? .success([]) : .failure(Problem("unit.unknown", "No such unit."))
            }

            #expect(units.setFrozen(true, unit: "app-x-1.scope"))
            #expect(units.setFrozen(false, unit: "app-x-1.scope"))
            #expect(!units.setFrozen(true, unit: "app-y-1.scope"))
            #expect(
                calls.all.withLock { $0 } == [
                    "FreezeUnit app-x-1.scope", "ThawUnit app-x-1.scope", "FreezeUnit app-y-1.scope",
                ]
            )
            systemd.close()
        }

        private final class Calls: Sendable {
            let all = Mutex<[String]>([])
        }
    }
}
