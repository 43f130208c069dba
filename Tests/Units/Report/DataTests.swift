import STContracts
import STPlatform
import STTestKit
import Synchronization
import Testing

@testable import STReportCore

@Suite("Data for a filter of an app")
struct DataTests {
    @Test("Report data comes in segments with names that are never empty")
    func told() throws {
        let desk = try HostingDesk(
            usage: { _ in
                HostingDesk.reply([
                    HostingDesk.segment(
                        1,
                        rows: [
                            HostingDesk.row("browser", site: "a.example"),
                            HostingDesk.row("editor", category: nil),
                            HostingDesk.row(nil, category: "other"),
                        ]
                    ),
                    HostingDesk.segment(2, absentMs: 10),
                    HostingDesk.segment(3, rows: [HostingDesk.row("editor", usedMs: 5)]),
                ])
            },
            name: { item, language in item.id == "browser" ? "Browser (\(language))" : "" }
        )
        let reply = try desk.look(HostingDesk.filter(), language: "ko")
        #expect(reply.next == nil)
        #expect(reply.parts.map(\.number) == [0, 1])
        #expect(reply.parts.map(\.usedMs) == [180_000, 5])
        #expect(reply.parts.first?.updatedWallMs == ReportDesk.wallMs(2026, month: 11, day: 20, hour: 3))
        let rows = try #require(reply.parts.first?.rows)
        #expect(rows.map { $0.application?.name } == ["Browser (ko)", "editor", nil])
        #expect(rows.map(\.category.name) == ["게임", "기타", "기타"])
        #expect(rows[0].webDomain?.name == "a.example")
        #expect(rows[0].pickups == 1 && rows[0].notifications == 2)
        // A day without usage is a segment, because the data counts calendar days.
        #expect(try desk.look(HostingDesk.filter(.day)).parts.count == 3)
    }

    @Test(
        "The read model is queried once per device, with the items of the filter's tokens"
    )
    func asked() throws {
        let asked = Mutex<[ReportUsage.Request]>([])
        let desk = try HostingDesk(devices: [HostingDesk.own, HostingDesk.phone]) { request in
            asked.withLock { $0.append(request) }
            return HostingDesk.reply([])
        }
        var filter = HostingDesk.filter(.week, models: [])
        filter.weekday = 1
        let items = [
            TokenItem(kind: .application, id: "game"), TokenItem(kind: .category, id: "social"),
            TokenItem(kind: .domain, id: "a.example"),
        ]
        let reply = try desk.look(filter, items: items, language: "ko")
        let requests = asked.withLock { $0 }
        #expect(requests.map(\.devices) == [["own"], ["phone"]])
        #expect(requests.allSatisfy { $0.members == [HostingDesk.owner] && $0.segment == .week })
        #expect(requests.allSatisfy { $0.weekday == 1 && $0.language == "ko" })
        #expect(requests.first?.apps == ["game"] && requests.first?.categories == ["social"])
        #expect(requests.first?.sites == ["a.example"])
        // The reply names the member even without any data.
        #expect(reply.parts.map(\.number) == [-1, -1])
        #expect(reply.parts.map(\.device.device) == ["own", "phone"])
        #expect(reply.parts.first?.startWallMs == filter.fromWallMs)
    }

    @Test(
        "Report data comes in pages that fit into replies, without gaps or duplicates"
    )
    func pages() throws {
        let pages = 3
        let hours = 8
        let apps = 150
        var desk = try HostingDesk { request in
            let page = request.next.flatMap { Int($0) } ?? 0
            let segments = (0..<hours).map { hour in
                HostingDesk.segment(
                    page * hours + hour,
                    rows: (0..<apps).map {
                        HostingDesk.row(
                            "app.\($0)",
                            site: "\($0).example",
                            usedMs: Int64(page * 10_000 + hour * 200 + $0)
                        )
                    }
                )
            }
            return HostingDesk.reply(segments, next: page + 1 < pages ? String(page + 1) : nil)
        }
        try desk.allow(HostingDesk.child)
        let (parts, count) = try desk.all(HostingDesk.filter(hours: 24, users: .all))
        #expect(count > 4)
        for member in [HostingDesk.owner, HostingDesk.child] {
            let own = parts.filter { $0.member == member }
            #expect(Set(own.map(\.number)) == Set((0..<Int64(pages * hours))))
            // In order, without duplicates or gaps.
            #expect(own.map(\.number) == own.map(\.number).sorted())
            let rows = own.flatMap { part in part.rows.map { "\(part.number) \($0.application?.id ?? "")" } }
            #expect(rows.count == pages * hours * apps && Set(rows).count == rows.count)
            for (number, told) in Dictionary(grouping: own, by: \.number) {
                #expect(Set(told.map(\.usedMs)).count == 1, "\(number)")
                #expect(told.flatMap(\.rows).reduce(0) { $0 + $1.usedMs } == told[0].usedMs)
            }
        }
    }

