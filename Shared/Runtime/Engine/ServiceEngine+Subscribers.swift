import STBus
import STContracts
import STPlatform

/// What those who listen to this service are told of their own accord.
extension ServiceEngine {
    package func subscribed(_ topic: String, nowMs: Int64) -> [ServiceEffect] {
        if topic.hasPrefix(Topic.syncPrefix) {
            guard Topic.isValid(topic) else { return [] }
            return [.publish(topic: topic, header: Array("{}".utf8), body: headsBody())]
        }
        if topic.hasPrefix(Topic.tracePrefix), traceTopics.count < Self.traceTopicsMax {
            traceTopics.insert(topic)
            spans.isOn = true
        }
        return heads.compactMap { head in
            let stream = StreamName(head.stream)
            guard topic == Topic.head(stream) else { return nil }
            return announce(beacon.subscribed(stream, nowMs: nowMs))
        }
    }

    package func unsubscribed(_ topic: String) {
        if traceTopics.remove(topic) != nil, traceTopics.isEmpty {
            spans.isOn = false
            // Nobody is left to read them.
            _ = flushSpans()
        }
        for head in heads where topic == Topic.head(StreamName(head.stream)) {
            beacon.unsubscribed(StreamName(head.stream))
        }
    }

    package func tick(nowMs: Int64) -> [ServiceEffect] {
        var effects = beacon.tick(nowMs: nowMs).compactMap { announce($0) }
        for index in followers.indices where followers[index].nextMs <= nowMs {
            effects += follow(index, .tick, nowMs: nowMs)
        }
        if let spansDueMs, spansDueMs <= nowMs { effects += flushSpans() }
        return effects
    }

    package var nextMs: Int64? {
        // Asked after every message, so without making lists.
        var next = beacon.nextMs
        for index in followers.indices { next = min(next ?? .max, followers[index].nextMs) }
        if let spansDueMs { next = min(next ?? .max, spansDueMs) }
        return next
    }

    func announce(_ stream: StreamName) -> ServiceEffect? {
        guard let head = heads.first(where: { $0.stream == stream.rawValue }) else { return nil }
        return .publish(topic: Topic.head(stream), header: Array("{}".utf8), body: head.encoded())
    }

    func headsBody() -> [UInt8] {
        var list: [UInt8] = [UInt8(ascii: "[")]
        for (index, head) in heads.enumerated() {
            if index > 0 { list.append(UInt8(ascii: ",")) }
            list += head.encoded()
        }
        list.append(UInt8(ascii: "]"))
        var writer = JSONWriter()
        writer.raw("heads", list)
        return writer.finish()
    }
}
