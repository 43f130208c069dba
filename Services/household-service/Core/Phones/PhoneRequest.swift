package import STPlatform

/// A request that a phone's browser may send to the household, by its method and path.
package enum PhoneRequest: Sendable, Equatable {
    /// A file of the page.
    case file(String)
    case all
    case pair
    case change

    private static let cookie = "__Host-phone"
    /// The longest time for which browsers keep a cookie.
    private static let cookieSeconds = 400 * 86_400

    package init(method: String, path: String, headers: [String: String]) throws(Problem) {
        if let site = headers["sec-fetch-site"], site != "same-origin", site != "none" {
            throw Problem("phone.other_page", "Only Screen Time's own page may send this request.")
        }
        switch (method, path) {
        case ("GET", "/all"): self = .all
        case ("GET", "/"): self = .file("index.html")
        case ("GET", _):
            guard path.hasPrefix("/page/") else { throw Self.noPage(path) }
            self = .file(String(path.dropFirst(6)))
        case ("POST", _):
            guard headers["origin"] == "https://\(headers["host"] ?? "")" else {
                throw Problem(
                    "phone.other_page",
                    "Only Screen Time's own page may make changes.",
                    key: "phone.other_page.only-screen-times"
                )
            }
            switch path {
            case "/pair": self = .pair
            case "/do": self = .change
            default: throw Problem("phone.not_found", "Send changes to /do.")
            }
        default: throw Problem("phone.wrong_method", "Use GET to read, and POST to make changes.")
        }
    }

    package static func noPage(_ path: String) -> Problem {
        Problem(
            "phone.not_found",
            "There is no page \(path.prefix(80), "path").",
            key: "phone.not_found.there-is-no"
        )
    }

    /// True if a valid reply shows that the phone's token is valid. Files are the same for everyone.
    package var authenticatesSender: Bool { if case .file = self { false } else { true } }

    /// The token in the headers of a request. Empty if there is none.
    package static func token(_ headers: [String: String]) -> [UInt8] {
        let cookies = (headers["cookie"] ?? "").split(separator: ";")
        let own = cookies.map { $0.drop { $0 == " " } }.first { $0.hasPrefix("\(cookie)=") }
        return own.flatMap { TextFormat.bytes(hex: String($0.dropFirst(cookie.count + 1))) } ?? []
    }

    /// The header `Set-Cookie` of a reply.
    package static func setCookie(_ token: [UInt8]) -> String {
        "\(cookie)=\(TextFormat.hex(token)); Path=/; Max-Age=\(cookieSeconds); Secure; HttpOnly; SameSite=Strict"
    }
}
