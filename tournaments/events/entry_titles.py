"""What the title of a column means in a sheet of people, in eight languages. Pure: no database.

A title may be a single word, a question of a form ("What is your first and last name?", "Nom et prénom du joueur"), or
several words in the order in which the cells have them ("Apellidos, Nombre"). Every word of it must be known: "Name of
your deck" has a word for a name, and is none.
"""

import re
from collections.abc import Iterator, Mapping
from functools import cache

from tournaments.common import sheets

_COUNTED = re.compile(r"\([0-9]{1,4}\)")  # as in "Players (24)"
_ONE_OF_MANY = re.compile(r"\w+ \w")  # as in "Player A"
MAX_TITLE = 120  # characters; what is longer is a sentence
LAST_FIRST = "name_last_first"
# Two words for a part of a name, one of which means a whole name elsewhere.
TOGETHER: Mapping[str, str] = {
    "nom de famille": "famille",
    "nome di famiglia": "cognome",
    "nome de familia": "apellido",
    "nombre de pila": "forename",
    "nom d usage": "famille",
    "prenom usuel": "prenom",
    "second name": "surname",
}
# Titles that no rule below understands: exports of ticket shops, whose titles have two parts.
PHRASES: Mapping[str, str] = {
    "attendee name given name": "given_name",
    "attendee name family name": "family_name",
    "nom du participant prenom": "given_name",
    "nom du participant nom de famille": "family_name",
    "nome del partecipante nome": "given_name",
    "nome del partecipante cognome": "family_name",
    "short gamertag": "nickname",
}
# Titles of orders in ticket shops. In such a file a plain "e-mail" is that of the buyer, who may not be the player.
ORDERS = frozenset({
    *("order code", "order date", "order", "reference commande", "date de la commande", "statut de la commande"),
    "codice ordine",
})


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Words that mean nothing here: articles, "please enter", "your", "(required)".
FILLERS = _words("""
    a an the and or of in on for is are what whats s please enter type write tell us your my their you as it et ou
    de du des d le la les l un une votre vos ton ta tes notre quel quelle quels est sont indique indiquez saisis
    saisissez entrez veuillez merci svp inscrivez ecrivez c und oder der die das dein deine deinen deines ihr ihre
    ihren ihres wie lautet heisst heißt bitte gib geben sie ein vollstandiger eingeben nenne y o e el los las una
    tu tus su sus cual cuales es son por favor escribe escriba introduce indica completa il lo i gli uno tuo tua
    suo sua qual quali inserisci inserire scrivi per favore del della dei os um uma seu teu quais insira escreva
    digite informe do da dos en het een je jouw uw wat vul hier jakie jest twoje twoj podaj wpisz prosze swoje lub
    oraz required optional obligatoire facultatif pflichtfeld erforderlich obligatorio obligatoria opcional
    obbligatorio opzionale facoltativo obrigatorio obrigatoria verplicht optioneel wymagane opcjonalnie full
    complete complet complets completo completos completi voll vollstandig vollstandige volledige volledig pelne
    real legal entier entiere intero
""")
# Words for those who play. Alone, they stand for their names.
PEOPLE = _words("""
    player players participant participants attendee attendees competitor competitors entrant entrants member
    members person people duelist trainer joueur joueurs joueuse joueuses se participante participantes adherent
    adherents membre personne candidat spieler spielerin spielerinnen innen teilnehmer teilnehmerin teilnehmerinnen
    teilnehmende mitglied mitglieder jugador jugadora jugadores inscrito persona giocatore giocatrice giocatori
    partecipante partecipanti iscritto socio jogador jogadora jogadores concorrente speler spelers deelnemer
    deelnemers lid registered inscrit inscrits inscrite inscrites inscriptions angemeldet angemeldete anmeldung
    anmeldungen inscritos iscritti teilnehmerliste spielerliste teilnehmername spielername gracz gracze gracza
    zawodnik zawodnicy zawodnika uczestnik uczestnicy uczestnika osoba
""")
GIVEN = _words("""
    first given firstname givenname forename forenames christian fname prenom prenoms vorname vornamen vor rufname
    voornaam voornamen voor roepnaam imie imiona imienia
""")
FAMILY = _words("""
    last family surname surnames lastname familyname lname famille patronyme nachname nachnamen familienname
    familiennamen zuname nach apellido apellidos cognome cognomi sobrenome sobrenomes apelido apelidos achternaam
    achter familienaam nazwisko nazwiska
""")
NAME = _words("name names nom noms nombre nombres nome nomes nomi naam namen fullname")
NICKNAME = _words("""
    nickname nick nicknames pseudo pseudos pseudonyme username user gamertag gamer tag handle alias ign display
    displayname screen utilisateur spitzname benutzername anzeigename apodo mote usuario soprannome nomignolo
    alcunha bijnaam gebruikersnaam schermnaam ksywa ksywka pseudonim login
""")
EMAIL = _words("""
    email emails mail mails courriel messagerie correo emailadresse mailadresse emailaddress mailadres emailadres
    electronico electronica eletronico elettronica poczta poczty elektroniczna elektronicznej
""")
ADDRESS = _words("address adresse adresses direccion indirizzo endereco adres adresu posta")
CLUB = _words("""
    club clubs team teams shop store school association asso equipe equipes boutique magasin ecole structure verein
    vereine mannschaft laden schule equipo tienda escuela asociacion squadra negozio scuola associazione societa
    clube loja escola associacao vereniging ploeg winkel klub druzyna druzyny sklep szkola lgs
""")
TABLE = _words("table tisch tavolo mesa tafel stol stolik")
FIXED = _words("fixed fixe fester fisso fija fijo fixa vaste staly number no nr n numero nummer numer")
DECK = _words(
    "decklist decklists deckliste decklisten deck list liste lista mazzo mazo baraja baralho talia main decklijst"
)
LISTS = _words("list liste lista lijst listado")
# Known to be no name, and to be the title of a column: what forms, programs and organizers ask and note.
ASIDE = _words("""
    timestamp horodateur zeitstempel tijdstempel informazioni cronologiche marca temporal sygnatura czasowa carimbo
    data date datum dates hora heure uhrzeit time godzina ora tijd start end debut fin completion startzeit
    fertigstellungszeit inizio fine inicio id ids no nr num numero number nummer numer rank ranking rang platz
    position place seed score scores points point punkte punti puntos pontos phone telephone tel telefon telefono
    telefone telefoon handy mobile mobil portable gsm cellulare celular komorka birth birthday birthdate naissance
    geburtsdatum geburtstag nacimiento nascita nascimento geboortedatum urodzenia dob age alter edad eta idade
    leeftijd wiek country pays land pais paese kraj nation nationality nationalite nationalitat nacionalidad city
    ville stadt ciudad citta cidade stad miasto ort wohnort zip plz postal gender sexe geschlecht sexo genere
    geslacht plec sex pronouns pronoms federation licence license lizenz licencia licenza licenca licentie popid
    pop dci konami userid playerid cossy discord twitter paid paye payee bezahlt pagado pagato pago betaald
    oplacone ticket billet tarif price prix preis precio prezzo preco cena product prodotto comment comments
    commentaire commentaires kommentar bemerkung bemerkungen observaciones observacoes comentario comentarios
    opmerkingen uwagi note notes notas remarks remarque remarques status statut stato estado division category
    categorie kategorie categoria kategoria format game jeu spiel juego gioco jogo spel gra opponent result wins
    losses draws checked presence present presente signature unterschrift firma assinatura handtekening podpis
    consent rating elo payeur acheteur buyer payer record language langue sprache idioma lingua taal jezyk quantity
    qty total role seat
""")
KINDS: Mapping[str, frozenset[str]] = {
    "given": GIVEN,
    "family": FAMILY,
    "name": NAME,
    "nickname": NICKNAME,
    "email": EMAIL,
    "club": CLUB,
    "table": TABLE,
    "decklist": DECK,
}


