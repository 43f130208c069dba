import STBus
import STContracts
import STHouseholdCore
import STPlatform
import STTestKit
import STTestSupport
import Testing

@Suite("Letters between machines", .postgres)
struct LetterTests {
    private func post(_ home: HouseholdBench, machine: Int, request: HouseholdPost.Request) throws {
        home.bench.remote = .device(home.devices[machine])
        defer { home.bench.remote = nil }
        _ = try home.bench.ask(HouseholdPost.self, request)
    }

    private func refused(_ home: HouseholdBench, _ request: HouseholdPost.Request) throws -> String? {
        home.bench.remote = .device(home.devices[0])
        defer { home.bench.remote = nil }
        return try home.bench.refusal(HouseholdPost.self, request)?.code
    }

    private func letter(_ name: String, to device: String, _ text: String = "sealed") -> HouseholdPost.Request
    {
        .init(send: HouseholdMessage(letter: name, to: device, sealed: text))
    }

    @Test(
        "A letter reaches only its receiver, also after a restart, until the receiver confirms it",
        arguments: HouseholdGround.allCases
    )
    func reaches(ground: HouseholdGround) throws {
        var home = try HouseholdBench(ground)
        try post(home, machine: 0, request: letter("one", to: home.devices[1]))
        // A repetition after a lost reply.
        try post(home, machine: 0, request: letter("one", to: home.devices[1]))
        #expect(try home.pull(0).letters == nil)
        home.bench = try home.bench.reopened()
        if ground == .shared { try home.refresh() }
        let heard = try #require(try home.pull(1).letters)
        #expect(heard.map(\.letter) == ["one"])
        #expect(heard[0].from == home.devices[0] && heard[0].key?.count == 64 && heard[0].sealed == "sealed")
        // The receiver confirms the letter.
        try post(home, machine: 1, request: .init(taken: ["one"]))
        #expect(try home.pull(1).letters == nil)
        #expect(home.bench.state.messages.isEmpty)
    }

    @Test("Rows wait for letters and are complete after them", arguments: HouseholdGround.allCases)
    func before(ground: HouseholdGround) throws {
        let home = try HouseholdBench(ground)
        var stream = MachineStream()
        for _ in 0..<30 { stream.lives() }
        try home.tellAll(0, stream)
        let all = try home.heard(1)
        #expect(!all.isEmpty)
        let big = String(repeating: "s", count: 200_000)
        for name in ["one", "two", "three"] {
            try post(home, machine: 0, request: letter(name, to: home.devices[1], big))
        }
        var rows: [Segment] = []
        var after: [String: Int64] = [:]
        var seen: [String] = []
        for _ in 0..<8 {
            let reply = try home.pull(1, after: after)
            rows += reply.rows
            after = reply.through
            for letter in reply.letters ?? [] {
                seen.append(letter.letter)
                try post(home, machine: 1, request: .init(taken: [letter.letter]))
            }
        }
        #expect(seen == ["one", "two", "three"])
        #expect(rows == all)
    }

    @Test("An invalid, oversized or excess letter is rejected, and an old one is removed")
    func bounds() throws {
        let home = try HouseholdBench()
        let other = home.devices[1]
        for (request, code) in [
            (letter("a", to: "stranger"), "household.unknown_device"),
            (letter("", to: other), "household.bad_letter"),
            (letter("a\u{7}", to: other), "household.bad_letter"),
            (letter("a", to: other, String(repeating: "s", count: 220_000)), "household.bad_letter"),
        ] {
            #expect(try refused(home, request) == code)
        }
        for number in 0..<32 { try post(home, machine: 0, request: letter("letter \(number)", to: other)) }
        #expect(try refused(home, letter("more", to: other)) == "household.too_many_letters")
        home.bench.time.advance(byMs: HouseholdPost.lastsMs + 1)
        try post(home, machine: 0, request: letter("later", to: other))
        #expect(home.bench.state.messages.map(\.id) == ["later"])
        // A removed machine receives no letters.
        home.bench.remote = nil
        _ = try home.bench.ask(HouseholdRemove.self, .init(device: other))
        #expect(try refused(home, letter("last", to: other)) == "household.unknown_device")
    }
}
