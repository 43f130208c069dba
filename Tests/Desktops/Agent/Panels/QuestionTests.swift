import STContracts
import STDesktop
import STPlatform
import Testing

@testable import STDesktopCore

@Suite("The permission window")
struct QuestionTests {
    /// Returns a question whose field was activated by a click.
    private func asked(provers: [String] = ["mum"]) -> PanelStories {
        var story = PanelStories()
        story.ask("q1", provers: provers)
        story.pass(QuestionForm.inputGuard.ms)
        story.press(DrawnSpot.passcode)
        return story
    }

    private func typing(_ text: String, _ story: inout PanelStories) {
        for letter in text { story.key(.text(String(letter))) }
    }

    @Test(
        "A request is allowed by the guardian whose passcode was typed, and the window closes with the reply"
    )
    func allowed() throws {
        var story = asked()
        #expect(story.question?.title == "“Focus” asks for permission")
        #expect(story.question?.focus == DrawnSpot.passcode)
        typing("12a4", &story)
        #expect(story.question?.passcode?.dots == 4)
        story.press(DrawnSpot.allow)
        let answer = try #require(story.answers.first)
        #expect(answer.allow && answer.by == "mum" && answer.request == "q1")
        #expect(answer.passcode?.revealed == "12a4")
        #expect(story.question?.isBusy == true && story.question?.passcode?.dots == 0)
        story.run { $0.receiveAnswerResult("q1", refusal: nil, $1) }
        #expect(story.open.isEmpty && story.faults.isEmpty && story.files.isEmpty)
    }

    @Test("Don’t Allow needs no passcode")
    func denied() {
        var story = asked()
        story.press(DrawnSpot.deny)
        #expect(story.answers == [QuestionAnswer(request: "q1", allow: false)])
    }

    @Test(
        "Keys typed without a pause since the window opened are discarded with a message, and Return sends nothing"
    )
    func typingOn() {
        var story = PanelStories()
        story.ask("q1")
        story.pass(QuestionForm.keyGuard.ms - 1)
        for _ in 0..<4 {
            for key in [PaneKey.text("x"), .press, .text(" "), .backspace, .cancel, .next, .press, .press] {
                story.key(key)
            }
            story.pass(500)
        }
        #expect(story.question?.passcode?.dots == 0 && story.question?.focus == DrawnSpot.passcode)
        #expect(story.answers.isEmpty)
        #expect(story.question?.error?.contains("Pause for a moment") == true)
        // The field now shows new input, and Return still sends none of it.
        story.pass(100)
        for key in [PaneKey.text("x"), .text("y"), .press, .press] { story.key(key) }
        #expect(story.question?.passcode?.dots == 2 && story.question?.error == nil)
        #expect(story.answers.isEmpty && story.question?.focus == DrawnSpot.passcode)
        story.pass(QuestionForm.keyGuard.ms)
        story.key(.press)
        story.key(.press)
        #expect(story.answers.count == 1)
    }

    @Test("After a pause, typing, Tab or a click starts the passcode without losing a key")
    func turningTo() {
        for start in [PaneKey.text("1"), .next, nil] {
            var story = PanelStories()
            story.ask("q1")
            story.pass(start == nil ? QuestionForm.inputGuard.ms : QuestionForm.keyGuard.ms)
            switch start {
            case .text?: break
            case let key?:
                story.key(key)
                story.key(.previous)
            case nil: story.press(DrawnSpot.passcode)
            }
            typing("1 2", &story)
            #expect(story.question?.passcode?.dots == 3)
            story.key(.cancel)
            #expect(story.open.isEmpty)
        }
    }

    @Test("Steady typing reaches the passcode field from the third second on")
    func steady() {
        var story = PanelStories()
        story.ask("q1")
        for _ in 0..<40 {
            story.key(.text("1"))
            story.pass(100)
        }
        #expect(story.question?.passcode?.dots == 10)
    }

