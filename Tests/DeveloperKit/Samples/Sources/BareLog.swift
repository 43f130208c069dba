import os

package func writeByOS() { Logger(subsystem: "sample", category: "os").debug("by os") }
