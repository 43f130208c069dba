import Glibc
import STContracts
import STDesktop
import STPausing
import STPlatform
import STTestSupport
import Testing

extension RealProcesses {
    @Suite("Journal of pauses")
    struct PauseJournalTests {
        private static let boot = SystemTimeSource().bootID
        /// True if file systems can be mounted here, which requires root and a machine that permits it.
        private static let canMount: Bool = {
            guard let scratch = try? ScratchDirectory() else { return false }
            defer { scratch.remove() }
            return mount("none", scratch.path, "tmpfs", 0, "size=64k") == 0 && umount2(scratch.path, 2) == 0
        }()

        @Test("A torn last line and garbage in the pause journal do not affect other entries")
        func torn() async throws {
            let desk = try Desk()
            let app = try ProcessTree("exec sleep 600")
            #expect(app.has(1))
            let good = PauseEntry.signal(app: "good", boot: Self.boot, [ProcessKey(pid: app.root, start: 1)])
            try desk.journal.append(good)
            let line = ScratchDirectory.text(desk.journal.path)
            try desk.scratch.write(
                "\u{0}\u{1}garbage\n{}\n[1]\n{\"app\":1}\n\(line){\"app\":\"torn\",\"bo",
                to: PauseJournal.fileName
            )
            #expect(desk.journal.entries() == [good])

            #expect(
                await desk.pauser.pause(app: "app", pids: [app.root])
                    == .paused(.signal, processes: app.entries.count)
            )

            #expect(desk.journal.entries().map(\.app) == ["good", "app"])
            await desk.pauser.thawAll()
            #expect(app.isNoneStopped)
            #expect(access(desk.journal.path, F_OK) != 0)
            await desk.pauser.close()
        }

        @Test("Invalid process IDs and cgroups in the pause journal are skipped")
        func hostile() async throws {
            let desk = try Desk()
            let lines = [
                #"{"app":"a","boot":"\#(Self.boot)","means":"signal","processes":[[0,0],[-1,5],[1,1],[99999999999,3],[7]]}"#,
                #"{"app":"b","boot":"\#(Self.boot)","means":"freezer","cgroup":"/../../etc","identity":1}"#,
                #"{"app":"c","boot":"\#(Self.boot)","means":"freezer","cgroup":"/gone","identity":1}"#,
                #"{"app":"d","boot":"another","means":"freezer","cgroup":"/","identity":1}"#,
            ]
            try desk.scratch.write(lines.joined(separator: "\n"), to: PauseJournal.fileName)

            let report = AppThaw(journal: desk.journal).thawAll()

            #expect(report.apps.map(\.app) == ["a", "b", "c"])
            #expect(report.apps.allSatisfy { $0.processes == 0 && $0.isResumed })
            #expect(desk.journal.entries() == [])
            await desk.pauser.close()
        }

        @Test("Pauses from an earlier boot are removed from the journal and not resumed")
        func otherBoot() async throws {
            let desk = try Desk()
            let app = try ProcessTree("exec sleep 600")
            kill(app.root, SIGSTOP)
            #expect(comesTrue { ProcessView.entry(app.root)?.isStopped == true })
            let key = try #require(ProcessKey(running: app.root))
            try desk.journal.append(.signal(app: "app", boot: "an earlier one", [key]))

            await desk.pauser.thawAll()

            #expect(ProcessView.entry(app.root)?.isStopped == true)
            #expect(desk.journal.entries() == [])
            await desk.pauser.close()
        }

