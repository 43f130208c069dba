import STContracts
import STEngine
import STPlatform

/// What is told to all about passcodes.
enum Notices {
    private static let keptMax = 100

    static func tell(
        _ kind: NoticeKind,
        _ member: String,
        _ text: String,
        _ state: inout AuthState,
        _ change: StoreTransaction
    ) throws {
        let notice = AuthorizationNotice(
            id: Identifier.make(wallMs: change.now.wallMs),
            at: RFC3339.text(wallMs: change.now.wallMs),
            kind: kind,
            member: member,
            text: text
        )
        try NoticeStore.insert(notice, keep: keptMax, change.database)
        // A snapshot holds the latest of each kind, so that it does not grow for ever.
        try change.emit(AuthorizationNoticed.self, subject: "notice/\(member)/\(kind.rawValue)", notice)
        state.notices.append(notice)
        state.notices.removeFirst(max(0, state.notices.count - keptMax))
    }
}
