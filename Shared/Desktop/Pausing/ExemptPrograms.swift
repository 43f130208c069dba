import STPlatform

/// Programs that a desktop always needs, by the names of their files.
package enum ExemptPrograms {
    package enum Part: String, Sendable, CaseIterable {
        case compositor, windowManager, panel, session, bus, input, reader, polkit, locker, sound, portal,
            keys
        case display, notifications, terminal

        var message: Message {
            switch self {
            case .compositor:
                Message(
                    "agent.never-paused-compositor",
                    "It draws the whole screen: everything on it would stop."
                )
            case .windowManager:
                Message(
                    "agent.never-paused-window-manager",
                    "It is the window manager: no one could use any window."
                )
            case .panel:
                Message(
                    "agent.never-paused-panel",
                    "It is a panel or the desktop itself, which everything else needs."
                )
            case .session: Message("agent.never-paused-login-session", "The login session depends on it.")
            case .bus:
                Message(
                    "agent.never-paused-message-bus",
                    "It is the message bus, and every app waits for it."
                )
            case .input:
                Message(
                    "agent.never-paused-input-method",
                    "It is an input method: typing would stop everywhere."
                )
            case .reader:
                Message(
                    "agent.never-paused-screen-reader",
                    "It is an accessibility tool that a person may need to use the computer."
                )
            case .polkit:
                Message(
                    "agent.never-paused-permissions",
                    "It shows permission or password prompts, which nobody could answer."
                )
            case .locker:
                Message(
                    "agent.never-paused-screen-lock",
                    "It locks the screen, and must be able to unlock it."
                )
            case .sound: Message("agent.never-paused-sound-server", "All sound goes through it.")
            case .portal: Message("agent.never-paused-desktop-portal", "Other apps wait for its answers.")
            case .keys:
                Message(
                    "agent.never-paused-password-store",
                    "It stores passwords and keys that other apps need."
                )
            case .display: Message("agent.never-paused-display-server", "It is the display server.")
            case .notifications:
                Message("agent.never-paused-notification-server", "It shows the notifications of all apps.")
            case .terminal:
                Message("agent.never-paused-terminal", "It is a terminal: the programs in it would stop too.")
            }
        }
    }

    package static func role(of program: String) -> Part? {
        table[program] ?? prefixes.first { program.hasPrefix($0.prefix) }?.part
    }

    private static let prefixes: [(prefix: String, part: Part)] = [
        ("xdg-desktop-portal", .portal), ("ibus-", .input), ("fcitx", .input), ("uim-", .input),
        ("gnome-keyring", .keys), ("at-spi", .reader), ("polkit-", .polkit), ("systemd-", .session),
        ("gnome-session", .session), ("speech-dispatcher", .reader), ("sd_", .reader), ("pipewire", .sound),
        ("evolution-alarm", .notifications), ("gsd-", .session), ("kglobalaccel", .input), ("gvfs", .session),
    ]

    private static let table: [String: Part] = {
        var result: [String: Part] = [:]
        for (part, names) in names { for name in names.split(separator: " ") { result[String(name)] = part } }
        return result
    }()

    private static let names: [(Part, String)] = [
        (
            .compositor,
            "gnome-shell kwin_wayland kwin_x11 kwin sway swayfx labwc wayfire river Hyprland hyprland niri weston cage "
                + "hikari dwl cosmic-comp mutter cinnamon budgie-wm gala phoc picom compton xcompmgr mir-kiosk"
        ),
        (
            .windowManager,
            "openbox xfwm4 metacity marco muffin i3 i3wm awesome bspwm dwm fluxbox blackbox icewm icewm-session jwm "
                + "herbstluftwm qtile xmonad enlightenment fvwm fvwm2 fvwm3 twm ctwm wmaker spectrwm ratpoison "
                + "stumpwm compiz matchbox-window-manager lwm 9wm evilwm cwm pekwm sawfish"
        ),
        (
            .panel,
            "plasmashell xfce4-panel lxpanel lxqt-panel mate-panel gnome-panel budgie-panel cinnamon-panel tint2 "
                + "polybar waybar swaybar i3bar lemonbar plank cairo-dock latte-dock xfdesktop caja nemo-desktop "
                + "pcmanfm pcmanfm-qt nautilus-desktop conky wf-panel wf-background swaybg swaynag rofi wofi dmenu bemenu fuzzel "
                + "krunner ulauncher albert trayer stalonetray nm-applet blueman-applet blueman-tray ags eww "
                + "cosmic-panel mate-indicators unclutter"
        ),
        (
            .session,
            "systemd init login sddm gdm3 gdm-x-session gdm-wayland-session gdm-session-worker lightdm greetd xfce4-session "
                + "mate-session lxsession lxqt-session cinnamon-session ksmserver startplasma-x11 startplasma-wayland "
                + "plasma_session kded5 kded6 xfsettingsd mate-settings-daemon cinnamon-settings-daemon xinit startx "
                + "xsettingsd elogind dconf-service kdeinit5 klauncher lxqt-globalkeysd gammastep redshift swayidle "
                + "xautolock kanshi xdg-permission-store xdg-document-portal"
        ),
        (.bus, "dbus-daemon dbus-broker dbus-broker-launch dbus-launch dbus-run-session"),
        (
            .input,
            "uim xim nabi scim nimf nimf-daemon hime gcin onboard squeekboard florence wvkbd wvkbd-mobintl maliit-keyboard "
                + "maliit-server xkbd matchbox-keyboard caribou input-remapper sxhkd xbindkeys swhkd mousetweaks touchegg"
        ),
        (.reader, "orca speakup espeakup espeak espeak-ng brltty kmag magnus mousepose dasher festival"),
        (
            .polkit,
            "polkitd pkexec lxpolkit lxqt-policykit-agent mate-polkit xfce-polkit hyprpolkitagent "
                + "polkitkde pinentry pinentry-gtk-2 pinentry-gnome3 pinentry-qt pinentry-qt5 pinentry-curses pinentry-x11 "
                + "ssh-askpass ksshaskpass"
        ),
        (
            .locker,
            "swaylock i3lock xlock xtrlock light-locker xscreensaver gnome-screensaver mate-screensaver cinnamon-screensaver "
                + "kscreenlocker_greet hyprlock gtklock waylock slock physlock vlock xss-lock betterlockscreen "
                + "xfce4-screensaver"
        ),
        (.sound, "wireplumber pulseaudio jackd jackdbus pasystray"),
        (.portal, "flatpak-portal flatpak-session-helper"),
        (
            .keys,
            "ssh-agent gpg-agent gcr-ssh-agent kwalletd5 kwalletd6 kwalletd secret-tool oo7-daemon pass-secret-service "
                + "dirmngr scdaemon"
        ),
        (.display, "Xorg X Xwayland Xvfb Xephyr Xnest Xvnc Xtigervnc x11vnc wayvnc xwayland-satellite"),
        (
            .notifications,
            "dunst mako swaync xfce4-notifyd notification-daemon mate-notification-daemon notify-osd lxqt-notificationd "
                + "fnott deadd-notification-center"
        ),
        (
            .terminal,
            "gnome-terminal-server gnome-terminal kgx ptyxis konsole yakuake xterm uxterm lxterm urxvt urxvtd rxvt foot footserver "
                + "footclient alacritty kitty wezterm wezterm-gui st stterm xfce4-terminal mate-terminal lxterminal qterminal "
                + "terminator tilix guake tilda sakura roxterm roxterm-bin terminology cool-retro-term eterm Eterm mlterm "
                + "deepin-terminal contour rio ghostty cosmic-term hyper tabby blackbox-terminal tmux screen"
        ),
    ]
}
