import STContracts

/// Tells a message that may bring something new from one that only says how things stood before.
///
/// A publisher says at every new subscription, and now and then, how far its stream has come. So a lost event shows, and
/// nobody has to ask again and again.
final class ChangeWatch {
    private var heads: [String: StreamPoint] = [:]

    func isNew(_ frames: [[UInt8]]) -> Bool {
        guard let topic = frames.first.map({ String(decoding: $0, as: UTF8.self) }) else { return false }
        guard topic.hasPrefix(Topic.headPrefix) else { return true }
        // Topic, header, body.
        guard frames.count > 2, let head = StreamPoint.read(frames[2]) else { return false }
        defer { heads[head.stream] = head }
        return heads[head.stream] != head
    }
}
