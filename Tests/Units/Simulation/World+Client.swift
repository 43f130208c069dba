import STBus
import STContracts
import STPlatform
import STTestSupport

/// A client that does not give up: each numbered request is repeated under its key until it is answered for good.
extension World {
    private static let requests: Int64 = 36

    func planRequests() {
        // Most requests come in bursts, so that something happens while connections are made.
        let bursts = (0..<5).map { _ in random.number(0...(Self.troubleMs - 4_000)) }
        for n in 1...Self.requests {
            client.open.insert(n)
            let isAlone = random.chance(perMille: 400)
            let atMs =
                isAlone
                ? random.number(0...(Self.troubleMs - 2_000)) : bursts[Int(n) % 5] + random.number(0...400)
            let subject = random.chance(perMille: 700) ? "own-\(n)" : "shared-\(random.number(1...4))"
            plan(inMs: atMs) { [unowned self] in
                put(Item(n: n, subject: subject))
            }
        }
    }

    private func put(_ item: Item) {
        guard let body = try? item.encodedBody() else { return }
        client.attempts += 1
        call(
            links[0],
            id: "put-\(item.n)-\(client.attempts)",
            route: ItemPut.name,
            body: body,
            key: "item-\(item.n)",
            timeoutMs: random.number(300...4_000)
        ) { [unowned self] outcome in answered(item, outcome) }
    }

    private func answered(_ item: Item, _ outcome: CallTable.Outcome) {
        switch outcome {
        case .reply(let body, _):
            guard let reply = try? ItemPut.Reply.decodedBody(body), reply.n == item.n else {
                violation = violation ?? "item \(item.n) got the answer to another request"
                return
            }
            note("item \(item.n) is acknowledged")
            client.acknowledged.insert(item.n)
            client.open.remove(item.n)
        case .failed(let problem) where problem.retryable:
            note("item \(item.n) is tried again: \(problem.code)")
            plan(inMs: random.number(50...500)) { [unowned self] in put(item) }
        case .failed(let problem):
            note("item \(item.n) is refused: \(problem.code)")
            if problem.code != "sim.refused" {
                violation = violation ?? "item \(item.n) was refused: \(problem)"
            }
            client.refused.insert(item.n)
            client.open.remove(item.n)
        }
    }
}
