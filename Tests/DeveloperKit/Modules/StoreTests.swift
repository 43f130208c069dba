import Foundation
import STContracts
import STPlatform
import STTestSupport
import Synchronization
import Testing

@testable import ManagedSettings

@Suite("Stores of settings")
struct StoreTests {
    private let memory = StoresInMemory()

    private func store(_ name: String = "default") -> ManagedSettingsStore {
        ManagedSettingsStore(named: .init(name), link: memory.link)
    }

    private func token<T>(_ byte: UInt8) -> Token<T> { Token(data: Data([byte])) }

    @Test("Every setting is written under the name of its group and its own name")
    func wire() {
        let store = store()
        store.account.lockAccounts = true
        store.application.blockedApplications = [
            Application(bundleIdentifier: "org.example.b"), Application(token: token(1)),
        ]
        store.application.denyAppInstallation = true
        store.application.denyAppRemoval = true
        store.appStore.denyInAppPurchases = true
        store.appStore.maximumRating = 300
        store.appStore.requirePasswordForPurchases = true
        store.cellular.lockAppCellularData = true
        store.cellular.lockCellularPlan = true
        store.cellular.lockESIM = true
        store.dateAndTime.requireAutomaticDateAndTime = true
        store.gameCenter.denyAddingFriends = true
        store.gameCenter.denyMultiplayerGaming = false
        store.media.denyBookstoreErotica = true
        store.media.denyExplicitContent = true
        store.media.denyMusicService = true
        store.media.maximumMovieRating = 200
        store.media.maximumTVShowRating = 0
        store.passcode.lockPasscode = true
        store.safari.cookiePolicy = .currentWebsite
        store.safari.denyAutoFill = true
        store.shield.applications = [token(2), token(1)]
        store.shield.applicationCategories = .specific([token(3)], except: [token(4)])
        store.shield.webDomains = [token(5)]
        store.shield.webDomainCategories = .all(except: [token(6)])
        store.siri.denySiri = true
        store.webContent.blockedByFilter = .auto(
            [WebDomain(domain: "bad.example")],
            except: [WebDomain(token: token(7))]
        )
        store.isActive = false

        let yes: JSONValue = true
        #expect(
            memory["default"] == [
                "account.lockAccounts": yes,
                "application.blockedApplications": [["token": "AQ=="], ["id": "org.example.b"]],
                "application.denyAppInstallation": yes, "application.denyAppRemoval": yes,
                "appStore.denyInAppPurchases": yes, "appStore.maximumRating": 300,
                "appStore.requirePasswordForPurchases": yes, "cellular.lockAppCellularData": yes,
                "cellular.lockCellularPlan": yes, "cellular.lockESIM": yes,
                "dateAndTime.requireAutomaticDateAndTime": yes, "gameCenter.denyAddingFriends": yes,
                "gameCenter.denyMultiplayerGaming": false, "media.denyBookstoreErotica": yes,
                "media.denyExplicitContent": yes, "media.denyMusicService": yes,
                "media.maximumMovieRating": 200, "media.maximumTVShowRating": 0,
                "passcode.lockPasscode": yes, "safari.cookiePolicy": "currentWebsite",
                "safari.denyAutoFill": yes, "shield.applications": [["token": "AQ=="], ["token": "Ag=="]],
                "shield.applicationCategories": [
                    "policy": "specific", "categories": [["token": "Aw=="]], "except": [["token": "BA=="]],
                ],
                "shield.webDomains": [["token": "BQ=="]],
                "shield.webDomainCategories": ["policy": "all", "except": [["token": "Bg=="]]],
                "siri.denySiri": yes,
                "webContent.blockedByFilter": [
                    "policy": "auto", "domains": [["id": "bad.example"]], "except": [["token": "Bw=="]],
                ],
                "isActive": false,
            ]
        )
        #expect(memory.written.allSatisfy { $0.count == 1 })
        #expect(store.lastProblem == nil)
    }

    @Test("A setting is read by every store of the same name and by no other store")
    func reading() {
        let one = store("gaming")
        one.shield.applications = [token(1), token(2)]
        one.shield.applicationCategories = .all()
        one.webContent.blockedByFilter = .specific([WebDomain(domain: "a.example")])
        one.safari.cookiePolicy = .never
        one.media.maximumMovieRating = 100

        let other = store("gaming")
        #expect(other.shield.applications == [token(1), token(2)])
        #expect(other.shield.applicationCategories == .all())
        #expect(other.shield.webDomains == nil)
        #expect(other.webContent.blockedByFilter == .specific([WebDomain(domain: "a.example")]))
        #expect(other.safari.cookiePolicy == .never)
        #expect(other.media.maximumMovieRating == 100)
        #expect(other.isActive)
        #expect(store("social").shield.applications == nil)
    }

    @Test("Assigning nil removes a setting, and an unchanged setting is not written")
    func takingAway() {
        memory["default"] = ["shield.applications": [], "shield.webDomains": [["token": "AQ=="]]]
        let store = store()
        store.shield.webDomains = [token(1)]
        #expect(memory.written == [])
        store.shield.applications = nil
        #expect(memory.written == [["shield.applications": .null]])
        store.shield.applications = nil
        #expect(memory.written.count == 1)
    }

    @Test("A change in a group keeps the other settings of the group, including concurrent changes")
    func inPlace() {
        let store = store()
        func change(_ applications: inout Set<ApplicationToken>?) {
            memory["default"] = ["shield.webDomains": [["token": "AQ=="]]]
            applications = [token(9)]
        }
        change(&store.shield.applications)

        #expect(store.shield.webDomains == [token(1)])
        #expect(memory.written == [["shield.applications": [["token": "CQ=="]]]])
    }

    @Test("Assigning a whole group writes only its differences from the store")
    func wholeGroup() {
        let store = store()
        store.shield.applications = [token(1)]
        store.shield.webDomains = [token(2)]
        let kept = store.shield
        store.shield.applications = nil
        store.shield = kept
        #expect(store.shield.applications == [token(1)])
        #expect(memory.written.last == ["shield.applications": [["token": "AQ=="]]])

        let other = self.store("other")
        other.shield = kept
        #expect(memory["other"] == memory["default"])
    }

    @Test("A setting that this version cannot read is nil and is not overwritten")
    func foreign() {
        memory["default"] = [
            "safari.cookiePolicy": "most", "media.maximumMovieRating": "all", "shield.new": true,
            "shield.applicationCategories": ["policy": "some"], "shield.applications": [["id": "x"], 5],
        ]
        let store = store()
        #expect(store.safari.cookiePolicy == nil && store.media.maximumMovieRating == nil)
        #expect(store.shield.applicationCategories == nil && store.shield.applications == [])
        store.shield.webDomains = [token(1)]
        #expect(memory.written == [["shield.webDomains": [["token": "AQ=="]]]])
    }

    @Test("A rejected change is in lastProblem until the next success, and change throws it")
    func refusal() throws {
        let store = store()
        memory.refuse(Problem("settings.too_many_tokens", "At most 50.", help: "screentime why"))
        store.shield.applications = [token(1)]
        #expect(store.lastProblem?.code == "settings.too_many_tokens")
        #expect(store.lastProblem?.errorDescription == "At most 50.")
        #expect(store.shield.applications == nil)
        #expect(store.lastProblem != nil)
        let refused = #expect(throws: ScreenTimeProblem.self) { try store.change { $0.siri.denySiri = true } }
        #expect(refused?.code == "settings.too_many_tokens")

        memory.refuse(nil)
        try store.change { settings in
            settings.siri.denySiri = true
            settings.shield.applications = [token(1)]
        }
        #expect(store.lastProblem == nil)
        #expect(memory.written == [["siri.denySiri": true, "shield.applications": [["token": "AQ=="]]]])
        struct Own: Error {}
        #expect(throws: Own.self) {
            try store.change { settings in
                settings.siri.denySiri = false
                throw Own()
            }
        }
        #expect(store.siri.denySiri == true)
    }

    @Test("Clearing or deleting affects one store, and deleting an empty list sends no request")
    func clearing() throws {
        for name in ["a", "b", "c"] { store(name).siri.denySiri = true }
        store("a").clearAllSettings()
        #expect(memory["a"] == [:] && memory["b"] != [:])
        #expect(ManagedSettingsStore.stores(memory.link) == [.init("a"), .init("b"), .init("c")])
        try ManagedSettingsStore.delete([], memory.link)
        store("b").deleteStore()
        #expect(ManagedSettingsStore.stores(memory.link) == [.init("a"), .init("c")])
        #expect(memory.routes.count { $0 == SettingsDelete.name } == 1)
    }

    @Test("Effective ratings are read on access and announced to subscribers")
    func effective() async throws {
        let store = store()
        #expect(store.effectiveMaximumMovieRating == 1_000 && !store.effectiveDenyExplicitContent)
        memory.makeEffective(["media.maximumMovieRating": 300, "media.denyExplicitContent": true])
        #expect(store.effectiveMaximumMovieRating == 300 && store.effectiveDenyExplicitContent)
        #expect(store.effectiveMaximumTVShowRating == 1_000)

        let seen = Mutex<[Int]>([])
        let changes = Mutex(0)
        let one = store.$effectiveMaximumMovieRating.sink { value in
            seen.withLock { $0.append(value) }
            _ = store.effectiveMaximumMovieRating
        }
        let other = store.objectWillChange.sink { changes.withLock { $0 += 1 } }
        memory.makeEffective(["media.maximumMovieRating": 200])
        try await eventually("the rating arrives") {
            guard seen.withLock({ $0 }) == [300, 200], changes.withLock({ $0 }) == 1 else {
                throw NotYet("\(seen.withLock { $0 })")
            }
        }
        one.cancel()
        other.cancel()
    }

    @Test("The metadata of settings has Apple's defaults and bounds")
    func metadata() {
        #expect(ShieldSettings.applications.defaultValue == [])
        #expect(ShieldSettings.applicationCategories.defaultValue == .none)
        #expect(MediaSettings.maximumMovieRating.bounds == 0...1_000)
        #expect(AppStoreSettings.maximumRating.defaultValue == 1_000)
        #expect(SafariSettings.cookiePolicy.defaultValue == .always)
        #expect(SafariSettings.CookiePolicy.never < .currentWebsite && .visitedWebsites < .always)
        #expect(WebContentSettings.blockedByFilter.defaultValue == .none)
        #expect(!CalculatorSettings.denyMathPaperSolving.defaultValue)
    }
}
