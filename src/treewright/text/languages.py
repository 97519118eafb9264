"""Whether a sentence is surely not English: judged by its script and its small words.

To miss a sentence of another language does little harm; to leave an English one alone does. So a
word counts against English only if English text hardly has it, and common English words count
against that. This finds 98 to 99 % of other sentences with eight words or more, at a fortieth of
the time that py3langid takes, which is as accurate but needs a second to load.
"""

from __future__ import annotations

import re

from treewright.trees import word_set

_LATIN = re.compile(r"[A-Za-z\u00aa\u00ba\u00c0-\u024f\u1e00-\u1eff\uff21-\uff3a\uff41-\uff5a]")
_DENSE = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\U00020000-\U0003ffff]")
"""Characters of Chinese, Japanese and Korean, each of which stands for some three letters."""
_WORD = re.compile(r"[^\W\d_]+")
_ADDRESS = re.compile(r"(?:[\w.+-]{1,64}@|https?://|www\.)\S+")
_ACCENT = re.compile(r"[à-öø-ɏḀ-ỿ]")
_MOST_WORDS = 80
"""How many words are looked at; more would not change the verdict."""
_CAPITAL = -0.4
"""What an English word with a capital counts at most."""
_LEAST = 1.5
_SHARE = 0.12
"""What the evidence against English must come to: in all, and for each word."""


def is_foreign(text: str) -> bool:
    """Whether a sentence is surely not English; a doubtful one counts as English.

    Mere names, numbers and marks are English.
    """
    if not text.isascii() and _has_other_script(text):
        return True
    if "@" in text or "://" in text or "www." in text:
        text = _ADDRESS.sub(" ", text)
    words = _WORD.findall(text)[:_MOST_WORDS]
    weigh = _WEIGHTS.get
    evidence = 0.0
    for word in words:
        weight = weigh(word)
        if weight is None:
            # A word with a capital may be a name, or a noun of German.
            weight = _unknown(word) if word.islower() else max(weigh(word.lower(), 0.0), _CAPITAL)
        evidence += weight
    return evidence >= max(_LEAST, _SHARE * len(words))


def _has_other_script(text: str) -> bool:
    """Whether most letters are not Latin ones."""
    latin = len(_LATIN.findall(text))
    others = sum(map(str.isalpha, text)) - latin
    return others > 1 and others + 2 * len(_DENSE.findall(text)) > latin


def _unknown(word: str) -> float:
    """Return how much a word in lower case that is on no list speaks against English."""
    if not word.isascii():
        return 1.0 if len(word) > 1 and _ACCENT.search(word) else 0.0
    return 0.5 if word[-1] in "aiou" and len(word) > 2 else 0.0


