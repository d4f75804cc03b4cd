"""Common English words: a question that uses one means it, whether a note holds it or not."""

from __future__ import annotations

from functools import cache

from clawgit.text.words.stems import english_stem

_WORDS = """
able accept access account achieve act action active activity actual add address admit adult advance advice affect afford
agree aim air alive allow alone amount angry animal announce annual answer appear apply appoint approach approve area argue
arm arrange arrest arrive art article aspect assess assist assume attack attempt attend attitude attract audience author
available average avoid award aware baby background balance ball bank base basic battle bear beat beautiful bed begin behave
belief believe belong benefit bill bird birth black blood blow blue board boat body bone book border born boss bother bottom
box boy brain branch brand break breath bridge brief bright bring broad brother brown budget build burn bus business busy buy
call calm camera campaign cancel cancer candidate capable capital card care career careful carry case cash catch category
cause celebrate cell center central century certain chair challenge chance change character charge charity cheap check child
choice choose church citizen city civil claim class classic clean clear client climate climb close cloth clothes cloud club
coach coast code coffee cold collect college color combine comfort comment commit common communicate community company compare
compete complain complete complex computer concern condition conduct confident confirm conflict connect consider consist
constant contact contain content contest context continue contract contrast contribute control conversation cook cool copy
core corner correct cost count country couple courage course court cover crazy create credit crime crisis critic cross crowd cry
culture cup cure current custom customer cut cycle daily damage dance danger dark data date daughter day dead deal dear death
debate debt decade decide decision declare deep defend define degree delay deliver demand deny depend describe desert deserve
design desire desk despite destroy detail develop device die differ difficult dinner direct dirty discover discuss disease
divide doctor dog door doubt draft dream dress drink drive drop drug dry early earn earth ease east easy eat economy edge edit
education effect effort egg elect element emotion emphasis employ empty enable encounter encourage end enemy energy engage
engine enjoy enough enter entire environment equal equipment error escape especial establish estimate evening
event eventual evidence exact exam example excellent except exchange excite execute exercise exist exit expand expect expense
experience expert explain explore express extend extra extreme eye face fact factor fail fair fall familiar family famous fan
far farm fast father fault favor favorite fear feature fee feed feel female few field fight figure file fill film final
financial find fine finger finish fire firm fish fit fix flight floor flow flower fly focus follow food foot force foreign
forest forget form formal fortune forward found frame free freedom frequent fresh friend front fruit fuel full fun function
fund funny furniture future gain game garden gas gather general gentle gift girl give glad glass global goal gold good
government grade grand grant grass gray great green ground group grow growth guard guess guest guide guilty habit hair half
hall hand handle hang happen happy hard harm hate head heal health hear heart heat heavy height hello help hide high hill hire
history hit hobby hold hole holiday home honest hope horse hospital host hot hotel hour house huge human hungry hurry hurt
husband ice idea ideal identify identity ignore ill image imagine impact important impossible impress improve include income
increase independent indicate individual industry influence inform information initial injury inner inside inspire instance
instead institution instruct instrument insurance intend interest internal international interview introduce invest invite
involve island issue item join joke journey joy judge juice jump just justice keep key kick kid kill kind king kiss kitchen
knee know knowledge label labor lack lady lake land language large last late laugh launch law lawyer lay layer lead leader leaf
league learn lean leave left leg legal length lesson letter level library license lie life lift light like likely limit line
link list listen literature little live load loan local location lock long look lose loss lot loud love low luck lucky lunch
machine magazine main maintain major make male man manage map march mark market marry mass master match material matter
maximum meal mean measure meat media medical medicine medium meet member memory mental mention menu message metal method middle
military milk mind mine minimum minister minor minute miss mission mistake mix mobile model modern moment money monitor month
mood moon moral morning mother motion motivate mountain mouse mouth move movie music name narrow nation native nature near neat
necessary neck need negative neighbor nerve net network new news nice night noise normal north nose note notice novel nuclear
number nurse object observe obvious occasion occur ocean offer office officer official oil old open operate opinion
opportunity oppose option orange order ordinary organize origin outcome outside own owner pack page pain paint pair panel paper
parent park part participate particular partner party pass passion past path patient pattern pause pay peace people percent
perfect perform period permit person persona phase phone photo phrase physical piano pick picture piece pink place plan plane
plant plastic plate play please plenty poem point police policy polite political pool poor popular population position positive
possible post potential pound power practice prefer prepare present preserve president press pressure pretty prevent previous
price pride primary print prior priority prison private prize probable problem procedure process produce product profession
profit program progress project promise promote proof proper property propose protect proud prove provide public pull purchase
pure purple purpose pursue push put quality quantity quarter queen question quick quiet quit race radio rain raise range rapid
rare rate rather reach react read ready real reality realize reason receive recent recipe recognize recommend record recover red
reduce refer reflect refuse regard region regret regular reject relate relation relationship relax release relevant religion
religious rely remain remark remember remind remote remove rent repair repeat replace reply report represent request require
research reserve resist resolve resource respect respond response rest restaurant result retire return reveal review reward
rich ride right ring rise risk river road rock role roll room root rough round route routine row rule run rural rush sad safe
sale salt same sample sand satisfy save scale scene schedule school science score screen sea search season seat second secret
section secure see seek seem select self sell send senior sense sensitive separate sequence series serious serve service
session set settle several severe shade shake shape share sharp shelter shift shine ship shirt shock shoe shoot shop short shot
shoulder shout show shut sick side sight sign signal silent silver similar simple sing single sister sit site situation size
skill skin sleep slide slight slow small smart smell smile smoke smooth social society soft soil sold soldier solid solution
solve song sound source south space speak special specific speech speed spend spirit split sport spot spread spring square
stable staff stage stand standard star start state station status stay steady step stick still stock stone stop store storm
story straight strange stranger strategy stream street strength stress stretch strike string strong structure struggle student
study stuff stupid style subject submit succeed success sudden suffer sugar suggest suit summer sun supply support suppose sure
surface surprise surround survey survive suspect sweet swim switch symbol system table talent talk tall target task taste tax
teach teacher team tear technical technology telephone television temperature term terrible test text thank theme theory thick
thin think thought threat throw ticket tight tired title today together tone tool top topic total touch tough tour toward town
track trade tradition traffic train trait transfer transform translate transport travel treat tree trend trial trick trip
trouble truck true trust truth try turn twice type typical ugly under understand unique unit unite universe university unusual
update upper upset urban urge use useful usual vacation valid value variety various vehicle version victim video view village
violence visit visual voice volunteer vote wait wake walk wall war warm warn wash waste watch water wave weak wealth weapon
wear weather wedding week weekend weigh weight welcome west wet wheel white whole wide wife wild win wind window wine winner
winter wise wish woman wonder wood word work worker workshop world worry worth wrap write wrong yard year yellow young youth zero
one two three four five six seven eight nine ten first third fourth hundred thousand million
john jane mary james robert michael william david richard thomas charles daniel paul mark george peter anna jean emma laura
"""


@cache
def _stems() -> frozenset[str]:
    return frozenset(map(english_stem, _WORDS.split()))


def is_common(stem: str) -> bool:
    """Say whether a word of this stem is so common that it is hardly a slip of the pen."""
    return stem in _stems()