    @Test(
        "Clicks right after the window opens, or before its picture is drawn, are ignored"
    )
    func earlyClicks() {
        var story = PanelStories()
        story.ask("q1")
        story.pass(QuestionForm.inputGuard.ms - 1)
        story.press(DrawnSpot.deny)
        story.pass(QuestionForm.inputGuard.ms - 1)
        story.press(DrawnSpot.deny)
        #expect(story.answers.isEmpty)

        var blank = PanelStories()
        blank.isPrompt = false
        blank.ask("q1")
        blank.tell(.pane(PaneID("panel:question"), .shown(width: 480, height: 400, scale: 1, atBootMs: 0)))
        blank.pass(10_000)
        blank.key(.next)
        blank.press(DrawnSpot.deny)
        #expect(blank.answers.isEmpty && blank.drawings == 1)
    }

    @Test("Don’t Allow by keyboard takes two presses of Return with no key between them")
    func denyTwice() {
        var story = asked()
        story.key(.next)
        #expect(story.question?.focus == DrawnSpot.deny)
        story.key(.press)
        #expect(story.answers.isEmpty && story.question?.error == "Press Return again to choose Don’t Allow.")
        story.key(.next)
        #expect(story.question?.error == nil)
        story.key(.previous)
        story.key(.press)
        #expect(story.answers.isEmpty)
        story.key(.press)
        #expect(story.answers == [QuestionAnswer(request: "q1", allow: false)])
    }

    @Test("Return allows a request only after a passcode is typed and the focus is on Allow")
    func returnKey() {
        var story = asked()
        story.key(.press)
        story.key(.press)
        #expect(story.answers.isEmpty)
        typing("1234", &story)
        // Moves to Allow, like Tab.
        story.key(.press)
        #expect(story.answers.isEmpty && story.question?.focus == DrawnSpot.allow)
        story.key(.press)
        #expect(story.answers.count == 1)
    }

    @Test("Allow without a passcode sends nothing and focuses the passcode field")
    func empty() {
        var story = asked()
        story.press(DrawnSpot.allow)
        #expect(story.answers.isEmpty && story.question?.focus == DrawnSpot.passcode)
        #expect(story.question?.error == "Type the passcode first.")
        typing("1", &story)
        #expect(story.question?.error == nil)
    }

    @Test("A wrong passcode empties the field, shows how many tries are left, and allows another try")
    func wrong() {
        var story = asked()
        typing("9999", &story)
        story.press(DrawnSpot.allow)
        story.refuse("auth.wrong_passcode", ["tries_left": "2"])
        #expect(story.question?.error == "That passcode is not right; 2 tries are left.")
        #expect(story.question?.passcode?.dots == 0 && story.question?.isBusy == false)
        typing("1", &story)
        #expect(story.question?.error == nil)
        story.press(DrawnSpot.allow)
        #expect(story.answers.count == 2)
    }

    @Test("A locked passcode shows the waiting time, and the message disappears after that time")
    func locked() {
        var story = PanelStories()
        story.ask("q1", forMs: 300_000)
        story.pass(QuestionForm.inputGuard.ms)
        story.press(DrawnSpot.passcode)
        typing("9999", &story)
        story.press(DrawnSpot.allow)
        story.refuse("auth.locked", ["retry_after_ms": "60000"])
        #expect(story.question?.error == "There were too many wrong passcodes; try again in a minute.")
        typing("1", &story)
        #expect(story.question?.error != nil)
        story.pass(60_000)
        #expect(story.question?.error == nil)
    }

    @Test("Choosing another guardian by key or pointer discards the typed passcode")
    func provers() {
        var story = asked(provers: ["mum", "dad"])
        typing("12", &story)
        story.press(DrawnSpot.prover(1))
        #expect(story.question?.passcode?.chosen == 1 && story.question?.passcode?.dots == 0)
        #expect(story.question?.passcode?.prompt == "Passcode of dad")
        story.key(.previous)
        story.key(.previous)
        #expect(story.question?.focus == DrawnSpot.prover(0))
        story.key(.press)
        #expect(story.question?.passcode?.chosen == 0 && story.question?.focus == DrawnSpot.passcode)
        typing("777", &story)
        for _ in 0..<2 { story.key(.next) }
        #expect(story.question?.focus == DrawnSpot.allow)
        story.key(.text(" "))
        #expect(story.answers.first?.by == "mum")
    }

