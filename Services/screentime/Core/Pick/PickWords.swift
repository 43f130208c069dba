import STContracts
import STPlatform

/// What the picker says, in the person's language.
struct PickWords {
    let language: WordLanguage

    private func pick(_ english: String, _ korean: String) -> String { language.pick(english, korean) }

    var apps: String { pick("Apps", "앱") }
    var categories: String { pick("Categories", "카테고리") }
    var sites: String { pick("Sites", "사이트") }
    var search: String { pick("Search: ", "검색: ") }
    var site: String { pick("Site: ", "사이트: ") }
    var notInstalled: String { pick("No longer installed", "더 이상 설치되어 있지 않음") }
    var coversNothing: String { pick("No installed app is in it.", "여기에 속하는 설치된 앱이 없습니다.") }

    func count(_ all: Int, _ chosen: Int) -> String {
        chosen == 0 ? "\(all)" : pick("\(all), \(chosen) chosen", "\(all)개 중 \(chosen)개 선택")
    }

    func apps(_ count: Int) -> String {
        pick(count == 1 ? "1 app" : "\(count) apps", "앱 \(count)개")
    }

    func covers(_ count: Int) -> String { pick("Covers \(apps(count)):", "앱 \(count)개 포함:") }

    func coveredBy(_ category: String) -> String {
        pick("Already included: its category \(category) is chosen.", "카테고리 \(category)이(가) 선택되어 이미 포함됩니다.")
    }

    func gone(_ id: String) -> String {
        pick(
            "\(id) is no longer installed; it stays chosen until you remove it.",
            "\(id)은(는) 더 이상 설치되어 있지 않습니다. 선택을 해제할 때까지 남아 있습니다."
        )
    }

    func unknownCategory(_ name: String) -> String {
        pick(
            "This version does not know the category \(name); it stays chosen.",
            "\(name)은(는) 이 버전이 모르는 카테고리입니다. 그대로 둡니다."
        )
    }

    func addsSite(_ site: String) -> String { pick("Enter adds \(site).", "Enter 키로 \(site)을(를) 추가합니다.") }

    func more(_ count: Int) -> String { pick("\(count) more", "\(count)개 더") }

    func isIn(_ category: String) -> String { pick("In the category \(category).", "카테고리: \(category)") }

    func origin(_ origin: AppOrigin) -> String? {
        switch origin {
        case .system, .unknown: nil
        case .user: pick("from the home folder", "홈 폴더")
        case .flatpak: "Flatpak"
        case .snap: "Snap"
        }
    }

    var full: String {
        pick(
            "A selection has at most \(PickFile.itemsMax) from each list. Remove one first, or choose a category.",
            "목록마다 \(PickFile.itemsMax)개까지 선택할 수 있습니다. 먼저 다른 항목을 빼거나 카테고리를 선택하세요."
        )
    }

    func empty(_ tab: PickerModel.Tab) -> String {
        switch tab {
        case .apps: pick("No installed app is shown in menus.", "메뉴에 표시되는 앱이 없습니다.")
        case .categories: pick("There are no categories.", "카테고리가 없습니다.")
        case .sites:
            pick(
                "Type a site, such as reddit.com, and press Enter.",
                "reddit.com과 같은 사이트를 입력하고 Enter 키를 누르세요."
            )
        }
    }

    func nothing(_ tab: PickerModel.Tab, _ search: String) -> String {
        let text = DisplayWidth.harmless(search)
        return tab == .sites
            ? pick(
                "“\(text)” is not yet a complete site name, such as reddit.com.",
                "“\(text)”은(는) 아직 reddit.com과 같은 전체 사이트 이름이 아닙니다."
            )
            : pick("Nothing here is called “\(text)”.", "“\(text)”(으)로 찾은 것이 없습니다.")
    }

    /// The longest first.
    func hints(_ tab: PickerModel.Tab, adds: Bool) -> [String] {
        let enter = adds ? pick("Enter adds it", "Enter 추가") : pick("Enter saves", "Enter 저장")
        let short = adds ? pick("Enter adds", "Enter 추가") : pick("Enter saves", "Enter 저장")
        let fold = tab == .categories ? pick(" · → shows its apps", " · → 앱 보기") : ""
        return [
            pick(
                "Space chooses\(fold) · Tab: next list · \(enter) · Esc leaves without saving",
                "Space 선택\(fold) · Tab 다음 목록 · \(enter) · Esc 저장하지 않고 나가기"
            ),
            pick("Space chooses · Tab · \(enter) · Esc leaves", "Space 선택 · Tab · \(enter) · Esc 나가기"),
            pick("Space · Tab · \(short) · Esc", "Space · Tab · \(short) · Esc"),
            "Space Tab Enter Esc",
        ]
    }
}
