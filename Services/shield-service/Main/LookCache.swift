import STContracts
import STShieldCore

/// The looks that apps have given, as long as nothing changes.
struct LookCache {
    /// One look each, with up to 256 KiB of picture and text.
    static let looksMax = 64

    struct Key: Hashable {
        var app: String
        var member: String
        var subject: ShieldSubjectKey
        var language: String
    }

    struct ShieldSubjectKey: Hashable {
        var app: String?
        var domain: String?
    }

    private struct Entry {
        /// Of the stores, the names and the executable.
        var stamp: String
        var answer: LookAnswer
        var used: UInt64
    }

    private var entries: [Key: Entry] = [:]
    private var clock: UInt64 = 0

    /// What no longer holds is let go at once.
    mutating func look(_ key: Key, stamp: String) -> LookAnswer? {
        guard let entry = entries[key] else { return nil }
        guard entry.stamp == stamp else {
            entries[key] = nil
            return nil
        }
        clock += 1
        entries[key]?.used = clock
        return entry.answer
    }

    mutating func keep(_ answer: LookAnswer, _ key: Key, stamp: String) {
        if entries[key] == nil, entries.count >= Self.looksMax {
            let oldest = entries.min { $0.value.used < $1.value.used }
            if let oldest { entries[oldest.key] = nil }
        }
        clock += 1
        entries[key] = Entry(stamp: stamp, answer: answer, used: clock)
    }

    mutating func forget(_ key: Key) { entries[key] = nil }
}