@cache
def meaning_of(title: str) -> str:
    """What a title stands for; "" if it is not known.

    - `given_name`, `family_name`, `club`, `table`, `email`, `decklist`: a field of `entry_files.FIELDS`
    - `name`: a whole name; `name_last_first` if its words say that the family name comes first
    - `some_name`: "Name", "Nom", "Nombre" and the like, which are a whole name or a part of one
    - `nickname`
    - `player_email`: an address that is certainly the player's
    - `aside`: known to be none of these

    >>> meaning_of("Quel est votre prénom ? *"), meaning_of("Vor- und Nachname"), meaning_of("Apellidos, Nombre")
    ('given_name', 'name', 'name_last_first')
    >>> meaning_of("Name of your deck"), meaning_of("Date of birth")
    ('', 'aside')
    """
    if len(title) > MAX_TITLE:
        return ""
    plain = sheets.plain_title(_COUNTED.sub(" ", title))
    for phrase, word in TOGETHER.items():
        plain = plain.replace(phrase, word)
    if plain in PHRASES:
        return PHRASES[plain]
    if plain in ORDERS:
        return "aside"
    words = [word for word in plain.split() if word not in FILLERS]
    about_people = any(word in PEOPLE for word in words)
    words = [word for word in words if word not in PEOPLE]
    if about_people and all(word in LISTS for word in words):
        return "" if _ONE_OF_MANY.fullmatch(plain) else "some_name"
    if not words:
        return ""
    return _address(words, about_people) or _name(words) or _other(words)


