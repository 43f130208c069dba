import Foundation

/// One `DefaultsFile` per path in a process, however many `UserDefaults` there are for it.
final class DefaultsFiles: @unchecked Sendable {
    // @unchecked: the table is read and written under `lock`.
    static let shared = DefaultsFiles()

    private struct Entry {
        weak var file: DefaultsFile?
    }

    private let lock = NSLock()
    private var entries: [String: Entry] = [:]

    func file(_ path: String) -> DefaultsFile {
        lock.withLock {
            if let file = entries[path]?.file { return file }
            entries = entries.filter { $0.value.file != nil }
            let file = DefaultsFile(path: path)
            entries[path] = Entry(file: file)
            return file
        }
    }
}
