import Glibc
import STDesktop
import STPlatform
import STTestSupport
import Synchronization
import Testing

@Suite("Live catalogue of apps")
struct LiveCatalogueTests {
    private final class Versions: Sendable {
        let versions = Mutex<[Int64]>([])
    }

    @Test("The live catalogue is read at the start, follows changes, and reports each version once")
    func follows() async throws {
        let shelf = try AppShelf()
        try shelf.system(id: "a", exec: "a")
        let thread = try LoopThread(name: "apps")
        let seen = Versions()
        let live = LiveCatalogue(
            thread,
            folders: shelf.folders,
            languages: ["ko"],
            environment: shelf.environment
        ) { catalogue in seen.versions.withLock { $0.append(catalogue.version) } }
        defer {
            live.close()
            thread.stop()
            thread.join()
        }
        try await holds(live, ["a"])
        try shelf.system(id: "b", exec: "b")
        try await holds(live, ["a", "b"])
        #expect(unlink(shelf.scratch.file("usr/share/applications/a.desktop")) == 0)
        try await holds(live, ["b"])
        // The same file again: read, with nothing new.
        try shelf.system(id: "b", exec: "b")
        try shelf.own(id: "c", exec: "c")
        try await holds(live, ["b", "c"])
        try await eventually(within: .seconds(20), "each version is reported once") {
            let versions = seen.versions.withLock { $0 }
            guard versions.last == live.current.version else { throw NotYet("\(versions)") }
            guard versions.count == Set(versions).count else { throw NotYet("twice: \(versions)") }
        }
    }

    @Test("The live catalogue reports its first reading even if no app is installed")
    func empty() async throws {
        let shelf = try AppShelf()
        let thread = try LoopThread(name: "apps")
        let seen = Versions()
        let live = LiveCatalogue(
            thread,
            folders: shelf.folders,
            languages: [],
            environment: shelf.environment
        ) {
            catalogue in seen.versions.withLock { $0.append(catalogue.version) }
        }
        defer {
            live.close()
            thread.stop()
            thread.join()
        }
        try await eventually(within: .seconds(20), "one reading is reported") {
            let versions = seen.versions.withLock { $0 }
            guard versions == [AppCatalogue().version] else { throw NotYet("\(versions)") }
        }
        #expect(live.current.apps.isEmpty)
    }

    private func holds(_ live: LiveCatalogue, _ ids: [String]) async throws {
        try await eventually(within: .seconds(20), "the catalogue contains \(ids)") {
            let known = live.current.apps.map(\.id).sorted()
            guard known == ids else { throw NotYet("\(known)") }
        }
    }
}