    @Test("A segment keeps its number when it continues in the next page of the read model")
    func goesOn() throws {
        let desk = try HostingDesk { request in
            let rows = (0..<3).map { HostingDesk.row("app.\($0)") }
            return request.next == nil
                ? HostingDesk.reply(
                    [HostingDesk.segment(0, rows: rows), HostingDesk.segment(1, rows: [rows[0]])],
                    next: "1:1"
                )
                : HostingDesk.reply([
                    HostingDesk.segment(1, rows: [rows[1], rows[2]]), HostingDesk.segment(2, rows: rows),
                ])
        }
        let (parts, _) = try desk.all(HostingDesk.filter())
        #expect(parts.map(\.number) == [0, 1, 1, 2])
        #expect(parts.map(\.rows.count) == [3, 1, 2, 3])
        // An interval without length is empty and does not query the read model.
        let nothing = try desk.look(HostingDesk.filter(hours: 0))
        #expect(nothing.parts.map(\.number) == [-1])
    }

    @Test("Empty parts of many devices come in pages")
    func manyEmpty() throws {
        let devices = (0..<1_000).map {
            ReportDevice(device: "phone.\($0)", name: "phone \($0)", model: .iPhone, isThis: false)
        }
        let desk = try HostingDesk(devices: devices)
        let (parts, count) = try desk.all(HostingDesk.filter(models: []))
        #expect(count > 1)
        #expect(Set(parts.map(\.device.device)).count == 1_000 && parts.count == 1_000)
    }

    @Test(
        "Two days that begin at the same moment remain separate segments"
    )
    func travelled() throws {
        let desk = try HostingDesk { _ in
            var sunday = HostingDesk.segment(0, rows: [HostingDesk.row("editor", usedMs: 7)])
            sunday.endWallMs = sunday.startWallMs
            sunday.day = "2026-11-19"
            return HostingDesk.reply([
                sunday, HostingDesk.segment(0, rows: [HostingDesk.row("editor", usedMs: 5)]),
            ])
        }
        let (parts, _) = try desk.all(HostingDesk.filter(.day))
        #expect(parts.map(\.number) == [0, 1])
        #expect(parts.map(\.usedMs) == [7, 5])
    }

    @Test(
        "Each request queries the read model a limited number of times, and never for devices without data"
    )
    func long() throws {
        let asked = Mutex<[String]>([])
        let devices = (0..<64).map {
            ReportDevice(device: "phone.\($0)", name: "phone \($0)", model: .iPhone, isThis: false)
        }
        let desk = try HostingDesk(
            devices: devices,
            usage: { request in
                asked.withLock { $0.append(contentsOf: request.devices ?? []) }
                let page = request.next.flatMap { Int($0) } ?? 0
                return HostingDesk.reply([HostingDesk.segment(page)], next: page < 120 ? "\(page + 1)" : nil)
            },
            knows: { _, device in device == "phone.7" }
        )
        var next: String?
        var counts: [Int] = []
        repeat {
            let before = asked.withLock { $0.count }
            next = try desk.look(HostingDesk.filter(models: []), next: next).next
            counts.append(asked.withLock { $0.count } - before)
        } while next != nil
        #expect(counts == [50, 50, 21])
        #expect(asked.withLock { Set($0) } == ["phone.7"])
    }

    @Test("An invalid position in report data is rejected")
    func badPlaces() throws {
        let desk = try HostingDesk()
        for next in [
            "", "x", "1.2.3", "-1.0.0.0.", "0.0.0.99999999999999999999.0.", "0.0.0.-1.0.", "0.0.0.0.x.",
            "0.0.0.0.1_2.",
        ] {
            let problem = #expect(throws: Problem.self) { try desk.look(HostingDesk.filter(), next: next) }
            #expect(problem?.code == "page.invalid", "\(next)")
        }
        // After the last position there is no data.
        #expect(try desk.look(HostingDesk.filter(), next: "9.0.0.0..").parts.isEmpty)
    }
}
