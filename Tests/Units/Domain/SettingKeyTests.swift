import STDomain
import STPlatform
import Testing

@Suite("Settings of stores")
struct SettingKeyTests {
    @Test("The settings are Apple's 27, each once and with a sentence, and only shielding ones are enforced")
    func table() {
        let names = SettingKey.all.map(\.name)
        #expect(names.count == 27)
        #expect(Set(names).count == names.count)
        #expect(names == names.sorted())
        for key in SettingKey.all {
            #expect(key.message.english.hasSuffix("."), "\(key.name)")
            #expect(SettingKey.named(key.name) == key)
            #expect(key.name.split(separator: ".").count == 2)
        }
        #expect(SettingKey.named("shield.apps") == nil)
        // Only settings that shield are enforced.
        #expect(Set(SettingKey.all.filter { $0.reach == .enforced }) == StoreShields.keys)
    }

    @Test("Each kind of setting combines to the stricter value")
    func rules() {
        for key in SettingKey.all {
            switch key.kind {
            case .bool: #expect(key.rule == .or)
            case .integer(let bounds): #expect(bounds == 0...1000 && key.rule == .min)
            case .cookies: #expect(key.rule == .min)
            case .apps, .domains: #expect(key.rule == .union)
            case .appPolicy, .domainPolicy, .filter: #expect(key.rule == .mostRestrictive)
            case .note: Issue.record("\(key.name) is a setting of Apple's")
            }
        }
        #expect(EffectiveValue.stricter(.bool(false), .bool(true)) == .bool(true))
        #expect(EffectiveValue.stricter(.integer(600), .integer(200)) == .integer(200))
        #expect(
            EffectiveValue.stricter(.cookies(.always), .cookies(.currentWebsite)) == .cookies(.currentWebsite)
        )
        #expect(CookiePolicy.allCases == CookiePolicy.allCases.sorted())
    }

    @Test("Stores with the effective value are listed before the other stores")
    func winners() throws {
        let rating = try #require(SettingKey.named("media.maximumMovieRating"))
        let stores = [("b", 300), ("a", 1000), ("c", 300)].map { name, value in
            (StoreName(app: name, member: "kim", store: "s"), [rating: SettingValue.integer(value)])
        }
        let effective = EffectiveValue.combine(Dictionary(uniqueKeysWithValues: stores))

        #expect(effective.map(\.value) == [.integer(300)])
        #expect(effective.first?.by.map(\.app) == ["b", "c", "a"])
    }
}
