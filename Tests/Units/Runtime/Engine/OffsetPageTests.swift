import STContracts
import STEngine
import STPlatform
import Testing

@Suite("Pages of a list that is computed for each request")
struct OffsetPageTests {
    private func row(_ number: Int) -> StoreAddress { StoreAddress(app: "app", store: String(number)) }

    @Test("The pages that follow `next` contain every row once")
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

    @Test("A list that fits on one page has no `next`, and an offset beyond its end gives an empty page")
    func ends() throws {
        let fits = try OffsetPage.slice([row(1), row(2)], next: nil)
        let beyond = try OffsetPage.slice([row(1), row(2)], next: String(Int.max))

        #expect(fits.rows == [row(1), row(2)])
        #expect(fits.next == nil)
        #expect(beyond.rows.isEmpty)
        #expect(beyond.next == nil)
    }

    @Test("An invalid `next` is refused", arguments: ["-1", "two", "99999999999999999999"])
    func nonsense(next: String) {
        #expect(throws: Problem.self) { try OffsetPage.slice([row(1)], next: next) }
    }
}
