import STContracts
import Testing

/// A message that a service must reject, and the expected code.
struct WireRefusal: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let service: ServiceName
    let frames: [[UInt8]]
    let code: String

    private init(_ what: String, code: String, frames: [[UInt8]], to service: ServiceName = .activity) {
        testDescription = what
        self.service = service
        self.frames = frames
        self.code = code
    }

    /// A valid header with a body.
    private init(_ what: String, code: String, route: String, body: String, to service: ServiceName) {
        self.init(what, code: code, frames: [Self.header(route), Array(body.utf8)], to: service)
    }

    private static func header(_ route: String) -> [UInt8] { RequestHeader(id: "1", route: route).encoded() }

    private static func text(_ text: String) -> [UInt8] { Array(text.utf8) }

    private static func nested(_ depth: Int) -> [UInt8] {
        text(String(repeating: #"{"a":"#, count: depth) + "1" + String(repeating: "}", count: depth))
    }

    static let frames: [WireRefusal] = [
        WireRefusal("a header that is no JSON", code: "header.invalid", frames: [text("hello"), text("{}")]),
        WireRefusal("a header that is a list", code: "header.invalid", frames: [text("[1]"), text("{}")]),
        WireRefusal("a header that breaks off", code: "header.invalid", frames: [text(#"{"v":1,"id":"1","#)]),
        WireRefusal("a header in invalid UTF-8", code: "header.invalid", frames: [[0x7B, 0xFF, 0x7D]]),
        WireRefusal("a header nested too deep", code: "frame.too_deep", frames: [nested(33)]),
        WireRefusal(
            "a header that is too big",
            code: "frame.too_large",
            frames: [Array(repeating: 0x20, count: 4097)]
        ),
        WireRefusal("a body that is too big", code: "frame.too_large", frames: [header("health.ping"), big]),
        WireRefusal(
            "too many frames",
            code: "frame.too_many",
            frames: [header("health.ping"), text("{}"), [], [], []]
        ),
        WireRefusal("half an envelope", code: "frame.missing", frames: [[]]),
        WireRefusal("an empty header behind an envelope", code: "header.invalid", frames: [[], []]),
        WireRefusal("no id", code: "header.no_id", frames: [text(#"{"v":1,"route":"health.ping"}"#)]),
        WireRefusal(
            "an id that is a number",
            code: "header.no_id",
            frames: [text(#"{"v":1,"id":7,"route":"health.ping"}"#)]
        ),
        WireRefusal("an id that is too long", code: "header.id_too_long", frames: [longID]),
        WireRefusal("no route", code: "header.no_route", frames: [text(#"{"v":1,"id":"1"}"#)]),
        WireRefusal("an unknown route", code: "route.not_found", frames: [header("usage.observ")]),
        WireRefusal("a route of another service", code: "route.not_found", frames: [header("member.list")]),
        WireRefusal(
            "no version",
            code: "version.unsupported",
            frames: [text(#"{"id":"1","route":"health.ping"}"#)]
        ),
        WireRefusal(
            "a later version",
            code: "version.unsupported",
            frames: [text(#"{"v":2,"id":"1","route":"health.ping"}"#)]
        ),
        WireRefusal(
            "a timeout that is over",
            code: "deadline.exceeded",
            frames: [text(#"{"v":1,"id":"1","route":"usage.list","timeout_ms":0}"#)]
        ),
        WireRefusal(
            "a deadline in the past",
            code: "deadline.exceeded",
            frames: [text(#"{"v":1,"id":"1","route":"usage.list","deadline_boot_ms":1}"#)]
        ),
        WireRefusal(
            "an empty idempotency key",
            code: "header.bad_idempotency_key",
            frames: [text(#"{"v":1,"id":"1","route":"usage.observe","idempotency_key":""}"#)]
        ),
    ]

    static let bodies: [WireRefusal] = [
        WireRefusal(
            "a body that is no JSON",
            code: "body.invalid",
            route: "usage.list",
            body: "hello",
            to: .activity
        ),
        WireRefusal(
            "a body that breaks off",
            code: "body.invalid",
            route: "usage.list",
            body: #"{"limit":"#,
            to: .activity
        ),
        WireRefusal(
            "a body with more behind it",
            code: "body.invalid",
            route: "usage.list",
            body: "{} {}",
            to: .activity
        ),
        WireRefusal(
            "a body that is a list",
            code: "body.not_an_object",
            route: "usage.list",
            body: "[]",
            to: .activity
        ),
        WireRefusal(
            "a body nested too deep",
            code: "frame.too_deep",
            frames: [header("usage.list"), nested(33)]
        ),
        WireRefusal(
            "a missing field",
            code: "body.field_missing",
            route: "member.add",
            body: #"{"role":"child"}"#,
            to: .auth
        ),
        WireRefusal(
            "a wrong type",
            code: "body.wrong_type",
            route: "member.add",
            body: #"{"name":7,"role":"child"}"#,
            to: .auth
        ),
        WireRefusal(
            "an unknown role",
            code: "body.unknown_value",
            route: "member.add",
            body: #"{"name":"m","role":"boss"}"#,
            to: .auth
        ),
        WireRefusal(
            "a name with a slash",
            code: "member.bad_name",
            route: "member.add",
            body: #"{"name":"a/b","role":"child"}"#,
            to: .auth
        ),
        WireRefusal(
            "an unknown grouping",
            code: "body.unknown_value",
            route: "report.day",
            body: #"{"by":"colour"}"#,
            to: .report
        ),
        WireRefusal(
            "a day that is none",
            code: "report.bad_day",
            route: "report.day",
            body: #"{"day":"2026-02-30"}"#,
            to: .report
        ),
        WireRefusal(
            "a page that is none",
            code: "page.invalid",
            route: "usage.list",
            body: #"{"next":"x"}"#,
            to: .activity
        ),
        WireRefusal(
            "a limit below one",
            code: "body.invalid",
            route: "usage.list",
            body: #"{"limit":0}"#,
            to: .activity
        ),
        WireRefusal(
            "no observations",
            code: "usage.bad_batch",
            route: "usage.observe",
            body: batch(""),
            to: .activity
        ),
        WireRefusal(
            "an unknown stream",
            code: "stream.not_found",
            route: "events.since",
            body: #"{"stream":"use"}"#,
            to: .activity
        ),
        WireRefusal(
            "a cursor beyond the head",
            code: "epoch.changed",
            route: "events.since",
            body: #"{"stream":"usage","sequence":99}"#,
            to: .activity
        ),
        WireRefusal(
            "a name of no bytes",
            code: "settings.bad_name",
            route: "settings.get",
            body: #"{"app":"","store":""}"#,
            to: .shield
        ),
        WireRefusal(
            "a relative path",
            code: "body.invalid",
            route: "data.backup",
            body: #"{"path":"copy"}"#,
            to: .activity
        ),
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
