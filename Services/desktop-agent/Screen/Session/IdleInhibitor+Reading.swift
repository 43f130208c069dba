import STDBus

extension IdleInhibitor {
    /// Of whoever makes more we know that many.
    static let countMax = 64

    /// Of all that logind lists those that hold off idleness.
    static func read(_ list: [DBusValue]) -> [IdleInhibitor] {
        let found = list.lazy.compactMap { entry -> IdleInhibitor? in
            guard let fields = entry.elements, fields.count == 6, let what = fields[0].text,
                what.split(separator: ":").contains("idle"), fields[3].text == "block"
            else { return nil }
            let pid = fields[5].number.flatMap { Int32(exactly: $0) }.flatMap { $0 > 0 ? $0 : nil }
            return IdleInhibitor(
                who: HeardText.safe(fields[1].text) ?? "Somebody",
                why: HeardText.safe(fields[2].text) ?? "",
                pid: pid
            )
        }
        return Array(found.prefix(countMax))
    }
}
