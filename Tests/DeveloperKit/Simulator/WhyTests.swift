import STContracts
import STPlatform
import STSimulation
import Synchronization
import Testing

@testable import STCommandCore

@Suite("Explanations of every shield in a scenario", .serialized)
struct WhyTests {
    /// Explanation of one shown shield.
    private struct Story: Sendable {
        var shield: ShownShield
        var explained: ShieldExplain.Reply
        var shown: [WhyStep]
        var chains: [WhyChain]
    }

    @Test(
        "The command why explains every shield from recorded causes back to an observation",
        arguments: ["worklog-week.json", "barebones-day.json", "rules-shields.json"]
    )
    func everyShield(_ name: String) async throws {
        let told = Mutex<[Story]>([])
        let outcome = try await Simulation.withProcesses(
            try ScenarioFiles.read(name),
            afterwards: { services in
                for shield in try await Self.shields(services) {
                    let story = try await Self.tell(shield, services)
                    told.withLock { $0.append(story) }
                }
            }
        )
        #expect(outcome.isMet)
        let stories = told.withLock { $0 }
        #expect(stories.count >= 3)
        for story in stories {
            let about = "\(story.shield.subject) \(story.shield.shownAt)"
            // The agent's observation of the foreground app, which is the shielded app.
            let seen = try #require(story.shown.first, "\(about)")
            #expect(seen.kind == .observation, "\(about)")
            #expect(seen.id == story.shield.segment, "\(about)")
            let thing = story.shield.subject.domain ?? story.shield.subject.app ?? ""
            #expect(seen.text.contains(thing), "\(about): \(seen.text)")
            #expect(story.shown.last?.kind == .shown, "\(about)")
            #expect(story.explained.shown?.shield == story.shield.shield, "\(about)")
            // Every store that shielded the app at that time, traced from its cause.
            #expect(story.explained.decision.isShielded, "\(about)")
            #expect(story.chains.map(\.cause) == story.shield.causes, "\(about)")
            for chain in story.chains {
                #expect(chain.origin != .forgotten, "\(about): \(chain)")
                #expect(chain.steps.last?.kind == .setting, "\(about)")
                #expect(chain.steps.allSatisfy { $0.wallMs <= story.shield.wallMs }, "\(about): \(chain)")
            }
        }
        if name == "rules-shields.json" { try Self.limit(stories) }
    }

    /// The chain of a used-up budget begins with the usage that filled it.
    private static func limit(_ stories: [Story]) throws {
        let limited = stories.filter {
            $0.shield.subject.app == "org.example.game" && $0.shield.member != "kid"
        }
        let chain = try #require(limited.first?.chains.first)
        #expect(chain.origin == .observation)
        #expect(chain.steps.map(\.kind) == [.observation, .occasion, .callback, .setting])
        #expect(chain.steps[0].text.hasPrefix("org.example.game was in the foreground for "))
        #expect(chain.steps[1].text.hasPrefix("used up: 30 min of org.example.game; 30 min counted"))
        #expect(chain.steps[2].text.contains("eventDidReachThreshold"))
    }

    private static func shields(_ services: SimulatedServices) async throws -> [ShownShield] {
        var shields: [ShownShield] = []
        for member in try await services.call(MemberList.self, Empty()).members {
            var request = ShieldList.Request(member: member.name)
            repeat {
                let page = try await services.call(ShieldList.self, request)
                shields += page.shields
                request.next = page.next
            } while request.next != nil
        }
        return shields
    }

    private static func tell(_ shield: ShownShield, _ services: SimulatedServices) async throws -> Story {
        let request = ShieldExplain.Request(
            member: shield.member,
            subject: shield.subject,
            wallMs: shield.wallMs
        )
        let explained = try await services.call(ShieldExplain.self, request)
        let teller = WhyExplainer(
            sources: WhySources(
                delivery: { try? await services.call(MonitorDelivery.self, .init(id: $0)) },
                segment: { try? await services.call(UsageSegment.self, $0) },
                ruleName: { _ in "a rule" }
            )
        )
        var chains: [WhyChain] = []
        for cause in explained.causes { chains.append(await teller.chain(cause, thing: "it")) }
        return Story(
            shield: shield,
            explained: explained,
            shown: await teller.shown(shield),
            chains: chains
        )
    }
}
