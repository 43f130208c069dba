import STContracts
import STPlatform

/// A shield that went up, with what its buttons need.
struct ShieldRecord {
    var number: Int64 = 0
    var shown: ShownShield
    /// Whose shield it is.
    var app: String
    /// Whether the buttons are the app's own, or the system's.
    var isOwnLook: Bool
    var target: ShieldTarget
    var buttons: Set<ShieldButton>
    /// The last press, 0 when there was none.
    var press: Int64 = 0
    var attempt: Int64 = 0
    /// What was answered to it; nil while it is not, and after a long time.
    var answer: ShieldPress.Reply?

    /// The buttons that a person sees.
    static func buttons(of look: ShieldLook) -> Set<ShieldButton> {
        var buttons: Set<ShieldButton> = []
        if look.primary != nil { buttons.insert(.primary) }
        guard look.secondary != nil else { return buttons }
        buttons.insert(.secondary)
        for (button, _) in zip([ShieldButton.firstSubmenu, .secondSubmenu, .thirdSubmenu], look.submenu) {
            buttons.insert(button)
        }
        return buttons
    }

    /// Whether this press is answered already.
    ///
    /// Throws when it cannot be one of this shield.
    func isAnswered(_ request: ShieldPress.Request) throws -> Bool {
        let button = try request.button.required("/button")
        guard request.press > press || (request.press == press && shown.button == button) else {
            throw Problem(
                "shield.answered",
                "Press \(request.press) of this shield was answered already. Count on from \(press).",
                field: "/press",
                details: ["press": String(press)]
            )
        }
        guard request.press > press else {
            if answer == nil, shown.response != nil {
                throw Problem(
                    "shield.answered",
                    "What was answered to that press is not kept any more. Count on from \(press).",
                    field: "/press"
                )
            }
            return answer != nil
        }
        guard request.press <= Self.pressMax else {
            throw Problem("body.invalid", "A press is counted from 1.", field: "/press")
        }
        guard buttons.contains(button) else {
            throw Problem(
                "shield.no_button",
                "That shield shows no such button. It shows: "
                    + buttons.map(\.rawValue).sorted().joined(separator: ", ") + ".",
                field: "/button"
            )
        }
        return false
    }

    private static let pressMax: Int64 = 1_000_000
}
