import DeviceActivity

ExtensionMain.run { WorklogMonitor() }
