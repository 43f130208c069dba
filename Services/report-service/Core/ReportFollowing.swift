import STContracts
import STEngine
import STStore

/// The streams of activity-center that report-service follows.
enum ReportFollowing {
    static let usage = Subscription<ReportState>(
        source: .activity,
        stream: .usage,
        reset: { state, change in
            try UsageAggregator.clear(change.database)
            state.fold = UsageAggregator()
            state.devices = [:]
            state.tail = nil
            state.generation += 1
            state.isBuilding = true
        },
        apply: { state, event, change in
            try fold(event, state: &state, database: change.database)
            ModelTakeover.buffer(event, &state)
        },
        settled: { state, change in try state.fold.write(change.database) },
        reached: { $0.isBuilding = false }
    )

    static let names = Subscription<ReportState>(
        source: .activity,
        stream: .activity,
        reset: { state, change in
            state.facts = [:]
            try change.database.run("DELETE FROM facts")
        },
        apply: { state, event, change in
            guard event.header.type == SubjectKnown.type else { return }
            let facts = try event.decoded(SubjectKnown.self)
            let key = ReportState.key(facts.subject)
            guard state.facts[key] != nil || state.facts.count < ReportState.factsMax else { return }
            state.facts[key] = facts
            try change.database.run(
                "INSERT OR REPLACE INTO facts (subject, facts) VALUES (?, ?)",
                [.text(key), .blob(try facts.encodedBody())]
            )
        }
    )

    static func load(_ database: Database) throws -> ReportState {
        var state = ReportState()
        state.fold = try UsageAggregator.load(database)
        let epoch = try database.first(
            "SELECT epoch FROM cursors WHERE source = ? AND stream = ?",
            [.text(ServiceName.activity.rawValue), .text(StreamName.usage.rawValue)]
        ) { try $0.text(0) }
        // The cursor has an empty epoch after an interrupted rebuild, and in a database of a version with other figures.
        state.isBuilding = epoch == ""
        try database.query("SELECT device, body FROM devices") {
            state.devices[try $0.text(0)] = try ImportedDevice.decodedBody(try $0.blob(1))
        }
        try database.query("SELECT subject, facts FROM facts") {
            state.facts[try $0.text(0)] = try SubjectFacts.decodedBody(try $0.blob(1))
        }
        return state
    }

    /// Applies an event in memory. `settled` writes the result.
    static func fold(_ event: WireEvent, state: inout ReportState, database: Database) throws {
        switch event.header.type {
        case SegmentOpened.type: state.fold.opened(try event.decoded(SegmentOpened.self))
        case SegmentClosed.type: try state.fold.closed(try event.decoded(SegmentClosed.self), database)
        case UsageNotified.type: state.fold.countNotification(try event.decoded(UsageNotified.self))
        case DeviceImported.type:
            let device = try event.decoded(DeviceImported.self)
            state.devices[device.device] = device
            try database.run(
                "INSERT OR REPLACE INTO devices (device, body) VALUES (?, ?)",
                [.text(device.device), .blob(try device.encodedBody())]
            )
        // Deleted usage is missing from the snapshot that follows.
        default: return
        }
    }
}

/// The stream of auth-service that report-service follows.
enum HostingFollowing {
    static let authorization = Subscription<ReportState>(
        source: .auth,
        stream: .authorization,
        reset: { state, change in
            state.apps = ReportApps()
            try ReportAppTable.clear(change.database)
        },
        apply: { state, event, change in try apply(event, apps: &state.apps, change: change) },
        reached: { $0.apps.isWhole = true }
    )

    private static func apply(_ event: WireEvent, apps: inout ReportApps, change: StoreTransaction) throws {
        switch event.header.type {
        case MemberAdded.type:
            let member = try event.decoded(MemberAdded.self)
            apps.children[member.name] = member.role == .child
            try ReportAppTable.set(member, change.database)
        case MemberRemoved.type:
            let name = try event.decoded(MemberRemoved.self).name
            apps.children[name] = nil
            try ReportAppTable.remove(member: name, change.database)
        case AppInstalled.type:
            let app = try event.decoded(AppInstalled.self)
            apps.installed[app.manifest.id] = ReportApps.App(app)
            try ReportAppTable.set(app, change.database)
        case AppRemoved.type:
            let app = try event.decoded(AppRemoved.self).app
            apps.installed[app] = nil
            apps.approved = apps.approved.filter { $0.app != app }
            try ReportAppTable.remove(app: app, change.database)
        case AuthorizationChanged.type:
            let word = try event.decoded(AuthorizationChanged.self)
            let permission = ReportApps.Permission(app: word.app, member: word.member)
            let isApproved = word.status == .approved && word.access
            if isApproved { apps.approved.insert(permission) } else { apps.approved.remove(permission) }
            try ReportAppTable.set(permission, isApproved: isApproved, change.database)
        default: return
        }
    }
}
