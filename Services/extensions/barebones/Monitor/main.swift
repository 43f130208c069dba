import DeviceActivity

ExtensionMain.run { BarebonesMonitor() }
