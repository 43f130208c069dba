import STContracts

/// The shields that came up, and how often each thing's did, as two tables.
enum ShieldTable {
    static func lines(_ found: ShieldList.Reply, _ terminal: Terminal) -> [String] {
        guard !found.shields.isEmpty || !found.counts.isEmpty else { return ["No shield came up yet."] }
        var shown = TextTable([
            ("WHEN", .left), ("WHAT", .left), ("WHO", .left), ("SHIELDED BY", .left), ("THEN", .left),
        ])
        for shield in found.shields {
            shown.add([
                .init(LocalTime.text(wallMs: shield.wallMs)),
                .init(name(shield.subject), .bold),
                .init(shield.member),
                .init(author(shield.causes)),
                .init(outcome(shield), .dim),
            ])
        }
        var lines = shown.lines(columns: terminal.columns, expendable: ["WHO", "SHIELDED BY"], terminal)
        guard !found.counts.isEmpty else { return lines }
        var counts = TextTable([("HOW OFTEN", .left), ("SHOWN", .right), ("PRESSED", .right)])
        for count in found.counts {
            counts.add([
                .init(name(count.subject)), .init(String(count.shown)), .init(String(count.pressed)),
            ])
        }
        lines += [""] + counts.lines(columns: terminal.columns, terminal)
        return lines
    }

    static func name(_ subject: ShieldSubject) -> String {
        switch (subject.app, subject.domain) {
        case (let app?, let domain?): "site:\(domain) in \(app)"
        case (nil, let domain?): "site:\(domain)"
        case (let app?, nil): app
        case (nil, nil): "nothing"
        }
    }

    private static func author(_ causes: [ShieldCauseBody]) -> String {
        guard let first = causes.first else { return "-" }
        let name = first.app == BuiltInRules.app ? first.store : first.app
        return causes.count == 1 ? name : "\(name) and \(causes.count - 1) more"
    }

    private static func outcome(_ shield: ShownShield) -> String {
        guard let button = shield.button else { return "no button" }
        let pressed =
            switch button {
            case .primary: "first button"
            case .secondary: "second button"
            case .firstSubmenu, .secondSubmenu, .thirdSubmenu: "its menu"
            case .unknown: "a button"
            }
        switch shield.response {
        case .close: return pressed + ", closed"
        case .defer: return pressed + ", shown anew"
        case .openApp: return pressed + ", opened its app"
        case .some(.none), .unknown, nil: return pressed
        }
    }
}