        @Test("A frozen app that cannot be released stays in the journal and is retried until it is released")
        func stuck() async throws {
            let scratch = try ScratchDirectory()
            let journal = PauseJournal(path: scratch.file(PauseJournal.fileName))
            let tree = try #require(CgroupTree(mountinfo: "1 1 0:1 / \(scratch.path) rw - cgroup2 none rw"))
            let pauser = try AppPauser(journal: journal, environment: [:], tree: tree) {
                PauseExemptionFacts()
            }
            let cgroup = "/app-editor-17.scope"
            // A file that cannot be written, because it is a folder.
            let file = scratch.file("app-editor-17.scope/cgroup.freeze")
            #expect(mkdir(scratch.file("app-editor-17.scope"), 0o755) == 0 && mkdir(file, 0o755) == 0)
            let identity = try #require(tree.identity(cgroup))
            let entry = PauseEntry.freezer(
                app: "editor",
                boot: Self.boot,
                cgroup: cgroup,
                identity: identity,
                unit: nil
            )
            try journal.append(entry)

            await pauser.thawAll()
            #expect(journal.entries() == [entry])
            await pauser.thaw(app: "editor")
            #expect(journal.entries() == [entry])
            #expect(rmdir(file) == 0)
            try scratch.write("1", to: "app-editor-17.scope/cgroup.freeze")

            #expect(comesTrue { journal.entries() == [] })
            #expect(ScratchDirectory.text(file).hasPrefix("0"))
            await pauser.close()
        }

        @Test("A pause whose journal entry was removed is added again once")
        func ensured() async throws {
            let desk = try Desk()
            let entry = PauseEntry.signal(
                app: "app",
                boot: Self.boot,
                [ProcessKey(pid: Int32.max, start: 1)]
            )
            try desk.journal.append(entry)
            try desk.journal.ensure([entry])
            #expect(desk.journal.entries() == [entry])
            #expect(AppThaw(journal: desk.journal).thawAll().apps.map(\.app) == ["app"])
            #expect(desk.journal.entries() == [])

            try desk.journal.ensure([entry])

            #expect(desk.journal.entries() == [entry])
            await desk.pauser.close()
        }

        @Test("Without a writable journal an app is not paused")
        func notWritable() async throws {
            let desk = try Desk()
            let app = try ProcessTree("exec sleep 600")
            #expect(app.has(1))
            desk.scratch.remove()

            let outcome = await desk.pauser.pause(app: "app", pids: [app.root])

            guard case .refused(let reason) = outcome else {
                Issue.record("\(outcome)")
                return
            }
            #expect(reason.english.contains("cannot be"))
            #expect(app.isNoneStopped)
            await desk.pauser.close()
        }

        @Test(
            "A full disk prevents a new pause, and a paused app can still be resumed",
            .enabled(if: canMount, "needs root, to mount a small file system")
        )
        func fullDisk() async throws {
            let scratch = try ScratchDirectory()
            let folder = scratch.file("disk")
            try Directories.prepare(folder)
            try #require(mount("none", folder, "tmpfs", 0, "size=64k") == 0)
            defer { umount2(folder, 2) }
            let journal = PauseJournal(path: "\(folder)/\(PauseJournal.fileName)")
            let pauser = try AppPauser(journal: journal, environment: [:]) { PauseExemptionFacts() }
            let (held, app) = (try ProcessTree("exec sleep 600"), try ProcessTree("exec sleep 600"))
            #expect(held.has(1) && app.has(1))
            _ = await pauser.pause(app: "held", pids: [held.root])
            #expect(comesTrue { held.isAllStopped })
            let fill = open("\(folder)/fill", O_WRONLY | O_CREAT, 0o600)
            let page = [UInt8](repeating: 7, count: 4_096)
            while write(fill, page, page.count) > 0 {}
            close(fill)
            // The journal's own page has room left. Once it is filled too, nothing can be added.
            let number = open(journal.path, O_WRONLY | O_APPEND)
            while write(number, "\n", 1) > 0 {}
            close(number)

            let outcome = await pauser.pause(app: "app", pids: [app.root])

            guard case .refused(let reason) = outcome else {
                Issue.record("\(outcome)")
                return
            }
            #expect(reason.english.contains("No space left"), "\(reason)")
            #expect(app.isNoneStopped)
            await pauser.thaw(app: "held")
            #expect(held.isNoneStopped)
            await pauser.close()
        }
    }
}
