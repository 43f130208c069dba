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
        try change.emit(DeviceImported.self, subject: "device/\(known.device)", known)
    }
}
