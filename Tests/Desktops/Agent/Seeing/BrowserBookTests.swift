import STContracts
import STDesktop
import STPlatform
import STTestSupport
import Testing

@testable import STDesktopCore

@Suite("Sites reported by browsers")
struct BrowserBookTests {
    private var book = BrowserReports()

    private func window(_ id: String, _ process: Int32?) -> DesktopWindow {
        DesktopWindow(id: WindowID(id), pid: process)
    }

    private mutating func tell(
        _ host: String?,
        focused: Bool = true,
        isPrivate: Bool = false,
        process: Int32 = 7,
        at bootMs: Int64 = 1_000
    ) throws {
        let word = BrowserReport.Request(version: "1", focused: focused, isPrivate: isPrivate, host: host)
        try book.receive(word, of: process, at: BootTime(ms: bootMs))
    }

    @Test("A site counts while a window of its browser is in the foreground and its report is under 15 s old")
    mutating func front() throws {
        try tell("www.Example.org.")
        #expect(book.site(at: BootTime(ms: 1_000))?.name == nil)
        book.setForeground(window("x11:1", 7), at: BootTime(ms: 1_100))
        #expect(book.site(at: BootTime(ms: 1_100))?.name == "example.org")
        book.setForeground(window("x11:2", 8), at: BootTime(ms: 1_200))
        #expect(book.site(at: BootTime(ms: 1_200))?.name == nil)
        book.setForeground(window("x11:3", nil), at: BootTime(ms: 1_300))
        #expect(book.site(at: BootTime(ms: 1_300))?.name == nil)
        book.setForeground(window("x11:1", 7), at: BootTime(ms: 1_400))
        #expect(book.nextExpiry(after: BootTime(ms: 1_400)) == BootTime(ms: 16_000))
        #expect(book.site(at: BootTime(ms: 15_999))?.name == "example.org")
        #expect(book.site(at: BootTime(ms: 16_000))?.name == nil)
    }

    @Test("A site reported without focus counts for 150 ms in the foreground, and a private site never")
    mutating func unseen() throws {
        try tell("example.org", focused: false)
        book.setForeground(window("x11:9", 7), at: BootTime(ms: 2_000))
        #expect(book.site(at: BootTime(ms: 2_149))?.name == "example.org")
        #expect(book.site(at: BootTime(ms: 2_150))?.name == nil)
        try tell("other.example", at: 2_200)
        #expect(book.site(at: BootTime(ms: 2_200))?.name == "other.example")
        try tell("hidden.example", isPrivate: true, at: 2_300)
        #expect(book.site(at: BootTime(ms: 2_300))?.name == nil)
    }

    @Test(
        "An invalid host name is refused, and the site reported before it remains",
        arguments: [
            "", "a/b", "exa mple.org", "example.org?q", "user@example.org", "b\u{FC}cher.de", "a\0b",
            "\u{202E}a.org",
            String(repeating: "a", count: 254),
        ]
    )
    mutating func refused(_ host: String) throws {
        try tell("example.org")
        book.setForeground(window("x11:1", 7), at: BootTime(ms: 1_000))
        #expect(throws: Problem.self) { try tell(host) }
        #expect(book.site(at: BootTime(ms: 1_000))?.name == "example.org")
    }

    @Test("IP addresses, single words and Punycode names are accepted as sites unchanged")
    mutating func hosts() throws {
        book.setForeground(window("x11:1", 7), at: BootTime(ms: 900))
        for host in ["[::1]", "192.168.0.1", "localhost", "xn--80ak6aa92e.com", "a_b.example"] {
            try tell(host)
            #expect(book.site(at: BootTime(ms: 1_000))?.name == host)
        }
    }

    @Test(
        "Under 10,000 random reports, the site is always the valid report of the foreground process"
    )
    mutating func random() throws {
        var random = SeededRandom(seed: 3)
        var now: Int64 = 1_000
        var front: (process: Int32?, sinceMs: Int64) = (nil, 0)
        var told: [Int32: (host: String?, focused: Bool, isPrivate: Bool, atMs: Int64)] = [:]
        for _ in 0..<10_000 {
            now += Int64(random.pick([0, 1, 10, 149, 150, 4_999, 15_000]) ?? 0)
            if random.chance(percent: 40) {
                let process: Int32? = random.chance(percent: 10) ? nil : Int32(random.number(2...9))
                if process != front.process { front = (process, now) }
                book.setForeground(process.map { window("x11:\($0)", $0) }, at: BootTime(ms: now))
            } else {
                let process = Int32(random.number(2...9))
                let host = random.chance(percent: 20) ? nil : "p\(process)-\(random.number(1...5)).example"
                let (focused, isPrivate) = (random.chance(percent: 60), random.chance(percent: 20))
                try tell(host, focused: focused, isPrivate: isPrivate, process: process, at: now)
                told[process] = (host, focused, isPrivate, now)
            }
            let word = front.process.flatMap { told[$0] }
            let isBelieved = word.map {
                !$0.isPrivate && now < ($0.focused ? $0.atMs + 15_000 : front.sinceMs + 150)
            }
            #expect(book.site(at: BootTime(ms: now))?.name == (isBelieved == true ? word?.host : nil))
        }
    }
}
