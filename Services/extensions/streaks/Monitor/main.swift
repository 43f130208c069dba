import DeviceActivity

ExtensionMain.run { StreaksMonitor() }