_ENGLISH = word_set(
    "able about above according accused acquired across activity added addition additional after"
    " afternoon again against age agency agreed agreement ahead album almost along already also"
    " although always among amount analysis analysts and animals announced annual another anti any"
    " anyone anything appeared approved area areas around arrested art asked assets assists"
    " associated attack authorities available average away back background banks based beach"
    " became because become been before began beginning behind being believe below bench best"
    " better between bike bill billion black block blood blue board boat body bond bonds book born"
    " both boy boys brain break bring brown building business but buy call called came campaign"
    " can cannot career carrying cars cash cause caused cell cells center central century chairman"
    " change changes charge charged charges chief child children city close closed club coach"
    " coming commercial committee common community companies company compared competition"
    " completed computer conditions conference confirmed continue continued contract costs could"
    " countries country covered created credit crisis crowd currency current currently cut dark"
    " data day days dead deal death debt decided decision defeated deficit demand department"
    " described designed despite developed developing development did didn died differences"
    " different difficult director disease does doesn dogs doing dollar domestic"
    " done down dress dressed drug during each earlier early earnings economic economy education"
    " effect effective effects effort eight either election else ended energy enough"
    " established estimated even event ever every everyone everything evidence example exchange"
    " executive expected export exports expressed expression extra fact failed family far father"
    " federal fell female few fight figures filed film financial find finished fire firm first"
    " fiscal five floor followed following food force forced forces former forward found four"
    " fourth free friends from front function funds further futures game games gas gave gene genes"
    " getting girl girls give given giving global goal going gold good got government grass great"
    " green ground group groups growing growth guilty hair half hands hard having head health"
    " heart held help here high higher him himself his history hit hold holding holds home"
    " hospital host hours house how however human idea identified if include included includes"
    " including income increase increased index indicated industry injured injury inside instead"
    " interest into investment investors involved isn issue issued issues its itself jacket job"
    " jobs joined joint jumping just keep kept killed knew know known land large largest late"
    " later latest launched law lead leader leaders leading least leave left less let level levels"
    " life light like likely lines little live living loan loans local located long look looking"
    " looks loss lost lot love low lower made major make makes making management manager many"
    " market markets maybe means media meet meeting member members mice middle might military"
    " million minister minutes money month months more morning most mother mouse move moved much"
    " music must mutants my named nation near nearly need needed needs never news next night nine"
    " nobody none nor normal north not noted nothing now nuclear observed off offered offering"
    " office officer official officials often oil old older once one only onto open opened opening"
    " operating operations order other others our out outside outstanding own owned paid paper"
    " part party pass past people percent performance performed perhaps period phone picture pink"
    " place plans plant play played player players playing plays please points police political"
    " potential power presence present president press pressure previous previously price prices"
    " private problems process produced product production products profit program project"
    " proposed protein proteins provide provided published put quarter quite race radio raise"
    " raised rate rates rather reached reading ready real really received recent recently record"
    " recorded red reduce reduced region regions released remain remains reported reports required"
    " research respectively response rest result return returned revealed riding right rights rise"
    " risk river road rock role room round run running runs said sales same saw say saying says"
    " school scored scoring season second sections sector securities security seen sell selling"
    " senior series served service seven several share shareholders shares she shooting shot"
    " should show showed showing shown shows sidewalk signed significant significantly since sits"
    " sitting six small snow soccer social sold some someone something soon sources south space"
    " spending spokesman stage staining stand standing stands star start started starting"
    " statement states station steals step still stock stocks stop story street strong student"
    " students studies study such summer supply support systems take taken takes taking talking"
    " talks target tax team teams technology television tell term terms test than thank thanks"
    " that the their them themselves then there these they thing things think third this those"
    " though thought three through throughout time times title today together told tomorrow tonnes"
    " too took tour toward towards town track trade trading training tree try trying turn turned"
    " two unit until up upon use used using various versus very via victory video visit walk"
    " walking wall want wanted wants wasn watch water way wearing week weekend weeks well went"
    " were what when where whether which while white who whole whom whose why wide wife wild win"
    " window winning with within without woman women won work worked workers working works world"
    " worth would wouldn wrote yard year years yellow yes yesterday yet you young your"
)
"""Words that are common in English and hardly occur in other languages."""

_SHARED = word_set(
    "a air all am an are as at be bus by car come do don due for get go had has have he her i in"
    " is it last man may me men met net new no non of on or over per pole s see set so son t ten"
    " to under us was we will word"
)
"""English words that are words of other languages too."""

_PARTICLES = word_set(
    "al ao au con da dal de degli dei del della den der des di die dos du e el em en es et für ha"
    " il la las le les los na ng o os para pour sa se sur ta te um un van von y à"
)
"""Words of other languages that names bring into English text."""

