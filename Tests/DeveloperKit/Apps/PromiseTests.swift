import STAppSupport
import STPromiseKit
import Testing

@Suite("Promises")
struct PromiseTests {
    private let friday = Day(year: 2026, month: 11, day: 20)
    private var saturday: Day { friday.advanced(by: 1) }

    @Test("A day within the allowance keeps the promise")
    func kept() {
        var book = PromiseBook()
        book.begin(friday)
        let decided = book.end(ongoing: saturday)

        #expect(decided?.day == friday)
        #expect(decided?.mark == .kept)
        #expect(book.kept == 1)
        #expect(book.isBroken == nil)
    }

    @Test("A promise broken during a day stays broken when the day begins again")
    func broken() {
        var book = PromiseBook()
        book.begin(friday)
        book.breakPromise(on: friday)
        book.begin(friday)

        #expect(book.isBroken == true)
        #expect(book.end(ongoing: saturday)?.mark == .broken)
        #expect(book.kept == 0)
        #expect(book.broken == 1)
    }

    @Test("A repeated callback does not change the state of promises")
    func twice() {
        var once = PromiseBook()
        once.begin(friday)
        once.breakPromise(on: friday)
        once.end(ongoing: saturday)
        once.begin(saturday)

        var twice = PromiseBook()
        for _ in 0..<2 { twice.begin(friday) }
        for _ in 0..<2 { twice.breakPromise(on: friday) }
        for _ in 0..<2 { twice.end(ongoing: saturday) }
        for _ in 0..<2 { twice.begin(saturday) }

        #expect(once == twice)
    }

    @Test("A day without an end callback ends when the next day begins")
    func untoldEnd() {
        var book = PromiseBook()
        book.begin(friday)
        book.begin(saturday)
        #expect(book.marks[friday] == .kept)
        #expect(book.open == saturday)

        book.breakPromise(on: nil)
        book.begin(saturday.advanced(by: 3))
        #expect(book.marks[saturday] == .broken)
        #expect(book.marks[saturday.advanced(by: 1)] == nil)
    }

    @Test("A callback after midnight counts for the day that is still open")
    func late() {
        var book = PromiseBook()
        book.begin(friday)
        book.breakPromise(on: saturday)

        #expect(book.marks[friday] == .broken)
        #expect(book.marks[saturday] == nil)
    }

    @Test("A change of the promise during a day keeps that day open")
    func changed() {
        var book = PromiseBook()
        book.begin(friday)

        #expect(book.end(ongoing: friday) == nil)
        #expect(book.open == friday)
    }

    @Test("A promise that is stopped during a day is not kept")
    func stopped() {
        var book = PromiseBook()
        book.begin(friday)

        #expect(book.end(ongoing: nil) == nil)
        #expect(book.kept == 0)
        #expect(book.open == nil)
    }

    @Test("A run of kept promises continues over a clock change")
    func inARow() {
        var book = PromiseBook()
        let first = Day(year: 2026, month: 10, day: 23)
        for offset in 0..<5 {
            book.begin(first.advanced(by: offset))
            if offset == 0 { book.breakPromise(on: first) }
            book.end(ongoing: first.advanced(by: offset + 1))
        }
        book.begin(first.advanced(by: 5))

        #expect(book.inARow == 4)
        book.breakPromise(on: nil)
        #expect(book.inARow == 0)
    }

    @Test(
        "Impossible terms of a promise are rejected",
        arguments: [
            PromiseTerms(allowance: Length(seconds: 0)), PromiseTerms(allowance: .day),
            PromiseTerms(allowance: Length(minutes: 5), warning: Length(minutes: 5)),
            PromiseTerms(words: String(repeating: "a", count: 1_001)), PromiseTerms(words: "one\ntwo"),
        ]
    )
    func terms(terms: PromiseTerms) {
        #expect(throws: Refusal.self) { try terms.check() }
    }

    @Test("Changed times of a promise restart monitoring, and a changed text does not")
    func otherwise() {
        var terms = PromiseTerms()
        terms.words = "You promised"
        #expect(!terms.isWatchedOtherwise(than: PromiseTerms()))

        terms.warning = nil
        #expect(terms.isWatchedOtherwise(than: PromiseTerms()))
    }

    @Test("The promise app has texts in English and Korean")
    func words() {
        let english = PromiseWords(.english)
        let korean = PromiseWords(.korean)
        let half = Length(minutes: 30)

        #expect(english.reached(half) == "You have used the 30m that you promised yourself for today.")
        #expect(korean.reached(half) == "오늘 쓰기로 약속한 30분을 다 썼어요.")
        #expect(
            english.almost(left: Length(minutes: 5), of: half)
                == "5m left of the 30m that you promised yourself."
        )
        #expect(korean.almost(left: Length(minutes: 5), of: half) == "약속한 30분 가운데 5분 남았어요.")
        #expect(korean.terms(half, warning: nil, window: "00:00–23:59:59").hasPrefix("허용 시간: 하루 30분"))
    }
}
