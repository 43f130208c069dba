import STContracts
import STDomain
import STPlatform

/// What the things of settings are called: by the answers of auth-service, or as they were named.
struct ThingLookup {
    /// In the order in which the tokens were asked about.
    private var answers: ArraySlice<TokenItem>

    init(_ answers: [TokenItem]) { self.answers = answers[...] }

    /// Nil takes the setting away.
    mutating func value(of asked: AskedSetting) throws -> SettingValue? {
        switch asked.value {
        case .nothing: return nil
        case .plain(let value): return value
        case .things(let things):
            return .names(try names(things, asked.key.kind == .apps ? .application : .domain))
        case .policy(let reach, let categories, let except):
            let policy = CategoryPolicy(
                reach,
                categories: try names(categories, .category),
                except: try names(
                    except,
                    asked.key.kind == .appPolicy ? .application : .domain,
                    isExcept: true
                )
            )
            return .policy(policy)
        case .filter(let reach, let domains, let except):
            let filter = WebFilter(
                reach,
                domains: try names(domains, .domain),
                except: try names(except, .domain, isExcept: true)
            )
            try refuseSelfExempt(filter, domains, except)
            return .filter(filter)
        }
    }

    private mutating func names(
        _ things: [AskedSetting.Thing],
        _ kind: TokenKind,
        isExcept: Bool = false
    ) throws -> Set<String> {
        var names: Set<String> = []
        for thing in things { names.insert(try name(thing, kind, isExcept)) }
        return names
    }

    private mutating func name(_ thing: AskedSetting.Thing, _ kind: TokenKind, _ isExcept: Bool) throws
        -> String
    {
        let item: TokenItem
        if thing.token != nil {
            guard let answer = answers.popFirst() else {
                throw Problem(
                    "token.unknown",
                    "Nobody could say what this token stands for.",
                    field: thing.field
                )
            }
            item = answer
        } else {
            item = TokenItem(kind: kind, id: thing.id ?? "")
        }
        // An app may be called like a category, but nobody who excepts `games` means an app of that name.
        if isExcept, item.kind == .category || Category(rawValue: item.id) != nil {
            throw Problem(
                "settings.exempts_itself",
                "A policy over categories cannot except the category \(item.id): leave it out of `categories` "
                    + "instead. `except` takes single apps or sites.",
                field: thing.field
            )
        }
        guard item.kind == kind else {
            throw Problem(
                "settings.wrong_kind",
                "This stands for \(Self.article(item.kind)), and \(Self.article(kind)) belongs here.",
                field: thing.field
            )
        }
        switch kind {
        case .category: return try Self.category(item.id, thing.field)
        case .domain: return try DomainName.checked(item.id, field: thing.field)
        case .application, .unknown:
            try SettingsCheck.name(item.id, thing.field, max: SettingLimits.idBytesMax)
            return item.id
        }
    }

    static func category(_ id: String, _ field: String) throws -> String {
        if Category(rawValue: id) != nil { return id }
        let known = Category.allCases.map(\.rawValue)
        let short = String(id.prefix(SettingLimits.nameBytesMax))
        let nearest = TextFormat.closest(to: short, in: known).map { "Did you mean \($0)? " } ?? ""
        throw Problem(
            "category.unknown",
            "There is no category \(short). \(nearest)Categories: \(known.joined(separator: ", ")).",
            field: field
        )
    }

    /// A site that is excepted together with all its parts must not be the one that the filter names.
    private func refuseSelfExempt(
        _ filter: WebFilter,
        _ domains: [AskedSetting.Thing],
        _ except: [AskedSetting.Thing]
    ) throws {
        for domain in filter.domains.sorted() {
            let lifted = DomainName.first(for: domain) { filter.except.contains($0) ? $0 : nil }
            guard let lifted else { continue }
            throw Problem(
                "settings.exempts_itself",
                "The filter names \(domain) and excepts \(lifted), so it would never act. Take one of them out.",
                field: except.first?.field
            )
        }
    }

    private static func article(_ kind: TokenKind) -> String {
        switch kind {
        case .application: "an app"
        case .category: "a category"
        case .domain: "a site"
        case .unknown: "something else"
        }
    }
}
