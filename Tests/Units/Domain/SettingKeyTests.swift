import STDomain
import STPlatform
import Testing

@Suite("The settings that stores have")
struct SettingKeyTests {
    @Test("are all of Apple's, each once, with a sentence that ends")
    func table() {
        let names = SettingKey.all.map(\.name)
        #expect(names.count == 27)
        #expect(Set(names).count == names.count)
        #expect(names == names.sorted())
        for key in SettingKey.all {
            #expect(key.sentence.english.hasSuffix("."), "\(key.name)")
            #expect(SettingKey.named(key.name) == key)
            #expect(key.name.split(separator: ".").count == 2)
        }
        #expect(SettingKey.named("shield.apps") == nil)
        // Everything that shields is enforced, and nothing else is.
        #expect(Set(SettingKey.all.filter { $0.reach == .enforced }) == StoreShields.keys)
    }

    @Test("combine to the stricter value")
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

    @Test("the stores that want what holds come first")
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
