import STContracts
import STCrypto
import STLinkCore
import STPlatform
import Testing

@Suite("Exchange with the household")
struct LinkCoreTests {
    private let own: KeyPair
    private let other: KeyPair
    private let membership: LinkServiceState.Membership

    init() throws {
        own = try KeyPair.make()
        other = try KeyPair.make()
        membership = LinkServiceState.Membership(
            address: "127.0.0.1:7415",
            server: other.publicKey,
            secret: own.secret,
            invitation: nil,
            number: "1",
            accounts: [HouseholdAccount(here: "anna", member: "ann")]
        )
    }

    private func segment(_ member: String, startWallMs: Int64 = 0, endBootMs: Int64 = 9_000) -> Segment {
        Segment(
            segment: "s1",
            agent: "desktop",
            run: "r1",
            sequence: 1,
            member: member,
            presence: .active,
            app: "org.mozilla.firefox",
            domain: "example.org",
            bootId: "boot",
            startBootMs: 1_000,
            endBootMs: endBootMs,
            startWallMs: startWallMs,
            zone: "UTC",
            category: "web"
        )
    }

    @Test(
        "Current usage is reduced to what the machine shares, and usage of other people is left out",
        arguments: [LinkShare.all, .apps, .time]
    )
    func shares(share: LinkShare) throws {
        var membership = membership
        membership.share = share
        let now = TimeReading(wallMs: 0, bootMs: 10_000, monotonicMs: 10_000)
        let all = [segment("anna"), segment("ben")]
        let open = UsagePage.open(all, for: membership, now, bootID: "boot")
        #expect(open.map(\.agoMs) == [1_000] && open.map(\.segment.member) == ["anna"])
        #expect((open.first?.segment.domain != nil) == (share == .all))
        #expect((open.first?.segment.app != nil) == (share != .time))
        #expect(UsagePage.open(all, for: membership, now, bootID: "another").isEmpty)
    }

    @Test("Sending restarts if the ledger is new, and stops after three unexpected cursors")
    func restarts() throws {
        var progress = LedgerProgress(after: HouseholdCursor(epoch: "e1", sequence: 4, id: "i4"))
        let head = StreamPoint(stream: StreamName.usage.rawValue, epoch: "e2", sequence: 7, id: "i7")
        let problems = [HouseholdProblem.unreached, Problem("epoch.changed", "")]
        let restarts = problems.map { progress.restart(after: $0) }
        #expect(restarts == [false, true] && progress.isFromBeginning)
        let page = try progress.read(EventPage(head: head, events: [], next: nil))
        #expect(page.isWhole && page.through == HouseholdCursor(epoch: "e2", sequence: 7, id: "i7"))
        var ends: [Bool] = []
        for sequence in [Int64(1), 2] {
            #expect(progress.canContinue)
            ends.append(progress.advance(behind: page, to: HouseholdCursor(epoch: "e0", sequence: sequence)))
        }
        #expect(!progress.canContinue && !progress.isFromBeginning)
        ends.append(progress.advance(behind: page, to: page.through))
        #expect(ends == [false, false, true])
    }

    @Test("Usage of other machines is converted to this machine's names and clock, without unknown people")
    func receives() throws {
        let reply = HouseholdPull.Reply(
            devices: [],
            accounts: [HouseholdAccount(here: "anna", member: "bob")],
            rows: [segment("ann", startWallMs: 50_000), segment("bob")],
            open: [],
            through: ["ann": 3],
            news: 1,
            wallMs: 100_000,
            more: false,
            places: "p",
            addresses: ["127.0.0.1:7415", "no address", "10.0.0.2:7415"],
            nextKey: TextFormat.hex(other.publicKey)
        )
        let usage = try RemoteUsage(reply, for: membership, at: WallTime(ms: 160_000))
        #expect(usage.request.rows.map(\.member) == ["anna"])
        #expect(usage.request.rows.map(\.startWallMs) == [110_000])
        #expect(usage.addresses == ["10.0.0.2:7415"])
        let near = try RemoteUsage(reply, for: membership, at: WallTime(ms: 101_000))
        #expect(near.request.rows.map(\.startWallMs) == [50_000])
    }

    @Test("An answer is split into letters, and only letters from the addressed machine are accepted")
    func answers() throws {
        let answer = RelayedReply(body: String(repeating: "a", count: 300_000))
        let parts = try answer.parts(to: "q1")
        var partial = PartialReply(from: other.publicKey)
        for part in parts.reversed() {
            #expect(partial.whole?.body == nil)
            var sent = HouseholdMessage(letter: "l", to: "d", answers: "q1", sealed: "", from: "d2")
            sent.key = TextFormat.hex(other.publicKey)
            sent.sealed = try OpenedMessage.seal(part, from: other, to: own.publicKey)
            let letter = try OpenedMessage(sent, to: own)
            guard case .part(let opened) = letter.text else { continue }
            try partial.insert(opened, from: own.publicKey)
            try partial.insert(opened, from: letter.key)
        }
        #expect(parts.count == 3 && partial.whole?.body == answer.body)
    }

    @Test("A question is rejected if its route is closed, its clock is wrong, or its change is late")
    func checks() throws {
        func code(_ route: String, askedMs: Int64) -> String? {
            let request = LinkAsk.Request(
                machine: "laptop",
                service: ServiceName.activity.rawValue,
                route: route,
                body: "{}",
                letter: "l",
                timeoutMs: 1_000
            )
            let question = RelayedRequest(request, to: own.publicKey, at: WallTime(ms: askedMs))
            do { try question.check(at: WallTime(ms: 1_000_000)) } catch { return Problem(error).code }
            return nil
        }
        #expect(code(RuleAdd.name, askedMs: 900_000) == nil)
        #expect(code(RuleFollow.name, askedMs: 900_000) == "household.not_from_afar")
        for askedMs in [Int64.min, 0, 1_600_000] {
            #expect(code(RuleAdd.name, askedMs: askedMs) == "household.clocks_apart")
        }
        try RelayedRequest.checkChange(isNew: true, age: .milliseconds(4_999))
        #expect(throws: Problem.self) { try RelayedRequest.checkChange(isNew: true, age: .seconds(5)) }
        #expect(throws: Problem.self) { try RelayedRequest.checkChange(isNew: false, age: .zero) }
    }

    @Test("A proof is valid for one command, and a wrong passcode removes the person's other proofs")
    func proofs() {
        var proofs = ProofCache<Int>()
        for (key, member) in [("a", "mum"), ("b", "mum"), ("c", "dad")] {
            proofs.insert(1, of: key, member: member, at: BootTime(ms: 0))
        }
        proofs.fail("a", member: "mum", at: BootTime(ms: 1_000))
        let soon = ["a", "b", "c"].map { proofs.outcome(of: $0, at: BootTime(ms: 2_999)) }
        let later = ["a", "c"].map { proofs.outcome(of: $0, at: BootTime(ms: 3_000)) }
        let last = proofs.outcome(of: "c", at: BootTime(ms: 20_000))
        #expect(soon == [1, nil, 1] && later == [nil, 1] && last == nil)
    }
}
