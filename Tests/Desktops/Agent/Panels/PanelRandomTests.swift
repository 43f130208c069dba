import STContracts
import STDesktop
import STPlatform
import STTestSupport
import Testing

@testable import STDesktopCore

@Suite("Panels: warnings, failures and random events")
struct PanelRandomTests {
    @Test(
        "Warnings are shown one after another, and one that expires while the person is away is never shown"
    )
    func warnings() {
        var story = PanelStories()
        story.run {
            $0.receiveWarning(id: "a", title: "5 minutes of Firefox are left", text: "Then it is over.", $1)
        }
        story.run { $0.receiveWarning(id: "b", title: "Second", text: "", $1) }
        #expect(story.warning?.title == "5 minutes of Firefox are left")
        story.pass(WarningQueue.displayLength.ms)
        #expect(story.warning?.title == "Second")
        story.pass(WarningQueue.displayLength.ms)
        #expect(story.open.isEmpty)
        story.run { $0.updatePresence(.idle, $1) }
        story.run { $0.receiveWarning(id: "c", title: "Third", text: "", $1) }
        #expect(story.open.isEmpty)
        story.pass(WarningQueue.ageMax.ms)
        story.run { $0.updatePresence(.active, $1) }
        #expect(story.open.isEmpty && story.faults.isEmpty)
    }

    @Test(
        "A warning that was shown closes for a shield and stays closed, and an unread one appears after the shield"
    )
    func warned() {
        var story = PanelStories()
        story.front("firefox")
        story.run {
            $0.receiveWarning(id: "a", title: "3 s of Firefox are left", text: "Then it is over.", $1)
        }
        #expect(story.warning != nil)
        story.run { $0.updateShieldedApps(["firefox"], $1) }
        #expect(story.open.isEmpty)
        story.run { $0.receiveWarning(id: "b", title: "Not seen yet", text: "", $1) }
        #expect(story.open.isEmpty)
        story.run { $0.updateShieldedApps([], $1) }
        #expect(story.warning?.title == "Not seen yet")
        #expect(story.faults.isEmpty)
    }

    @Test("A question closes when the display is lost and reopens when the display returns")
    func lost() {
        var story = PanelStories()
        story.ask("q1")
        #expect(story.question != nil)
        story.open = [:]
        story.tell(.lost(Problem("x11.gone", "It is gone.")))
        #expect(story.open.isEmpty)
        story.tell(.ready(ScreenAbilities()))
        #expect(story.question != nil && story.faults.isEmpty)
    }

    @Test("A panel that the screen rejects is not retried, and the next question is shown")
    func failed() {
        var story = PanelStories()
        story.ask("q1")
        story.open = [:]
        story.tell(.pane(PaneID("panel:question"), .failed(Message(verbatim: "no room"))))
        story.front("code")
        story.pass(1_000)
        #expect(story.open.isEmpty)
        story.ask("q2", app: "other")
        story.ask("q1", state: .canceled)
        #expect(story.question != nil)
    }

    @Test("A late or failed drawing leaves no file and no open panel")
    func late() {
        var story = PanelStories()
        story.isPrompt = false
        story.ask("q1")
        story.tell(
            .pane(PaneID("panel:question"), .shown(width: 480, height: 400, scale: 1, atBootMs: story.nowMs))
        )
        #expect(story.drawings == 1)
        story.pass(500)
        story.key(.text("1"))
        story.key(.text("2"))
        // One at a time.
        #expect(story.drawings == 1)
        story.files = ["/run/a"]
        story.run {
            $0.drawingDidFinish(PaneID("panel:question"), ticket: 1, path: "/run/a", answer: nil, $1)
        }
        // The same drawing would fail again, and a panel that cannot be read must not keep the keyboard.
        #expect(story.files.isEmpty && story.drawings == 1 && story.open.isEmpty)
        story.ask("q1", state: .canceled)
        story.files = ["/run/b"]
        story.run {
            $0.drawingDidFinish(
                PaneID("panel:question"),
                ticket: 2,
                path: "/run/b",
                answer: DrawPanelAnswer(width: 1, height: 1, bytes: 4, spots: [], warnings: []),
                $1
            )
        }
        #expect(story.files.isEmpty && story.open.isEmpty && story.faults.isEmpty)
    }

    @Test(
        "Under random events no request is allowed without a passcode, and no panel or timer remains",
        arguments: 0..<60
    )
    func random(seed: UInt64) {
        var random = SeededRandom(seed: seed &* 7_919 &+ 1)
        func below(_ count: Int) -> Int { Int(random.next() % UInt64(count)) }
        var story = PanelStories()
        var typed = false
        for step in 0..<400 {
            switch below(16) {
            case 0: story.front(["firefox", "code", "game"][below(3)])
            case 1: story.front(nil)
            case 2:
                story.run { [presence = below(2) == 0 ? Presence.idle : .active] in
                    $0.updatePresence(presence, $1)
                }
            case 3:
                story.run { [shields = Set(["firefox", "code"].prefix(below(3)))] in
                    $0.updateShieldedApps(shields, $1)
                }
            case 4:
                story.ask(
                    "q\(step)",
                    app: "app\(below(4))",
                    provers: below(2) == 0 ? ["mum"] : ["mum", "dad"]
                )
            case 5:
                let state = [AuthRequestState.approved, .denied, .canceled][below(3)]
                story.ask("q\(max(0, step - below(20)))", state: state)
            case 6:
                story.run { [presence = [Presence.active, .locked, .idle, .away][below(4)]] in
                    $0.updatePresence(presence, $1)
                }
            case 7: if !story.asks.isEmpty { story.budget(below(3) == 0 ? nil : Int64(below(1_200_000))) }
            case 8: story.run { $0.policyDidChange($1) }
            case 9: story.refuse("auth.wrong_passcode", ["tries_left": "\(below(4))"])
            case 10:
                if let last = story.answers.last {
                    story.run { $0.receiveAnswerResult(last.request, refusal: nil, $1) }
                }
            case 11: story.run { $0.receiveWarning(id: "w\(step % 6)", title: "W", text: "", $1) }
            case 12:
                story.key([.next, .previous, .backspace, .cancel, .press][below(5)])
            case 13:
                typed = true
                story.key(.text("\(below(10))"))
            case 14: story.press([DrawnSpot.allow, DrawnSpot.deny, "prover:1", "nothing"][below(4)])
            default: story.pass(Int64(below(90_000)))
            }
        }
        // Allowing required a passcode each time.
        for answer in story.answers where answer.allow { #expect(typed && answer.passcode?.isEmpty == false) }
        #expect(story.faults.isEmpty, "\(story.faults.prefix(3))")
        #expect(story.files.count <= 3)
        story.front(nil)
        story.run { $0.updatePresence(.locked, $1) }
        story.pass(600_000)
        #expect(story.open.isEmpty, "\(story.open.keys)")
        #expect(story.director.nextTick(story.now) == nil)
    }
}
