import STPlatform
import STStore

/// Where the next page of a snapshot begins and where the whole ends, as the opaque `next` of a reply.
struct SnapshotPlace: Equatable {
    var after: Int64
    var through: StreamPosition

    init(after: Int64, through: StreamPosition) {
        self.after = after
        self.through = through
    }

    init(text: String) throws {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 4, let after = Int64(parts[0]), let sequence = Int64(parts[2]), after >= 0 else {
            throw Problem("page.invalid", "Send back `next` exactly as the reply had it.", field: "/next")
        }
        let id = parts[3].isEmpty ? nil : String(parts[3])
        self.init(after: after, through: StreamPosition(epoch: String(parts[1]), sequence: sequence, id: id))
    }

    var text: String { "\(after)/\(through.epoch)/\(through.sequence)/\(through.id ?? "")" }
}
