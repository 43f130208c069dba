import STContracts
import STDesktop
import STPlatform
import Testing

@testable import STDesktopCore

@Suite("The window that asks for permission")
struct QuestionTests {
    /// A question that was turned to, by a click in its field.
    private func asked(provers: [String] = ["mum"]) -> PanelStories {
        var story = PanelStories()
        story.ask("q1", provers: provers)
        story.pass(QuestionForm.quietMs)
        story.press(DrawnSpot.passcode)
        return story
    }

    private func typing(_ text: String, _ story: inout PanelStories) {
        for letter in text { story.key(.text(String(letter))) }
    }

    @Test("is allowed with a passcode, by the one who typed it, and closes with the answer")
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
        story.run { $0.answered("q1", refusal: nil, $1) }
        #expect(story.open.isEmpty && story.faults.isEmpty && story.files.isEmpty)
    }

    @Test("Don’t Allow needs no passcode")
    func denied() {
        var story = asked()
        story.press(DrawnSpot.deny)
        #expect(story.answers == [QuestionAnswer(request: "q1", allow: false)])
    }

    @Test(
        "what is still typed for another window is left out and said so, and presses nothing as long as there is no pause"
    )
    func typingOn() {
        var story = PanelStories()
        story.ask("q1")
        story.pass(QuestionForm.quietForKeysMs - 1)
        for _ in 0..<4 {
            for key in [PaneKey.text("x"), .press, .text(" "), .backspace, .cancel, .next, .press, .press] {
                story.key(key)
            }
            story.pass(500)
        }
        #expect(story.question?.passcode?.dots == 0 && story.question?.focus == DrawnSpot.passcode)
        #expect(story.answers.isEmpty)
        #expect(story.question?.error?.contains("Pause for a moment") == true)
        // The field shows now what arrives, and Return still sends none of it.
        story.pass(100)
        for key in [PaneKey.text("x"), .text("y"), .press, .press] { story.key(key) }
        #expect(story.question?.passcode?.dots == 2 && story.question?.error == nil)
        #expect(story.answers.isEmpty && story.question?.focus == DrawnSpot.passcode)
        story.pass(QuestionForm.quietForKeysMs)
        story.key(.press)
        story.key(.press)
        #expect(story.answers.count == 1)
    }

    @Test("who waits for the window and types loses no key; Tab and a click turn to it, too")
    func turningTo() {
        for start in [PaneKey.text("1"), .next, nil] {
            var story = PanelStories()
            story.ask("q1")
            story.pass(start == nil ? QuestionForm.quietMs : QuestionForm.quietForKeysMs)
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

    @Test("steady typing arrives: a passcode that is begun at once is taken from the third second on")
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
        "a click that was on its way when the window came does not count, nor any before its picture is there"
    )
    func earlyClicks() {
        var story = PanelStories()
        story.ask("q1")
        story.pass(QuestionForm.quietMs - 1)
        story.press(DrawnSpot.deny)
        story.pass(QuestionForm.quietMs - 1)
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

    @Test("Don’t Allow by key wants Return twice, with nothing between")
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

    @Test("Return allows nothing unless the person went there")
    func returnKey() {
        var story = asked()
        story.key(.press)
        story.key(.press)
        #expect(story.answers.isEmpty)
        typing("1234", &story)
        // Goes on to Allow, as Tab would.
        story.key(.press)
        #expect(story.answers.isEmpty && story.question?.focus == DrawnSpot.allow)
        story.key(.press)
        #expect(story.answers.count == 1)
    }

    @Test("without a passcode Allow sends nothing and leads to the field")
    func empty() {
        var story = asked()
        story.press(DrawnSpot.allow)
        #expect(story.answers.isEmpty && story.question?.focus == DrawnSpot.passcode)
        #expect(story.question?.error == "Type the passcode first.")
        typing("1", &story)
        #expect(story.question?.error == nil)
    }

    @Test("a wrong passcode stays, says how many tries are left, and the next may be right")
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

    @Test("a locked passcode says for how long, and is open again afterwards")
    func locked() {
        var story = PanelStories()
        story.ask("q1", forMs: 300_000)
        story.pass(QuestionForm.quietMs)
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

    @Test("who proves it is chosen by key or pointer, and takes what was typed away")
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

    @Test("Escape leaves it to the terminal, and it is not shown again")
    func escape() {
        var story = asked()
        story.key(.cancel)
        #expect(story.open.isEmpty && story.answers.isEmpty)
        story.ask("q1")
        #expect(story.open.isEmpty)
        story.ask("q2")
        #expect(story.question != nil)
    }

    @Test("answered elsewhere, withdrawn or too late: it closes")
    func over() {
        for state in [AuthRequestState.approved, .denied, .canceled] {
            var story = asked()
            story.ask("q1", state: state)
            #expect(story.open.isEmpty && story.faults.isEmpty)
        }
        var story = asked()
        story.pass(60_000)
        #expect(story.open.isEmpty)
        #expect(story.director.nextBootMs(story.now) == nil)
    }

    @Test("one at a time, each in a window of its own, and no more than eight wait")
    func queue() {
        var story = PanelStories()
        for index in 0..<20 { story.ask("q\(index)", app: "app\(index)") }
        #expect(story.director.questions.queue.count == QuestionPlan.queueMax)
        story.pass(QuestionForm.quietMs)
        story.press(DrawnSpot.passcode)
        typing("12", &story)
        story.press(DrawnSpot.deny)
        story.run { $0.answered("q0", refusal: nil, $1) }
        #expect(story.question?.text == "app1 · for minji" && story.question?.passcode?.dots == 0)
        // The pause begins anew: a second press meant for the first does nothing.
        story.press(DrawnSpot.deny)
        #expect(story.answers.count == 1 && story.faults.isEmpty)
    }

    @Test("never over a shield that has the keys, nor on a locked screen; what was typed is gone afterwards")
    func heldBack() {
        var story = asked()
        typing("12", &story)
        story.front("firefox")
        story.run { $0.shielded(["firefox"], $1) }
        #expect(story.question == nil)
        story.ask("q2", app: "other")
        #expect(story.open.isEmpty)
        story.run { $0.shielded([], $1) }
        #expect(story.question?.passcode?.dots == 0)
        story.run { $0.presence(.locked, $1) }
        #expect(story.open.isEmpty)
        story.run { $0.presence(.active, $1) }
        #expect(story.question != nil && story.faults.isEmpty)
    }

    @Test("questions to others are not for this screen")
    func others() {
        var story = PanelStories()
        story.ask("q1", member: "jisu")
        #expect(story.open.isEmpty)
        story.run { $0.sits("jisu", $1) }
        story.ask("q2", member: "jisu")
        #expect(story.question != nil)
        story.run { $0.sits("minji", $1) }
        #expect(story.open.isEmpty)
    }

    @Test("an answer that is not taken gives the window back")
    func silence() {
        var story = asked()
        typing("12", &story)
        story.press(DrawnSpot.allow)
        story.pass(QuestionForm.answerMs)
        #expect(story.question?.isBusy == false && story.question?.error?.contains("Try again") == true)
    }

    @Test("a passcode is never printed")
    func secret() {
        var passcode = TypedPasscode()
        passcode.type("hunter2")
        let answer = QuestionAnswer(request: "q", allow: true, by: "mum", passcode: passcode)
        var printed = ""
        dump(answer, to: &printed)
        printed += "\(answer) \(String(reflecting: answer)) \(passcode) \(PanelOrder.answer(answer))"
        #expect(!printed.contains("hunter2") && !printed.contains("h\","))
        #expect(!printed.contains("\"h\""))
        passcode.type(String(repeating: "x", count: 1_000))
        #expect(passcode.count == TypedPasscode.charactersMax)
    }

    @Test("the panel shows what an app may do in the person's language, and unknown texts as they are")
    func reasons() {
        let words = PanelWords(language: "ko_KR")
        let known = Message(
            "app-permission.see-usage",
            "See how long you use the apps, categories and sites that you choose."
        )
        #expect(words.say(known).hasPrefix("선택한"))
        #expect(words.say(Message("app-permission.new", "Something new.")) == "Something new.")
    }
}
