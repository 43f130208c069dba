import STCommandCore
import Testing

@Suite("A line that is not shown")
struct HiddenLineTests {
    private func type(_ keys: String, bytesMax: Int = 100) -> (text: String, last: HiddenLine.Step) {
        var line = HiddenLine(bytesMax: bytesMax)
        var last = HiddenLine.Step.more
        for byte in keys.utf8 {
            last = line.append(byte)
            if last != .more { break }
        }
        return (line.text(), last)
    }

    @Test(
        "A hidden line supports backspace, Ctrl-U and the keys that end a line",
        arguments: [
            ("abc\n", "abc"), ("abc\r", "abc"), ("abd\u{7F}c\n", "abc"), ("ab\u{8}c\n", "ac"),
            ("김민\u{7F}준\n", "김준"), ("wrong\u{15}right\n", "right"), ("\u{7F}\u{7F}a\n", "a"), ("\n", ""),
            ("abc\u{4}", "abc"),
        ]
    )
    func edited(keys: String, text: String) {
        let typed = type(keys)

        #expect(typed.text == text)
        #expect(typed.last == .done)
    }

    @Test("Interrupt keys stop a hidden line, and Ctrl-D ends an empty one")
    func givenUp() {
        #expect(type("abc\u{3}").last == .interrupted)
        #expect(type("abc\u{1C}").last == .interrupted)
        #expect(type("\u{4}").last == .ended)
    }

    @Test("A hidden line that is longer than its maximum is rejected")
    func long() {
        #expect(type(String(repeating: "x", count: 101)).last == .tooLong)
        #expect(type(String(repeating: "x", count: 100) + "\n").last == .done)
    }
}
