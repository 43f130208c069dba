/// Why an extension could not begin.
enum ExtensionStartError: Error, CustomStringConvertible {
    case nothingToServe(String)

    var description: String {
        switch self {
        case .nothingToServe(let name):
            "\(name) has a configuration of a kind that nothing here asks for. Reports are asked for: see DeviceActivityReportExtension."
        }
    }
}
