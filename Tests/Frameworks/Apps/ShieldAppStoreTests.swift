import DeviceActivity
import FamilyControls
import Foundation
import STAppSupport
import STBarebonesKit
import STFoundationTypes
import STTestSupport
import STWorklogKit
import Testing

@Suite("Stores of the shielding example apps")
struct ShieldAppStoreTests {
    /// A place of its own, gone afterwards.
    private func withDefaults(_ body: (UserDefaults) throws -> Void) throws {
        let scratch = try ScratchDirectory()
        defer { scratch.remove() }
        try body(UserDefaults(group: "group.test", folders: StateFolders(state: scratch.path)))
    }

    private func selection(_ token: String) throws -> FamilyActivitySelection {
        let json = #"{"categoryTokens":[{"data":"\#(token)"}]}"#
        return try JSONDecoder().decode(FamilyActivitySelection.self, from: Data(json.utf8))
    }

    @Test("barebones reads its hours and choice back")
    func barebones() throws {
        try withDefaults { defaults in
            let store = BarebonesStore(defaults: defaults)
            #expect(store.hours == BarebonesHours())
            #expect(try store.selection() == nil)
            let hours = BarebonesHours(from: TimeOfDay(hour: 21, minute: 30, second: 0), to: .midnight)
            store.hours = hours
            try store.save(selection("AQID"))
            store.names = ["category:social"]

            let again = BarebonesStore(defaults: defaults)
            #expect(again.hours == hours)
            #expect(try again.selection() == selection("AQID"))
            #expect(again.names == ["category:social"])
            #expect(hours.schedule.warningTime?.minute == 5)
        }
    }

    @Test("worklog reads its groups, its work and the day of done work back")
    func worklog() throws {
        try withDefaults { defaults in
            let store = WorklogStore(defaults: defaults)
            #expect(store.hours.text == "2h")
            #expect(!store.isStarted && !store.hasEvenings && store.doneDay == nil)
            try store.save(work: selection("AQ=="))
            for (group, token) in [(WorklogGroup.games, "Ag=="), (.social, "Aw==")] {
                try store.save(selection(token), shielding: group)
            }
            store.hours = Length(minutes: 90)
            store.isStarted = true
            store.doneDay = Day(year: 2026, month: 11, day: 20)

            let again = WorklogStore(defaults: defaults)
            #expect(try again.work() == selection("AQ=="))
            #expect(try again.shielded(.games) == selection("Ag=="))
            #expect(try again.shielded(.social) == selection("Aw=="))
            #expect(again.hours == Length(minutes: 90) && again.isStarted)
            #expect(again.doneDay == Day(year: 2026, month: 11, day: 20))
        }
    }

    @Test("a worklog group without a category shields nothing and reports it")
    func noCategory() throws {
        try withDefaults { defaults in
            let shields = WorklogShields(store: WorklogStore(defaults: defaults))
            let isUp = try shields.up(.games)
            #expect(!isUp)
        }
    }

    @Test("shield texts of the example apps exist in both languages, with and without a name")
    func words() {
        let english = WorklogWords(.english)
        let korean = WorklogWords(.korean)
        #expect(english.workFirst("Steam", Length(minutes: 120)) == "Steam opens after 2h of work today.")
        #expect(korean.workFirst("Steam", Length(minutes: 120)) == "Steam: 오늘 2시간 일하면 열려요.")
        #expect(english.workFirst(nil, Length(minutes: 90)) == "This opens after 1h30m of work today.")
        #expect(english.inTheEvening("reddit.com", hasEvenings: false) == "reddit.com stays closed.")
        #expect(BarebonesWords(.english).restricted(nil) == "This app is restricted now.")
        #expect(BarebonesWords(.korean).restricted("Steam") == "Steam은(는) 사용이 제한되었습니다.")
        #expect(BarebonesWords(.english).restricted("Steam", in: "Games").hasSuffix("All of Games is."))
    }
}
