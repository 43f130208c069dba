import STContracts
import STDomain
import STEngine
import STFollowing
import STPlatform

/// The routes of categories, and of the lists of sites that people add.
enum CategoryRoutes {
    /// Upper bound on the subjects in one request.
    private static let subjectsMax = 200
    private static let nameBytesMax = 64

    static let all: [ServiceRoute<ActivityState>] = assignmentRoutes + lists

    private static let assignmentRoutes: [ServiceRoute<ActivityState>] =
        [
            .write(CategorySet.self) { state, request, context, change in
                let subject = state.categories.spelling(request.subject)
                let before = state.categories.choice(subject).category
                if state.categories.isIgnored(subject) {
                    // The category of the household applies again, unless a person changes it.
                    try state.agreed.remove(
                        member: HouseholdRule.everyone,
                        id: Categories.key(subject),
                        change.database
                    )
                }
                try move(subject, to: request.category, state: &state, change: change)
                let choice = state.categories.choice(subject)
                let (old, new) = (Message(verbatim: before), Message(verbatim: choice.category))
                try recordHistory(
                    choice.subject,
                    before: old,
                    after: new,
                    state: &state,
                    context: context,
                    change: change
                )
                return choice
            }
            .after(guardianProof(CategorySet.self) { $0.proof }),
            .write(CategoryFollow.self) { state, request, _, change in
                var agreed = state.agreed
                let reply = try agreed.exchange(
                    request,
                    here: state.categories.chosen,
                    database: change.database,
                    tells: { rule in
                        // The name of an ignored subject is not sent to other machines.
                        !state.categories.isIgnored(rule.id)
                            && (request.share ?? .all == .all
                                || !Categories.isSite(rule.id) && !rule.id.hasPrefix(HouseholdRule.lists))
                    },
                    make: { try applyShared($0, state: &state, change: change) }
                )
                state.agreed = agreed
                return reply
            },
            .read(CategoryList.self) { state, request, _ in
                let choices = state.categories.changedSubjects.map { state.categories.choice($0) }
                let (page, next) = try OffsetPage.slice(choices, next: request.next)
                return CategoryList.Reply(
                    categories: Category.allCases.map(\.rawValue),
                    choices: page,
                    next: next,
                    lists: request.next == nil ? shownLists(state.categories) : nil
                )
            },
            .query(CategoryFacts.self) { state, request, _, _ in
                let subjects = request.subjects ?? state.categories.subjects
                guard request.subjects == nil || subjects.count <= subjectsMax else {
                    throw Problem(
                        "category.too_many",
                        "A request can name at most \(subjectsMax, "most") apps and sites.",
                        key: "category.too_many.ask-about-at",
                        field: "/subjects"
                    )
                }
                for (index, subject) in (request.subjects ?? []).enumerated() {
                    try ActivityCheck.checkName(subject, "/subjects/\(index)")
                }
                let facts = subjects.map { state.categories.facts($0) }
                let (page, next) = try OffsetPage.slice(facts, next: request.next)
                return CategoryFacts.Reply(facts: page, next: next)
            },
        ]

    private static let lists: [ServiceRoute<ActivityState>] = [
        .write(CategoryListAdd.self) { state, request, context, change in
            let before = state.categories.map.lists.lists[request.name].map { text($0) }
            let list = try add(request, state: &state, change: change)
            let after = state.categories.map.lists.lists[request.name].map { text($0) }
            try recordHistory(
                request.name,
                before: before,
                after: after,
                state: &state,
                context: context,
                change: change
            )
            return list
        }
        .after(guardianProof(CategoryListAdd.self) { $0.proof }),
        .write(CategoryListRemove.self) { state, request, context, change in
            guard let old = state.categories.map.lists.lists[request.name] else {
                throw unknown(request.name, state)
            }
            let view = view(request.name, list: old, book: state.categories)
            state.categories.map.lists.set(request.name, nil)
            state.categories.listsAdded[request.name] = nil
            try CategoryTable.save(request.name, list: nil, added: WallTime(ms: 0), database: change.database)
            try CategoryPublisher.publish(request.name, from: old, to: nil, change)
            try recordHistory(
                request.name,
                before: text(old),
                after: nil,
                state: &state,
                context: context,
                change: change
            )
            return view
        }
        .after(guardianProof(CategoryListRemove.self) { $0.proof }),
    ]

