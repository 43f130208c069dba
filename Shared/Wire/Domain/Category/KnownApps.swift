/// Well-known programs of Linux desktops, by the name of their desktop entry in lower case.
enum KnownApps {
    static let categories: [String: Category] = lists.reduce(into: [:]) { map, list in
        for name in list.1.split(whereSeparator: \.isWhitespace) { map[String(name)] = list.0 }
    }

    private static let lists: [(Category, String)] = [
        (
            .social,
            """
            discord com.discordapp.discord vesktop dev.vencord.vesktop signal signal-desktop org.signal.signal
            org.telegram.desktop telegram-desktop telegramdesktop whatsdesk com.github.eneshecan.whatsappforlinux
            element element-desktop im.riot.riot fractal org.gnome.fractal org.gnome.polari hexchat
            io.github.hexchat slack com.slack.slack skype skypeforlinux com.skype.client zoom us.zoom.zoom teams
            teams-for-linux com.github.ismaelmartinez.teams_for_linux dino im.dino.dino pidgin im.pidgin.pidgin
            jami net.jami.jami com.rtosta.zapzap org.kde.konversation org.kde.neochat dev.geopjr.tuba kakaotalk line
            org.briarproject.briar chat.simplex.simplex
            """
        ),
        (
            .games,
            """
            steam com.valvesoftware.steam lutris net.lutris.lutris heroic com.heroicgameslauncher.hgl
            com.usebottles.bottles minecraft-launcher com.mojang.minecraft org.prismlauncher.prismlauncher
            org.vinegarhq.sober org.vinegarhq.vinegar minetest net.minetest.minetest luanti org.luanti.luanti
            supertuxkart net.supertuxkart.supertuxkart supertux2 org.supertuxproject.supertux 0ad
            com.play0ad.zeroad openttd org.openttd.openttd wesnoth org.wesnoth.wesnoth freeciv
            org.freeciv.gtk4 xonotic org.xonotic.xonotic retroarch org.libretro.retroarch
            org.dolphinemu.dolphin-emu net.pcsx2.pcsx2 org.ppsspp.ppsspp scummvm org.scummvm.scummvm
            dosbox com.dosbox.dosbox org.gnome.mines org.gnome.sudoku org.gnome.mahjongg org.gnome.chess
            org.gnome.aisleriot aisleriot sol org.gnome.quadrapassel org.gnome.2048 org.gnome.nibbles
            org.kde.kpat org.kde.kmines org.kde.kmahjongg org.kde.ksudoku itch io.itch.itch
            com.parsecgaming.parsec com.moonlight_stream.moonlight
            """
        ),
        (
            .entertainment,
            """
            vlc org.videolan.vlc mpv io.mpv.mpv totem org.gnome.totem org.gnome.showtime celluloid
            io.github.celluloid_player.celluloid org.kde.dragonplayer org.kde.haruna smplayer
            info.smplayer.smplayer kodi tv.kodi.kodi spotify com.spotify.client rhythmbox
            org.gnome.rhythmbox3 org.gnome.music io.bassi.amberol org.gnome.decibels clementine
            org.clementine_player.clementine strawberry org.strawberrymusicplayer.strawberry audacious
            org.atheme.audacious org.kde.elisa lollypop org.gnome.lollypop freetube io.freetubeapp.freetube
            tv.plex.plexdesktop com.github.iwalton3.jellyfin-media-player stremio com.stremio.stremio
            org.gnome.podcasts de.haeckerfelix.shortwave hypnotix
            """
        ),
        (
            .creativity,
            """
            gimp org.gimp.gimp org.inkscape.inkscape inkscape krita org.kde.krita org.kde.kolourpaint blender
            org.blender.blender darktable org.darktable.darktable rawtherapee com.rawtherapee.rawtherapee
            digikam org.kde.digikam shotwell org.gnome.shotwell org.gnome.photos audacity
            org.audacityteam.audacity ardour org.ardour.ardour lmms io.lmms.lmms musescore
            org.musescore.musescore kdenlive org.kde.kdenlive org.openshot.openshot openshot
            org.shotcut.shotcut shotcut org.pitivi.pitivi pitivi com.obsproject.studio obs
            com.github.maoschanz.drawing scribus net.scribus.scribus org.freecad.freecad freecad openscad
            org.openscad.openscad mypaint org.mypaint.mypaint com.github.libresprite.libresprite
            io.github.pencil2d.pencil2d org.synfig.synfigstudio tuxpaint org.tuxpaint.tuxpaint
            """
        ),
        (
            .productivity,
            """
            libreoffice-startcenter libreoffice-writer libreoffice-calc libreoffice-impress libreoffice-draw
            libreoffice-base libreoffice-math org.libreoffice.libreoffice org.libreoffice.libreoffice.writer
            org.libreoffice.libreoffice.calc org.libreoffice.libreoffice.impress org.onlyoffice.desktopeditors
            onlyoffice-desktopeditors com.wps.office wps-office-wps org.abisource.abiword org.gnumeric.gnumeric
            thunderbird org.mozilla.thunderbird org.gnome.evolution evolution org.gnome.geary
            org.kde.kmail2 org.kde.kontact org.gnome.calendar org.gnome.contacts org.gnome.todo
            io.github.alainm23.planify org.gnome.texteditor gedit org.gnome.gedit org.kde.kate org.kde.kwrite
            code com.visualstudio.code code-oss com.vscodium.codium codium sublime_text sublime-text dev.zed.zed
            emacs org.gnu.emacs gvim org.vim.vim nvim org.gnome.builder org.kde.kdevelop
            jetbrains-idea jetbrains-pycharm com.jetbrains.intellij-idea-community
            com.jetbrains.pycharm-community jetbrains-clion jetbrains-webstorm android-studio
            com.google.androidstudio obsidian md.obsidian.obsidian joplin net.cozic.joplin_desktop notion
            logseq com.logseq.logseq gnucash org.gnucash.gnucash homebank fr.free.homebank
            org.kde.skrooge xournalpp com.github.xournalpp.xournalpp org.gnome.meld org.cryptomator.cryptomator
            """
        ),
        (
            .education,
            """
            anki net.ankiweb.anki gcompris org.kde.gcompris org.kde.gcompris-qt org.kde.marble
            org.kde.kalzium org.kde.kgeography org.kde.ktouch org.kde.kbruch org.kde.khangman org.kde.parley
            org.kde.kanagram org.kde.kwordquiz geogebra org.geogebra.geogebra scratch-desktop edu.mit.scratch
            stellarium org.stellarium.stellarium tuxmath tuxtype org.tuxfamily.klavaro klavaro
            app.drey.dialect sonic-pi net.sonic_pi.sonicpi thonny org.thonny.thonny
            """
        ),
        (
            .informationReading,
            """
            calibre-gui com.calibre_ebook.calibre calibre-ebook-viewer com.github.johnfactotum.foliate foliate
            org.gnome.evince evince org.gnome.papers org.kde.okular okular org.pwmt.zathura
            com.github.babluboy.bookworm io.gitlab.news_flash.newsflash org.gnome.feeds
            org.gabmus.gfeeds akregator org.kde.akregator liferea net.sourceforge.liferea org.zotero.zotero
            zotero org.gnome.weather com.github.hugolabe.wike org.gnome.dictionary org.kiwix.desktop
            """
        ),
        (
            .healthFitness,
            """
            dev.cogitri.health org.goldencheetah.goldencheetah goldencheetah pytrainer workrave
            org.workrave.workrave net.hovancik.stretchly stretchly
            """
        ),
        (
            .utilities,
            """
            firefox firefox-esr org.mozilla.firefox librewolf io.gitlab.librewolf-community chromium
            chromium-browser org.chromium.chromium google-chrome com.google.chrome brave-browser com.brave.browser
            microsoft-edge com.microsoft.edge vivaldi-stable com.vivaldi.vivaldi opera com.opera.opera
            org.gnome.epiphany epiphany org.kde.falkon org.kde.konqueror torbrowser whale naver-whale
            app.zen_browser.zen org.gnome.nautilus nautilus org.kde.dolphin dolphin nemo thunar caja pcmanfm
            pcmanfm-qt org.gnome.terminal org.gnome.console org.gnome.ptyxis org.kde.konsole konsole xterm
            alacritty kitty foot com.mitchellh.ghostty org.wezfurlong.wezterm xfce4-terminal terminator tilix
            org.gnome.settings org.gnome.control-center systemsettings org.kde.systemsettings
            org.gnome.software org.kde.discover org.gnome.calculator org.kde.kcalc qalculate-gtk
            org.gnome.systemmonitor org.kde.plasma-systemmonitor org.gnome.clocks org.gnome.baobab
            org.gnome.diskutility gparted org.gnome.fileroller org.kde.ark org.gnome.eog org.gnome.loupe
            org.kde.gwenview org.gnome.screenshot org.kde.spectacle org.flameshot.flameshot
            org.gnome.characters org.gnome.fonts org.gnome.tweaks com.mattjakeman.extensionmanager
            com.github.tchx84.flatseal virt-manager org.gnome.boxes virtualbox org.keepassxc.keepassxc
            com.bitwarden.desktop bitwarden transmission-gtk com.transmissionbt.transmission
            org.qbittorrent.qbittorrent org.gnome.dejadup org.gnome.cheese org.gnome.snapshot
            """
        ),
        (.travel, "org.gnome.maps org.kde.itinerary org.kde.ktrip de.schmidhuberj.diebahn gpxsee"),
    ]
}
