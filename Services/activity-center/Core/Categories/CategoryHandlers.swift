import STContracts
import STDomain
import STEngine
import STPlatform

/// The routes of categories.
enum CategoryHandlers {
    /// Asked about in one request.
    private static let subjectsMax = 200

    static let routes: [ServiceRoute<ActivityState>] =
        [
            .write(CategorySet.self) { state, request, _, change in
                try ActivityCheck.name(request.subject, "/subject")
                let category = try request.category.map { try ActivityCheck.category($0, "/category") }
                guard state.categories.put(request.subject, category) else {
                    throw Problem(
                        "category.too_many",
                        "\(CategoryMap.entriesMax) apps or sites were moved already, which is the limit.",
                        field: "/subject"
                    )
                }
                try CategoryTable.save(request.subject, category, change.database)
                try CategoryTelling.tell(request.subject, &state, change)
                return state.categories.choice(request.subject)
            },
            .read(CategoryList.self) { state, request, _ in
                let choices = state.categories.own.keys.sorted().map { state.categories.choice($0) }
                let (page, next) = try OffsetPage.slice(choices, next: request.next)
                return CategoryList.Reply(
                    categories: Category.allCases.map(\.rawValue),
                    choices: page,
                    next: next,
                    lists: request.next == nil ? DomainListHandlers.all(state.categories) : nil
                )
            },
            .query(CategoryFacts.self) { state, request, _, _ in
                let subjects = request.subjects ?? state.categories.subjects
                guard request.subjects == nil || subjects.count <= subjectsMax else {
                    throw Problem(
                        "category.too_many",
                        "Ask about at most \(subjectsMax) at once.",
                        field: "/subjects"
                    )
                }
                for (index, subject) in (request.subjects ?? []).enumerated() {
                    try ActivityCheck.name(subject, "/subjects/\(index)")
                }
                let facts = subjects.map { state.categories.facts($0) }
                let (page, next) = try OffsetPage.slice(facts, next: request.next)
                return CategoryFacts.Reply(facts: page, next: next)
            },
        ] + DomainListHandlers.routes
}
