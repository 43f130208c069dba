import STBus
import STContracts
import STPlatform
import STTestKit
import Testing

@testable import STHouseholdCore

@Suite("Requests from phones and machines")
struct DoorsTests {
    private func code(_ method: String, path: String, headers: [String: String] = [:]) -> String {
        do {
            let found = try PhoneRequest(method: method, path: path, headers: headers)
            return "\(found)"
        } catch { return Problem(error).code }
    }

    @Test("A phone's request is parsed from its method and path, and rejected from another page")
    func requests() {
        #expect(
            code("GET", path: "/") == "file(\"index.html\")"
                && code("GET", path: "/page/a.js") == "file(\"a.js\")"
        )
        #expect(code("GET", path: "/all") == "all" && code("GET", path: "/pair") == "phone.not_found")
        #expect(code("GET", path: "/all", headers: ["sec-fetch-site": "cross-site"]) == "phone.other_page")
        let own = ["host": "home:7467", "origin": "https://home:7467"]
        #expect(
            code("POST", path: "/pair", headers: own) == "pair"
                && code("POST", path: "/do", headers: own) == "change"
        )
        #expect(
            code("POST", path: "/all", headers: own) == "phone.not_found"
                && code("PUT", path: "/do", headers: own) == "phone.wrong_method"
        )
        #expect(code("POST", path: "/do", headers: ["host": "home:7467"]) == "phone.other_page")
        let cookie = PhoneRequest.setCookie([1, 255]).prefix { $0 != ";" }
        #expect(
            PhoneRequest.token(["cookie": "a=b; \(cookie)"]) == [1, 255] && PhoneRequest.token([:]) == []
        )
    }

    @Test("A link can be used once within ten minutes, and can be restored")
    func links() throws {
        var links = PhoneLinks()
        let pairing = PhonePairing(name: "phone", by: "mum", isProved: true, members: [])
        let secret = try links.add(pairing, at: BootTime(ms: 0))
        let body = Array("{\"key\":\"\(TextFormat.hex(secret))\"}".utf8)
        let link = try links.redeem(body, at: BootTime(ms: HouseholdPhone.lastsMs - 1))
        #expect(link.pairing == pairing)
        #expect(throws: Problem.self) { try links.redeem(body, at: BootTime(ms: 0)) }
        links.restore(link)
        #expect(throws: Problem.self) { try links.redeem(body, at: BootTime(ms: HouseholdPhone.lastsMs)) }
        for _ in 0..<MachineAdmission.invitationsMax { _ = try links.add(pairing, at: BootTime(ms: 0)) }
        #expect(throws: MachineAdmission.tooManyInvitations) { try links.add(pairing, at: BootTime(ms: 1)) }
    }

    @Test("The port opens, admits a new roster, and opens again for another address")
    func port() throws {
        let home = try HouseholdBench(address: "")
        var (state, port) = (home.bench.state, MachinePort())
        let own = try #require(state.identity)
        #expect(own.endpoint == "tcp://127.0.0.1:7415")
        // The first attempt failed.
        for _ in 0..<2 { #expect(port.step(for: state, at: WallTime(ms: 1)) == .open(own)) }
        port.finish(.open(own), for: state, at: WallTime(ms: 1))
        #expect(port.step(for: state, at: WallTime(ms: 1)) == nil)
        state.clear()
        #expect(port.step(for: state, at: WallTime(ms: 1)) == .admit)
        state.identity?.address = "house:7415"
        let moved = try #require(state.identity)
        #expect(port.step(for: state, at: WallTime(ms: 1)) == .open(moved))
        #expect(moved.endpoint == "tcp://*:7415")
    }

    @Test("The latest request of a machine waits until the data of its people changes")
    func waiting() throws {
        let home = try HouseholdBench(address: "")
        var (state, waiting) = (home.bench.state, NewsWaiters())
        let device = try #require(state.devices.first)
        let news = state.news(for: device)
        let pull = HouseholdPull.Request(after: ["anna": .max], news: news, waitMs: 1, holding: [])
        let ask = NewsQuery.Request(device, pull)
        let first = waiting.add(ask, at: WallTime(ms: 5))
        let second = waiting.add(ask, at: WallTime(ms: 6))
        #expect(first.earlier == nil && second.earlier == first.number)
        waiting.remove(first.number)
        #expect(waiting.answered(by: state) == [])
        #expect(waiting.present.devices.map(\.isWaiting) == [true])
        let until = WallTime(ms: 9)
        let letter = HouseholdState.RelayMessage(id: "l", from: "x", to: device.id, sealed: "", until: until)
        state.insertSavedMessage(letter)
        #expect(waiting.answered(by: state) == [second.number])
        waiting.remove(second.number)
        #expect(waiting.present.devices.map(\.isWaiting) == [false] && waiting.present.devices[0].wallMs == 6)
    }
}
