import ManagedSettingsUI

ExtensionMain.run { BarebonesShield() }
