import OSLog

package func writeByOSLog() { Logger().notice("by OSLog") }
