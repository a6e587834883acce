/** Domains of providers where everyone can have an address, without a fee. */
export const FREE_PROVIDERS: ReadonlySet<string> = new Set(
  `
gmail.com googlemail.com outlook.com hotmail.com live.com msn.com passport.com hotmail.co.uk hotmail.fr hotmail.de
hotmail.it hotmail.es live.co.uk live.fr live.nl live.ca outlook.fr outlook.de outlook.es outlook.jp yahoo.com ymail.com
rocketmail.com yahoo.co.uk yahoo.fr yahoo.de yahoo.it yahoo.es yahoo.ca yahoo.co.jp yahoo.co.in yahoo.in yahoo.com.br
yahoo.com.au yahoo.com.ar yahoo.com.mx aol.com aim.com icloud.com me.com mac.com proton.me protonmail.com protonmail.ch
pm.me tutanota.com tutanota.de tutamail.com tuta.io tuta.com keemail.me gmx.com gmx.net gmx.de gmx.at gmx.ch gmx.fr
web.de freenet.de t-online.de arcor.de mail.com email.com usa.com mail.ru inbox.ru list.ru bk.ru internet.ru yandex.com
yandex.ru ya.ru yandex.by yandex.kz yandex.ua rambler.ru lenta.ru ro.ru autorambler.ru zoho.com zohomail.com zohomail.eu
fastmail.com fastmail.fm hushmail.com hush.com runbox.com mailbox.org posteo.de posteo.net disroot.org riseup.net
autistici.org cock.li airmail.cc lycos.com excite.com rediffmail.com indiatimes.com qq.com foxmail.com 163.com 126.com
yeah.net sina.com sina.cn sohu.com aliyun.com 139.com 189.cn 21cn.com tom.com naver.com hanmail.net daum.net nate.com
kakao.com laposte.net orange.fr wanadoo.fr free.fr sfr.fr neuf.fr bbox.fr libero.it virgilio.it alice.it tiscali.it tin.it
email.it terra.com.br uol.com.br bol.com.br ig.com.br globo.com sapo.pt wp.pl o2.pl onet.pl interia.pl gazeta.pl tlen.pl
seznam.cz email.cz centrum.cz atlas.cz post.cz azet.sk centrum.sk zoznam.sk freemail.hu citromail.hu abv.bg mail.bg dir.bg
ukr.net i.ua meta.ua bigmir.net comcast.net verizon.net att.net sbcglobal.net bellsouth.net cox.net charter.net
earthlink.net juno.com netzero.net optonline.net shaw.ca rogers.com sympatico.ca videotron.ca telus.net btinternet.com
sky.com talktalk.net virginmedia.com ntlworld.com bigpond.com optusnet.com.au xtra.co.nz ziggo.nl kpnmail.nl planet.nl
skynet.be telenet.be bluewin.ch hispeed.ch aon.at chello.at walla.com walla.co.il mynet.com duck.com hey.com skiff.com
simplelogin.com anonaddy.me`.match(/\S+/g),
);