    /// Moves an app or a site into a category, or back into the built-in one if nil.
    private static func move(
        _ subject: String,
        to wanted: String?,
        state: inout ActivityState,
        change: StoreTransaction
    ) throws {
        try ActivityCheck.checkName(subject, "/subject")
        let isIgnored = wanted == CategoryChoice.private
        let category = isIgnored ? nil : try wanted.map { try ActivityCheck.checkedCategory($0, "/category") }
        for other in state.categories.otherSpellings(subject) {
            _ = state.categories.assign(other, nil)
            try CategoryTable.save(other, category: nil as String?, database: change.database)
        }
        let isTaken =
            isIgnored ? state.categories.ignore(subject) : state.categories.assign(subject, category)
        guard isTaken else {
            throw Problem(
                "category.too_many",
                """
                \(CategoryMap.entriesMax, "most") apps or sites have already been moved to another category, \
                which is the limit. To undo one, run `screentime category set SUBJECT default`.
                """,
                key: "category.too_many.apps-or-sites",
                field: "/subject"
            )
        }
        try CategoryTable.save(
            subject,
            category: isIgnored ? wanted : category?.rawValue,
            database: change.database
        )
        try CategoryPublisher.publish(subject, state: &state, change: change)
    }

    /// Applies the household's category of an app or a site.
    private static func applyShared(
        _ heard: HouseholdRule,
        state: inout ActivityState,
        change: StoreTransaction
    ) throws {
        if heard.id.hasPrefix(HouseholdRule.lists) { return try applyShared(list: heard, &state, change) }
        guard !state.categories.isIgnored(heard.id) else { return }
        let before = state.categories.choice(heard.id).category
        try move(heard.id, to: heard.category, state: &state, change: change)
        let after = state.categories.choice(heard.id).category
        guard before != after else { return }
        var line = HistoryLine(
            .category,
            about: heard.id,
            before: Message(verbatim: before),
            after: Message(verbatim: after)
        )
        line.why = RuleHistory.changed(on: heard.device)
        try state.history.append(change.stamped(line), change)
    }

    /// Applies the household's version of a part of a list.
    private static func applyShared(
        list heard: HouseholdRule,
        _ state: inout ActivityState,
        _ change: StoreTransaction
    ) throws {
        let words = heard.id.dropFirst(HouseholdRule.lists.count).split(separator: "/")
        guard words.count == 2, let part = Int(words[1]), (0..<DomainLists.partsMax).contains(part) else {
            throw Problem(
                "category.bad_list_name",
                "“\(TextFormat.truncated(heard.id, bytes: 80), "id")” is not a part of a list."
            )
        }
        let name = String(words[0])
        try check(name)
        let lists = state.categories.map.lists
        let old = lists.lists[name]
        let category =
            try heard.category.map { try ActivityCheck.checkedCategory($0, "/category") } ?? old?.category
            ?? .other
        let sites = try (heard.sites ?? []).map { try site($0, "/sites") }
        let before = old.flatMap { part < $0.parts.count ? $0.parts[part].count : nil } ?? 0
        guard old != nil || sites.isEmpty || lists.lists.count < DomainLists.listsMax,
            lists.count - before + sites.count <= DomainLists.domainsMax
        else {
            throw Problem(
                "category.too_many",
                """
                There can be at most \(DomainLists.listsMax, "most2") lists, with at most \
                \(DomainLists.domainsMax, "most") sites in total.
                """,
                key: "category.too_many.all-lists-together",
                help: "screentime category list"
            )
        }
        state.categories.map.lists.set(name, part: part, domains: sites, category: category)
        let new = state.categories.map.lists.lists[name]
        state.categories.listsAdded[name] = new == nil ? nil : change.now.wall
        try CategoryTable.save(name, list: new, added: change.now.wall, database: change.database)
        try CategoryPublisher.publish(name, from: old, to: new, change)
        var line = HistoryLine(
            .category,
            about: name,
            before: old.map { text($0) },
            after: new.map { text($0) }
        )
        guard line.before != line.after else { return }
        line.why = RuleHistory.changed(on: heard.device)
        try state.history.append(change.stamped(line), change)
    }

    /// Requires a child's guardian. The rules of all members use the categories, and a change may loosen one.
    private static func guardianProof<R: Route>(
        _ route: R.Type,
        _ given: @escaping @Sendable (R.Request) -> Proof?
    ) -> Preparation<ActivityState> {
        .guardian(for: route, Message("purpose.change-categories", "change the categories"), given) {
            state,
            _,
            _ in
            state.household.members.first { $0.role == .child }?.name
        }
    }

    private static func recordHistory(
        _ about: String,
        before: Message?,
        after: Message?,
        state: inout ActivityState,
        context: RequestContext,
        change: StoreTransaction
    ) throws {
        let by = try context.prepared.guardian()
        guard before != after else { return }
        let line = HistoryLine(.category, about: about, by: by, before: before, after: after)
        try state.history.append(change.stamped(line), change)
    }

