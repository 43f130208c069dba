import STContracts
import STTestKit
import STTestSupport
import STZeroMQ
import Testing

extension ConsolePageTests {
    @Suite("Accessibility of the page")
    struct Access {
        @Test(
            "The axe checker finds no violations on any part of the page, in both languages and appearances",
            arguments: WebDriver.Kind.allCases,
            [false, true]
        )
        func accessible(kind: WebDriver.Kind, isDark: Bool) async throws {
            try await ConsoleHouse.run { house in
                _ = try await house.family()
                try await house.use("alpha", ms: 600_000)
                let items = [TokenItem(kind: .domain, id: "example.org")]
                _ = try await house.system.client.call(
                    RequestAdd.self,
                    .init(member: "kid", items: items, durationMs: 900_000)
                )
                let rule = RuleSpec(
                    kind: .limit,
                    targets: [TokenItem(kind: .application, id: "alpha")],
                    durationMs: 300_000
                )
                _ = try await house.system.client.call(RuleAdd.self, .init(rule))
                let driver = try await house.browser("axe", kind, isDark: isDark)
                defer { driver.end() }
                for language in ["en", "ko"] {
                    if language == "ko" { try driver.click("#language") }
                    for (part, place) in [
                        ("today", "#limit-alpha"), ("rules", "#add-limit"), ("requests", "#ask"),
                        ("reports", "iframe"), ("people", "#people"), ("inside", "#seen"),
                        ("help", "#guide li"),
                        ("help?guide=family", "#guide ol:has(> li:nth-child(2)) > li > pre"),
                        ("thing?of=alpha", ".bars"), ("welcome", "#seen"), ("closed", "pre"),
                        ("rules", "#add-limit"),
                    ] {
                        try driver.open("\(house.origin)/\(part)")
                        try eventuallyBlocking(within: .seconds(30), "\(part) is there") {
                            if try driver.run("return document.querySelector('\(place)') !== null")
                                != .bool(true)
                            {
                                throw NotYet("not yet")
                            }
                        }
                        let found = try driver.violations()
                        #expect(found == "[]", "\(part) \(language)")
                        try driver.keepPicture(
                            "page-\(part.prefix { $0 != "?" })-\(language)-\(isDark ? "dark" : "light")"
                        )
                    }
                    try driver.click("#add-limit")
                    try driver.type("alpha", into: "#about")
                    #expect(try driver.violations() == "[]", "the form of a rule, \(language)")
                    try driver.run("document.querySelector('dialog').close()")
                }
            }
        }
    }
}
