package import STPlatform
import STWire

/// A file of a page.
package struct PageAsset: Sendable {
    package static let script = "text/javascript; charset=utf-8"

    package var bytes: [UInt8]
    package var type: String

    package init(bytes: [UInt8], type: String) {
        self.bytes = bytes
        self.type = type
    }

    /// Returns the script `words.js`: its English texts, followed by all translations. The keys of its messages begin with `area`.
    package static func localized(_ english: [UInt8], area: String) -> PageAsset {
        var names: [String: JSONValue] = [:]
        var texts: [String: JSONValue] = [:]
        for language in DisplayLanguage.all {
            names[language.code] = .string(language.text("language.name", "English"))
            let found = Translations.load(language)?.texts(under: area + ".") ?? [:]
            texts[language.code] = .object(found.mapValues { .string($0) })
        }
        var bytes = english + Array("\nexport const languages = ".utf8)
        JSONValue.object(names).append(to: &bytes)
        bytes += Array(";\nexport const translations = ".utf8)
        JSONValue.object(texts).append(to: &bytes)
        return PageAsset(bytes: bytes + Array(";\n".utf8), type: script)
    }

    /// The files that every page uses, below `/page/`.
    package static let common: [String: PageAsset] = [
        "console.css": PageAsset(bytes: PackageResources.console_css, type: "text/css; charset=utf-8"),
        "icon.svg": PageAsset(bytes: PackageResources.icon_svg, type: "image/svg+xml"),
        "tools.js": PageAsset(bytes: PackageResources.tools_js, type: script),
    ]
}

/// Creates replies with headers that allow the browser only what the page needs.
package enum PageResponses {
    private static let policy = """
        default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; \
        frame-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'
        """
    private static let commonHeaders = [
        "X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer", "Cache-Control": "no-store",
        "Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Resource-Policy": "same-origin",
    ]

    package static func whole(
        _ bytes: [UInt8],
        _ type: String,
        status: UInt32 = 200,
        policy: String? = nil
    ) -> PageReply {
        let own = ["Content-Type": type, "Content-Security-Policy": policy ?? Self.policy]
        return PageReply(status: status, headers: commonHeaders.merging(own) { $1 }, body: .whole(bytes))
    }

    package static func json(_ text: String, status: UInt32 = 200) -> PageReply {
        whole(Array(text.utf8), "application/json", status: status)
    }

    /// The reply if the browser already has the present version.
    package static let notModified = PageReply(status: 204, headers: commonHeaders, body: .whole([]))

    package static func redirect(to path: String) -> PageReply {
        PageReply(status: 303, headers: commonHeaders.merging(["Location": path]) { $1 }, body: .whole([]))
    }

    package static func stream(_ line: LiveStream) -> PageReply {
        PageReply(
            headers: commonHeaders.merging(["Content-Type": "text/event-stream"]) { $1 },
            body: .live(line)
        )
    }

    package static func refusal(_ problem: Problem) -> PageReply {
        let bytes = (try? problem.encodedBody()) ?? []
        return whole(bytes, "application/json", status: status(of: problem))
    }

    package static func status(of problem: Problem) -> UInt32 {
        switch problem.code {
        case "console.closed", "phone.closed": 401
        case "console.wrong_host", "console.other_page", "console.not_here", "phone.other_page": 403
        case "console.not_found", "phone.not_found": 404
        case "console.wrong_method", "phone.wrong_method": 405
        case "page.body_too_large": 413
        case "console.wrong_type": 415
        case "service.not_running", "system.not_running": 503
        case "internal": 500
        default: 400
        }
    }
}
