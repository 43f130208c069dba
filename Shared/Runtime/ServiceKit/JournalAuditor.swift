import Glibc
import STCSystemd
import STContracts
import STPlatform
import STWire

/// Writes the number of a service's records to the system's journal, where its account can write but not delete.
///
/// If a service's database is new, the service reads there how many records an earlier database contained. This works even if the
/// whole state folder was deleted.
struct JournalAuditor: Sendable {
    /// The time between two entries. The service also writes one at its start and at its end.
    static let interval = Duration.seconds(3_600)

    private static let field = "SCREENTIME_RECORDS"

    let service: ServiceName
    /// The path of the database. The journal itself records the account.
    let database: String

    /// Returns nil in tests and simulations, which write nothing to the machine's journal.
    init?(_ service: ServiceName, _ surroundings: ServiceEnvironment) {
        guard surroundings.time.virtual == nil, ProcessEnvironment.current()["SCREENTIME_JOURNAL"] != "0"
        else { return nil }
        self.service = service
        database = surroundings.directories.database(service: service.rawValue)
    }

    func record(_ heads: [StreamPoint]) {
        let count = heads.reduce(0) { $0 + $1.sequence }
        guard count > 0 else { return }
        let last = heads.compactMap(\.id).max {
            (Identifier.wallMs(of: $0) ?? 0) < (Identifier.wallMs(of: $1) ?? 0)
        }
        Self.send([
            "MESSAGE=\(service) has \(count) records so far.", "PRIORITY=6", "SYSLOG_IDENTIFIER=screentime",
            match,
            "\(Self.field)=\(count) \(last ?? "")",
        ])
    }

    /// Returns the last entry about a database that no longer exists, or nil if there is none.
    func loss() -> HistoryLoss? {
        let parts = last()?.split(separator: " ", omittingEmptySubsequences: false).map(String.init) ?? []
        guard parts.count == 2, let count = Int64(parts[0]) else { return nil }
        return HistoryLoss(
            source: service.rawValue,
            stream: "",
            kept: 0,
            promised: count,
            promisedId: parts[1].isEmpty ? nil : parts[1],
            promisedWallMs: Identifier.wallMs(of: parts[1]),
            isOther: true
        )
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
            sd_journal_get_data(journal, Self.field, &data, &length) == 0, let data
        else { return nil }
        let text = String(decoding: UnsafeRawBufferPointer(start: data, count: length), as: UTF8.self)
        return text.split(separator: "=", maxSplits: 1).last.map(String.init)
    }
}
