import Glibc
import STContracts
import STDesktop
import STPausing
import STPlatform
import STTestSupport
import Testing

extension RealProcesses {
    @Suite("Programs that are never paused")
    struct NeverListTests {
        fileprivate static func verdict(_ pid: Int32, _ facts: PauseExemptionFacts = PauseExemptionFacts())
            async throws
            -> PauseVerdict
        {
            let desk = try Desk(facts: facts)
            let verdict = await desk.pauser.verdict(app: "app", pids: [pid])
            let outcome = await desk.pauser.pause(app: "app", pids: [pid])
            if case .never(let reason) = verdict {
                #expect(outcome == .refused(reason))
                #expect(await desk.pauser.end(app: "app", pids: [pid]) == 0)
            }
            await desk.pauser.close()
            return verdict
        }

        private static func isImpossible(_ verdict: PauseVerdict, _ text: String) -> Bool {
            if case .impossible(let reason) = verdict { reason.english == text } else { false }
        }

        fileprivate static func isNever(_ verdict: PauseVerdict, _ words: String) -> Bool {
            if case .never(let reason) = verdict { reason.english.contains(words) } else { false }
        }

        @Test("Screen Time and its ancestor processes are never paused")
        func ancestors() async throws {
            #expect(Self.isNever(try await Self.verdict(getpid()), "Screen Time itself"))
            for pid in ProcessView.capture().ancestors(of: getpid()) where pid > 1 {
                #expect(Self.isNever(try await Self.verdict(pid), "started from this app"))
            }
            let app = try ProcessTree("sleep 600 & sleep 600")
            #expect(app.has(3))
            #expect(try await Self.verdict(app.root) == .allowed(.signal))
            let child = try #require(app.pids.first { $0 != app.root })
            #expect(
                Self.isNever(
                    try await Self.verdict(app.root, PauseExemptionFacts(ownPids: [child])),
                    "Screen Time"
                )
            )
        }

        @Test(
            "Screen Time's own programs are never paused, but an app with their directory in its environment can be"
        )
        func system() async throws {
            let folder = try ScratchDirectory()
            let program = try Desk.program("screentime-test-pauser")
            let run = folder.file("run")
            let facts = PauseExemptionFacts(runDirectory: run)
            let ours = try SpawnedProcess(
                SpawnPlan(
                    executable: program,
                    arguments: [folder.path, "x"],
                    environment: ["SCREENTIME_RUN": run],
                    standardOutput: -1
                )
            )
            defer {
                ours.signal(SIGKILL)
                _ = ours.wait(deadlineMs: 20_000)
            }
            let app = try ProcessTree("sleep 600 & sleep 600", environment: ["SCREENTIME_RUN": run])
            #expect(app.has(3))

            #expect(Self.isNever(try await Self.verdict(ours.pid, facts), "Screen Time itself"))
            #expect(try await Self.verdict(app.root, facts) == .allowed(.signal))
        }

        @Test("A session bus is never paused")
        func bus() async throws {
            let folder = try ScratchDirectory()
            let bus = try ProcessTree(
                "exec dbus-daemon --session --nofork --nopidfile --address=unix:path=\(folder.file("bus"))"
            )
            #expect(comesTrue { access(folder.file("bus"), F_OK) == 0 })
            #expect(Self.isNever(try await Self.verdict(bus.root), "message bus"))
        }

        @Test("A terminal program is never paused, and the program in its terminal can be paused")
        func terminals() async throws {
            let holder = try ProcessTree("exec 3<>/dev/ptmx; sleep 600 & sleep 600")
            #expect(holder.has(3))
            #expect(Self.isNever(try await Self.verdict(holder.root), "terminal"))

            // The test holds the other end. The app's only visible property is its child with a terminal.
            let terminal = try PseudoTerminal()
            let starter = try ProcessTree(
                "setsid --ctty sh -c 'sleep 600 & sleep 600' <>\(terminal.path) >&0 2>&0 & sleep 600"
            )
            #expect(comesTrue { starter.entries.contains { $0.terminal != 0 } })
            #expect(Self.isNever(try await Self.verdict(starter.root), "terminal"))
            // A program in the terminal, treated as a separate app, is like any other.
            let inside = try #require(starter.entries.first { $0.terminal != 0 && $0.session == $0.pid })
            #expect(try await Self.verdict(inside.pid) == .allowed(.signal))
        }

