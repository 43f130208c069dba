import os.log

package func writeDotted(_ name: String, _ count: Int) {
    let logger = Logger(subsystem: "sample", category: "dotted")
    logger.info("\(count) for \(name, privacy: .public)")
    os_log("%{public}@ has %d", log: OSLog(subsystem: "sample", category: "old"), type: .error, name, count)
    os_log("plain")
}
