package import STPlatform

/// What a host and the extension process it started say to each other over a private endpoint.
///
/// Every message is multipart, and its first frame names its kind. The host binds a ROUTER, the extension connects a
/// DEALER to `ExtensionEnvironment.host`.
package enum ExtensionProtocol {
    package static let version: Int64 = 1

    /// The first frame of a message, as text.
    package enum Kind: String, Sendable, CaseIterable {
        /// From the extension, first of all: `[hello, ExtensionHello]`.
        case hello
        /// From the host: `[call, ExtensionCall]`.
        case call
        /// From the extension during a call: `[request, RequestHeader, body]`.
        ///
        /// The host takes id, route and timeout from the header; the rest it sets itself.
        case request
        /// From the host, to one request: `[reply, ReplyHeader, body]`; the body of a refusal is a Problem.
        case reply
        /// From the extension: the callback's function has returned: `[returned, ExtensionReturned]`.
        case returned
        /// From the extension: no work that the callback began is left: `[settled, ExtensionSettled]`.
        case settled
        /// From the host: `[end, {}]`; the extension closes and exits.
        case end

        package var frame: [UInt8] { Array(rawValue.utf8) }

        package init?(frame: [UInt8]) { self.init(rawValue: String(decoding: frame, as: UTF8.self)) }
    }

    /// Frames of one message, with the kind.
    package static let frames = 3
    /// For `hello` and `settled`; a header has the bus's own limit.
    package static let bodyBytes = 64 * 1024
    /// For `returned`, where the point has no limit of its own: the look of a shield with a picture in it.
    package static let returnedBytes = 256 * 1024
    /// A longer message closes the connection without a word; up to it the host answers that it is too long.
    package static let messageBytes: Int64 = 16 * 1024 * 1024
    /// Requests of one extension that wait for their answers.
    package static let requestsMax = 64
    /// Requests of one call.
    package static let ordinalMax: Int64 = 10_000
}

/// What an extension is for, by the identifier that Apple's Info.plist gives it.
package struct ExtensionPoint: Sendable, Hashable, RawRepresentable, Codable, CustomStringConvertible {
    package let rawValue: String

    package init(rawValue: String) { self.rawValue = rawValue }

    package init(_ rawValue: String) { self.rawValue = rawValue }

    package var description: String { rawValue }

    package static let monitor = ExtensionPoint("com.apple.deviceactivity.monitor-extension")
    package static let shieldConfiguration = ExtensionPoint(
        "com.apple.ManagedSettingsUI.shield-configuration-service"
    )
    package static let shieldAction = ExtensionPoint("com.apple.ManagedSettings.shield-action-service")
    package static let report = ExtensionPoint("com.apple.deviceactivityui.report-extension")

    package static let all: [ExtensionPoint] = [monitor, shieldConfiguration, shieldAction, report]

    /// The routes that extensions of this point may call through their host.
    ///
    /// An extension of a shield makes its texts without asking a service, and what a report sees may not leave it.
    package var routes: Set<String> {
        switch self {
        case .monitor: Self.acting
        case .shieldAction: Self.acting
        case .report: ["report.data"]
        default: []
        }
    }

    /// True if the extension receives a person's usage. Its containers are then read-only.
    package var isConfined: Bool { self == .report || self == .shieldConfiguration }

    /// The limit of what a call returns.
    package var returnedBytes: Int { self == .report ? PageLimits.bytes : ExtensionProtocol.returnedBytes }

    private static let acting: Set<String> = [
        "auth.status", "activity.start", "activity.stop", "activity.list", "activity.schedule",
        "activity.events", "activity.preview", "settings.get", "settings.set", "settings.clear",
        "settings.delete",
        "settings.list", "settings.effective", "notify.post", "notify.list", "notify.withdraw", "request.add",
    ]
}

/// The names of the environment variables that an extension process starts with.
package enum ExtensionEnvironment {
    /// The endpoint to connect to, with its `ipc://`.
    package static let host = "SCREENTIME_HOST"
    package static let app = "SCREENTIME_APP"
    package static let member = "SCREENTIME_MEMBER"
    /// An `ExtensionPoint`.
    package static let point = "SCREENTIME_POINT"
    /// The folder of the app's bundle, which holds its pictures and colours.
    package static let bundle = "SCREENTIME_BUNDLE"
    /// The state directory, for containers that an app shares with its extensions.
    package static let state = "SCREENTIME_STATE"
    /// The number of a descriptor that takes one `ExtensionLogLine` as JSON per line.
    package static let logDescriptor = "SCREENTIME_LOG_FD"
    /// The page of a virtual clock, when there is one; the library that reads it is in `LD_PRELOAD`.
    package static let clock = "SCREENTIME_CLOCK"
    /// Faults of phones that are played, with commas between them: those that an app meets within its own process.
    package static let faults = "SCREENTIME_FAULTS"
}

/// The first thing an extension says: what it speaks, and what it says it is.
package struct ExtensionHello: WireBody, Codable, Equatable {
    /// `ExtensionProtocol.version` of the library the extension was built with.
    package var version: Int64
    package var point: ExtensionPoint
    package var app: String

    package enum CodingKeys: String, CodingKey {
        case point, app
        case version = "protocol"
    }

    package init(version: Int64 = ExtensionProtocol.version, point: ExtensionPoint, app: String) {
        self.version = version
        self.point = point
        self.app = app
    }
}

/// One callback, from the host to the extension.
package struct ExtensionCall: WireBody, Codable, Equatable {
    /// The delivery: the same in every attempt.
    package var id: String
    /// From 1; more than that means that an earlier attempt may have done its work, or a part of it.
    package var attempt: Int64
    /// Apple's base name of the callback, such as `intervalDidStart`.
    package var method: String
    /// For a monitor a `MonitorCallBody`.
    package var body: JSONValue
    /// The wall clock of what led here: the moment at which the callback was due.
    package var wallMs: Int64
    /// How many real milliseconds the call may take, work begun in it included; 0 without a limit (a debugger).
    package var deadlineMs: Int64

    package init(
        id: String,
        attempt: Int64,
        method: String,
        body: JSONValue,
        wallMs: Int64,
        deadlineMs: Int64
    ) {
        self.id = id
        self.attempt = attempt
        self.method = method
        self.body = body
        self.wallMs = wallMs
        self.deadlineMs = deadlineMs
    }
}

/// The callback's function has returned.
package struct ExtensionReturned: WireBody, Codable, Equatable {
    /// The id of the call.
    package var id: String
    /// What the callback answers, where it answers something.
    package var result: JSONValue?
    /// Why it could not be called, such as a method this extension has never heard of.
    package var failure: Problem?

    package init(id: String, result: JSONValue? = nil, failure: Problem? = nil) {
        self.id = id
        self.result = result
        self.failure = failure
    }
}

/// No work that the call began is left; only now is the call over.
package struct ExtensionSettled: WireBody, Codable, Equatable {
    /// The id of the call.
    package var id: String

    package init(id: String) { self.id = id }
}

/// One message of a Logger, one line of JSON on the descriptor of `ExtensionEnvironment.logDescriptor`.
package struct ExtensionLogLine: WireBody, Codable, Equatable {
    /// `debug`, `info`, `notice`, `error` or `fault`.
    package var level: String
    package var subsystem: String
    package var category: String
    package var text: String

    package init(level: String, subsystem: String = "", category: String = "", text: String) {
        self.level = level
        self.subsystem = subsystem
        self.category = category
        self.text = text
    }
}
