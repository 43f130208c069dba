import Glibc
import STPausing
import STPlatform
import STTestSupport
import Testing

extension RealProcesses {
    @Suite("Processes of an app")
    struct ProcessFamilyTests {
        private static func family(_ tree: ProcessTree, _ facts: PauseExemptionFacts = PauseExemptionFacts())
            -> Set<Int32>
        {
            Set(ProcessFamily(app: "app", pids: [tree.root], view: .capture(), facts: facts).members.keys)
        }

        @Test("An app consists of its processes and their children, without its parent")
        func downAndNotUp() throws {
            let app = try ProcessTree("(sleep 600 & sleep 600 & wait) & sleep 600")
            #expect(app.has(5))
            #expect(Self.family(app) == Set(app.pids))
            let child = try #require(app.entries.first { $0.parent == app.root && $0.pid != app.root })
            let part = ProcessFamily(app: "app", pids: [child.pid], view: .capture()).members
            #expect(part[app.root] == nil && part[child.pid] != nil)
        }

        @Test("Children with their own session, other windows or a desktop role do not belong to the app")
        func others() throws {
            let app = try ProcessTree("setsid sleep 600 & sleep 601 & sleep 602")
            #expect(app.has(4))
            #expect(comesTrue { app.entries.filter { $0.name == "sleep" }.count == 3 })
            let sleepers = app.entries.filter { $0.name == "sleep" }
            let other = try #require(sleepers.first { $0.session == $0.pid })
            #expect(Self.family(app) == Set(app.pids).subtracting([other.pid]))
            let child = try #require(sleepers.first { $0.session != $0.pid })
            #expect(
                !Self.family(app, PauseExemptionFacts(windowOwners: [child.pid: ["mail"]])).contains(
                    child.pid
                )
            )
            #expect(
                Self.family(app, PauseExemptionFacts(windowOwners: [child.pid: ["app"]])).contains(child.pid)
            )
            #expect(!Self.family(app, PauseExemptionFacts(chromePids: [child.pid])).contains(child.pid))
            // An app in several sessions of the same program is one app.
            let helper = try ProcessTree("setsid sh -c 'sleep 600 & sleep 600' & sleep 600")
            #expect(helper.has(5))
            #expect(Self.family(helper).count == 2, "another shell script is another program")
        }

        @Test("A key agent that an app started does not belong to the app")
        func agent() throws {
            let folder = try ScratchDirectory()
            try folder.write("sleep 600\nsleep 600\n", to: "ssh-agent", mode: 0o700)
            let app = try ProcessTree("sh \(folder.file("ssh-agent")) & sleep 600")
            #expect(app.has(4))
            #expect(Self.family(app).count == 2)
        }

        @Test("An orphaned process of the same program belongs to the leader of its session")
        func orphan() throws {
            let app = try ProcessTree("(while :; do :; sleep 0.2; done & ) ; sleep 600")
            // A shell whose parent does not belong to the tree.
            var orphan: ProcessEntry?
            #expect(
                comesTrue {
                    let entries = app.entries
                    let pids = Set(entries.map(\.pid))
                    orphan = entries.first {
                        $0.pid != app.root && $0.name == "sh" && !pids.contains($0.parent)
                    }
                    return orphan != nil
                }
            )
            #expect(Self.family(app).contains(try #require(orphan).pid))
        }

        @Test(
            "Process names with brackets, spaces and line breaks are parsed, and damaged lines are rejected"
        )
        func names() throws {
            let line = "12 (a) S (b\n) R 7 8 9 0 -1 4194304 1 2 3 4 5 6 7 8 20 0 1 0 555 1000 100"
            let entry = try #require(ProcessEntry(stat: Array(line.utf8)))
            #expect(entry.pid == 12 && entry.name == "a) S (b\n" && entry.state == UInt8(ascii: "R"))
            #expect(entry.parent == 7 && entry.group == 8 && entry.session == 9 && entry.key.start == 555)
            for broken in [
                "", "12", "12 (a", "12 (a) R", "x (a) R 7 8 9", ")(", "12 (a) R 7 8 9 0 -1 z 1 2 3 4 5",
            ] {
                #expect(ProcessEntry(stat: Array(broken.utf8)) == nil, "\(broken)")
            }
        }

        @Test("A cgroup path yields its unit and the app that the unit was made for")
        func scopes() {
            let base = "/user.slice/user-1000.slice/user@1000.service/app.slice/"
            let cases: [(String, String, Bool)] = [
                ("app-gnome-firefox\\x2desr-1234.scope", "firefox-esr", true),
                ("app-org.gnome.gedit-77.scope", "org.gnome.gedit", true),
                ("app-org.kde.kate@f00d.service", "org.kde.kate", true),
                ("app-flatpak-org.mozilla.firefox-99.scope", "org.mozilla.firefox", true),
                ("app-gnome-org.gnome.Nautilus-5.scope", "nautilus", true),
                ("snap.firefox.firefox-1b2c.scope", "firefox_firefox", true),
                ("dbus-:1.2-org.gnome.Calculator@0.service", "org.gnome.Calculator", true),
                ("app-gnome-steam-5.scope", "hollow-knight", false),
            ]
            for (unit, app, isMade) in cases {
                let scope = AppScope(cgroup: base + unit)
                #expect(scope?.unit == unit)
                #expect(scope?.isMade(for: app) == isMade, "\(unit) for \(app)")
                #expect(AppScope(cgroup: base + unit + "/inner")?.cgroup == base + unit)
            }
            for cgroup in [
                "/", "/user.slice/session-2.scope", base + "vte-spawn-1.scope", base + "app-x.slice",
            ] {
                #expect(AppScope(cgroup: cgroup) == nil, "\(cgroup)")
            }
        }

        @Test("The cgroup hierarchy is found at any mount point, and paths outside it are rejected")
        func mounts() {
            let line = "41 31 0:38 /part /mnt/cg rw,relatime shared:4 - cgroup2 cgroup2 rw"
            let tree = CgroupTree(mountinfo: "20 1 0:5 / /proc rw - proc proc rw\n\(line)\n")
            #expect(tree?.folder("/part/app-x-1.scope") == "/mnt/cg/app-x-1.scope")
            #expect(tree?.folder("/part") == "/mnt/cg")
            #expect(tree?.folder("/other") == nil && tree?.folder("/part/../etc") == nil)
            #expect(CgroupTree(mountinfo: "nonsense\n- cgroup2\n") == nil)
        }
    }
}
