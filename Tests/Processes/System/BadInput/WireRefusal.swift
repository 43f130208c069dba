import STContracts
import Testing

/// A message that a service must refuse, and the code it must give.
struct WireRefusal: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let service: ServiceName
    let frames: [[UInt8]]
    let code: String

    private init(_ what: String, _ code: String, _ frames: [[UInt8]], to service: ServiceName = .activity) {
        testDescription = what
        self.service = service
        self.frames = frames
        self.code = code
    }

    /// A well-formed header with a body.
    private init(_ what: String, _ code: String, _ route: String, _ body: String, to service: ServiceName) {
        self.init(what, code, [Self.header(route), Array(body.utf8)], to: service)
    }

    private static func header(_ route: String) -> [UInt8] { RequestHeader(id: "1", route: route).encoded() }

    private static func text(_ text: String) -> [UInt8] { Array(text.utf8) }

    private static func nested(_ depth: Int) -> [UInt8] {
        text(String(repeating: #"{"a":"#, count: depth) + "1" + String(repeating: "}", count: depth))
    }

    static let frames: [WireRefusal] = [
        WireRefusal("a header that is no JSON", "header.invalid", [text("hello"), text("{}")]),
        WireRefusal("a header that is a list", "header.invalid", [text("[1]"), text("{}")]),
        WireRefusal("a header that breaks off", "header.invalid", [text(#"{"v":1,"id":"1","#)]),
        WireRefusal("a header in invalid UTF-8", "header.invalid", [[0x7B, 0xFF, 0x7D]]),
        WireRefusal("a header nested too deep", "frame.too_deep", [nested(33)]),
        WireRefusal("a header that is too big", "frame.too_large", [Array(repeating: 0x20, count: 4097)]),
        WireRefusal("a body that is too big", "frame.too_large", [header("health.ping"), big]),
        WireRefusal("too many frames", "frame.too_many", [header("health.ping"), text("{}"), [], [], []]),
        WireRefusal("half an envelope", "frame.missing", [[]]),
        WireRefusal("an empty header behind an envelope", "header.invalid", [[], []]),
        WireRefusal("no id", "header.no_id", [text(#"{"v":1,"route":"health.ping"}"#)]),
        WireRefusal(
            "an id that is a number",
            "header.no_id",
            [text(#"{"v":1,"id":7,"route":"health.ping"}"#)]
        ),
        WireRefusal("an id that is too long", "header.id_too_long", [longID]),
        WireRefusal("no route", "header.no_route", [text(#"{"v":1,"id":"1"}"#)]),
        WireRefusal("an unknown route", "route.not_found", [header("usage.observ")]),
        WireRefusal("a route of another service", "route.not_found", [header("member.list")]),
        WireRefusal("no version", "version.unsupported", [text(#"{"id":"1","route":"health.ping"}"#)]),
        WireRefusal(
            "a later version",
            "version.unsupported",
            [text(#"{"v":2,"id":"1","route":"health.ping"}"#)]
        ),
        WireRefusal(
            "a timeout that is over",
            "deadline.exceeded",
            [text(#"{"v":1,"id":"1","route":"usage.list","timeout_ms":0}"#)]
        ),
        WireRefusal(
            "a deadline in the past",
            "deadline.exceeded",
            [text(#"{"v":1,"id":"1","route":"usage.list","deadline_boot_ms":1}"#)]
        ),
        WireRefusal(
            "an empty idempotency key",
            "header.bad_idempotency_key",
            [text(#"{"v":1,"id":"1","route":"usage.observe","idempotency_key":""}"#)]
        ),
    ]

    static let bodies: [WireRefusal] = [
        WireRefusal("a body that is no JSON", "body.invalid", "usage.list", "hello", to: .activity),
        WireRefusal("a body that breaks off", "body.invalid", "usage.list", #"{"limit":"#, to: .activity),
        WireRefusal("a body with more behind it", "body.invalid", "usage.list", "{} {}", to: .activity),
        WireRefusal("a body that is a list", "body.not_an_object", "usage.list", "[]", to: .activity),
        WireRefusal("a body nested too deep", "frame.too_deep", [header("usage.list"), nested(33)]),
        WireRefusal("a missing field", "body.field_missing", "member.add", #"{"role":"child"}"#, to: .auth),
        WireRefusal(
            "a wrong type",
            "body.wrong_type",
            "member.add",
            #"{"name":7,"role":"child"}"#,
            to: .auth
        ),
        WireRefusal(
            "an unknown role",
            "body.unknown_value",
            "member.add",
            #"{"name":"m","role":"boss"}"#,
            to: .auth
        ),
        WireRefusal(
            "a name with a slash",
            "member.bad_name",
            "member.add",
            #"{"name":"a/b","role":"child"}"#,
            to: .auth
        ),
        WireRefusal(
            "an unknown grouping",
            "body.unknown_value",
            "report.day",
            #"{"by":"colour"}"#,
            to: .report
        ),
        WireRefusal(
            "a day that is none",
            "report.bad_day",
            "report.day",
            #"{"day":"2026-02-30"}"#,
            to: .report
        ),
        WireRefusal("a page that is none", "page.invalid", "usage.list", #"{"next":"x"}"#, to: .activity),
        WireRefusal("a limit below one", "body.invalid", "usage.list", #"{"limit":0}"#, to: .activity),
        WireRefusal("no observations", "usage.bad_batch", "usage.observe", batch(""), to: .activity),
        WireRefusal(
            "an unknown stream",
            "stream.not_found",
            "events.since",
            #"{"stream":"use"}"#,
            to: .activity
        ),
        WireRefusal(
            "a cursor beyond the head",
            "epoch.changed",
            "events.since",
            #"{"stream":"usage","sequence":99}"#,
            to: .activity
        ),
        WireRefusal(
            "a name of no bytes",
            "settings.bad_name",
            "settings.get",
            #"{"app":"","store":""}"#,
            to: .shield
        ),
        WireRefusal("a relative path", "body.invalid", "data.backup", #"{"path":"copy"}"#, to: .activity),
    ]

    private static let big = text(
        #"{"a":""# + String(repeating: "x", count: BusLimits.requestBodyBytes) + #""}"#
    )
    private static let longID = text(
        #"{"v":1,"id":""# + String(repeating: "i", count: 65) + #"","route":"health.ping"}"#
    )

    private static func batch(_ observations: String) -> String {
        #"{"agent":"a","run":"r","observations":[\#(observations)]}"#
    }
}
