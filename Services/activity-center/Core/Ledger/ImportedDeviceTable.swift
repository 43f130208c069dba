import STContracts
import STEngine
import STPlatform
import STStore

/// The devices whose past was brought here.
enum ImportedDeviceTable {
    static let devicesMax = 64

    static func load(_ database: Database) throws -> [ImportedDevice] {
        try database.query("SELECT device, name, model, imported_at FROM imported_devices ORDER BY device") {
            ImportedDevice(
                device: try $0.text(0),
                name: try $0.text(1),
                model: ReportModel(rawValue: try $0.text(2)) ?? .unknown,
                importedAt: try $0.text(3)
            )
        }
    }

    /// Tells of a device that was not known; one that was keeps the name it had.
    static func know(_ device: ImportedDevice, _ state: inout ActivityState, _ change: StoreTransaction)
        throws
    {
        guard !state.devices.contains(where: { $0.device == device.device }) else { return }
        guard state.devices.count < devicesMax else {
            throw Problem(
                "usage.too_many_devices",
                "The past of \(devicesMax) devices was brought here already, which is the limit.",
                field: "/device"
            )
        }
        var known = device
        known.importedAt = RFC3339.text(wallMs: change.now.wallMs)
        try change.database.run(
            "INSERT INTO imported_devices (device, name, model, imported_at) VALUES (?, ?, ?, ?)",
            [.text(known.device), .text(known.name), .text(known.model.rawValue), .text(known.importedAt)]
        )
        state.devices.append(known)
        state.devices.sort { $0.device < $1.device }
        try change.emit(DeviceImported.self, subject: subject(known.device), known)
    }

    /// Those of whose use nothing is left: what people call them says something of its own.
    ///
    /// The subjects of their events.
    static func forget(_ devices: Set<String>, _ state: inout ActivityState, _ database: Database) throws
        -> [String]
    {
        var subjects: [String] = []
        for device in devices.sorted() {
            let left = try database.first(
                """
                SELECT EXISTS (SELECT 1 FROM ledger WHERE device = ?1 AND forgotten = 0)
                    OR EXISTS (SELECT 1 FROM notifications WHERE device = ?1)
                """,
                [.text(device)]
            ) { try $0.bool(0) }
            if left == true { continue }
            try database.run("DELETE FROM imported_devices WHERE device = ?", [.text(device)])
            state.devices.removeAll { $0.device == device }
            subjects.append(subject(device))
        }
        return subjects
    }

    private static func subject(_ device: String) -> String { "device/\(device)" }
}
