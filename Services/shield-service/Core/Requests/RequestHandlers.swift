import STContracts
package import STEngine
package import STPlatform

/// The routes of requests for more time.
package enum RequestHandlers {
    static let routes: [ServiceRoute<ShieldState>] = asking + answering + codes + rules

    private typealias Ready = Preparation<ShieldState>

    private static let asking: [ServiceRoute<ShieldState>] = [
        .write(RequestAdd.self) { state, request, context, change in
            let (made, notes) = try changing(&state, context, change) { book in
                try RequestAdding.add(request, context, to: &book)
            }
            // A rule without a delay has granted it by now.
            let now = state.requests.requests[made.number] ?? made
            return RequestAdd.Reply(request: now.view, notes: notes)
        }
        .after(
            Ready.of(MemberList.self, .service(.auth), for: RequestAdd.self) { _, request, _ in
                _ = try RequestCheck.checked(request)
                return Empty()
            }
        ),
        .query(RequestList.self) { state, request, _, _ in
            let wanted = try request.state?.required("/state")
            let found = state.requests.requests.values.filter {
                (request.member == nil || $0.member == request.member)
                    && (wanted == nil || $0.state == wanted)
            }
            let newest = found.sorted { $0.number > $1.number }
            let page = try OffsetPage.slice(newest.map(\.view), next: request.next)
            return RequestList.Reply(requests: page.rows, next: page.next)
        },
        .write(RequestRevoke.self) { state, request, context, change in
            let known = try changing(&state, context, change) { book in
                try RequestAnswering.revoke(request.request, context.now, in: &book)
            }
            return RequestAnswered(request: known.view)
        },
    ]

    private static let answering: [ServiceRoute<ShieldState>] = [
        .write(RequestApprove.self) { state, request, context, change in
            try answering(&state, context, change) { book in
                try RequestAnswering.approve(request, context, in: &book)
            }
        }
        .after(
            Ready.of(AuthProve.self, .service(.auth), for: RequestApprove.self) { state, asked, _ in
                if let durationMs = asked.durationMs { try RequestCheck.duration(durationMs) }
                return RequestAnswering.proof(
                    asked.request,
                    by: asked.by,
                    asked.passcode,
                    "approve",
                    state.requests
                )
            }
        ),
        .write(RequestDeny.self) { state, request, context, change in
            try answering(&state, context, change) { book in
                try RequestAnswering.deny(request, context, in: &book)
            }
        }
        .after(
            Ready.of(AuthProve.self, .service(.auth), for: RequestDeny.self) { state, asked, _ in
                _ = try RequestCheck.words(asked.because, "/because")
                return RequestAnswering.proof(
                    asked.request,
                    by: asked.by,
                    asked.passcode,
                    "deny",
                    state.requests
                )
            }
        ),
    ]

    private static let codes: [ServiceRoute<ShieldState>] = [
        .write(RequestCode.self) { state, request, context, change in
            try answering(&state, context, change) { book in
                try OfflineCodes.answer(request, context, change, in: &book)
            }
        },
        .write(RequestCodeSetup.self) { state, request, context, change in
            try changing(&state, context, change) { book in
                try OfflineCodes.setUp(request, context, in: &book)
            }
        }
        .after(
            Ready.of(MemberList.self, .service(.auth), for: RequestCodeSetup.self) { _, _, _ in Empty() },
            Ready.of(AuthProve.self, .service(.auth), for: RequestCodeSetup.self) { _, asked, answers in
                try OfflineCodes.proof(asked, answers)
            }
        ),
    ]

    private static let rules: [ServiceRoute<ShieldState>] = [
        .read(RequestRuleShow.self) { state, request, context in
            try RequestRules.show(request, context, state.requests)
        }
        .after(Ready.of(MemberList.self, .service(.auth), for: RequestRuleShow.self) { _, _, _ in Empty() }),
        .write(RequestRuleSet.self) { state, request, context, change in
            try changing(&state, context, change) { book in
                try RequestRules.set(request, context, in: &book)
            }
        }
        .after(
            Ready.of(MemberList.self, .service(.auth), for: RequestRuleSet.self) { _, _, _ in Empty() },
            Ready.of(RuleDelay.self, .service(.monitor), for: RequestRuleSet.self) { state, asked, answers in
                try RequestRules.delay(asked, answers, state.requests)
            },
            Ready.of(AuthProve.self, .service(.auth), for: RequestRuleSet.self) { state, asked, answers in
                try RequestRules.proof(asked, answers, state.requests)
            }
        ),
    ]

    // MARK: - Steps

    /// When the next grant begins or ends.
    package static func due(_ state: ShieldState, _ context: RequestContext) -> DueMoments {
        state.requests.due(bootID: context.bootID)
    }

    /// Begins and ends the grants whose moment has come.
    package static func advance(
        _ state: inout ShieldState,
        _ context: RequestContext,
        _ change: StoreTransaction
    )
        throws
    {
        try changing(&state, context, change) { _ in }
    }

    // MARK: - Changing the book

    private static func answering(
        _ state: inout ShieldState,
        _ context: RequestContext,
        _ change: StoreTransaction,
        _ body: (inout RequestBook) throws -> (request: MoreTime, refusal: Problem?)
    ) throws -> RequestAnswered {
        let (request, refusal) = try changing(&state, context, change, body)
        return RequestAnswered(request: request.view, refusal: refusal)
    }

    /// Changes the book, does what has become due, writes down what is different, and tells of every grant that
    /// began or ended.
    static func changing<Result>(
        _ state: inout ShieldState,
        _ context: RequestContext,
        _ change: StoreTransaction,
        _ body: (inout RequestBook) throws -> Result
    ) throws -> Result {
        let old = state.requests
        var book = old
        // Before anything ends: its end is told first and forgotten later.
        book.forgetOld()
        let day = RequestAdding.day(context, book)
        // First what is over, so that nobody takes back or answers what has ended in between.
        _ = book.advance(context.now, bootID: context.bootID, day: day)
        let result = try body(&book)
        _ = book.advance(context.now, bootID: context.bootID, day: day)
        try RequestTable.save(book, after: old, change.database)
        state.requests = book
        for number in Set(old.requests.keys).union(book.requests.keys).sorted() {
            guard let new = book.requests[number], new.fromMs != nil,
                new.state != old.requests[number]?.state
            else { continue }
            try ChangeLog.grant(
                new.view,
                route: context.header.route,
                cause: context.cause,
                &state,
                change
            )
        }
        return result
    }
}
