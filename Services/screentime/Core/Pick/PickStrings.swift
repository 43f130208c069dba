import STContracts
import STPlatform

/// The texts of the picker in the person's language.
struct PickStrings {
    let language: DisplayLanguage

    private func say(_ key: String, _ text: MessageText) -> String { language.text(key, text) }

    var apps: String { say("pick.apps", "Apps") }
    var categories: String { say("pick.categories", "Categories") }
    var sites: String { say("pick.sites", "Sites") }
    var search: String { say("pick.search", "Search: ") }
    var site: String { say("pick.site", "Site: ") }
    var notInstalled: String { say("pick.no-longer-installed", "No longer installed") }
    var coversNothing: String { say("pick.no-installed-app-is", "This category has no installed apps.") }

    func count(_ all: Int, _ chosen: Int) -> String {
        chosen == 0 ? "\(all)" : say("pick.chosen", "\(all, "all"), \(chosen, "chosen") chosen")
    }

    func apps(_ count: Int) -> String {
        language.text(
            "pick.count-of-apps",
            count: count,
            one: "\(count, "count") app",
            other: "\(count, "count") apps"
        )
    }

    func countOfCategories(_ count: Int) -> String {
        language.text(
            "pick.count-of-categories",
            count: count,
            one: "\(count, "count") category",
            other: "\(count, "count") categories"
        )
    }

    func countOfSites(_ count: Int) -> String {
        language.text(
            "pick.count-of-sites",
            count: count,
            one: "\(count, "count") site",
            other: "\(count, "count") sites"
        )
    }

    func covers(_ count: Int) -> String { say("pick.covers", "Includes \(apps(count), "apps"):") }

    func coveredBy(_ category: String) -> String {
        say(
            "pick.already-included-its-category",
            "Already included: its category \(category, "category") is chosen."
        )
    }

    func notInstalledApp(_ id: String) -> String {
        say(
            "pick.is-no-longer-installed",
            "\(id, "id") is no longer installed; it stays chosen until you remove it."
        )
    }

    func unknownCategory(_ name: String) -> String {
        say(
            "pick.this-version-does-not",
            "This version does not support the category \(name, "name"); it stays chosen."
        )
    }

    func addsSite(_ site: String) -> String { say("pick.enter-adds", "Enter adds \(site, "site").") }

    func more(_ count: Int) -> String { say("pick.more", "\(count, "count") more") }

    func isIn(_ category: String) -> String {
        say("pick.in-the-category", "In the category \(category, "category").")
    }

    func origin(_ origin: AppOrigin) -> String? {
        switch origin {
        case .system, .unknown: nil
        case .user: say("pick.from-the-home-folder", "from the home folder")
        case .flatpak: "Flatpak"
        case .snap: "Snap"
        }
    }

    var full: String {
        say(
            "pick.a-selection-has-at",
            """
            A selection has at most \(PickFile.itemsMax, "most") entries from each list. Remove one first, \
            or choose a category.
            """
        )
    }

    func empty(_ tab: PickerModel.Tab) -> String {
        switch tab {
        case .apps: say("pick.no-installed-app-is-shown", "No installed app has a menu entry.")
        case .categories: say("pick.there-are-no-categories", "There are no categories.")
        case .sites:
            say("pick.type-a-site-such", "Type a site, such as reddit.com, and press Enter.")
        }
    }

    func nothing(_ tab: PickerModel.Tab, _ search: String) -> String {
        let text = DisplayWidth.sanitized(search)
        return tab == .sites
            ? say(
                "pick.is-not-yet-a",
                "“\(text, "text")” is not yet a complete site name, such as reddit.com."
            )
            : say("pick.nothing-here-is-called", "Nothing matches “\(text, "text")”.")
    }

    /// Returns the hints, longest first.
    func hints(_ tab: PickerModel.Tab, adds: Bool) -> [String] {
        let enter = adds ? say("pick.enter-adds-it", "Enter adds it") : say("pick.enter-saves", "Enter saves")
        let short = adds ? say("pick.enter-adds-2", "Enter adds") : say("pick.enter-saves", "Enter saves")
        let fold = tab == .categories ? say("pick.shows-its-apps", " · → shows its apps") : ""
        return [
            say(
                "pick.space-chooses-tab-next",
                "Space chooses\(fold, "fold") · Tab: next list · \(enter, "enter") · Esc leaves without saving"
            ),
            say("pick.space-chooses-tab-esc", "Space chooses · Tab · \(enter, "enter") · Esc leaves"),
            say("pick.space-tab-esc", "Space · Tab · \(short, "short") · Esc"),
            "Space Tab Enter Esc",
        ]
    }
}
