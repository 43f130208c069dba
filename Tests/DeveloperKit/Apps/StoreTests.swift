import DeviceActivity
import FamilyControls
import Foundation
import STAppSupport
import STBarebonesKit
import STFoundationTypes
import STPromiseKit
import STStreaksKit
import STTestSupport
import STWorklogKit
import Testing

/// Runs `body` with temporary defaults.
private func withDefaults(_ body: (UserDefaults) throws -> Void) throws {
    let scratch = try ScratchDirectory()
    defer { scratch.remove() }
    try body(UserDefaults(group: "group.test", folders: StateFolders(state: scratch.path)))
}

private func selection(_ token: String, in tokens: String = "applicationTokens") throws
    -> FamilyActivitySelection
{
    let json = #"{"\#(tokens)":[{"data":"\#(token)"}]}"#
    return try JSONDecoder().decode(FamilyActivitySelection.self, from: Data(json.utf8))
}

private func category(_ token: String) throws -> FamilyActivitySelection {
    try selection(token, in: "categoryTokens")
}

@Suite("Stores of the example apps")
struct StoreTests {
    @Test("The promise app reads its stored terms, choice and days")
    func promise() throws {
        try withDefaults { defaults in
            let store = PromiseStore(defaults: defaults)
            #expect(store.terms == PromiseTerms())
            #expect(try store.selection() == nil)

            let terms = PromiseTerms(
                allowance: Length(minutes: 45),
                warning: nil,
                words: "그만!",
                from: TimeOfDay(hour: 22, minute: 0, second: 0),
                to: TimeOfDay(hour: 7, minute: 0, second: 0)
            )
            store.terms = terms
            try store.save(selection("AQID"))
            store.names = ["firefox"]
            store.book.begin(Day(year: 2026, month: 11, day: 20))
            store.book.breakPromise(on: nil)

            let again = PromiseStore(defaults: defaults)
            #expect(again.terms == terms)
            #expect(try again.selection() == selection("AQID"))
            #expect(again.names == ["firefox"])
            #expect(again.book.isBroken == true)
            #expect(again.lastWords == nil)
        }
    }

    @Test("An unreadable choice is an error, not an empty choice")
    func damaged() throws {
        try withDefaults { defaults in
            defaults.set(Data("nonsense".utf8), forKey: "Selection")

            #expect(throws: (any Error).self) { try PromiseStore(defaults: defaults).selection() }
        }
    }

    @Test("The streaks app adds, changes and removes tasks, and never reuses an id")
    func tasks() throws {
        try withDefaults { defaults in
            let store = StreakStore(defaults: defaults)
            var task = StreakTask(
                id: store.newID(),
                kind: .increase,
                title: "More",
                amount: Length(minutes: 60),
                names: ["code"]
            )
            try store.save(task, selection("AQID"))
            task.title = "Even more"
            try store.save(task, selection("BAUG"))
            #expect(store.tasks == [task])
            #expect(try store.selection(task.id) == selection("BAUG"))

            store.remove(task.id)
            #expect(store.tasks.isEmpty)
            #expect(store.newID() == "task-2")
        }
    }

    @Test("The streaks app limits the number of tasks")
    func limit() throws {
        try withDefaults { defaults in
            let store = StreakStore(defaults: defaults)
            for number in 0...StreakStore.tasksMax {
                let task = StreakTask(
                    id: "task-\(number)",
                    kind: .decrease,
                    title: "Less",
                    amount: Length(minutes: 1),
                    names: ["a"]
                )
                if number < StreakStore.tasksMax {
                    try store.save(task, selection("AQID"))
                } else {
                    #expect(throws: Refusal.self) { try store.save(task, selection("AQID")) }
                }
            }
        }
    }

