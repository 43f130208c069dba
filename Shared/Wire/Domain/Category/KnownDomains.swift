/// Well-known sites, and subdomains with another category than their site, such as `docs.google.com`.
enum KnownDomains {
    static let categories: [String: Category] = lists.reduce(into: [:]) { map, list in
        for name in list.1.split(whereSeparator: \.isWhitespace) { map[String(name)] = list.0 }
    }

    private static let lists: [(Category, String)] = [
        (
            .social,
            """
            facebook.com messenger.com instagram.com threads.net threads.com x.com twitter.com tiktok.com
            snapchat.com reddit.com pinterest.com linkedin.com tumblr.com discord.com telegram.org
            web.telegram.org whatsapp.com mastodon.social bsky.app bsky.social vk.com weibo.com line.me
            kakao.com kakaocorp.com band.us cafe.naver.com cafe.daum.net dcinside.com fmkorea.com theqoo.net
            ruliweb.com clien.net everytime.kr blind.com teamblind.com quora.com slack.com zoom.us
            teams.microsoft.com meet.google.com chat.google.com cyworld.com
            """
        ),
        (
            .games,
            """
            store.steampowered.com steampowered.com steamcommunity.com epicgames.com roblox.com minecraft.net
            chess.com lichess.org itch.io poki.com crazygames.com miniclip.com addictinggames.com kongregate.com
            armorgames.com coolmathgames.com friv.com y8.com agar.io slither.io battle.net blizzard.com
            leagueoflegends.com riotgames.com playvalorant.com ea.com xbox.com playstation.com nintendo.com
            nexon.com netmarble.com plaync.com hangame.com geoguessr.com boardgamearena.com
            """
        ),
        (
            .entertainment,
            """
            youtube.com youtu.be youtubekids.com netflix.com twitch.tv primevideo.com disneyplus.com hulu.com
            max.com hbomax.com vimeo.com dailymotion.com spotify.com open.spotify.com soundcloud.com deezer.com
            music.apple.com tv.apple.com music.youtube.com crunchyroll.com imdb.com 9gag.com imgur.com giphy.com
            bilibili.com nicovideo.jp afreecatv.com sooplive.co.kr chzzk.naver.com tv.naver.com comic.naver.com
            webtoons.com page.kakao.com webtoon.kakao.com tving.com wavve.com watcha.com coupangplay.com
            melon.com genie.co.kr bugs.co.kr vibe.naver.com laftel.net ticketmaster.com arte.tv ardmediathek.de
            zdf.de
            """
        ),
        (
            .creativity,
            """
            figma.com canva.com behance.net dribbble.com deviantart.com artstation.com pixiv.net flickr.com
            unsplash.com 500px.com adobe.com photopea.com piskelapp.com tinkercad.com sketchfab.com
            thingiverse.com printables.com wattpad.com archiveofourown.org bandlab.com musescore.com
            noteflight.com photos.google.com
            """
        ),
        (
            .productivity,
            """
            docs.google.com drive.google.com mail.google.com calendar.google.com keep.google.com gmail.com
            office.com microsoft365.com outlook.com outlook.live.com onedrive.live.com sharepoint.com dropbox.com
            notion.so notion.com evernote.com trello.com asana.com monday.com atlassian.net atlassian.com
            github.com gitlab.com bitbucket.org codeberg.org stackoverflow.com stackexchange.com overleaf.com
            airtable.com miro.com proton.me protonmail.com fastmail.com todoist.com linear.app replit.com
            chatgpt.com claude.ai gemini.google.com paypal.com wise.com revolut.com toss.im tossbank.com
            kakaobank.com mail.naver.com investing.com tradingview.com coinbase.com
            """
        ),
        (
            .education,
            """
            khanacademy.org duolingo.com coursera.org edx.org udemy.com udacity.com codecademy.com
            freecodecamp.org brilliant.org quizlet.com kahoot.it kahoot.com classroom.google.com scratch.mit.edu
            code.org desmos.com geogebra.org wolframalpha.com ixl.com prodigygame.com abcya.com starfall.com
            pbskids.org moodle.org instructure.com memrise.com busuu.com ted.com ocw.mit.edu ebs.co.kr
            ebsi.co.kr megastudy.net inflearn.com class101.net anton.app schlaukopf.de
            """
        ),
        (
            .informationReading,
            """
            wikipedia.org wikimedia.org wiktionary.org britannica.com nytimes.com washingtonpost.com
            theguardian.com bbc.com bbc.co.uk cnn.com reuters.com apnews.com bloomberg.com economist.com ft.com
            wsj.com npr.org aljazeera.com spiegel.de zeit.de faz.net sueddeutsche.de tagesschau.de heise.de
            lemonde.fr elpais.com nikkei.com naver.com daum.net nate.com news.naver.com yna.co.kr chosun.com
            joongang.co.kr donga.com hani.co.kr khan.co.kr hankyung.com mk.co.kr namu.wiki medium.com
            substack.com news.ycombinator.com slashdot.org arstechnica.com theverge.com wired.com lwn.net
            news.google.com flipboard.com feedly.com getpocket.com goodreads.com gutenberg.org archive.org
            ridibooks.com weather.com wetter.com accuweather.com scholar.google.com arxiv.org
            """
        ),
        (
            .healthFitness,
            """
            strava.com fitbit.com connect.garmin.com garmin.com myfitnesspal.com headspace.com calm.com
            webmd.com mayoclinic.org healthline.com nhs.uk komoot.com komoot.de
            runkeeper.com peloton.com onepeloton.com darebee.com
            """
        ),
        (
            .utilities,
            """
            google.com bing.com duckduckgo.com startpage.com ecosia.org search.brave.com translate.google.com
            deepl.com papago.naver.com speedtest.net fast.com 1password.com bitwarden.com flathub.org snapcraft.io
            virustotal.com debian.org ubuntu.com fedoraproject.org archlinux.org kernel.org
            """
        ),
        (
            .shoppingFood,
            """
            amazon.com amazon.de amazon.co.uk amazon.co.jp amazon.fr ebay.com ebay.de etsy.com aliexpress.com
            alibaba.com temu.com shein.com walmart.com target.com bestbuy.com costco.com ikea.com zalando.com
            zalando.de otto.de kleinanzeigen.de vinted.com craigslist.org coupang.com gmarket.co.kr 11st.co.kr
            ssg.com auction.co.kr shopping.naver.com smartstore.naver.com musinsa.com kurly.com oliveyoung.co.kr
            daangn.com bunjang.co.kr baemin.com yogiyo.co.kr ubereats.com doordash.com grubhub.com deliveroo.com
            lieferando.de instacart.com allrecipes.com chefkoch.de 10000recipe.com mangoplate.com yelp.com
            """
        ),
        (
            .travel,
            """
            booking.com airbnb.com expedia.com tripadvisor.com hotels.com agoda.com trip.com kayak.com
            skyscanner.com skyscanner.net maps.google.com openstreetmap.org map.naver.com map.kakao.com uber.com
            lyft.com bahn.de letskorail.com korail.com koreanair.com flyasiana.com lufthansa.com ryanair.com
            easyjet.com yanolja.com goodchoice.kr yeogi.com citymapper.com rome2rio.com flightradar24.com
            blablacar.com flixbus.com flixbus.de
            """
        ),
    ]
}
