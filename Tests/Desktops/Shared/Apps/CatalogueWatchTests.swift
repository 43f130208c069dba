import Glibc
import STDesktop
import STDomain
import STPlatform
import STTestSupport
import Synchronization
import Testing

@Suite("The watch for installed and removed programs")
struct CatalogueWatchTests {
    private final class Count: Sendable {
        private let inner = Mutex(0)

        var times: Int { inner.withLock { $0 } }

        func add() { inner.withLock { $0 += 1 } }
    }

    /// How often the watch called back, and the watch itself.
    private final class Heard: Sendable {
        private let count = Count()
        private let thread: LoopThread
        private let watch: CatalogueWatch

        init(_ folders: [String]) throws {
            thread = try LoopThread(name: "watch")
            watch = try CatalogueWatch(thread, folders: folders, quietMs: 50) { [count] in count.add() }
        }

        var times: Int { count.times }

        func end() {
            watch.close()
            thread.stop()
            thread.join()
        }
    }

    private func reported(_ heard: Heard, _ times: Int, _ what: String) async throws {
        try await eventually(within: .seconds(20), "\(what) is reported") {
            guard heard.times >= times else { throw NotYet("called \(heard.times) times") }
        }
    }

    @Test("a file that comes, is changed, is renamed, goes; and many at once are reported once or twice")
    func files() async throws {
        let shelf = try AppShelf()
        let heard = try Heard(shelf.folders)
        defer { heard.end() }

        try shelf.system("a", "a")
        try await reported(heard, 1, "a new one")
        let folder = shelf.scratch.file("usr/share/applications")
        #expect(rename("\(folder)/a.desktop", "\(folder)/b.desktop") == 0)
        try await reported(heard, 2, "a renamed one")
        #expect(unlink("\(folder)/b.desktop") == 0)
        try await reported(heard, 3, "one that is gone")
        #expect(symlink("/nowhere", "\(folder)/c.desktop") == 0)
        try await reported(heard, 4, "a link")
        let before = heard.times
        for index in 0..<200 { try shelf.system("app\(index)", "x") }
        try await reported(heard, before + 1, "many")
        #expect(heard.times - before < 50)
    }

    @Test("links that lead back are entered once, however many there are", .timeLimit(.minutes(2)))
    func circles() async throws {
        let shelf = try AppShelf()
        let folder = shelf.scratch.file("usr/share/applications")
        try Directories.prepare(folder)
        for index in 0..<120 { #expect(symlink(".", "\(folder)/d\(index)") == 0) }
        try shelf.system("a", "a")
        // A hundred and twenty to the power of three would take hours.
        let heard = try Heard(shelf.folders)
        defer { heard.end() }
        let entries = AppEntryReader(shelf.folders).entries
        #expect(entries.map(\.id) == ["a"])
        try shelf.system("b", "b")
        try await reported(heard, 1, "a new one beside them")
    }

    @Test("what is no program is not reported")
    func others() async throws {
        let shelf = try AppShelf()
        let heard = try Heard(shelf.folders)
        defer { heard.end() }

        try shelf.file("usr/share/applications/mimeinfo.cache")
        try shelf.file("usr/share/other.txt")
        // What comes afterwards is reported, so everything before it was seen.
        try shelf.system("a", "a")
        try await reported(heard, 1, "a new one")
        #expect(heard.times == 1)
    }

    @Test("a folder that is not there yet, one below it, and one that goes and comes again")
    func missing() async throws {
        let shelf = try AppShelf()
        let heard = try Heard(shelf.folders)
        defer { heard.end() }

        // Nothing of the path is there but the scratch folder itself.
        try Directories.prepare(shelf.scratch.file("var/lib"))
        try await reported(heard, 1, "a folder above")
        try shelf.flatpak("org.example.A")
        try await reported(heard, 2, "the folder and its first app")
        try await eventually(within: .seconds(20), "it is read") {
            guard shelf.read().app("org.example.A") != nil else { throw NotYet("not there") }
        }
        var before = heard.times
        try await settled(heard)
        before = heard.times
        try Directories.prepare(shelf.scratch.file("usr/share/applications/kde"))
        try await reported(heard, before + 1, "a folder below")
        try await settled(heard)
        before = heard.times
        try shelf.file("usr/share/applications/kde/b.desktop", "[Desktop Entry]\nType=Application\nName=B\n")
        try await reported(heard, before + 1, "an app below")
        try await settled(heard)
        before = heard.times
        try DirectoryTree.remove(shelf.scratch.file("usr"))
        try await reported(heard, before + 1, "a folder that went")
        try await settled(heard)
        before = heard.times
        try shelf.system("c", "c")
        try await reported(heard, before + 1, "a folder that came again")
        let found = shelf.read()
        #expect(found.app("c") != nil && found.app("org.example.A") != nil)
        #expect(found.apps.count == 2, "what stood in the folder that went is gone")
    }

    /// Nothing more is on its way.
    private func settled(_ heard: Heard) async throws {
        var last = -1
        try await eventually(within: .seconds(20), "it is quiet") {
            let now = heard.times
            defer { last = now }
            guard now == last else { throw NotYet("called \(now) times") }
        }
        try await Task.sleep(for: .milliseconds(200))
    }

    @Test("a closed watch reports nothing")
    func closed() async throws {
        let shelf = try AppShelf()
        let heard = try Heard(shelf.folders)
        heard.end()
        try shelf.system("a", "a")
        try await Task.sleep(for: .milliseconds(150))
        #expect(heard.times == 0)
    }
}
