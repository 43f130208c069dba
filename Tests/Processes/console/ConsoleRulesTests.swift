import STContracts
import STDomain
import STTestKit
import STTestSupport
import STZeroMQ
import Testing

extension ConsolePageTests {
    @Suite("Rules on the page")
    struct Rules {
        @Test(
            "The page explains why an app is shielded and leads to a request for more time",
            arguments: WebDriver.Kind.allCases
        )
        func whys(kind: WebDriver.Kind) async throws {
            try await ConsoleHouse.run { house in
                let first = try #require(
                    try await house.system.client.call(MemberList.self, Empty()).members.first?.name
                )
                let rule = RuleSpec(
                    kind: .limit,
                    name: "enough",
                    targets: [TokenItem(kind: .application, id: "alpha")],
                    durationMs: 2_000,
                    then: .shield,
                    warnMs: 0
                )
                _ = try await house.system.client.call(RuleAdd.self, .init(rule))
                // A request is granted without a delay.
                let wishes = RequestRule(
                    member: first,
                    delayMs: 0,
                    growthPercent: 0,
                    mostMs: 3_600_000,
                    aDay: 5
                )
                _ = try await house.system.client.call(RequestRuleSet.self, .init(rule: wishes))
                try await house.use("alpha", ms: 0)
                let driver = try await house.browser("why", kind)
                defer { driver.end() }
                try driver.click("#nav-rules")
                try driver.shows("nothing left")
                try driver.click("a[href^='/why']")
                try driver.shows(
                    "alpha is shielded.",
                    "The rule enough shields alpha directly",
                    "Alpha was in the foreground for \(first)",
                    "Used up: 2 s of alpha"
                )
                #expect(try driver.text("details ol").isEmpty)
                try driver.click("summary")
                try driver.shows("eventDidReachThreshold of", in: "details ol")
                #expect(try driver.violations() == "[]")
                try driver.keepPicture("page-why")
                try driver.click("#ask")
                try driver.shows("Ask for more time", in: "dialog")
                #expect(try driver.run("return document.querySelector('#about').value") == "alpha")
                try driver.click("#make")
                try driver.click("#nav-requests")
                try driver.shows("granted", in: "#requests")
                try driver.open("\(house.origin)/why?of=alpha")
                try driver.shows("alpha is not shielded: more time was granted")
                try driver.open("\(house.origin)/why?of=site:other.example")
                try driver.shows("site:other.example is not shielded", "Notes")
                // A rule that counts and is not used up shows its progress.
                _ = try await house.system.client.call(RuleRemove.self, .init(name: "enough"))
                var longer = rule
                longer.durationMs = 3_600_000
                _ = try await house.system.client.call(RuleAdd.self, .init(longer))
                try eventuallyBlocking(within: .seconds(30), "what it counts towards is said") {
                    try driver.open("\(house.origin)/why?of=alpha")
                    try driver.shows("Counts towards", "The rule enough", within: .seconds(3))
                }
            }
        }

        @Test(
            "A goal and a break are created and changed by clicks on the page",
            arguments: WebDriver.Kind.allCases
        )
        func goals(kind: WebDriver.Kind) async throws {
            try await ConsoleHouse.run { house in
                let driver = try await house.browser("goals", kind)
                defer { driver.end() }
                try driver.click("#nav-rules")
                try driver.click("#add-goal")
                try driver.type("alpha", into: "#about")
                try driver.choose("2", in: "#length")
                try driver.type("category:games", into: "#opens")
                try driver.keepPicture("page-goal")
                try driver.click("#make")
                try driver.shows("2 h of alpha", in: "#rules")
                try driver.click("#add-break")
                try driver.choose("10", in: "#length")
                try driver.choose("50", in: "#after")
                try driver.click("#make")
                try driver.shows("10 min", "50 min", in: "#rules")
                try driver.keepPicture("page-goals")
                let rules = try await house.system.client.call(RuleList.self, .init()).rules.map(\.rule)
                #expect(Set(rules.map(\.kind)) == [.goal, .break])

                // Everything except the subject can be changed.
                let name = try #require(rules.first { $0.kind == .break }?.name)
                try driver.click("#edit-\(name)")
                try driver.choose("30", in: "#length")
                try driver.choose("Monday", in: "#days")
                try driver.type("Up!", into: "#words")
                try driver.click("#make")
                try driver.shows("Changed", "on Mon to Fri", in: "#said")
                let longer = try await house.system.client.call(RuleList.self, .init()).rules.map(\.rule)
                    .first { $0.kind == .break }
                #expect(
                    longer?.restMs == 1_800_000 && longer?.days == [2, 3, 4, 5, 6] && longer?.say == "Up!"
                )
                // Without input nothing changes.
                try driver.run("document.getElementById('said').textContent = ''")
                try driver.click("#edit-\(name)")
                try driver.shows("Monday to Friday", in: "#days option:checked")
                try driver.click("#make")
                try eventuallyBlocking(within: .seconds(20), "the form is gone") {
                    if try driver.run("return document.querySelector('dialog') === null") != true {
                        throw NotYet("it is there")
                    }
                }
                #expect(try driver.text("#said").isEmpty)
                let after = try await house.system.client.call(RuleList.self, .init()).rules.map(\.rule)
                    .first { $0.kind == .break }
                #expect(after == longer)
            }
        }

        @Test(
            "Values of a rule that a form cannot show exactly stay unchanged",
            arguments: WebDriver.Kind.allCases
        )
        func odd(kind: WebDriver.Kind) async throws {
            try await ConsoleHouse.run { house in
                var odd = RuleSpec(
                    kind: .break,
                    name: "odd",
                    targets: [],
                    durationMs: 1_230_000,
                    then: .notify,
                    say: "Up.\nAnd down."
                )
                odd.restMs = 20_000
                odd.days = [2, 4]
                _ = try await house.system.client.call(RuleAdd.self, .init(odd))
                let driver = try await house.browser("odd", kind)
                defer { driver.end() }
                try driver.click("#nav-rules")
                let before = try await house.system.client.call(RuleList.self, .init()).rules.map(\.rule)
                try driver.click("#edit-odd")
                try driver.shows("Keep the current days", in: "#days option:checked")
                try driver.choose("show", in: "#then")
                try driver.click("#make")
                try driver.shows("Changed", in: "#said")
                let changed = try await house.system.client.call(RuleList.self, .init()).rules.map(\.rule)
                #expect(
                    changed.first { $0.name == "odd" }
                        == before.first { $0.name == "odd" }.map {
                            var rule = $0
                            rule.then = .shield
                            return rule
                        }
                )
            }
        }
    }
}