        /// A kernel thread. `nil` if there is none, as in some containers.
        private static let kernelThread: Int32? = {
            let threads = ProcessView.capture().entries.values.filter { $0.isKernel && $0.parent == 2 }
            return threads.map(\.pid).min()
        }()

        @Test(
            "Processes of the kernel are never paused",
            .enabled(if: kernelThread != nil, "there are none in a container")
        )
        func kernel() async throws {
            let thread = try #require(Self.kernelThread)
            #expect(Self.isNever(try await Self.verdict(thread), "part of the kernel"))
        }

        @Test(
            "Apps with a role in the desktop, other apps' windows or a never_pause setting are never paused"
        )
        func facts() async throws {
            let app = try ProcessTree("sleep 600 & sleep 600")
            #expect(app.has(3))
            let pid = app.root
            let cases: [(PauseExemptionFacts, String)] = [
                (PauseExemptionFacts(compositorPid: pid), "whole screen"),
                (PauseExemptionFacts(windowManagerPid: pid), "window manager"),
                (PauseExemptionFacts(sessionBusPid: pid), "message bus"),
                (PauseExemptionFacts(apps: ["app"]), "never_pause"),
                (PauseExemptionFacts(windowOwners: [pid: ["app", "mail"]]), "windows of mail"),
            ]
            for (facts, words) in cases {
                #expect(Self.isNever(try await Self.verdict(pid, facts), words), "\(words)")
            }
        }

        @Test("An app whose processes are unknown or ended cannot be paused")
        func impossible() async throws {
            let desk = try Desk()
            let unknown = await desk.pauser.verdict(app: "app", pids: [])
            #expect(Self.isImpossible(unknown, "Its processes are not known."))
            for pid: Int32 in [0, -1, .max, .min] {
                let gone = await desk.pauser.verdict(app: "app", pids: [pid])
                #expect(Self.isImpossible(gone, "Its processes have ended."))
                #expect(await desk.pauser.end(app: "app", pids: [pid]) == 0)
            }
            await desk.pauser.close()
        }

        @Test("Parts of the desktop are recognised by program name, and other apps are not")
        func table() {
            for name in [
                "gnome-shell", "sway", "xfce4-panel", "dbus-daemon", "ibus-daemon", "fcitx5", "orca",
                "swaylock",
                "xdg-desktop-portal-gtk", "pipewire-pulse", "ssh-agent", "Xwayland", "dunst", "foot",
                "polkit-gnome-au",
            ] {
                #expect(ExemptPrograms.role(of: name) != nil, "\(name)")
            }
            for name in ["firefox", "gimp", "swayimg", "soffice.bin", "python3.11", "sh", "code"] {
                #expect(ExemptPrograms.role(of: name) == nil, "\(name)")
            }
        }

        @Test("A script is recognised by its own name, not by its interpreter")
        func script() async throws {
            let folder = try ScratchDirectory()
            try folder.write("sleep 600\nsleep 600\n", to: "orca", mode: 0o700)
            let app = try ProcessTree("exec sh -u \(folder.file("orca"))")
            #expect(app.has(2))
            #expect(Self.isNever(try await Self.verdict(app.root), "accessibility tool"))
        }
    }
}

extension RealProcesses {
    @Suite(
        "Processes of another account",
        .enabled(if: RootAccount.isHere, "needs root: starts processes of another account")
    )
    struct NeverListRootTests {
        @Test("Processes of another account are never paused")
        func accounts() async throws {
            let other = try ProcessTree("exec setpriv --reuid 65534 --regid 65534 --clear-groups sleep 600")
            #expect(comesTrue { ProcessFolder(other.root).account == 65_534 })
            #expect(NeverListTests.isNever(try await NeverListTests.verdict(other.root), "another account"))
            // A child of another account is not part of an app, which is paused without it.
            let app = try ProcessTree(
                "setpriv --reuid 65534 --regid 65534 --clear-groups sleep 600 & sleep 600"
            )
            #expect(
                comesTrue { app.entries.contains { ProcessFolder($0.pid).account == 65_534 } && app.has(3) }
            )
            let desk = try Desk()
            #expect(await desk.pauser.pause(app: "app", pids: [app.root]) == .paused(.signal, processes: 2))
            await desk.pauser.close()
        }
    }
}
