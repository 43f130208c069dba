import STContracts
import STDesktopKit
import STPlatform
import STTestSupport
import STZeroMQ
import Testing

@Suite(
    "Shields of a running system in assistive technology",
    .serialized,
    .enabled(if: AccessibilityGround.isAvailable, "needs at-spi2-core, gir1.2-atspi-2.0")
)
struct XAccessTests {
    @Test(
        "Assistive technology finds a shield by its text, and pressing its button minimizes the window",
        arguments: [
            ("ko_KR", "Alpha 앱 사용이 제한되었습니다", "확인", "시간 더 요청하기"),
            ("en_US", "Alpha is shielded", "OK", "Ask for more time"),
        ]
    )
    func shield(language: String, words: String, close: String, more: String) async throws {
        try await XHouse.run(settings: ["language": language]) { house in
            let scratch = try ScratchDirectory()
            defer { scratch.remove() }
            let ground = try AccessibilityGround(house.buses.session, scratch, isEnabled: true)
            defer { ground.stop() }
            let program = try house.program()
            let window = try await house.window(program, "Alpha", x: 120, y: 90, width: 500, height: 400)
            try house.display.run("xdotool", "mousemove", "300", "300")
            let target = [TokenItem(kind: .application, id: "alpha")]
            _ = try await house.ask(
                RuleAdd.self,
                .init(RuleSpec(kind: .limit, targets: target, durationMs: 1_000, then: .shield))
            )
            try await eventually(
                within: .seconds(150),
                "the shield is in the tree with its button"
            ) {
                try house.display.run("xdotool", "mousemove_relative", "--", "1", "0")
                let lines = try ground.tree().split(separator: "\n").map(String.init)
                // The look, its picture and its offer arrive one after the other.
                guard lines.contains(where: { $0.contains("|\(close)|") && !$0.contains("500x400") }),
                    lines.contains(where: { $0.contains("push button|\(more)|") }),
                    lines.contains(where: { $0.contains("dialog|\(words)|") && $0.contains(" 500x400") })
                else { throw NotYet("\(lines)") }
            }

            #expect(try ground.press(close).contains("True"))
            try await eventually(within: .seconds(20), "the window is no longer shown") {
                let view = try await house.ask(DesktopWindows.self, .init()).windows.first {
                    $0.app == "alpha"
                }
                guard view?.isShown == false else { throw NotYet("\(String(describing: view)) \(window)") }
            }
            // A screen reader must not find an invisible shield.
            try await eventually(within: .seconds(20), "the shield is gone from the tree") {
                let tree = try ground.tree()
                guard !tree.contains("dialog|") else { throw NotYet(tree) }
            }
        }
    }
}