    @Test("The streaks app marks reached, ended, resumed, stopped and unended days")
    func days() throws {
        try withDefaults { defaults in
            let store = StreakStore(defaults: defaults)
            let less = StreakTask(
                id: "a",
                kind: .decrease,
                title: "Less",
                amount: Length(minutes: 1),
                names: ["x"]
            )
            let more = StreakTask(
                id: "b",
                kind: .increase,
                title: "More",
                amount: Length(minutes: 1),
                names: ["y"]
            )
            try store.save(less, selection("AQID"))
            try store.save(more, selection("BAUG"))
            let day = Day(year: 2026, month: 10, day: 24)

            store.begin(day)
            #expect(store.reach(more, on: day.advanced(by: 1)) == day)
            #expect(store.end(ongoing: day) == nil)
            #expect(store.end(ongoing: day.advanced(by: 1)) == day)
            store.begin(day.advanced(by: 1))
            store.begin(day.advanced(by: 2))
            #expect(store.end(ongoing: nil) == nil)

            #expect(store.history("a").marks.text == "2026-10-24:CC")
            #expect(store.history("b").marks.text == "2026-10-24:CM")
            #expect(store.open == nil)
        }
    }
}

@Suite("Stores of the shielding example apps")
struct ShieldAppStoreTests {
    @Test("The barebones app reads its stored hours and choice")
    func barebones() throws {
        try withDefaults { defaults in
            let store = BarebonesStore(defaults: defaults)
            #expect(store.hours == BarebonesHours())
            #expect(try store.selection() == nil)
            let hours = BarebonesHours(from: TimeOfDay(hour: 21, minute: 30, second: 0), to: .midnight)
            store.hours = hours
            try store.save(category("AQID"))
            store.names = ["category:social"]

            let again = BarebonesStore(defaults: defaults)
            #expect(again.hours == hours)
            #expect(try again.selection() == category("AQID"))
            #expect(again.names == ["category:social"])
            #expect(hours.schedule.warningTime?.minute == 5)
        }
    }

    @Test("The worklog app reads its stored groups, work and day of completed work")
    func worklog() throws {
        try withDefaults { defaults in
            let store = WorklogStore(defaults: defaults)
            #expect(store.hours.text == "2h")
            #expect(!store.isStarted && !store.hasEvenings && store.doneDay == nil)
            try store.save(work: category("AQ=="))
            for (group, token) in [(WorklogGroup.games, "Ag=="), (.social, "Aw==")] {
                try store.save(category(token), shielding: group)
            }
            store.hours = Length(minutes: 90)
            store.isStarted = true
            store.doneDay = Day(year: 2026, month: 11, day: 20)

            let again = WorklogStore(defaults: defaults)
            #expect(try again.work() == category("AQ=="))
            #expect(try again.shielded(.games) == category("Ag=="))
            #expect(try again.shielded(.social) == category("Aw=="))
            #expect(again.hours == Length(minutes: 90) && again.isStarted)
            #expect(again.doneDay == Day(year: 2026, month: 11, day: 20))
        }
    }

    @Test("Shielding a worklog group without a category returns false")
    func noCategory() throws {
        try withDefaults { defaults in
            let shields = WorklogShields(store: WorklogStore(defaults: defaults))
            let isUp = try shields.up(.games)
            #expect(!isUp)
        }
    }

    @Test("Shield texts of the example apps exist in both languages, with and without an app's name")
    func words() {
        let english = WorklogWords(.english)
        let korean = WorklogWords(.korean)
        #expect(english.workFirst("Steam", Length(minutes: 120)) == "Steam opens after 2h of work today.")
        #expect(korean.workFirst("Steam", Length(minutes: 120)) == "Steam: 오늘 2시간 일하면 열려요.")
        #expect(english.workFirst(nil, Length(minutes: 90)) == "This opens after 1h30m of work today.")
        #expect(english.inTheEvening("reddit.com", hasEvenings: false) == "reddit.com stays closed.")
        #expect(BarebonesWords(.english).restricted(nil) == "This app is restricted now.")
        #expect(BarebonesWords(.korean).restricted("Steam") == "Steam은(는) 사용이 제한되었습니다.")
        #expect(
            BarebonesWords(.english).restricted("Steam", in: "Games").hasSuffix("All of Games is restricted.")
        )
    }
}
