import STContracts
import STEngine
import STPlatform
import Testing

@Suite("A page of a list worked out anew")
struct OffsetPageTests {
    private func row(_ number: Int) -> StoreAddress { StoreAddress(app: "app", store: String(number)) }

    @Test("following `next` to its end gives every row once")
    func whole() throws {
        let all = (0..<(2 * BusLimits.pageRows + 7)).map { row($0) }
        var seen: [StoreAddress] = []
        var next: String?

        repeat {
            let page = try OffsetPage.slice(all, next: next)
            seen += page.rows
            next = page.next
        } while next != nil

        #expect(seen == all)
    }

    @Test("a list that fits has no next, and a place beyond its end is empty")
    func ends() throws {
        let fits = try OffsetPage.slice([row(1), row(2)], next: nil)
        let beyond = try OffsetPage.slice([row(1), row(2)], next: String(Int.max))

        #expect(fits.rows == [row(1), row(2)])
        #expect(fits.next == nil)
        #expect(beyond.rows.isEmpty)
        #expect(beyond.next == nil)
    }

    @Test("a next that is none is refused", arguments: ["-1", "two", "99999999999999999999"])
    func nonsense(next: String) {
        #expect(throws: Problem.self) { try OffsetPage.slice([row(1)], next: next) }
    }
}