/** Domains of services that give everyone an address for minutes or hours. */
export const DISPOSABLE_PROVIDERS: ReadonlySet<string> = new Set(
  `
mailinator.com mailinator.net mailinator2.com binkmail.com bobmail.info chammy.info devnullmail.com letthemeatspam.com
notmailinator.com reallymymail.com safetymail.info sogetthis.com spamherelots.com suremail.info thisisnotmyrealemail.com
tradermail.info veryrealemail.com zippymail.info streetwisemail.com mailinater.com guerrillamail.com guerrillamail.net
guerrillamail.org guerrillamail.biz guerrillamail.de guerrillamail.info guerrillamailblock.com grr.la sharklasers.com
pokemail.net spam4.me 10minutemail.com 10minutemail.net 10minutemail.org 10minutemail.co.za 10minmail.com 20minutemail.com
20minutemail.it 20mail.it 30minutemail.com temp-mail.org temp-mail.io temp-mail.ru tempmail.com tempmail.net tempmail.de
tempmail.plus tempmail.dev tempmailo.com tempmailaddress.com tempr.email tempinbox.com tempemail.net tempemail.com
tmpmail.org tmpmail.net tmail.ws tmails.net minutemail.com minuteinbox.com moakt.com moakt.cc moakt.ws yopmail.com
yopmail.fr yopmail.net cool.fr.nf jetable.fr.nf nospam.ze.tm nomail.xl.cx mega.zik.dj speed.1s.fr courriel.fr.nf
moncourrier.fr.nf monemail.fr.nf monmail.fr.nf jetable.org jetable.com jetable.net trashmail.com trashmail.de trashmail.net
trashmail.org trashmail.me trashmail.at trashmail.ws trash-mail.com trash-mail.de trash-mail.at wegwerfmail.de
wegwerfmail.net wegwerfmail.org wegwerfemail.de wegwerfadresse.de spoofmail.de byom.de muellmail.com sofort-mail.de
einrot.com cuvox.de dayrep.com fleckens.hu gustr.com jourrapide.com rhyta.com superrito.com teleworm.us armyspy.com
maildrop.cc mailnesia.com mailcatch.com mailnull.com mailexpire.com mailmoat.com mailshell.com mailsac.com mailtothis.com
mailforspam.com mailde.de mailme.lv mail-temp.com mail-temporaire.fr mail-temporaire.com getnada.com nada.email
getairmail.com dispostable.com discard.email discardmail.com discardmail.de disposablemail.com disposableinbox.com
disposemail.com throwawaymail.com throwaway.email throwam.com fakeinbox.com fakemail.net fakemailgenerator.com
emailfake.com emailondeck.com emailtemporanea.com emailtemporario.com.br email-fake.com generator.email crazymailing.com
burnermail.io anonbox.net anonymbox.com antispam.de deadaddress.com despam.it dodgit.com dontreg.com dumpmail.de
e4ward.com filzmail.com getonemail.com haltospam.com harakirimail.com hidemail.de incognitomail.com incognitomail.org
inboxalias.com inboxbear.com inboxkitten.com kasmail.com kurzepost.de lroid.com meltmail.com mintemail.com mt2015.com
mytemp.email mytrashmail.com mohmal.com mohmal.in nepwk.com no-spam.ws nospamfor.us nowmymail.com objectmail.com
oneoffemail.com onewaymail.com owlpic.com pookmail.com proxymail.eu putthisinyourspamdatabase.com quickinbox.com rcpt.at
receiveee.com rtrtr.com selfdestructingmail.com shieldedmail.com smashmail.de snakemail.com sneakemail.com spam.la
spamavert.com spambob.com spambog.com spambog.de spambog.ru spambox.us spamcero.com spamday.com spamex.com
spamfree24.org spamgourmet.com spamhole.com spamify.com spaml.com spamspot.com spamthis.co.uk tempalias.com tempymail.com
thankyou2010.com 33mail.com vomoto.com wh4f.org willhackforfood.biz xagloo.com zehnminutenmail.de zoemail.org
1secmail.com 1secmail.net 1secmail.org esiix.com wwjmp.com xojxe.com yoggm.com dropmail.me 10mail.org emltmp.com
emailtmp.com luxusmail.org mail.tm smailpro.com linshiyou.com linshi-email.com internxt.com altmails.com cs.email
fexpost.com fexbox.org mailbox.in.ua rover.info chitthi.in inpwa.com intopwa.com tofeat.com bccto.me chacuo.net`.match(
    /\S+/g,
  ),
);

/** Names of mailboxes that belong to a function, not to a person (RFC 2142 and usual ones). */
export const ROLES: ReadonlySet<string> = new Set(
  `abuse admin administrator billing careers cert compliance contact csirt dev devnull dns do-not-reply donotreply ftp
help helpdesk hello hostmaster hr info it jobs legal list list-request mailer-daemon marketing media news no-reply
noc noreply office postmaster press privacy psirt root sales security service soc spam support sysadmin team usenet
uucp webmaster www`.match(/\S+/g),
);
