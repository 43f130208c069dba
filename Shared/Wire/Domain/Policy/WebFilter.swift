/// Which sites a browser may not open at all.
package struct WebFilter: Sendable, Hashable {
    package enum Reach: String, Sendable {
        case none, specific, auto, all
    }

    package var reach: Reach
    package var domains: Set<String>
    package var except: Set<String>

    package init(_ reach: Reach, domains: Set<String> = [], except: Set<String> = []) {
        self.reach = reach
        self.domains = domains
        self.except = except
    }

    package static let none = WebFilter(.none)
}
