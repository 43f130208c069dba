import Foundation
import STContracts
import STFoundationTypes
import STPlatform
import STTestKit
import STTestSupport
import Synchronization
import Testing

@testable import DeviceActivity
@testable import FamilyControls
@testable import ManagedSettings

extension ServicesSuite {
    @Suite("Settings with shield-service")
    struct SettingsTests {
        private func choose(_ desk: AppDesk, _ count: Int = 2) throws -> FamilyActivitySelection {
            try FamilyActivitySelection.choosing(
                (0..<count).map { TokenItem(kind: .application, id: "org.example.app\($0)") }
                    + [
                        TokenItem(kind: .category, id: "games"), TokenItem(kind: .domain, id: "news.example"),
                    ],
                includeEntireCategory: false,
                link: desk.link
            )
        }

        @Test("Settings are stored by name, shared by stores of that name, announced, and cleared separately")
        func story() async throws {
            try await TestSystem.run(services: [.auth, .shield]) { system in
                try await system.approve("promise")
                let desk = try AppDesk("promise", system.directories)
                defer { desk.close() }
                let chosen = try choose(desk)
                let store = ManagedSettingsStore(named: .init("gaming"), link: desk.link)
                // The service may not have received the permission yet.
                try await eventually("it is allowed") { try store.change { $0.passcode.lockPasscode = true } }

                store.shield.applications = chosen.applicationTokens
                store.shield.applicationCategories = .specific(
                    chosen.categoryTokens,
                    except: chosen.applicationTokens
                )
                store.shield.webDomains = chosen.webDomainTokens
                store.shield.webDomainCategories = .all(except: chosen.webDomainTokens)
                store.webContent.blockedByFilter = .auto([WebDomain(domain: "bad.example")])
                store.application.blockedApplications = [Application(bundleIdentifier: "org.example.hidden")]
                store.safari.cookiePolicy = .never
                store.media.maximumMovieRating = 300
                #expect(store.lastProblem == nil)

                let other = ManagedSettingsStore(named: .init("gaming"), link: desk.link)
                #expect(other.shield.applications == chosen.applicationTokens)
                #expect(
                    other.shield.applicationCategories
                        == .specific(chosen.categoryTokens, except: chosen.applicationTokens)
                )
                #expect(other.shield.webDomains == chosen.webDomainTokens)
                #expect(other.shield.webDomainCategories == .all(except: chosen.webDomainTokens))
                #expect(other.webContent.blockedByFilter == .auto([WebDomain(domain: "bad.example")]))
                #expect(
                    other.application.blockedApplications
                        == [Application(bundleIdentifier: "org.example.hidden")]
                )
                #expect(other.safari.cookiePolicy == .never && other.passcode.lockPasscode == true)
                #expect(other.effectiveMaximumMovieRating == 300 && !other.effectiveDenyExplicitContent)
                let plain = ManagedSettingsStore(named: .default, link: desk.link)
                #expect(plain.shield.applications == nil)
                plain.siri.denySiri = true
                #expect(ManagedSettingsStore.stores(desk.link) == [.default, .init("gaming")])

                try await follow(other)
                other.shield.applications = nil
                #expect(store.shield.applications == nil && store.shield.webDomains != nil)
                store.clearAllSettings()
                #expect(store.shield.webDomains == nil && plain.siri.denySiri == true)
                plain.deleteStore()
                #expect(plain.siri.denySiri == nil && plain.lastProblem == nil)
            }
        }

        /// Subscribers receive the rating, and an inactive store has no effect.
        private func follow(_ store: ManagedSettingsStore) async throws {
            let seen = Mutex<[Int]>([])
            let following = store.$effectiveMaximumMovieRating.sink { rating in
                seen.withLock { $0.append(rating) }
            }
            store.isActive = false
            try await eventually("the rating arrives") {
                guard seen.withLock({ $0 }) == [300, 1_000] else { throw NotYet("\(seen.withLock { $0 })") }
            }
            #expect(store.media.maximumMovieRating == 300 && !store.isActive)
            following.cancel()
        }

        @Test("A rejected setting changes nothing and gives a reason")
        func refusals() async throws {
            try await TestSystem.run(services: [.auth, .shield]) { system in
                try await system.approve("promise")
                try await system.approve("other")
                let desk = try AppDesk("promise", system.directories)
                let stranger = try AppDesk("other", system.directories)
                defer {
                    desk.close()
                    stranger.close()
                }
                let store = ManagedSettingsStore(named: .default, link: desk.link)
                try await eventually("it is allowed") { try store.change { $0.siri.denySiri = true } }
                let many = try choose(desk, 51).applicationTokens
                func refused(_ change: (inout ManagedSettingsStore.Settings) -> Void) -> String? {
                    do {
                        try store.change(change)
                        return nil
                    } catch { return (error as? ScreenTimeProblem)?.errorDescription ?? "\(error)" }
                }
                let foreign = try choose(stranger).applicationTokens
                for sentence in [
                    refused { $0.shield.applications = many },
                    refused { $0.shield.applications = foreign },
                    refused { $0.shield.applications = [Token(data: Data([1]))] },
                    refused { $0.media.maximumMovieRating = 1_001 },
                    refused {
                        $0.webContent.blockedByFilter = .specific([WebDomain(domain: "a.example:80/x")])
                    },
                ] {
                    #expect(sentence?.contains(" ") == true)
                    #expect(store.lastProblem != nil)
                }
                store.shield.applications = many
                #expect(store.lastProblem?.errorDescription?.contains("50") == true)
                #expect(store.shield.applications == nil && store.siri.denySiri == true)
                store.shield.applications = Set(many.prefix(50))
                #expect(store.lastProblem == nil && store.shield.applications?.count == 50)
            }
        }

        @Test("Refreshing valid tokens returns equal tokens, and an invalid token throws")
        func refresh() async throws {
            try await TestSystem.run(services: [.auth]) { system in
                try await system.approve("promise")
                let desk = try AppDesk("promise", system.directories)
                defer { desk.close() }
                let tokens = Array(try choose(desk).applicationTokens)
                #expect(try ManagedSettingsStore.fresh(tokens, desk.link) == tokens)
                #expect(try ManagedSettingsStore.fresh([ApplicationToken](), desk.link) == [])
                #expect(throws: ScreenTimeProblem.self) {
                    try ManagedSettingsStore.fresh(tokens + [Token(data: Data([9]))], desk.link)
                }
            }
        }

        @Test("Without shield-service, no setting is stored and the store reports the problem")
        func noService() throws {
            let scratch = try ScratchDirectory()
            let desk = try AppDesk("promise", scratch.directories)
            defer { desk.close() }
            let store = ManagedSettingsStore(named: .default, link: desk.link)
            store.siri.denySiri = true
            #expect(store.lastProblem?.code == "service.not_running")
            #expect(store.siri.denySiri == nil && store.effectiveMaximumMovieRating == 1_000)
            #expect(ManagedSettingsStore.stores(desk.link).isEmpty)
        }
    }
}
