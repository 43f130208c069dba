import STContracts
import STDomain
import STPlatform

/// The simulated desktop follows the policy: it puts shields up and takes them down.
extension SimulationRun {
    /// A shield in front of somebody.
    struct Front {
        var sight: ShieldTable.Sight
        /// Its name; nil when it was taken down again before it could be shown.
        var shield: String?
        var presses: Int64 = 0
    }

    /// Before anything is told of what comes: the policy cannot change until the clock stands somewhere else.
    func learnShields(untilMs: Int64) async throws {
        guard !policy.isEmpty else { return }
        for sight in eyes.unknown(untilMs: untilMs) { try await learn(sight) }
    }

    private func learn(_ sight: ShieldTable.Sight) async throws {
        let request = ShieldDecide.Request(member: timeline.actual(sight.member), subject: sight.subject)
        eyes.shields.learn(sight, try await backend.call(ShieldDecide.self, request))
    }

    /// What is in front of people agrees with the policy; whether anything had to be told for that.
    func mindShields() async throws -> Bool {
        if hasNewPolicy { eyes.shields.forget() }
        hasNewPolicy = false
        if policy.isEmpty, fronts.isEmpty, eyes.shielded.isEmpty { return false }
        // Also while the policy stays: of a new app it may only now be known where it belongs.
        for sight in eyes.front { try await learn(sight) }
        let changes = eyes.tellShields(time)
        try await tell(changes)
        let hasShown = try await showShields()
        return !changes.isEmpty || hasShown
    }

    private func showShields() async throws -> Bool {
        let shielded = eyes.shielded
        var hasShown = false
        for member in fronts.keys where shielded[member] == nil && !eyes.isWaiting(member) {
            fronts[member] = nil
        }
        for (member, sight) in shielded.sorted(by: { $0.key < $1.key }) where fronts[member]?.sight != sight {
            let actual = timeline.actual(member)
            let open = try await backend.call(UsageNow.self, Empty()).open.first { $0.member == actual }
            let reply = try await backend.call(
                ShieldShow.self,
                .init(
                    member: actual,
                    subject: sight.subject,
                    agent: Self.agent,
                    segment: open?.segment,
                    wallMs: time.wallMs
                )
            )
            fronts[member] = Front(sight: sight, shield: reply.shield)
            hasShown = true
            guard reply.shield != nil else { continue }
            timeline.add(shown: reply, sight, category: eyes.shields.category(sight), time)
        }
        return hasShown
    }

    // MARK: - What somebody does with a shield

    func press(_ button: ShieldButton, by member: String) async throws {
        guard let front = fronts[member], let shield = front.shield else {
            throw Problem(
                "simulation.no_shield",
                "No shield is in front of \(member) at \(RFC3339.text(wallMs: time.wallMs)), so it has no button."
            )
        }
        fronts[member]?.presses += 1
        let reply = try await backend.call(
            ShieldPress.self,
            .init(shield: shield, button: button, press: front.presses + 1)
        )
        timeline.add(press: button, reply, front.sight, time)
        guard reply.response == .close else { return }
        fronts[member] = nil
        try await tell(eyes.close(of: member, time))
    }

    func requestMore(_ items: [TokenItem], forMs: Int64, because: String?, by member: String) async throws {
        let names = items.map { SubjectText.text($0) }.joined(separator: ", ")
        timeline.add(deed: "\(member) asks for \(TextFormat.duration(ms: forMs)) more of \(names)", time)
        _ = try await backend.call(
            RequestAdd.self,
            .init(
                member: timeline.actual(member),
                items: items,
                durationMs: forMs,
                because: because,
                shield: fronts[member]?.shield
            )
        )
    }

    func approve(whose: String, forMs: Int64?, by member: String) async throws {
        let request = RequestList.Request(member: timeline.actual(whose), state: .waiting)
        guard let waiting = try await backend.call(RequestList.self, request).requests.first else {
            throw Problem("simulation.no_request", "\(whose) has asked for nothing that waits for an answer.")
        }
        try await ensurePasscode(of: member)
        let reply = try await backend.call(
            RequestApprove.self,
            .init(
                request: waiting.request,
                by: timeline.actual(member),
                passcode: Self.passcode,
                durationMs: forMs
            )
        )
        if let refusal = reply.refusal { throw refusal }
    }
}
