import STCommandCore
import STContracts
import STPlatform

/// `screentime export activitywatch`: a person's usage on this computer, in the format of ActivityWatch's own watchers.
enum ActivityWatchExport {
    /// The browsers that have a watcher, by a part of their ids.
    private static let browsers = ["firefox", "chrome", "chromium", "brave", "edge", "opera", "vivaldi"]

    private struct Bucket {
        var type: String
        var events: [[UInt8]] = []
    }

    static func run(_ invocation: Invocation) async throws -> ExitCode {
        let path = try FileTree.absolute(invocation.subjects[0])
        let events = try await ServiceClients.with(invocation.directories) { clients in
            let list = try await clients.call(MemberList.self, Empty())
            let member = invocation.value("--member") ?? list.members.ofThisAccount?.name ?? ""
            try NameCheck.checkMember(member, among: list.members.map(\.name))
            let file = try ExportFile(path, invocation.terminal)
            do {
                let events = try await write(member, host: list.device.name, to: file, clients: clients)
                try file.finish()
                return events
            } catch {
                file.discard()
                throw error
            }
        }
        return invocation.show(
            json: JSONOutput.pretty(["file": .string(path), "events": .integer(events)]),
            text: Speech.say(
                "import.has-events-in-activitywatchs",
                """
                Events in \(path, "path"): \(events, "events"). To import them into ActivityWatch, open its \
                page and choose Raw Data, Import buckets.
                """
            )
        )
    }

    private static func write(
        _ member: String,
        host: String,
        to file: ExportFile,
        clients: ServiceClients
    )
        async throws -> Int64
    {
        // Grouped by watcher, because the file has each bucket's events together and the usage records do not.
        var buckets: [String: Bucket] = [:]
        var request = UsageList.Request(member: member)
        repeat {
            let page = try await clients.call(UsageList.self, request)
            for row in page.rows where row.device == nil { add(row, to: &buckets) }
            request.next = page.next
        } while request.next != nil
        _ = try file.add(Array("{\"buckets\": {".utf8))
        for (index, (watcher, bucket)) in buckets.sorted(by: { $0.key < $1.key }).enumerated() {
            let id = "\(watcher)_\(host)"
            let about: JSONValue = [
                "id": .string(id), "type": .string(bucket.type), "client": .string(watcher), "name": .null,
                "hostname": .string(host), "created": "1970-01-01T00:00:00+00:00", "data": [:],
            ]
            // Without the closing brace, because the events are inside the object.
            let head =
                (index == 0 ? [] : [UInt8(ascii: ",")]) + JSONValue.string(id).text + [UInt8(ascii: ":")]
            _ = try file.add(head + about.text.dropLast() + Array(", \"events\": [".utf8))
            for (index, event) in bucket.events.enumerated() {
                _ = try file.add(index == 0 ? event : [UInt8(ascii: ",")] + event)
            }
            _ = try file.add(Array("]}".utf8))
        }
        _ = try file.add(Array("}}".utf8))
        return Int64(buckets.values.reduce(0) { $0 + $1.events.count })
    }

    private static func add(_ row: Segment, to buckets: inout [String: Bucket]) {
        func add(_ watcher: String, type: String, data: JSONValue) {
            let event: JSONValue = [
                "timestamp": .string(RFC3339.text(wallMs: row.startWallMs)),
                "duration": .number(Double(row.durationMs) / 1000), "data": data,
            ]
            buckets[watcher, default: Bucket(type: type)].events.append(event.text)
        }
        switch row.presence {
        case .active: add("aw-watcher-afk", type: "afkstatus", data: ["status": "not-afk"])
        case .idle, .locked, .away: add("aw-watcher-afk", type: "afkstatus", data: ["status": "afk"])
        case .suspended, .unobserved, .unknown: break
        }
        guard row.presence == .active, row.shielded != true else { return }
        add(
            "aw-watcher-window",
            type: "currentwindow",
            data: ["app": .string(row.app ?? "unknown"), "title": ""]
        )
        let app = row.app?.lowercased() ?? ""
        guard let domain = row.domain, let browser = browsers.first(where: { app.contains($0) }) else {
            return
        }
        // The import from ActivityWatch removes one “www.”.
        let host = domain.hasPrefix("www.") ? "www." + domain : domain
        add(
            "aw-watcher-web-\(browser)",
            type: "web.tab.current",
            data: [
                "url": .string("https://\(host)/"), "title": "", "audible": false, "incognito": false,
                "tabCount": 1,
            ]
        )
    }
}
