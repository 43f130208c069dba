import STContracts
import STPlatform

/// People and devices that a report was asked for, by the names that are known.
enum ReportNamesCheck {
    /// A mistyped name would otherwise look like somebody who did nothing all day.
    static func member(
        _ name: String?,
        _ coverage: ReportCoverage.Reply?,
        _ members: MemberList.Reply?,
        _ line: String
    ) throws(Problem) {
        guard let name, let members else { return }
        let names = members.members.map(\.name) + (coverage?.members ?? []).map(\.member)
        guard !names.contains(name) else { return }
        let near = TextFormat.closest(to: name, in: names)
        throw Problem(
            "member.not_found",
            "Nobody here is called “\(name)”" + (near.map { "; did you mean \($0)?" } ?? "."),
            help: near.map { "\(line) --member \($0)" } ?? "screentime member list"
        )
    }

    /// The device's own word, for a name that people use.
    static func device(_ name: String?, _ coverage: ReportCoverage.Reply?, _ line: String) throws(Problem)
        -> String?
    {
        guard let name, let devices = coverage?.devices else { return name }
        if let found = devices.first(where: { $0.device == name }) { return found.device }
        let called = devices.filter {
            $0.name.lowercased() == name.lowercased() || ($0.isThis && name == ReportNames.thisKorean)
        }
        if called.count == 1 { return called[0].device }
        if called.count > 1 {
            let ids = called.map(\.device).joined(separator: ", ")
            throw Problem(
                "device.not_unique",
                "\(called.count) devices are called “\(name)”: \(ids). Name one of these.",
                help: "\(line) --device \(called[0].device)"
            )
        }
        let known = devices.map { $0.name.isEmpty ? $0.device : $0.name }
        let near = TextFormat.closest(to: name, in: known + devices.map(\.device))
        let list = known.isEmpty ? "none yet" : known.joined(separator: ", ")
        throw Problem(
            "device.not_found",
            "No device is called “\(name)”" + (near.map { "; did you mean \($0)?" } ?? ".")
                + " Use is known of: \(DisplayWidth.harmless(list)).",
            help: near.map { "\(line) --device '\($0)'" } ?? line
        )
    }
}