def _address(words: list[str], about_people: bool) -> str:
    if not any(word in EMAIL for word in words) or not all(word in EMAIL | ADDRESS for word in words):
        return ""
    return "player_email" if about_people else "email"


def _name(words: list[str]) -> str:
    """Which part of a name these words stand for, and in which order."""
    kinds = list(_kinds_of_names(words))
    parts = [kind for kind in kinds if kind in ("given", "family")]
    if not kinds or "" in kinds:
        return ""
    if "nickname" in kinds:
        return "nickname"
    if not parts:
        return "some_name"
    if len({*kinds}) == 1:
        return f"{parts[0]}_name"
    # "Cognome e nome" and "Name, Vorname" say the order. In French everybody is asked for "Nom et prénom", and answers
    # in either order.
    turned = kinds[0] == "name" and parts[0] == ("family" if len({*parts}) == 2 else "given") and "nom" not in words
    return LAST_FIRST if kinds[0] == "family" or turned else "name"


def either_order(title: str) -> bool:
    """Whether a title asks for both parts of a name and people answer in either order.

    >>> either_order("Nom et prénom"), either_order("Prénom et nom")
    (True, False)
    """
    words = sheets.plain_title(title).split()
    asked = [word for word in words if word in ("nom", "prenom")]
    return meaning_of(title) == "name" and asked[:2] == ["nom", "prenom"]


def _kinds_of_names(words: list[str]) -> Iterator[str]:
    before = ""
    for word in words:
        kind = next((kind for kind in ("given", "family", "name", "nickname") if word in KINDS[kind]), "")
        # In "first name" and "user name" the word for a name adds nothing to the other.
        if kind != "name" or before not in (
            "first",
            "given",
            "last",
            "family",
            "christian",
            "display",
            "user",
            "screen",
        ):
            yield kind
        before = word


def _other(words: list[str]) -> str:
    """The field, other than a name, that all of these words stand for."""
    rest = [word for word in words if word not in NAME]
    if rest and all(word in CLUB for word in rest):
        return "club"
    if any(word in TABLE for word in words) and all(word in TABLE | FIXED for word in words):
        return "table"
    if all(word in DECK for word in words):
        return "decklist"
    known = ASIDE.union(*KINDS.values(), ADDRESS, FIXED)
    return "aside" if any(word in ASIDE for word in words) and all(word in known for word in words) else ""
