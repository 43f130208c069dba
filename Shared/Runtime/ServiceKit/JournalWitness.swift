import Glibc
import STCSystemd
import STContracts
import STPlatform
import STWire

/// What a service has told, noted in the system's journal, where its account can write but erase nothing.
///
/// A service whose database is made anew finds there what an earlier one held, also when the whole state folder is gone.
struct JournalWitness: Sendable {
    /// How often it is noted; and at the start and the end of the service.
    static let everyMs: Int64 = 3_600_000

    private static let headsField = "SCREENTIME_HEADS="

    let service: ServiceName
    /// The database's path; the journal itself knows the account.
    let database: String

    /// Nil for tests and simulations, which leave nothing in the machine's journal.
    init?(_ service: ServiceName, _ surroundings: Surroundings) {
        guard surroundings.time.virtual == nil, ProcessEnvironment.current()["SCREENTIME_JOURNAL"] != "0"
        else { return nil }
        self.service = service
        database = surroundings.directories.database(service: service.rawValue)
    }

    func note(_ heads: [StreamPoint]) {
        guard heads.contains(where: { $0.sequence > 0 }) else { return }
        let points = heads.filter { $0.sequence > 0 }
            .map { "\($0.stream) \($0.sequence) \($0.id ?? "")" }.joined(separator: ";")
        let words = [
            "MESSAGE=\(service): \(heads.reduce(0) { $0 + $1.sequence }) records so far.", "PRIORITY=6",
            "SYSLOG_IDENTIFIER=screentime", match, Self.headsField + points,
        ]
        Self.send(words)
    }

    /// What was noted last of a database that is gone.
    func losses() -> [HistoryLoss] {
        guard let text = last() else { return [] }
        return text.split(separator: ";").compactMap { point in
            let parts = point.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
            guard parts.count == 3, let promised = Int64(parts[1]) else { return nil }
            return HistoryLoss(
                source: service.rawValue,
                stream: parts[0],
                kept: 0,
                promised: promised,
                promisedId: parts[2].isEmpty ? nil : parts[2],
                promisedWallMs: Identifier.wallMs(of: parts[2]),
                isOther: true
            )
        }
    }

    private var match: String { "SCREENTIME_DATABASE=\(database)" }

    private static func send(_ words: [String]) {
        let texts = words.map { strdup($0) }
        defer { for text in texts { free(text) } }
        let parts = texts.map { iovec(iov_base: $0, iov_len: $0.map { strlen($0) } ?? 0) }
        _ = sd_journal_sendv(parts, Int32(parts.count))
    }

    private func last() -> String? {
        var journal: OpaquePointer?
        guard sd_journal_open(&journal, Int32(SD_JOURNAL_LOCAL_ONLY)) == 0, let journal else { return nil }
        defer { sd_journal_close(journal) }
        for word in [match, "_UID=\(getuid())"] {
            guard sd_journal_add_match(journal, word, word.utf8.count) == 0 else { return nil }
        }
        var data: UnsafeRawPointer?
        var length = 0
        guard sd_journal_seek_tail(journal) == 0, sd_journal_previous(journal) > 0,
            sd_journal_get_data(journal, "SCREENTIME_HEADS", &data, &length) == 0, let data
        else { return nil }
        let text = String(decoding: UnsafeRawBufferPointer(start: data, count: length), as: UTF8.self)
        return text.hasPrefix(Self.headsField) ? String(text.dropFirst(Self.headsField.count)) : nil
    }
}
