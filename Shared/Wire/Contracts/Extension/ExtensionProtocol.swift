package import STPlatform

/// The messages between a host and the extension process that it started, over a private endpoint.
///
/// Every message has several frames, and the first frame names its kind. The host binds a ROUTER socket. The extension connects a
/// DEALER socket to `ExtensionEnvironment.host`.
package enum ExtensionProtocol {
    package static let version: Int64 = 1

    /// The kind of a message, which is the text of its first frame.
    package enum Kind: String, Sendable, CaseIterable {
        /// The first message from the extension: `[hello, ExtensionHello]`.
        case hello
        /// From the host: `[call, ExtensionCall]`.
        case call
        /// From the extension during a call: `[request, RequestHeader, body]`.
        ///
        /// The host uses only the id, route and timeout of the header. It sets the other fields itself.
        case request
        /// From the host, in reply to one request: `[reply, ReplyHeader, body]`. The body of a refusal is a `Problem`.
        case reply
        /// From the extension, when the callback's function has returned: `[returned, ExtensionReturned]`.
        case returned
        /// From the extension, when no work of the callback is left: `[settled, ExtensionSettled]`.
        case settled
        /// From the host: `[end, {}]`. The extension closes the connection and exits.
        case end

        package var frame: [UInt8] { Array(rawValue.utf8) }

        package init?(frame: [UInt8]) { self.init(rawValue: String(decoding: frame, as: UTF8.self)) }
    }

    /// The maximum number of frames of a message, including its kind.
    package static let frames = 3
    /// The maximum size of the body of `hello` and `settled`. Headers have the bus's own limit.
    package static let bodyBytes = 64 * 1024
    /// The maximum size of the body of `returned`, for extension points without a limit of their own. It suffices for a shield's
    /// look with a picture.
    package static let returnedBytes = 256 * 1024
    /// The size beyond which a message closes the connection without a reply. The host answers smaller messages that are too long
    /// with an error.
    package static let messageBytes: Int64 = 16 * 1024 * 1024
    /// The maximum number of requests of one extension that wait for their replies.
    package static let requestsMax = 64
    /// The maximum number of requests of one call.
    package static let ordinalMax: Int64 = 10_000
}

/// The purpose of an extension, by the identifier in Apple's Info.plist.
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
    /// A shield-configuration extension needs no service for its texts. A report extension must not pass on the usage that it
    /// receives.
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

    /// The maximum size of the result of a call, in bytes.
    package var returnedBytes: Int { self == .report ? PageLimits.bytes : ExtensionProtocol.returnedBytes }

    private static let acting: Set<String> = [
        "auth.status", "activity.start", "activity.stop", "activity.list", "activity.schedule",
        "activity.events", "activity.preview", "settings.get", "settings.set", "settings.clear",
        "settings.delete",
        "settings.list", "settings.effective", "notify.post", "notify.list", "notify.withdraw", "request.add",
    ]
}

/// The names of the environment variables of an extension process.
package enum ExtensionEnvironment {
    /// The endpoint to which the extension connects, including `ipc://`.
    package static let host = "SCREENTIME_HOST"
    package static let app = "SCREENTIME_APP"
    package static let member = "SCREENTIME_MEMBER"
    /// The raw value of an `ExtensionPoint`.
    package static let point = "SCREENTIME_POINT"
    /// The folder of the app's bundle, which contains its pictures and colours.
    package static let bundle = "SCREENTIME_BUNDLE"
    /// The state directory, which contains the containers that an app shares with its extensions.
    package static let state = "SCREENTIME_STATE"
    /// The number of a descriptor to which the extension writes one `ExtensionLogLine` as JSON per line.
    package static let logDescriptor = "SCREENTIME_LOG_FD"
    /// The page of a virtual clock, if there is one. The library that reads it is in `LD_PRELOAD`.
    package static let clock = "SCREENTIME_CLOCK"
    /// The simulated phone faults that occur within the app's own process, separated by commas.
    package static let faults = "SCREENTIME_FAULTS"
}

/// The first message of an extension, with its protocol version and its identity.
package struct ExtensionHello: WireBody, Codable, Equatable {
    /// `ExtensionProtocol.version` of the library with which the extension was built.
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

/// A call of one callback, from the host to the extension.
package struct ExtensionCall: WireBody, Codable, Equatable {
    /// The id of the delivery, which is the same in every attempt.
    package var id: String
    /// The number of the attempt, from 1. If it is greater than 1, an earlier attempt may have done all or a part of the work.
    package var attempt: Int64
    /// Apple's base name of the callback, such as `intervalDidStart`.
    package var method: String
    /// The arguments. For a monitor, a `MonitorCallBody`.
    package var body: JSONValue
    /// The wall-clock time at which the callback was due.
    package var wallMs: Int64
    /// The maximum duration of the call in real milliseconds, including the work that it begins. 0 means no limit, for a debugger.
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

/// The message that the callback's function has returned.
package struct ExtensionReturned: WireBody, Codable, Equatable {
    /// The id of the call.
    package var id: String
    /// The result of the callback, if it has one.
    package var result: JSONValue?
    /// The reason why the callback could not be called, such as a method that this extension does not support.
    package var failure: Problem?

    package init(id: String, result: JSONValue? = nil, failure: Problem? = nil) {
        self.id = id
        self.result = result
        self.failure = failure
    }
}

/// The message that no work of the call is left. Only this message ends the call.
package struct ExtensionSettled: WireBody, Codable, Equatable {
    /// The id of the call.
    package var id: String

    package init(id: String) { self.id = id }
}

/// One message of a `Logger`, as a line of JSON on the descriptor of `ExtensionEnvironment.logDescriptor`.
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