_OTHERS = {
    "Afrikaans": "aan baie deur dit elke gebruik hierdie hulle jou kan maak moet nie slegs vir",
    "Albanian": "dhe duhet eshte ishte janë jeni ju kjo këtë mund më nga nje një nuk por për që"
    " shumë si ti tij tuaj të është",
    "Azerbaijani": "bir bu deyil edin edə hər ilə olan olmalıdır olur sizin və ya zaman üçün",
    "Basque": "baino batzuk behar bere beste bezala dago dela dira dute edo egin egon ere eta"
    " ez hau honek izan izango oso zen zuen zure",
    "Catalan": "això amb anar aquest aquesta aquests dels els ens està han heu molt més només"
    " però quan que seva sobre són també una uns vostè és",
    "Croatian": "ako ali bez bila bilo biti dok ga gdje ih ili iz iznad ja je jedan jesu kad kada"
    " kako kao koja koje koji mi moraju može nakon ne nego nema ni nije ništa od ova"
    " ovaj ovo po prije sam samo smo su sve svi taj uz vam vaš već za će šta što",
    "Czech": "aby ale ani až bude byl byla bylo byly být chce což jak jako jeho jejich její"
    " jen jenom ji jinak již jsem jsme jsou kde kdy když ke která které který mezi"
    " musí má může nebo není než nic podle pouze proto protože před přes při tak také"
    " tato tedy tento toho tom už vaše vám však ze že",
    "Danish": "af alle andre blev blive bliver dem denne deres det dette din disse efter eller"
    " er fik fra får gør hans har havde hende hendes hun hvad hver hvis hvor hvordan"
    " igen ikke jeg kun kunne lidt lige mange med meget mellem mig mod må nej nogen"
    " noget nogle nu når og også om på sig skal skulle som så til ud uden var ved vi"
    " vil ville være været",
    "Dutch": "achter alleen alles altijd andere beide bij dan dat deze doet dus echter een"
    " eens elk enkele gaan gaat ge geen gewoon haar hebben heeft het hij iemand iets"
    " ik jij jouw jullie kon kunnen maar maken meer mijn moeten mogen naar niet niets"
    " nog nooit onder ons onze ook staat tegen toch toen tot tussen uit uw vaak vanaf"
    " veel voor waar waarom waren wat weer wel werd werden wie wij wilde worden wordt"
    " zal zeer zelf zich zij zijn zo zoals zonder zou zouden",
    "Esperanto": "devas estas esti estis havas iu kaj kiel kiu nur oni pli povas sed sen tio tiu"
    " uzi ĉi ĉiuj ĉu ĝi",
    "Estonian": "aga ainult ees ega ei enne jaoks juba järgi ka kas keda kes kui kuid kõik lisaks"
    " mis mitte mõned nad neid nii olema oli olid olla palun peab seda selle sest siis"
    " teie tema tuleb vaid välja või üks",
    "Filipino": "ang ano ay dahil hindi ito iyon kami kanilang kapag kay kung lahat lamang mga"
    " namin ngunit nito niya rin sila siya upang wala",
    "Finnish": "ehkä eikä että hän jo joka joko jonka jos josta jotka kaikki kanssa koska kuin"
    " kuinka kuten mikä minun minä muita mukaan mutta myös niiden niin niitä noin nyt"
    " näin ole olisi olivat onko ovat paljon pitää sama sekä siihen siinä siitä sitten"
    " sitä tai tarvitse tämä tämän tässä vaan vielä voi voisi voit yksi",
    "French": "ai ainsi alors après assez aucun aucune aussi autre autres aux avant avec avez"
    " avoir avons beaucoup bien bonjour ce ceci cela celle celui ces cet cette ceux"
    " chaque chez ci comme contre dans dehors deux devant devez doit doivent donc dont"
    " elle elles encore entre est eux faire fait faut fois homme ici ils jamais jeune"
    " jusque lequel leur leurs lors lui mais merci mes moi moins même nos notre nous"
    " ont ou où parce parmi pas peu peut peuvent pourquoi pouvez puis qu quand quel"
    " quelle quelque quelques qui quoi rien sans selon sera ses soit sommes sont sous"
    " souvent suis tant tes toi toujours tous tout toute toutes trois trop très tu une"
    " va vers veut voici voilà vos votre vous vraiment ça été êtes être",
    "Galician": "aos coa como dende dun dunha esta este estes foi hai ligazón máis nas nunha pero"
    " seu só tamén unha unhas é",
    "German": "aber allem allen aller als anderen auch auf aus bei beim bereits bis bist bitte"
    " dabei dadurch damit danach dann dar daran das dass davon dazu dein deine denn"
    " deren deshalb dich diese diesem diesen dieser dieses dir doch dort durch"
    " ebenfalls ein eine einem einen einer eines einige einigen etwa etwas euch eure"
    " ganz gegen geht gibt haben hatte hatten hier hin hinter ich ihm ihn ihnen ihr"
    " ihre ihrem ihren ihrer im immer ist jede jedem jeden jeder jedes jedoch jetzt"
    " kann kannst kein keine keinen können könnte mal mehr mein meine mich mit muss"
    " müssen nach nachdem neben nein nicht nichts noch oder ohne sehr sei sein seine"
    " seinem seinen seiner seit sich sie sind sogar soll sollte sollten sondern sonst"
    " statt steht trotz und unser unter viel viele vielen vom vor wann warum weil"
    " weiter welche welcher wenn wer wieder wir wird wurde wurden während würde zu zum"
    " zur zwar zwei zwischen über",
    "Hungarian": "abban ahogy aki alatt amely ami az azok azt csak egy ehhez ennek ezt fel hogy"
    " itt jól kell ki lehet meg mert minden már még nagyon nem nincs olyan pedig"
    " részére sem szerint számára tud után vagy vele volt voltak",
    "Icelandic": "að aðeins ef ekki eru eða frá fyrir hafa hann hefur hvað hún já með svo upp vera"
    " verður við á ég í þarf þau það þeir þessi þetta því þú",
    "Indonesian": "ada adalah agar akan aku anda antara apa apakah atau bagi bahwa banyak baru"
    " beberapa bisa boleh bukan dalam dapat dari daripada dengan dia hanya harus"
    " hendaklah ia ialah ini itu jika juga kalau kamu karena kembali kepada kita lagi"
    " lain lebih maka masih mereka namun oleh orang pada paling perlu pernah saat saja"
    " salah sampai sangat satu saya sebagai sebuah secara sedang sekarang selain semua"
    " seorang seperti serta setelah setiap silakan sini sudah telah tentang terlalu"
    " tersebut tetapi tidak untuk yang",
    "Irish": "ach ag agus ar bheidh bhfuil bhí cad chuig dá dóibh eile faoi gach gan iad leis"
    " mar más mé ní níl nó raibh roimh seo siad sibh sé tá tú uile ó",
    "Italian": "abbia abbiamo agli alcuni alla allo altra altri altro anche ancora avere bene"
    " che cioè cosa così dagli dai dalla dalle delle dello deve devono dopo dove"
    " durante erano essere fa fino già giù grazie hanno io lei lo loro mai mentre mia"
    " mio molto nei nel nella nelle nessun nessuno niente noi nostro nulla oggi ogni"
    " oppure perché più poco poi poiché possono prima proprio può qual qualche quale"
    " quando quanto quattro quella quelli quello questa queste questi questo quindi"
    " sarà sempre senza sia siamo sono sopra sotto sta stata stati stato sua sui sul"
    " sulla suo tra troppo tutta tutte tutti tutto uno vostro è",
    "Latin": "ab apud atque aut autem deinde dum enim erat ergo esse etiam eum haec hic iam"
    " igitur ille ipse ita mihi nam nec neque nihil nisi nunc omnes omnia propter quae"
    " quam quem quia quid quidem quis quod quoque sibi sicut sine sunt tamen tibi tum"
    " ubi ut vel vero",
    "Latvian": "arī bija būt ir jau jābūt jūs jūsu kur kā lai lūdzu mēs nav pirms pēc tas tika"
    " tikai vai visi viņš vēl šis šo šī",
    "Lithuanian": "apie arba buvo būti dėl iki iš jei jis jums jūsų kai kaip kuri kuris labai"
    " negali nes nuo nėra pagal prie prieš reikia savo taip tik turi yra į šio",
    "Luxembourgish": "awer datt deen déi dës dëse ech eng fir huet hunn kee keng mir nëmmen sinn"
    " vun wéi",
    "Malay": "apabila awak bagaimana iaitu kata kerana lalu laman mesti sahaja supaya tiada",
    "Maltese": "għal għandu hija huma huwa jekk kien mhux minn tal wara",
    "Norwegian": "av ble bli blir eg eit ener etter fordi få før gjennom hadde hennes hva igjen"
    " ikkje litt mellom mot noe noen nok nå opp oss seg slik uten vart vere vært",
    "Polish": "albo bardzo być był była było były będzie czy dla gdy gdzie inne jego jej jest"
    " jeszcze jeśli już każdy kiedy kto która które który którzy lub mnie może musi"
    " nawet nich nim niż ona oraz ponieważ poza proszę przed przez przy raz się sobie"
    " swój są także tam tego tej tylko tym wiele więc więcej wszystko że żeby",
    "Portuguese": "ainda além apenas após aquela aquele até cada deixe depois desde devem dois ela"
    " elas ele eles essa estava está estão existe fazer foram há isso isto lhe mas"
    " mesmo meu minha muito muitos nossa nosso nossos num numa não nós obrigado onde"
    " outra outro outros pela pelas pelo pelos pode podem porque porém quais seja ser"
    " será seus somente suas são também tem ter teve todas todo todos tudo têm uma"
    " umas você vocês",
    "Romanian": "aceasta această acest aceste acestea acestor acum aici asta astfel avea aș așa"
    " bine cea cei cel cele cu când cât că dacă deci decât deja despre dintre doar"
    " după ea fie fiecare foarte fost fără iar lor mea mult multe nici nimic nostru"
    " numai ori pe pentru peste poate prin putea sau spre sunteți să toate toți"
    " trebuie unde unei unor unui vă îi îl în încă între își și ți",
    "Scottish Gaelic": "aig airson ann anns bha bho bidh cha chan dha dhan dheth feumaidh nan tha"
    " thoir thu ur",
    "Slovak": "aj alebo bol bola bolo byť dnes ešte iba každý keď ktorá ktoré ktorý len medzi"
    " môže nič pred pri prosím sme sú takže tejto toto táto vo váš či čo",
    "Slovenian": "ampak bil bo bodo brez jih kar kateri ker kot mora niso svoj tako tega torej"
    " tudi vendar več zato če",
    "Sorbian": "abo dyrbi hač kak kaž njej njeje njejsu pak pśed pśi toś tutón wot wót",
    "Spanish": "además ahora algo alguna algunas algunos antes aquel aquella aquí así aunque"
    " bajo casi cual cuando cuál debe deben después donde ella ellas ellos eran eres"
    " esa ese eso esos estaba estar esto estos están fue fueron gracias gran había"
    " hace hacer hacia hasta haya luego mañana menos mientras mismo mucho muchos muy"
    " nada ninguna ningún nosotros nuestra nuestro otra otras otro otros puede pueden"
    " pues quien qué según sido siempre somos sus sí sólo también tanto tener tengo"
    " tiene tienen tras unas unos usted ustedes vez él",
    "Swahili": "ama baada hadi hii hivyo hiyo huo huyo ina inaweza ingine kabla kama katika kila"
    " kisha ku kuna kuwa kwa kwamba kwenye lakini lako leo mimi moja mtu nami ndani"
    " pia sana sasa siyo tafadhali vya wa wakati wako wao watu wewe yake yako yao"
    " yenye yeye zake",
    "Swedish": "andra att bara denna deras dess dessa detta där eftersom ej enligt ett fick"
    " finns flera från för före genom hade honom hur här icke ingen inget inte jag"
    " kommer kunde mellan mycket måste när någon något några och också redan samma"
    " sitt ska utan vad vara varit vid vilka vilken vill är även åt över",
    "Turkish": "ancak bana bazı belki biri biz bunu daha değil diye eğer fakat gibi göre hem hep"
    " hiç ile ise için kadar kendi lütfen mu mı nasıl neden olarak oldu olduğu olmalı"
    " olsun onlar onu onun sadece siz tarafından tüm veya yok çok çünkü şey şu",
    "Turkmen": "bilen bolmaly bolup diňe däl eger iň siziň üçin ýa ýok",
    "Uzbek": "bilan emas faqat kerak lekin lgan mumkin uchun yoki",
    "Vietnamese": "bạn cho chỉ các cái có cùng cũng cả của hoặc hơn khi không là làm lại mà một mới"
    " người như nhưng những nào này nếu phải ra rất sẽ số theo thì thể trong trên tôi"
    " tại tất từ và vào vì vẫn về với đang đã đó được đến để ở",
    "Welsh": "bod byddai cael ddim dros eich fod gwneud gyda heb hwn hyn mae maent mewn mwy"
    " neu nid oedd oes ond peidio rhaid roedd sydd wedi wrth ym yn",
    "Ido and Interlingua": "esar esas iste omna pote qua uzar",
}
"""Small words of languages in Latin script; a word is listed once, and not if it is English."""

# How much a word speaks against English.
_WEIGHTS = {word: 1.0 for words in _OTHERS.values() for word in words.split()}
_WEIGHTS |= dict.fromkeys(_PARTICLES, 0.5)
_WEIGHTS |= dict.fromkeys(_SHARED, -0.1)
_WEIGHTS |= dict.fromkeys(_ENGLISH, -1.0)
