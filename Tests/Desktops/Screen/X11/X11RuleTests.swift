import STDesktop
import STPlatform
import STTestSupport
import Testing

@testable import STScreen

@Suite("Rules of the X adapter")
struct X11RuleTests {
    @Test("Event times are derived from the X server's clock, even when it wraps to zero")
    func clock() {
        var clock = XServerClock()
        func age(_ server: UInt32, _ now: Int64) -> Int64 {
            clock.age(ofServerMs: server, now: .milliseconds(now)).ms
        }
        #expect(age(1_000, 501_000) == 0)
        // Received 30 ms late.
        #expect(age(2_000, 502_030) == 30)
        // Received earlier than the first, which was late itself.
        #expect(age(3_000, 502_990) == 0)
        #expect(age(4_000, 504_000) == 10)
        // The protocol's value for the present time, and a clock that was set.
        #expect(age(0, 700_000) == 0)
        #expect(age(5_000, 900_000) == 0)
        var wrapping = XServerClock()
        let before = wrapping.age(ofServerMs: .max - 10, now: .milliseconds(5_000_000_000))
        let after = wrapping.age(ofServerMs: 9, now: .milliseconds(5_000_000_025))
        #expect((before, after) == (.zero, .milliseconds(5)))
    }

    @Test("The scale of an X display follows Xft.dpi or GDK_SCALE and stays between 1 and 4")
    func scale() {
        #expect(XScale.value(resources: "", gdkScale: nil) == 1)
        #expect(XScale.value(resources: "XTerm*font: x\nXft.dpi:\t192\n", gdkScale: nil) == 2)
        #expect(XScale.value(resources: "Xft.dpi: 144", gdkScale: "1") == 1.5)
        #expect(XScale.value(resources: "Xft.dpi: 96", gdkScale: "2") == 2)
        for nonsense in ["nan", "inf", "-5", "1e308", "", "two"] {
            let scale = XScale.value(resources: "Xft.dpi: \(nonsense)", gdkScale: nonsense)
            #expect((1...4).contains(scale))
        }
    }

    @Test("X properties are decoded as UTF-8, Latin-1, pairs and words, and malformed ones safely")
    func texts() {
        #expect(XProperty.safe([0x41, 0, 0x42], isLatin: false) == "A")
        #expect(XProperty.safe([0xE9], isLatin: true) == "é")
        #expect(XProperty.safe([0xE9], isLatin: false) == "\u{FFFD}")
        #expect(XProperty.safe([], isLatin: false) == nil)
        #expect(XProperty.safe([0x1B, 0x5B], isLatin: false) == "·[")
        #expect(XProperty(type: 31, format: 8, bytes: Array("a\0B\0".utf8)).pair == ("a", "B"))
        #expect(XProperty(type: 31, format: 8, bytes: Array("alone".utf8)).pair == ("alone", nil))
        #expect(XProperty(type: 31, format: 8, bytes: []).pair == (nil, nil))
        #expect(XProperty(type: 31, format: 32, bytes: [1, 2, 3]).words.isEmpty)
        #expect(XProperty(type: 6, format: 32, bytes: [1, 0, 0, 0, 2, 0]).words == [1])
    }

    @Test("Window IDs of X are converted to numbers and back, and other IDs are rejected")
    func names() {
        #expect(XWindow.name(0x1A_00003).rawValue == "x11:0x1a00003")
        #expect(XWindow.number(WindowID("x11:0x1a00003")) == 0x1A_00003)
        for other in ["wl:12", "x11:", "x11:0x", "x11:0xzz", "x11:0x1ffffffff"] {
            #expect(XWindow.number(WindowID(other)) == nil)
        }
    }

    @Test("XRateLimit refuses after its burst and permits again with time")
    func patience() {
        var patience = XRateLimit(atOnce: 3, perSecond: 10)
        let answers = (0..<5).map { _ in patience.allows(now: .seconds(1)) }
        #expect(answers == [true, true, true, false, false])
        let later = (0..<2).map { _ in patience.allows(now: .milliseconds(1_100)) }
        #expect(later == [true, false])
    }

    @Test("An X authority file yields the cookie of its display, and a damaged file yields none")
    func cookies() {
        func part(_ bytes: [UInt8]) -> [UInt8] {
            [UInt8(bytes.count >> 8), UInt8(bytes.count & 0xFF)] + bytes
        }
        let name = Array("MIT-MAGIC-COOKIE-1".utf8)
        func entry(_ display: String, _ data: [UInt8], family: [UInt8] = [1, 0]) -> [UInt8] {
            family + part(Array("here".utf8)) + part(Array(display.utf8)) + part(name) + part(data)
        }
        let file = entry("1", [1, 1]) + entry("0", [2, 2]) + entry("", [3, 3])
        #expect(XAuthority(file: file).cookie(display: 1) == [1, 1])
        #expect(XAuthority(file: file).cookie(display: 0) == [2, 2])
        #expect(XAuthority(file: file).cookie(display: 7) == [3, 3])
        // An entry of another machine.
        #expect(XAuthority(file: entry("0", [4, 4], family: [0, 0])).cookie(display: 0) == nil)
        for length in 0..<entry("0", [5, 5]).count {
            #expect(XAuthority(file: Array(entry("0", [5, 5]).prefix(length))).cookie(display: 0) == nil)
        }
        #expect(XAuthority(file: [UInt8](repeating: 0xFF, count: 1_000)).cookie(display: 0) == nil)
    }
}
