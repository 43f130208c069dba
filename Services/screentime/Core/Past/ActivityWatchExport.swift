import STContracts
import STPlatform

/// `screentime export activitywatch`: what was seen of a person here, as ActivityWatch's own watchers would have kept it.
enum ActivityWatchExport {
    static let command = Command(
        ["export", "activitywatch"],
        "Writes what was recorded here as an export of ActivityWatch, which it and others can bring in",
        subjects: [.init("FILE", "where to write; never replaces a file")],
        options: [
            .init("--member", "NAME", "whose past it is; by default the owner of this account"), .json,
        ],
        example: "screentime export activitywatch ~/activitywatch.json"
    ) { try await run($0) }

    private enum Kind: CaseIterable {
        case window, presence, web
    }

    /// The watchers of browsers, by a part of the browsers' ids.
    private static let browsers = ["firefox", "chrome", "chromium", "brave", "edge", "opera", "vivaldi"]

    private static func run(_ invocation: Invocation) async throws -> ExitCode {
        let path = try FileTree.absolute(invocation.subjects[0])
        let events = try await ServiceClients.with(invocation.directories) { clients in
            let list = try await clients.call(MemberList.self, Empty())
            let member = invocation.value("--member") ?? list.members.ofThisAccount?.name ?? ""
            try KnownNames.checkMember(member, among: list.members.map(\.name))
            let file = try ExportFile(path, invocation.terminal)
            do {
                let events = try await write(member, list.device.name, to: file, clients)
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
                "\(path) has \(events) events. In ActivityWatch's page they are brought in by Raw Data, Import buckets.",
                "\(path)에 \(events)개를 썼습니다. ActivityWatch의 페이지에서 Raw Data, Import buckets로 가져갑니다."
            )
        )
    }

    private static func write(
        _ member: String,
        _ host: String,
        to file: ExportFile,
        _ clients: ServiceClients
    )
        async throws -> Int64
    {
        _ = try file.add(Array("{\"buckets\": {".utf8))
        var count: Int64 = 0
        var isFirst = true
        let buckets = [(Kind.window, ""), (.presence, "")] + browsers.map { (.web, $0) }
        for (kind, browser) in buckets {
            var isOpen = false
            var request = UsageList.Request(limit: 500, member: member)
            repeat {
                let page = try await clients.call(UsageList.self, request)
                for row in page.rows where row.device == nil {
                    guard let data = data(row, kind, browser) else { continue }
                    let head = isOpen ? "," : (isFirst ? "" : ",") + bucket(kind, browser, host)
                    (isOpen, isFirst) = (true, false)
                    let event: JSONValue = [
                        "timestamp": .string(RFC3339.text(wallMs: row.startWallMs)),
                        "duration": .number(Double(row.durationMs) / 1000), "data": data,
                    ]
                    var line = Array(head.utf8)
                    event.append(to: &line)
                    _ = try file.add(line)
                    count += 1
                }
                request.next = page.next
            } while request.next != nil
            if isOpen { _ = try file.add(Array("]}".utf8)) }
        }
        _ = try file.add(Array("}}".utf8))
        return count
    }

    /// The beginning of a bucket, up to its events.
    private static func bucket(_ kind: Kind, _ browser: String, _ host: String) -> String {
        let (name, type, client) =
            switch kind {
            case .window: ("aw-watcher-window", "currentwindow", "aw-watcher-window")
            case .presence: ("aw-watcher-afk", "afkstatus", "aw-watcher-afk")
            case .web: ("aw-watcher-web-\(browser)", "web.tab.current", "aw-client-web")
            }
        var text: [UInt8] = []
        let id = "\(name)_\(host)"
        JSONValue.string(id).append(to: &text)
        text += Array(": ".utf8)
        let about: JSONValue = [
            "id": .string(id), "type": .string(type), "client": .string(client), "hostname": .string(host),
            "created": "1970-01-01T00:00:00+00:00", "data": [:],
        ]
        about.append(to: &text)
        return String(decoding: text.dropLast(), as: UTF8.self) + ", \"events\": ["
    }

    /// Nil for what does not belong into a bucket.
    private static func data(_ row: Segment, _ kind: Kind, _ browser: String) -> JSONValue? {
        let isUsed = row.presence == .active && row.shielded != true
        switch kind {
        case .window: return isUsed ? ["app": .string(row.app ?? "unknown"), "title": ""] : nil
        case .presence:
            switch row.presence {
            case .active: return ["status": "not-afk"]
            case .idle, .locked, .away: return ["status": "afk"]
            case .suspended, .unobserved, .unknown: return nil
            }
        case .web:
            let app = row.app?.lowercased() ?? ""
            guard isUsed, let domain = row.domain, browsers.first(where: { app.contains($0) }) == browser
            else {
                return nil
            }
            // The reader takes one “www.” off.
            let host = domain.hasPrefix("www.") ? "www." + domain : domain
            return [
                "url": .string("https://\(host)/"), "title": "", "audible": false, "incognito": false,
                "tabCount": 1,
            ]
        }
    }
}