    @Test("A request dismissed with Escape gets no reply and is not shown again")
    func escape() {
        var story = asked()
        story.key(.cancel)
        #expect(story.open.isEmpty && story.answers.isEmpty)
        story.ask("q1")
        #expect(story.open.isEmpty)
        story.ask("q2")
        #expect(story.question != nil)
    }

    @Test("The permission window closes when its request is answered elsewhere, canceled or expired")
    func over() {
        for state in [AuthRequestState.approved, .denied, .canceled] {
            var story = asked()
            story.ask("q1", state: state)
            #expect(story.open.isEmpty && story.faults.isEmpty)
        }
        var story = asked()
        story.pass(60_000)
        #expect(story.open.isEmpty)
        #expect(story.director.nextTick(story.now) == nil)
    }

    @Test("Requests are shown one at a time in new windows, and at most eight wait")
    func queue() {
        var story = PanelStories()
        for index in 0..<20 { story.ask("q\(index)", app: "app\(index)") }
        #expect(story.director.questions.queue.count == QuestionQueue.queueMax)
        story.pass(QuestionForm.inputGuard.ms)
        story.press(DrawnSpot.passcode)
        typing("12", &story)
        story.press(DrawnSpot.deny)
        story.run { $0.receiveAnswerResult("q0", refusal: nil, $1) }
        #expect(story.question?.text == "app1 · for minji" && story.question?.passcode?.dots == 0)
        // The pause starts again: a second press meant for the first question has no effect.
        story.press(DrawnSpot.deny)
        #expect(story.answers.count == 1 && story.faults.isEmpty)
    }

    @Test("The permission window closes for a shield or a locked screen, and its typed passcode is discarded")
    func heldBack() {
        var story = asked()
        typing("12", &story)
        story.front("firefox")
        story.run { $0.updateShieldedApps(["firefox"], $1) }
        #expect(story.question == nil)
        story.ask("q2", app: "other")
        #expect(story.open.isEmpty)
        story.run { $0.updateShieldedApps([], $1) }
        #expect(story.question?.passcode?.dots == 0)
        story.run { $0.updatePresence(.locked, $1) }
        #expect(story.open.isEmpty)
        story.run { $0.updatePresence(.active, $1) }
        #expect(story.question != nil && story.faults.isEmpty)
    }

    @Test("The permission window shows only requests to the member at this screen")
    func others() {
        var story = PanelStories()
        story.ask("q1", member: "jisu")
        #expect(story.open.isEmpty)
        story.run { $0.updateMember("jisu", $1) }
        story.ask("q2", member: "jisu")
        #expect(story.question != nil)
        story.run { $0.updateMember("minji", $1) }
        #expect(story.open.isEmpty)
    }

    @Test("If no reply arrives in time, the permission window asks to try again and accepts input")
    func silence() {
        var story = asked()
        typing("12", &story)
        story.press(DrawnSpot.allow)
        story.pass(QuestionForm.replyTimeout.ms)
        #expect(story.question?.isBusy == false && story.question?.error?.contains("Try again") == true)
    }

    @Test("A typed passcode has a maximum length and never appears in printed values")
    func secret() {
        var passcode = TypedPasscode()
        passcode.type("hunter2")
        let answer = QuestionAnswer(request: "q", allow: true, by: "mum", passcode: passcode)
        var printed = ""
        dump(answer, to: &printed)
        printed += "\(answer) \(String(reflecting: answer)) \(passcode) \(PanelEffect.answer(answer))"
        #expect(!printed.contains("hunter2") && !printed.contains("h\","))
        #expect(!printed.contains("\"h\""))
        passcode.type(String(repeating: "x", count: 1_000))
        #expect(passcode.count == TypedPasscode.charactersMax)
    }

    @Test("Known permission texts are translated, and unknown texts are shown unchanged")
    func reasons() {
        let words = PanelStrings(language: "ko_KR")
        let known = Message(
            "app-permission.see-usage",
            "See how long you use the apps, categories and sites that you choose."
        )
        #expect(words.text(known).hasPrefix("선택한"))
        #expect(words.text(Message("app-permission.new", "Something new.")) == "Something new.")
    }
}
