import STContracts
import STPlatform
import STTestKit
import Testing

@testable import STAuthCore

@Suite("Manifests of apps")
struct ManifestTests {
    private let home: Home
    private let bundle: AppBundle

    init() throws {
        home = try Home(hasPasscodes: false)
        bundle = try AppBundle(in: home.bundles, id: Home.app)
    }

    private func refusal(_ manifest: String) throws -> Problem? {
        try bundle.write(manifest)
        return try home.bench.refusal(AppInstall.self, .init(bundle: bundle.path))
    }

    @Test(
        "A file that is not a manifest is rejected",
        arguments: ["", "[]", "{", "null", "{\"id\": \"promise\"} x", String(repeating: "[", count: 40)]
    )
    func noManifest(text: String) throws {
        #expect(try refusal(text)?.code == "app.bad_manifest")
    }

    @Test(
        "A manifest field of the wrong type is rejected with the field",
        arguments: [
            ("\"name\": \"The promise\"", "\"name\": 7", "/name"),
            ("\"name\": \"The promise\",", "", "/name"),
            ("\"name\": \"The promise\"", "\"name\": \"a\\u0007b\"", "/name"),
            ("\"version\": \"1.0\"", "\"version\": \"\"", "/version"),
            ("\"protocol\": 1,\n \"ent", "\"protocol\": \"1\",\n \"ent", "/protocol"),
            ("\"groups\": [\"group.promise\"]", "\"groups\": \"group.promise\"", "/groups"),
            (
                "\"entitlements\": [\"family-controls\"], \"groups\"",
                "\"entitlements\": [\"family-controls\", 1], \"groups\"", "/entitlements"
            ),
            ("\"extensions\": [{", "\"extensions\": [7, {", "/extensions/0"),
        ]
    )
    func wrongKind(old: String, new: String, field: String) throws {
        let manifest = AppBundle.manifest(id: Home.app)
        let changed = manifest.replacing(old, with: new)
        #expect(changed != manifest)

        let problem = try refusal(changed)

        #expect(problem?.code == "app.bad_manifest")
        #expect(problem?.field == field)
    }

    @Test("An invalid group name is rejected", arguments: ["promise", "group.", "group.a b"])
    func group(name: String) throws {
        let manifest = AppBundle.manifest(id: Home.app).replacing("group.promise", with: name)

        #expect(try refusal(manifest)?.code == "app.bad_group")
    }

    @Test("The rejection of a manifest lists all reasons, each as a sentence")
    func allAtOnce() throws {
        let problem = try refusal(
            """
            {"id": "a b", "name": "n", "version": "1", "protocol": 3, "entitlements": [],
             "extensions": [
               {"point": "\(AppBundle.monitorPoint)", "executable": "nowhere", "protocol": 2, "entitlements": []},
               {"point": "\(AppBundle.monitorPoint)", "executable": "monitor", "protocol": 1,
                "entitlements": ["family-controls"]}]}
            """
        )

        #expect(problem?.code == "app.refused")
        #expect(
            problem?.details.keys.sorted() == [
                "01 app.bad_id", "02 app.protocol_unsupported", "03 app.entitlement_missing",
                "04 app.protocol_unsupported", "05 app.entitlement_missing", "06 app.executable_missing",
                "07 app.point_twice",
            ]
        )
        #expect(problem?.message.contains("for 7 reasons:") == true)
        #expect(problem?.message.split(separator: "\n").count == 8)
    }

    @Test("A manifest that is too large or has too many extensions is rejected")
    func limits() throws {
        let item = "{\"point\": \"x\", \"executable\": \"monitor\", \"protocol\": 1, \"entitlements\": []}"
        let many = Array(repeating: item, count: 5_000).joined(separator: ",")
        #expect(try refusal("{\"extensions\": [\(many)]}")?.code == "app.manifest_too_large")
        let some = Array(repeating: item, count: 17).joined(separator: ",")
        let problem = try refusal("{\"extensions\": [\(some)]}")
        #expect(problem?.details.keys.contains { $0.hasSuffix("app.too_many") } == true)
        // The number of reasons is limited, so that the reply fits.
        #expect((problem?.details.count ?? 0) <= 20)
    }
}
