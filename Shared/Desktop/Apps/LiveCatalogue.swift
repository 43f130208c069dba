package import STPlatform
import Synchronization

/// An app catalogue that is always current. It is read at the start, and again after each installation or removal.
///
/// `aside` runs the reading outside of every event loop. Only one reading runs at a time. A change during a reading causes one
/// more.
package final class LiveCatalogue: Sendable {
    private struct Work {
        var isReading = false
        var isDueAgain = false
        var isClosed = false
    }

    private let catalogue = Mutex<AppCatalogue?>(nil)
    private let work = Mutex(Work())
    private let watch = Mutex<CatalogueWatch?>(nil)
    private let failure = Mutex<Problem?>(nil)
    private let folders: [String]
    private let languages: [String]
    private let environment: [String: String]
    private let onChange: @Sendable (AppCatalogue) -> Void
    private let runInBackground: @Sendable (@escaping @Sendable () -> Void) -> Void

    /// `changed` is called after the first reading, even if it found no app, and again for each new version, on any thread.
    package init(
        _ thread: LoopThread,
        folders: [String],
        languages: [String],
        environment: [String: String],
        aside: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void = { work in
            Task.detached(priority: .low) { work() }
        },
        _ changed: @escaping @Sendable (AppCatalogue) -> Void
    ) {
        self.folders = folders
        self.languages = languages
        self.environment = environment
        self.onChange = changed
        self.runInBackground = aside
        guard !folders.isEmpty else { return }
        // The watch starts first, so that a change during the first reading causes another one.
        do {
            let made = try CatalogueWatch(thread, folders: folders) { [weak self] in self?.refresh() }
            watch.withLock { $0 = made }
        } catch {
            failure.withLock { $0 = error }
        }
        refresh()
    }

    /// The reason that changes are only detected at the next start. `nil` if the folders are watched.
    package var problem: Problem? { failure.withLock { $0 } }

    /// The current catalogue. Empty until the first reading has finished.
    package var current: AppCatalogue { catalogue.withLock { $0 } ?? AppCatalogue() }

    package func close() {
        work.withLock { $0.isClosed = true }
        watch.withLock { $0 }?.close()
    }

    private func refresh() {
        let begins = work.withLock { work in
            guard !work.isClosed else { return false }
            guard !work.isReading else {
                work.isDueAgain = true
                return false
            }
            work.isReading = true
            return true
        }
        if begins { runInBackground { self.read() } }
    }

    private func read() {
        repeat {
            work.withLock { $0.isDueAgain = false }
            let new = AppCatalogue.read(folders, languages: languages, environment: environment)
            let isNew = catalogue.withLock { held in
                defer { held = new }
                return held?.version != new.version
            }
            if isNew, !work.withLock({ $0.isClosed }) { onChange(new) }
        } while !finishRead()
    }

    private func finishRead() -> Bool {
        work.withLock { work in
            guard work.isDueAgain, !work.isClosed else {
                work.isReading = false
                return true
            }
            return false
        }
    }
}