    private static func text(_ list: DomainLists.List) -> Message {
        Message(
            "history-list.sites",
            count: list.count,
            one: "\(list.count, "count") site in \(list.category.rawValue, "category")",
            other: "\(list.count, "count") sites in \(list.category.rawValue, "category")"
        )
    }

    private static func shownLists(_ book: Categories) -> [DomainList] {
        book.map.lists.lists.sorted { $0.key < $1.key }.map { view($0.key, list: $0.value, book: book) }
    }

    private static func add(
        _ request: CategoryListAdd.Request,
        state: inout ActivityState,
        change: StoreTransaction
    ) throws -> DomainList {
        try check(request.name)
        let category = try ActivityCheck.checkedCategory(request.category, "/category")
        let lists = state.categories.map.lists
        let old = lists.lists[request.name]
        let appends = request.append == true
        if appends, old == nil { throw unknown(request.name, state) }
        if appends, let old, old.category != category {
            throw Problem(
                "category.list_other",
                """
                \(request.name, "name") is a list for the category \(old.category.rawValue, "category"). A \
                list can have only one category.
                """,
                field: "/category"
            )
        }
        guard old != nil || lists.lists.count < DomainLists.listsMax else {
            throw Problem(
                "category.too_many",
                "There are \(DomainLists.listsMax, "most") lists already, which is the limit. Remove one first.",
                key: "category.too_many.there-are-lists",
                field: "/name",
                help: "screentime category list"
            )
        }
        var seen = Set(appends ? old?.parts.joined().map(\.self) ?? [] : [])
        let domains = try request.domains.enumerated().map { index, domain in
            try site(domain, "/domains/\(index)")
        }.filter { seen.insert($0).inserted }
        let others = lists.count - (old?.count ?? 0)
        guard others + seen.count <= DomainLists.domainsMax else {
            throw Problem(
                "category.too_many",
                """
                All lists together can hold at most \(DomainLists.domainsMax, "most") sites. The other lists \
                already hold \(others, "others").
                """,
                key: "category.too_many.all-lists-together-hold",
                field: "/domains",
                help: "screentime category list"
            )
        }
        let parts = DomainLists.parts(appends ? old?.parts ?? [] : [], with: domains)
        let list = DomainLists.List(category: category, parts: parts)
        state.categories.map.lists.set(request.name, list)
        state.categories.listsAdded[request.name] = change.now.wall
        try CategoryTable.save(
            request.name,
            list: list,
            added: change.now.wall,
            database: change.database
        )
        try CategoryPublisher.publish(request.name, from: old, to: list, change)
        return view(request.name, list: list, book: state.categories)
    }

    private static func check(_ name: String) throws(Problem) {
        guard let first = name.first, let last = name.last, !first.isWhitespace, !last.isWhitespace,
            first != "-", name.utf8.count <= nameBytesMax, name.isPlain,
            !name.utf8.contains(where: { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: ":") })
        else {
            throw Problem(
                "category.bad_list_name",
                """
                The name of a list must be 1 to \(nameBytesMax, "bytes") bytes long. It must not contain a \
                slash, colon or control character, or begin or end with a space.
                """,
                key: "category.bad_list_name.a-lists-name",
                field: "/name"
            )
        }
    }

    private static func site(_ text: String, _ field: String) throws(Problem) -> String {
        guard let name = DomainName.host(text) else {
            throw Problem(
                "category.bad_domain",
                "“\(text.prefix(60), "text")” is not a site. Enter a host name such as reddit.com.",
                field: field
            )
        }
        return name
    }

    private static func unknown(_ name: String, _ state: ActivityState) -> Problem {
        let names = state.categories.map.lists.lists.keys.sorted()
        return Problem(
            "category.list_not_found",
            text: TextFormat.closest(to: name, in: names).map {
                Message(
                    "category.list_not_found.did-you-mean",
                    "There is no list “\(name.prefix(64), "name")”. Did you mean \($0, "near")?"
                )
            }
                ?? Message("category.list_not_found", "There is no list “\(name.prefix(64), "name")”."),
            field: "/name",
            help: "screentime category list"
        )
    }

    private static func view(_ name: String, list: DomainLists.List, book: Categories) -> DomainList {
        DomainList(
            name: name,
            category: list.category.rawValue,
            count: Int64(list.count),
            addedAt: RFC3339.text(wallMs: book.listsAdded[name]?.ms ?? 0)
        )
    }
}
