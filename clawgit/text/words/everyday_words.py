"""Everyday words in seven languages: a row has words of one meaning, without accents, the most usual first."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from clawgit.text.words.stopwords import ENGLISH, LIGHT, is_common
from clawgit.text.words.terms import term_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_SHORT = 3  # letters: so short a word has lost no ending
_LANGUAGES = ("english", "german", "spanish", "french", "italian", "portuguese", "dutch")
_ROWS = (
    """
mother mum mom mommy | mutter mama mutti | madre mama | mere maman | madre mamma | mae mamae | moeder mama
father dad daddy | vater papa vati | padre papa | pere papa | padre papa babbo | pai papai | vader papa
parents | eltern | padres | parents | genitori | pais | ouders
sister | schwester | hermana | soeur | sorella | irma | zus zuster
brother | bruder | hermano | frere | fratello | irmao | broer
son | sohn | hijo | fils | figlio | filho | zoon
daughter | tochter | hija | fille | figlia | filha | dochter
child kid | kind | nino hijo | enfant | bambino figlio | crianca filho | kind
baby | baby saugling | bebe | bebe | neonato bebe | bebe | baby
wife | frau ehefrau | mujer esposa | femme epouse | moglie | mulher esposa | vrouw echtgenote
husband | mann ehemann | marido esposo | mari | marito | marido | man echtgenoot
grandmother grandma granny | grossmutter oma | abuela | grand-mere mamie | nonna | avo | oma grootmoeder
grandfather grandpa | grossvater opa | abuelo | grand-pere papi | nonno | avo | opa grootvader
aunt | tante | tia | tante | zia | tia | tante
uncle | onkel | tio | oncle | zio | tio | oom
cousin | cousin vetter cousine | primo prima | cousin cousine | cugino cugina | primo prima | neef nicht
nephew | neffe | sobrino | neveu | nipote | sobrinho | neef
niece | nichte | sobrina | niece | nipote | sobrinha | nicht
twins | zwillinge | gemelos mellizos | jumeaux | gemelli | gemeos | tweeling
friend | freund freundin | amigo amiga | ami amie | amico amica | amigo amiga | vriend vriendin
neighbour neighbor | nachbar nachbarin | vecino vecina | voisin voisine | vicino vicina | vizinho vizinha | buurman buurvrouw
landlord landlady | vermieter vermieterin | casero propietario arrendador | proprietaire bailleur | padrone proprietario | senhorio | huisbaas verhuurder
tenant | mieter mieterin | inquilino | locataire | inquilino | inquilino | huurder
boss | chef chefin vorgesetzter | jefe jefa | patron chef | capo | chefe patrao | baas
colleague coworker | kollege kollegin | colega companero | collegue | collega | colega | collega
customer client | kunde kundin | cliente | client | cliente | cliente | klant
employee | mitarbeiter angestellter | empleado | employe salarie | dipendente impiegato | empregado funcionario | medewerker werknemer
teacher | lehrer lehrerin | profesor maestra | professeur maitresse enseignant | insegnante maestra professore | professor professora | leraar juf meester
babysitter nanny | babysitter kindermadchen tagesmutter | ninera canguro | nounou garde | babysitter tata | ama baba | oppas
doctor physician gp | arzt arztin hausarzt | medico doctora doctor | medecin docteur | medico dottore dottoressa | medico medica | arts dokter huisarts
dentist | zahnarzt zahnarztin | dentista | dentiste | dentista | dentista | tandarts
pediatrician paediatrician | kinderarzt kinderarztin | pediatra | pediatre | pediatra | pediatra | kinderarts
vet veterinarian | tierarzt tierarztin | veterinario | veterinaire | veterinario | veterinario | dierenarts
nurse | krankenschwester pfleger | enfermera enfermero | infirmiere | infermiera | enfermeira | verpleegster
carer caregiver | pfleger pflegerin betreuerin | cuidadora cuidador | aide soignante | badante | cuidadora | verzorgster thuiszorg
hospital clinic | krankenhaus klinik spital | hospital clinica | hopital clinique | ospedale clinica | hospital clinica | ziekenhuis kliniek
pharmacy chemist | apotheke | farmacia | pharmacie | farmacia | farmacia | apotheek
medicine medication drug | medikament arznei | medicina medicamento | medicament | medicina farmaco | remedio medicamento | medicijn geneesmiddel
pill tablet | pille tablette | pastilla pildora | comprime pilule | pillola compressa | comprimido | pil tablet
prescription | rezept | receta | ordonnance | ricetta | receita | recept
appointment | termin | cita | rendez-vous | appuntamento | consulta marcacao | afspraak
allergy allergic | allergie allergisch | alergia alergico alergica | allergie allergique | allergia allergico allergica | alergia alergico alergica | allergie allergisch
blood | blut | sangre | sang | sangue | sangue | bloed
pressure | druck | presion tension | tension pression | pressione | tensao pressao | druk
pain | schmerz | dolor | douleur | dolore | dor | pijn
illness disease sick | krankheit krank | enfermedad enfermo | maladie malade | malattia malato | doenca doente | ziekte ziek
surgery operation | operation | operacion cirugia | operation chirurgie | operazione intervento | operacao cirurgia | operatie
vaccination vaccine | impfung | vacuna vacunacion | vaccin vaccination | vaccino vaccinazione | vacina | vaccinatie inenting
glasses | brille | gafas | lunettes | occhiali | oculos | bril
home house | haus zuhause | casa hogar | maison | casa | casa | huis thuis
flat apartment | wohnung | piso apartamento | appartement | appartamento | apartamento | appartement flat
room | zimmer raum | habitacion cuarto sala | chambre piece salle | stanza camera sala | quarto sala | kamer zaal
kitchen | kuche | cocina | cuisine | cucina | cozinha | keuken
bathroom | bad badezimmer | bano | bain | bagno | banheiro | badkamer
bedroom | schlafzimmer | dormitorio | chambre | camera | quarto | slaapkamer
garden | garten | jardin | jardin | giardino | jardim | tuin
garage | garage | garaje cochera | garage | garage box | garagem | garage
cellar basement | keller | sotano | cave sous-sol | cantina | cave | kelder
attic | dachboden | desvan atico | grenier | soffitta | sotao | zolder
roof | dach | tejado techo | toit | tetto | telhado | dak
door | tur | puerta | porte | porta | porta | deur
window | fenster | ventana | fenetre | finestra | janela | raam
key | schlussel | llave | cle clef | chiave | chave | sleutel
lock | schloss | cerradura candado | serrure cadenas | serratura lucchetto | fechadura cadeado | slot
safe | tresor safe | caja | coffre | cassaforte | cofre | kluis
code pin combination | code zahlenkombination geheimzahl | codigo clave | code | codice | codigo | code
password | passwort kennwort | contrasena clave | passe | password | senha palavra-passe | wachtwoord
address | adresse anschrift | direccion | adresse | indirizzo | endereco morada | adres
street road | strasse weg | calle | rue route | via strada | rua estrada | straat weg
town city | stadt ort | ciudad pueblo | ville | citta paese | cidade | stad
village | dorf | pueblo aldea | village | villaggio paese | aldeia vila | dorp
country | land | pais | pays | paese | pais | land
phone telephone | telefon handy | telefono movil | telephone portable | telefono cellulare | telefone telemovel | telefoon mobiel
number | nummer zahl | numero | numero | numero | numero | nummer
email mail | email mail | correo email | courriel mail | email posta | email correio | email mail
letter | brief | carta | lettre | lettera | carta | brief
parcel package | paket packchen | paquete | colis paquet | pacco | encomenda pacote | pakje pakket
rent | miete | alquiler | loyer | affitto | aluguel renda | huur
lease contract | mietvertrag vertrag pachtvertrag | contrato alquiler | bail contrat | contratto locazione | contrato arrendamento | huurcontract contract
deposit | kaution anzahlung | deposito fianza | caution acompte | deposito caparra cauzione | deposito caucao | borg aanbetaling
mortgage | hypothek | hipoteca | hypotheque pret | mutuo | hipoteca | hypotheek
loan credit | kredit darlehen | prestamo credito | pret credit | prestito | emprestimo | lening krediet
insurance insurer insured | versicherung versichert | seguro aseguradora | assurance assureur | assicurazione | seguro seguradora | verzekering verzekerd
policy | police | poliza | police | polizza | apolice | polis
tax | steuer | impuesto | impot taxe | tassa imposta | imposto | belasting
accountant bookkeeper | buchhalter steuerberater | contable gestor | comptable | commercialista contabile | contabilista contador | boekhouder
lawyer | anwalt rechtsanwalt | abogado abogada | avocat | avvocato | advogado | advocaat
bank | bank | banco | banque | banca | banco | bank
account | konto | cuenta | compte | conto | conta | rekening
invoice bill | rechnung | factura recibo | facture | fattura bolletta | fatura conta | factuur rekening
receipt | quittung beleg | recibo ticket | recu ticket | ricevuta scontrino | recibo | bon bonnetje
price cost costs | preis kosten kostet | precio coste cuesta | prix cout coute | prezzo costo costa | preco custo custa | prijs kosten kost
money | geld | dinero | argent | soldi denaro | dinheiro | geld
salary wage pay | gehalt lohn | salario sueldo | salaire | stipendio | salario ordenado | loon salaris
rate fee | satz gebuhr honorar | tarifa tasa | tarif taux | tariffa | taxa tarifa | tarief
hourly | stundensatz stundlich | hora | horaire | orario orari | hora | uurtarief
budget | budget | presupuesto | budget | budget preventivo | orcamento | budget begroting
discount | rabatt | descuento | remise reduction | sconto | desconto | korting
debt owe owes | schulden schuldet | deuda debe | dette doit | debito deve | divida deve | schuld
gift present | geschenk | regalo | cadeau | regalo | presente prenda | cadeau geschenk
shop store | laden geschaft | tienda | magasin boutique | negozio | loja | winkel
supermarket | supermarkt | supermercado | supermarche | supermercato | supermercado | supermarkt
supplier | lieferant | proveedor | fournisseur | fornitore | fornecedor | leverancier
delivery | lieferung | entrega | livraison | consegna | entrega | levering
order | bestellung auftrag | pedido | commande | ordine | encomenda pedido | bestelling
car | auto wagen pkw | coche carro auto | voiture auto | macchina auto | carro | auto wagen
van | transporter lieferwagen | furgoneta | camionnette fourgon | furgone | carrinha | bestelwagen busje
truck lorry | lastwagen lkw | camion | camion | camion | camiao caminhao | vrachtwagen
bicycle bike | fahrrad rad velo | bicicleta bici | velo bicyclette | bicicletta bici | bicicleta | fiets
motorbike motorcycle | motorrad | moto | moto | moto | moto | motor
train | zug bahn | tren | train | treno | comboio trem | trein
bus | bus | autobus bus | bus autobus | autobus | autocarro onibus | bus
plane flight fly | flugzeug flug fliegen | avion vuelo | avion vol | aereo volo | aviao voo | vliegtuig vlucht
airport | flughafen | aeropuerto | aeroport | aeroporto | aeroporto | luchthaven
station | bahnhof | estacion | gare | stazione | estacao | station
ticket | ticket karte fahrkarte | billete entrada | billet | biglietto | bilhete | kaartje ticket
plate licence license | kennzeichen nummernschild fuhrerschein | matricula carnet licencia | plaque permis immatriculation | targa patente | matricula carta | nummerplaat rijbewijs
tyre tire | reifen | neumatico rueda | pneu | gomma pneumatico | pneu | band
petrol gas fuel | benzin diesel kraftstoff | gasolina | essence carburant | benzina | gasolina | benzine
driver drives drive | fahrer fahrt fahren | conductor conduce | chauffeur conducteur conduit | autista guida | motorista conduz | chauffeur bestuurder rijdt
passport | reisepass pass | pasaporte | passeport | passaporto | passaporte | paspoort
document paper | dokument unterlagen papier | documento papel | document papier | documento carta | documento papel | document papier
holiday vacation | urlaub ferien | vacaciones | vacances | vacanza vacanze ferie | ferias | vakantie
trip journey travel | reise ausflug | viaje | voyage | viaggio gita | viagem | reis uitstap
hotel | hotel | hotel | hotel | albergo hotel | hotel | hotel
luggage suitcase | gepack koffer | equipaje maleta | bagage valise | bagaglio valigia | bagagem mala | bagage koffer
sea beach | meer strand | mar playa | mer plage | mare spiaggia | mar praia | zee strand
lake | see | lago | lac | lago | lago | meer
mountain | berg | montana | montagne | montagna | montanha | berg
work job | arbeit job beruf | trabajo empleo | travail emploi | lavoro | trabalho emprego | werk baan
works working | arbeitet | trabaja | travaille | lavora | trabalha | werkt
office | buro | oficina | bureau | ufficio | escritorio | kantoor
company firm | firma unternehmen | empresa | entreprise societe | azienda ditta societa | empresa | bedrijf firma
meeting | besprechung treffen sitzung | reunion | reunion | riunione incontro | reuniao | vergadering
shift | schicht dienst | turno | equipe poste | turno | turno | dienst ploeg
deadline due | frist fallig abgabe | plazo vence | echeance delai | scadenza | prazo vence | deadline termijn
project | projekt | proyecto | projet | progetto | projeto | project
school | schule | escuela colegio | ecole | scuola | escola | school
kindergarten nursery preschool | kindergarten kita | guarderia infantil | maternelle creche | asilo nido | jardim creche | kleuterschool creche
class grade | klasse | clase curso | classe | classe | turma aula classe | klas
exam test | prufung klausur test | examen prueba | examen controle | esame prova | exame prova teste | examen toets
course | kurs | curso | cours | corso | curso | cursus
lesson | stunde unterricht | clase leccion | lecon cours | lezione | aula licao | les
homework | hausaufgaben | deberes | devoirs | compiti | trabalhos | huiswerk
university college | universitat uni | universidad | universite fac | universita | universidade | universiteit
book | buch | libro | livre | libro | livro | boek
library | bibliothek bucherei | biblioteca | bibliotheque mediatheque | biblioteca | biblioteca | bibliotheek
instrument | instrument | instrumento | instrument | strumento | instrumento | instrument
piano | klavier | piano | piano | pianoforte | piano | piano
guitar | gitarre | guitarra | guitare | chitarra | violao guitarra | gitaar
choir | chor | coro | chorale choeur | coro | coro | koor
rehearsal | probe | ensayo | repetition | prova | ensaio | repetitie
club association | verein klub | club asociacion | club association | circolo associazione | clube associacao | club vereniging
birthday | geburtstag | cumpleanos | anniversaire | compleanno | aniversario | verjaardag
wedding married | hochzeit verheiratet | boda casado | mariage marie | matrimonio nozze sposato | casamento casado | bruiloft huwelijk
party | fest feier party | fiesta | fete | festa | festa | feest
christmas | weihnachten | navidad | noel | natale | natal | kerst kerstmis
easter | ostern | pascua | paques | pasqua | pascoa | pasen
funeral | beerdigung | funeral entierro | enterrement obseques | funerale | funeral enterro | begrafenis
dinner supper | abendessen | cena | diner souper | cena | jantar | avondeten diner
lunch | mittagessen | almuerzo comida | dejeuner | pranzo | almoco | lunch middageten
breakfast | fruhstuck | desayuno | petit-dejeuner | colazione | pequeno-almoco | ontbijt
food eat eats | essen isst lebensmittel | comida come comer | nourriture mange manger | cibo mangia mangiare | comida come comer | eten eet
drink drinks | getrank trinkt trinken | bebida bebe beber | boisson boit boire | bevanda beve bere | bebida bebe beber | drank drinkt
recipe | rezept | receta | recette | ricetta | receita | recept
bread | brot | pan | pain | pane | pao | brood
milk | milch | leche | lait | latte | leite | melk
meat | fleisch | carne | viande | carne | carne | vlees
fish | fisch | pescado pez | poisson | pesce | peixe | vis
egg | ei eier | huevo | oeuf | uovo uova | ovo | ei
nut nuts | nuss nusse | nuez frutos | noix | noce noci | noz nozes | noot noten
peanut | erdnuss erdnusse | cacahuete mani | cacahuete arachide | arachide | amendoim | pinda
hazelnut | haselnuss haselnusse | avellana | noisette | nocciola | avela | hazelnoot
walnut | walnuss walnusse | nuez | noix | noce | noz | walnoot
almond | mandel | almendra | amande | mandorla | amendoa | amandel
strawberry | erdbeere | fresa | fraise | fragola | morango | aardbei
gluten coeliac celiac | gluten zoliakie | gluten celiaco celiaca | gluten coeliaque | glutine celiaco celiaca | gluten celiaco celiaca | gluten coeliakie
cheese | kase | queso | fromage | formaggio | queijo | kaas
coffee | kaffee | cafe | cafe | caffe | cafe | koffie
tea | tee | te | the | te | cha | thee
wine | wein | vino | vin | vino | vinho | wijn
beer | bier | cerveza | biere | birra | cerveja | bier
water | wasser | agua | eau | acqua | agua | water
dog | hund | perro perra | chien chienne | cane | cao cachorro | hond
cat | katze kater | gato gata | chat chatte | gatto gatta | gato gata | kat poes
horse | pferd | caballo | cheval | cavallo | cavalo | paard
bee hive | biene bienenstock | abeja colmena | abeille ruche | ape alveare | abelha colmeia | bij bijenkast
hamster rabbit | hamster kaninchen | hamster conejo | hamster lapin | criceto coniglio | hamster coelho | hamster konijn
tree | baum | arbol | arbre | albero | arvore | boom
flower | blume | flor | fleur | fiore | flor | bloem
potato | kartoffel erdapfel | patata papa | patate pomme | patata | batata | aardappel
colour color | farbe | color | couleur | colore | cor | kleur
size | grosse | talla tamano | taille pointure | taglia misura | tamanho | maat
shoe | schuh | zapato | chaussure | scarpa | sapato | schoen
clothes | kleidung kleider | ropa | vetements | vestiti | roupa | kleren
furniture | mobel | muebles | meubles | mobili | moveis | meubels
chair | stuhl | silla | chaise | sedia | cadeira | stoel
table | tisch | mesa | table | tavolo | mesa | tafel
bed | bett | cama | lit | letto | cama | bed
couch sofa | sofa couch | sofa | canape | divano | sofa | bank zetel
oven kiln | ofen brennofen | horno | four | forno | forno | oven
heating heater | heizung | calefaccion | chauffage | riscaldamento | aquecimento | verwarming
washing | waschmaschine wasche | lavadora | lave-linge lessive | lavatrice bucato | lavar roupa | wasmachine was
repair fix | reparatur reparieren | reparacion arreglar | reparation reparer | riparazione riparare | reparacao consertar | herstelling reparatie
plumber | klempner installateur | fontanero | plombier | idraulico | canalizador encanador | loodgieter
electrician | elektriker | electricista | electricien | elettricista | eletricista | elektricien
carpenter | tischler schreiner | carpintero | menuisier | falegname | carpinteiro marceneiro | timmerman schrijnwerker
tiler tiles | fliesenleger fliesen | azulejos alicatador | carreleur carrelage | piastrellista piastrelle | azulejos ladrilhador | tegelzetter tegels
hairdresser | friseur friseurin | peluquero peluqueria | coiffeur coiffeuse | parrucchiere | cabeleireiro | kapper
waste rubbish garbage trash bins | mull abfall tonne | basura | poubelle dechets | spazzatura rifiuti | lixo | afval vuilnis
electricity power | strom elektrizitat | electricidad luz | electricite courant | elettricita corrente | eletricidade luz | elektriciteit stroom
internet wifi | internet wlan | internet wifi | internet wifi | internet wifi | internet wifi | internet wifi
computer laptop | computer rechner laptop | ordenador computadora portatil | ordinateur portable | computer portatile | computador portatil | computer laptop
printer | drucker | impresora | imprimante | stampante | impressora | printer
camera | kamera | camara | appareil | fotocamera | camera | camera
photo picture | foto bild | foto | photo | foto | foto fotografia | foto
clock watch | uhr | reloj | horloge montre | orologio | relogio | klok horloge
name called | name heisst | nombre llama | nom appelle | nome chiama | nome chama | naam heet
age old | alter alt | edad anos | age ans | eta anni | idade anos | leeftijd oud
born | geboren | nacio nacido nacida | ne nee | nato nata | nasceu nascido | geboren
lives live living | wohnt lebt wohne | vive vivo | habite vit | vive abita | mora vive | woont
studies study | studiert studium | estudia estudios | etudie etudes | studia studi | estuda estudos | studeert studie
plays play | spielt spielen | toca juega | joue | suona gioca | toca joga | speelt
swimming swim | schwimmen schwimmt | natacion nadar | natation nager | nuoto | natacao nadar | zwemmen
football soccer | fussball | futbol | foot football | calcio | futebol | voetbal
gym | fitnessstudio turnhalle | gimnasio | gym salle | palestra | ginasio academia | sportschool fitness
language | sprache | idioma lengua | langue | lingua | lingua idioma | taal
church | kirche | iglesia | eglise | chiesa | igreja | kerk
hall | saal halle | sala salon | salle | sala | salao sala | zaal hal
floor storey | stock stockwerk etage boden | piso planta suelo | etage sol | piano pavimento | andar piso chao | verdieping vloer
opening opens open | offnungszeiten offnet geoffnet | abre abierto horario | ouvre ouvert ouverture | apre aperto apertura | abre aberto abertura | open opent openingsuren
closes closed close shut | schliesst geschlossen zu | cierra cerrado | ferme | chiude chiuso | fecha fechado | sluit gesloten
end ends ending expires expiry | endet ende ablauft lauft | vence termina acaba | finit expire termine | scade finisce | termina acaba vence | eindigt loopt
begin begins start starts | beginnt beginn anfang startet | empieza comienza | commence debut | inizia comincia | comeca inicia | begint start
""".replace("-", "")
    .strip()
    .splitlines()
)


@lru_cache(maxsize=1024)
def meanings_of(word: str) -> Sequence[tuple[str, str]]:
    """Return an everyday index word's equivalents, each an index word with its language."""
    meant: dict[tuple[str, str], None] = {}
    for row in _rows_with(word):
        for own_language in [language for language, own in row if own == word]:
            for language, other in row:
                if language != own_language and other != word:
                    meant[language, other] = None
    return list(meant)


@lru_cache(maxsize=1024)
def abroad(word: str) -> frozenset[str]:
    """Return an everyday index word's equivalents in other languages, without those that are short, or common in English."""
    others = set()
    for _, other in meanings_of(word):
        is_english = other in ENGLISH | LIGHT or is_common(other) or _LANGUAGES[0] in languages_with(other)
        if len(other) > _SHORT and not is_english:
            others.add(other)
    return frozenset(others)


@lru_cache(maxsize=1024)
def languages_with(word: str) -> frozenset[str]:
    return frozenset(language for row in _rows_with(word) for language, own in row if own == word)


def _rows_with(word: str) -> Iterator[list[tuple[str, str]]]:
    """Yield the rows that may have a word: reading all would cost as much as a search."""
    begins = word[:-1] if len(word) > _SHORT else word
    for line in _ROWS:
        if begins in line:
            row = []
            for language, written in zip(_LANGUAGES, line.split("|"), strict=True):
                for each in written.split():
                    row.append((language, term_of(each)))
            yield row
