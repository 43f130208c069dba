import Glibc
import STDesktop
import STDomain
import STPlatform
import STTestSupport
import Synchronization
import Testing

@Suite("Watch for installed and removed apps")
struct CatalogueWatchTests {
    private final class Count: Sendable {
        private let inner = Mutex(0)

        var times: Int { inner.withLock { $0 } }

        func add() { inner.withLock { $0 += 1 } }
    }

    /// The watch, and the number of its callbacks.
    private final class Heard: Sendable {
        private let count = Count()
        private let thread: LoopThread
        private let watch: CatalogueWatch

        init(_ folders: [String]) throws {
            thread = try LoopThread(name: "watch")
            watch = try CatalogueWatch(thread, folders: folders, quiet: .milliseconds(50)) { [count] in
                count.add()
            }
        }

        var times: Int { count.times }

        func end() {
            watch.close()
            thread.stop()
            thread.join()
        }
    }

    private func reported(_ heard: Heard, times: Int, what: String) async throws {
        try await eventually(within: .seconds(20), "\(what) is reported") {
            guard heard.times >= times else { throw NotYet("called \(heard.times) times") }
        }
    }

    @Test(
        "New, renamed, removed and linked entry files are reported, and 200 new ones in fewer than 50 reports"
    )
    func files() async throws {
        let shelf = try AppShelf()
        let heard = try Heard(shelf.folders)
        defer { heard.end() }

        try shelf.system(id: "a", exec: "a")
        try await reported(heard, times: 1, what: "a new one")
        let folder = shelf.scratch.file("usr/share/applications")
        #expect(rename("\(folder)/a.desktop", "\(folder)/b.desktop") == 0)
        try await reported(heard, times: 2, what: "a renamed one")
        #expect(unlink("\(folder)/b.desktop") == 0)
        try await reported(heard, times: 3, what: "one that is gone")
        #expect(symlink("/nowhere", "\(folder)/c.desktop") == 0)
        try await reported(heard, times: 4, what: "a link")
        let before = heard.times
        for index in 0..<200 { try shelf.system(id: "app\(index)", exec: "x") }
        try await reported(heard, times: before + 1, what: "many")
        #expect(heard.times - before < 50)
    }

    @Test(
        "Folders in symlink loops are entered once, and a new app among them is reported",
        .timeLimit(.minutes(2))
    )
    func circles() async throws {
        let shelf = try AppShelf()
        let folder = shelf.scratch.file("usr/share/applications")
        try Directories.prepare(folder)
        for index in 0..<120 { #expect(symlink(".", "\(folder)/d\(index)") == 0) }
        try shelf.system(id: "a", exec: "a")
        // Following each of the 120 links three levels deep would take hours.
        let heard = try Heard(shelf.folders)
        defer { heard.end() }
        let entries = AppEntryReader(shelf.folders).entries
        #expect(entries.map(\.id) == ["a"])
        try shelf.system(id: "b", exec: "b")
        try await reported(heard, times: 1, what: "a new one beside them")
    }

    @Test("Files that are not desktop entries are not reported")
    func others() async throws {
        let shelf = try AppShelf()
        let heard = try Heard(shelf.folders)
        defer { heard.end() }

        try shelf.file("usr/share/applications/mimeinfo.cache")
        try shelf.file("usr/share/other.txt")
        // A later change is reported, so everything before it was handled.
        try shelf.system(id: "a", exec: "a")
        try await reported(heard, times: 1, what: "a new one")
        #expect(heard.times == 1)
    }

    @Test("Entry folders that are missing, nested, removed or created again are watched")
    func missing() async throws {
        let shelf = try AppShelf()
        let heard = try Heard(shelf.folders)
        defer { heard.end() }

        // Only the scratch folder of the path exists.
        try Directories.prepare(shelf.scratch.file("var/lib"))
        try await reported(heard, times: 1, what: "a folder above")
        try shelf.flatpak("org.example.A")
        try await reported(heard, times: 2, what: "the folder and its first app")
        try await eventually(within: .seconds(20), "it is read") {
            guard shelf.read().app("org.example.A") != nil else { throw NotYet("not there") }
        }
        var before = heard.times
        try await settled(heard)
        before = heard.times
        try Directories.prepare(shelf.scratch.file("usr/share/applications/kde"))
        try await reported(heard, times: before + 1, what: "a folder below")
        try await settled(heard)
        before = heard.times
        try shelf.file("usr/share/applications/kde/b.desktop", "[Desktop Entry]\nType=Application\nName=B\n")
        try await reported(heard, times: before + 1, what: "an app below")
        try await settled(heard)
        before = heard.times
        try DirectoryTree.remove(shelf.scratch.file("usr"))
        try await reported(heard, times: before + 1, what: "a folder that went")
        try await settled(heard)
        before = heard.times
        try shelf.system(id: "c", exec: "c")
        try await reported(heard, times: before + 1, what: "a folder that came again")
        let found = shelf.read()
        #expect(found.app("c") != nil && found.app("org.example.A") != nil)
        #expect(found.apps.count == 2, "what stood in the folder that went is gone")
    }

    /// Waits until no further callback is pending.
    private func settled(_ heard: Heard) async throws {
        var last = -1
        try await eventually(within: .seconds(20), "it is quiet") {
            let now = heard.times
            defer { last = now }
            guard now == last else { throw NotYet("called \(now) times") }
        }
        try await Task.sleep(for: .milliseconds(200))
    }

    @Test("A closed watch for apps reports nothing")
    func closed() async throws {
        let shelf = try AppShelf()
        let heard = try Heard(shelf.folders)
        heard.end()
        try shelf.system(id: "a", exec: "a")
        try await Task.sleep(for: .milliseconds(150))
        #expect(heard.times == 0)
    }
}
