import STContracts
import STDomain
import STPlatform
import STTestSupport
import Testing

@testable import STCommandCore

@Suite("What a command says, in Korean")
struct SpeechTests {
    private static let app = TokenItem(kind: .application, id: "org.mozilla.firefox")
    private static let moments = MomentWords(fromMs: 1_795_176_000_000, zone: "UTC", in: .korean)

    private static func everyRule() -> [RuleSpec] {
        let kinds: [RuleKind] = [.limit, .downtime, .window, .goal, .break, .allow, .session]
        return kinds.flatMap { kind in
            [RuleConsequence.notify, .shield].map { then in
                RuleSpec(
                    kind: kind,
                    name: "rule",
                    member: "kim",
                    targets: [app],
                    durationMs: 3_600_000,
                    weekendMs: 7_200_000,
                    restMs: 300_000,
                    window: RuleWindow(from: "21:30", to: "07:00"),
                    days: [2, 3, 4, 5, 6],
                    except: ["2026-12-24", "2026-12-25", "2026-12-26"],
                    opens: [TokenItem(kind: .category, id: "games")],
                    then: then,
                    warnMs: 300_000,
                    say: "산책"
                )
            }
        }
    }

    /// Words of English, but for what is typed and what things are called.
    private func english(_ lines: [String]) -> [String] {
        let named: Set = [
            "screentime", "rule", "remove", "Firefox", "kim", "games", "request", "revoke", "R7", "root",
        ]
        return lines.flatMap { $0.split { !$0.isASCII || !($0.isLetter || $0.isNumber) } }.map(String.init)
            .filter { $0.count > 1 && $0.contains(where: \.isLetter) && !named.contains($0) }
    }

    @Test(
        "every kind of rule speaks whole Korean sentences, in lists and by itself",
        arguments: everyRule()
    )
    func rules(_ rule: RuleSpec) {
        let view = RuleView(
            id: "rule",
            rule: rule,
            addedAt: "2026-11-20T10:00:00.000Z",
            pausedUntil: "2026-11-20T18:00:00.000Z",
            interval: IntervalSpan(startWallMs: 1_795_132_800_000, endWallMs: 1_795_219_200_000, zone: "UTC"),
            when: "now: today",
            isWatched: true,
            problem: nil,
            isShielding: true
        )
        let progress = RuleProgress(usedMs: 60_000, limitMs: 3_600_000, leftMs: 3_540_000, isReached: false)
        let facts = RuleFacts(progress: ["rule": progress], moments: Self.moments)
        let terminal = Terminal(isTerminal: false, isColoured: false, columns: 200)
        let lines = Speech.$language.withValue(.korean) {
            RuleScreen.one(view, facts, DisplayNames(), terminal)
                + RuleScreen.list([view], facts, DisplayNames(), terminal)
                + RuleScreen.today([view], facts, DisplayNames(), terminal)
                + [progress.text(rule.kind), RuleSentence.consequence(rule, for: nil)]
        }
        #expect(english(lines) == [], "\(lines)")
        #expect(lines.contains { $0.contains("월–금") } || [.allow, .session].contains(rule.kind))
    }

    @Test("a request says how it stands, and what to type next")
    func request() {
        let request = RequestView(
            request: "R7",
            member: "kim",
            items: [Self.app],
            durationMs: 900_000,
            because: "숙제",
            state: .granted,
            askedAt: "2026-11-20T10:00:00.000Z",
            answeredBy: "root",
            fromWallMs: 1_795_176_000_000,
            untilWallMs: 1_795_176_900_000
        )
        let terminal = Terminal(isTerminal: false, isColoured: false, columns: 200)
        let rule = RequestRule(member: "kim", delayMs: 60_000, growthPercent: 100, mostMs: 900_000, aDay: 4)
        let lines = Speech.$language.withValue(.korean) {
            RequestText.one(request, DisplayNames(), Self.moments, provers: nil, terminal)
                + RequestText.list([request], DisplayNames(), Self.moments, terminal) + RequestText.rule(rule)
        }
        #expect(english(lines) == [], "\(lines)")
        #expect(lines.contains { $0.contains("15분") })
    }

    @Test("no sentence for people stands outside of both languages, in the files that speak Korean")
    func files() throws {
        let folder = "Services/screentime/Core/"
        let spoken = [
            "Commands/TodayCommand", "Commands/RequestText", "Rules/RuleText", "Rules/RuleShowing",
            "Why/WhyText",
        ]
        for name in spoken {
            let text = ScratchDirectory.text(BuiltTree.source(folder + name + ".swift"))
            #expect(Spoken.outside(text) == [], "\(name)")
        }
        #expect(
            Spoken.outside("let a = Speech.say(\"one two\", \"하나\") + \"is not said\"") == ["is not said"]
        )
        #expect(Spoken.outside("throw Problem(\"code\", \"It says why.\", help: \"a b\")") == [])
    }
}

/// Finds sentences in source text that stand in one language alone.
private enum Spoken {
    /// In these a sentence may be English: refusals have codes, and help is a table of its own.
    private static let exempt = ["say", "Problem", "Command", "Subject", "Option", "init"]

    static func outside(_ text: String) -> [String] {
        var found: [String] = []
        var calls: [String] = []
        for line in text.split(separator: "\n") where !line.trimmed.hasPrefix("//") {
            var word = ""
            var literal: String?
            var depth = 0
            var isEscaped = false
            for character in line {
                if let open = literal {
                    // What is filled in is code; its own words are seen where they are made.
                    if depth > 0 {
                        if character == "(" { depth += 1 }
                        if character == ")" { depth -= 1 }
                    } else if isEscaped {
                        isEscaped = false
                        if character == "(" { depth = 1 }
                    } else if character == "\\" {
                        isEscaped = true
                    } else if character == "\"" {
                        if isSentence(open), !calls.contains(where: exempt.contains) { found.append(open) }
                        literal = nil
                    } else {
                        literal = open + String(character)
                    }
                    continue
                }
                switch character {
                case "\"": literal = ""
                case "(":
                    calls.append(word)
                    word = ""
                case ")": if !calls.isEmpty { calls.removeLast() }
                default: word = character.isLetter ? word + String(character) : ""
                }
            }
        }
        return found
    }

    /// Two English words beside each other.
    private static func isSentence(_ text: String) -> Bool {
        let words = text.split(separator: " ").map {
            $0.allSatisfy { $0.isASCII && $0.isLetter } && $0.count > 1
        }
        return zip(words, words.dropFirst()).contains { $0 && $1 } && !text.hasPrefix("screentime ")
    }
}

extension Substring {
    fileprivate var trimmed: Substring { drop { $0.isWhitespace } }
}
